"""The table of the concepts of the evaluation literature.

Rows follow the sections of the wiki's evaluation pages: A board, B pawn patterns, C pawn weaknesses,
D passed pawns, E pawn configurations, F pieces, G king, H the whole board, J draws and scaling. A term or
scaling rule names the rows it serves; a row names what else does, or why nothing can.
"""

from __future__ import annotations

from dataclasses import dataclass

FEATURE, PATTERN, SCALING, OTHER = "feature", "pattern", "scaling", "other"
CORE, IMPORTANT, EXOTIC = "core", "important", "exotic"


@dataclass(frozen=True)
class Concept:
    """One row: `served_by` are names in this package (`terms.spans.levers`) besides terms and rules.

    `reason` says why a row needs something else than a pure function of the board, or what is left out.
    """

    row: str
    name: str
    kind: str
    priority: str
    served_by: tuple[str, ...] = ()
    reason: str = ""


def _row(text: str, served_by: str = "", reason: str = "") -> Concept:
    """From "C5 | Backward pawn | feature | core"."""
    row, name, kind, priority = (part.strip() for part in text.split("|"))
    return Concept(row, name, kind, priority, tuple(served_by.split()), reason)


BOARD = (
    _row("A1 | Center distance | feature | core", "forms.BY_CENTER_DISTANCE"),
    _row("A2 | Center Manhattan distance | feature | important", "forms.BY_CENTER_MANHATTAN"),
    _row(
        "A3 | Distance between men | feature | important",
        "terms.squares.distance terms.squares.moves_apart",
        "The distance of the two kings is the same for both sides and cancels.",
    ),
    _row("A4 | Centre and extended centre | pattern | core", "bitboards.CENTER bitboards.EXTENDED_CENTER"),
    _row(
        "A5 | Colour of a square | pattern | core",
        "bitboards.DARK_SQUARES bitboards.LIGHT_SQUARES forms.BY_SQUARE_COLOUR",
    ),
    _row("A6 | File and rank masks | pattern | core", "bitboards.FILE_A bitboards.RANK_1"),
    _row(
        "A7 | Fills, spans, shifts | pattern | core",
        "bitboards.north bitboards.south bitboards.east bitboards.west bitboards.north_fill "
        "bitboards.south_fill bitboards.file_fill bitboards.front_spans bitboards.rear_spans",
    ),
)

PAWN_PATTERNS = (
    _row(
        "B1 | Front attack span | pattern | core",
        "bitboards.attack_spans bitboards.attack_spans_of_enemy terms.spans.east_attack_spans "
        "terms.spans.west_attack_spans",
    ),
    _row(
        "B2 | Rear attack span | pattern | core",
        "terms.spans.rear_attack_spans terms.spans.east_rear_attack_spans terms.spans.west_rear_attack_spans",
    ),
    _row("B3 | Attack file fill | pattern | core", "terms.spans.attack_file_fill"),
    _row(
        "B4 | Pawn attacks: east, west, any, double, single | pattern | core",
        "bitboards.pawn_attacks terms.spans.east_pawn_attacks terms.spans.west_pawn_attacks "
        "terms.spans.double_pawn_attacks terms.spans.single_pawn_attacks",
    ),
    _row("B5 | Safe pawn squares | pattern | important", "terms.spans.safe_pawn_squares"),
    _row("B6 | Open (half-free) pawn | pattern | core", "terms.spans.open_pawns"),
    _row("B7 | Ram, unfree pawn | pattern | important", "terms.spans.rammed_pawns terms.spans.unfree_pawns"),
    _row("B8 | Lever | pattern | important", "terms.spans.levers"),
    _row("B9 | Sentry and helper | pattern | important", "terms.spans.sentries terms.spans.helpers"),
    _row("B10 | Stop and telestop | pattern | core", "terms.spans.stops terms.spans.telestops"),
)

PAWN_WEAKNESSES = (
    _row("C1 | Isolated pawn | feature | core"),
    _row("C2 | Half-isolated pawn | feature | important"),
    _row("C3 | Isolated pawn on a half-open file | feature | core"),
    _row("C4 | Isolated queen's pawn | feature | exotic"),
    _row("C5 | Backward pawn | feature | core"),
    _row("C6 | Straggler | feature | important"),
    _row("C7 | Telestop weakness | feature | important"),
    _row("C8 | Backward in the second pass | feature | important"),
    _row("C9 | Backward by negative exchange | feature | exotic"),
    _row("C10 | Backward but for the knight rule | feature | exotic"),
    _row("C11 | Weak pawn | feature | core"),
    _row("C12 | Doubled and multiple pawns | feature | core"),
    _row("C13 | Tripled pawns, twins | feature | exotic"),
    _row("C14 | Berliner's kinds of doubled pawns | feature | important", "terms.doubled.exchangeable"),
    _row("C15 | Crippled majority | feature | important"),
    _row("C16 | Pawn majority | feature | important"),
    _row(
        "C17 | A doubled pawn is worth half a pawn | other | exotic",
        reason="A starting weight, not a count: set it in the evaluation file.",
    ),
    _row("C18 | Hanging pawns | feature | exotic"),
    _row("C19 | Holes | feature | important", "terms.holes.holes"),
    _row("C20 | Hole between two sentries | feature | exotic"),
    _row("C21 | Outposts | feature | core", "terms.holes.outposts"),
    _row(
        "C22 | Overlap of pawn terms | other | core",
        reason="A property of a set of terms: the report names columns that cannot be told apart.",
    ),
)

PASSED_PAWNS = (
    _row("D1 | Passed pawn | feature | core", "terms.passed.passed"),
    _row("D2 | Protected and supported passed pawn | feature | core"),
    _row("D3 | Connected passed pawns | feature | core", "terms.passed.connected"),
    _row("D4 | Distant passed pawns in pawn endings | feature | exotic"),
    _row("D5 | Candidate by helpers and sentries | feature | important"),
    _row("D6 | Candidate with helpers that are held | feature | important"),
    _row("D7 | Candidate by control of its path | feature | important"),
    _row("D8 | Candidate on the fifth rank | feature | important"),
    _row("D9 | Candidate whose helper is a passer | feature | important"),
    _row("D10 | Faker | feature | important"),
    _row("D11 | Sneaker, hidden passed pawn | feature | exotic"),
    _row("D12 | Race of a sneaker | feature | exotic"),
    _row("D13 | Rule of the square | feature | important", "terms.squares.catches"),
    _row("D14 | Connected passed pawns in rook endings | feature | exotic"),
    _row("D15 | Bishop or king holds connected passed pawns | feature | exotic"),
    _row(
        "D16 | Outside and unstoppable passers, blockade of the stop | feature | important",
        reason="Passed pawn extensions belong to the search.",
    ),
)

PAWN_CONFIGURATIONS = (
    _row(
        "E1 | Pawns with a neighbour | pattern | core",
        "terms.duos.with_east_neighbour terms.duos.with_west_neighbour",
    ),
    _row("E2 | Duo, phalanx | feature | core"),
    _row("E3 | Trio, quart | feature | exotic"),
    _row(
        "E4 | Defended pawn | feature | core",
        "terms.chains.defended_from_west terms.chains.defended_from_east",
    ),
    _row(
        "E5 | Defender | pattern | important",
        "terms.chains.defenders_from_west terms.chains.defenders_from_east",
    ),
    _row("E6 | Inner chain | feature | exotic"),
    _row("E7 | Chain base | feature | important"),
    _row("E8 | Chain peak | feature | exotic"),
    _row("E9 | Islands | feature | important"),
    _row("E10 | Dispersion | feature | exotic"),
    _row("E11 | Distortion | feature | exotic"),
    _row("E12 | Reverse distortion | feature | exotic"),
    _row("E13 | Triangle c4 d3 e4 | pattern | exotic"),
    _row(
        "E14 | Majority, islands, chain, king-pawn tropism | feature | exotic",
        reason="Minority attack and breakthrough are named in the sources without a definition.",
    ),
    _row(
        "E15 | Pawn hash table | other | important",
        reason="A speed-up of engines; the extraction of all pawn terms is cheap without.",
    ),
)

PIECES = (
    _row("F1 | Material | feature | core"),
    _row("F2 | Piece-square tables | feature | core"),
    _row("F3 | Mobility | feature | core"),
    _row("F4 | Knight and rook value by pawns | feature | core"),
    _row("F5 | Bishop pair | feature | core"),
    _row("F6 | Knight pair, rook pair | feature | important"),
    _row("F7 | Bad bishop | feature | core"),
    _row("F8 | Bishop versus knight | feature | important"),
    _row("F9 | Colour weakness | feature | important"),
    _row("F10 | Opposite-coloured bishops | scaling | core"),
    _row("F11 | Trapped pieces | feature | important"),
    _row("F12 | Knight blocks the c-pawn | feature | exotic"),
    _row("F13 | Knight defended by a pawn | feature | important"),
    _row("F14 | Undefended minor piece | feature | important"),
    _row("F15 | Fianchetto, returning bishop | feature | exotic"),
    _row("F16 | Rook on open and half-open file | feature | core"),
    _row("F17 | Rook on the seventh | feature | important"),
    _row("F18 | Rook behind a passed pawn | feature | important"),
    _row("F19 | Rook shut in by its king | feature | important"),
    _row("F20 | Rook on the enemy queen's file | feature | exotic"),
    _row("F21 | Connected rooks | feature | exotic"),
    _row("F22 | Early queen | feature | important"),
    _row("F23 | Queen near the enemy king | feature | important"),
    _row("F24 | Blocked central pawn | feature | important"),
    _row("F25 | Pins | feature | exotic"),
    _row(
        "F26 | Influence of pieces on an empty board | other | exotic",
        reason="Fixed numbers (rook 14, bishop 8.75, knight 5.25 squares): starting weights, not counts.",
    ),
)

KING = (
    _row("G1 | Pawn shield | feature | core"),
    _row("G2 | King attack units | feature | core"),
    _row("G3 | King zone | pattern | core", "terms.king.enemy_king_zone"),
    _row("G4 | King in the centre in endings | feature | core", "forms.BY_CENTER_DISTANCE"),
    _row("G5 | Mop-up | feature | important"),
    _row("G6 | Corner of the bishop's colour | feature | exotic"),
    _row("G7 | King on a wing without pawns | feature | exotic"),
    _row("G8 | Castling rights | feature | important"),
    _row(
        "G9 | King position by phase | feature | core",
        reason="`psqt_king` has a midgame and an endgame weight for every square.",
    ),
    _row(
        "G10 | Mate at a glance | other | exotic",
        reason="Named without a definition; the search finds mates.",
    ),
    _row("G11 | Corresponding squares | feature | exotic"),
    _row("G12 | Critical squares, opposition | other | exotic"),
)

WHOLE_BOARD = (
    _row("H1 | Tempo | feature | core"),
    _row("H2 | Development | feature | important"),
    _row("H3 | Control of the centre | feature | important"),
    _row("H4 | Space | feature | important"),
    _row("H5 | Connectivity | feature | exotic"),
    _row(
        "H6 | Entropy of connectivity | feature | exotic",
        reason="The sources do not say what the probabilities are.",
    ),
    _row(
        "H7 | Simplex and complex | feature | exotic",
        reason="A way of speaking of attacked squares; the sources define nothing to count.",
    ),
    _row(
        "H8 | Four networks | feature | exotic",
        reason="Statistics of whole games; the sources define no count of one position.",
    ),
    _row(
        "H9 | Trajectories | other | exotic",
        reason="Plans of moves: they belong to the search.",
    ),
    _row(
        "H10 | Chess neighbourhoods | feature | exotic",
        reason="Patterns of 17 squares to look games up by, not counts to weigh.",
    ),
    _row("H11 | Loose and hanging pieces | feature | important"),
    _row("H12 | Material imbalance | feature | core"),
    _row(
        "H13 | Contempt | other | exotic",
        reason="A wish of the engine, which no data can fit.",
    ),
)

ENDGAMES = (
    _row("J1 | Obvious draws | scaling | core"),
    _row("J2 | Likely draws by material | scaling | important"),
    _row("J3 | Bishop and pawn, king on the path | scaling | exotic"),
    _row("J4 | Queen against pawn on the seventh | scaling | exotic"),
    _row("J5 | Wrong-coloured bishop | scaling | important"),
    _row("J6 | A lone minor piece cannot win | scaling | important"),
    _row("J7 | Opposite bishops scale | scaling | core"),
    _row("J8 | Low material of CPW-Engine | scaling | important"),
    _row("J9 | Blockage, ram fence | scaling | exotic"),
    _row("J10 | Blockage with dynamic pawns | scaling | exotic"),
    _row(
        "J11 | Blockage as a bound in search | other | exotic",
        reason="Belongs to the search.",
    ),
    _row(
        "J12 | Endgame knowledge by material | scaling | important",
        reason="The scaling rule `material` takes a factor for any set of men.",
    ),
    _row(
        "J13 | Tablebases | scaling | important",
        reason="Needs files, not the board alone: relabel or leave out such positions before fitting.",
    ),
    _row(
        "J14 | Lists of endgame classes | scaling | exotic",
        reason="A list of names; those with a definition are the other rows of this section.",
    ),
    _row("J15 | Scale by material signature | scaling | core"),
    _row(
        "J16 | Fortress, fifty moves | scaling | exotic",
        reason="Fortresses are named without a definition; a term sees the board, not the clock.",
    ),
)

CONCEPTS: tuple[Concept, ...] = (
    *BOARD,
    *PAWN_PATTERNS,
    *PAWN_WEAKNESSES,
    *PASSED_PAWNS,
    *PAWN_CONFIGURATIONS,
    *PIECES,
    *KING,
    *WHOLE_BOARD,
    *ENDGAMES,
)
