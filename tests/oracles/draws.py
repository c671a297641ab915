"""Oracles of the scaling rules: the case that applies when White is ahead, "" for none."""

import chess

from .squares import Place, adjacent, places

MINORS = (chess.KNIGHT, chess.BISHOP)
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def men(board: chess.Board, colour: chess.Color) -> str:
    """The men of one side beside the king, pawns first: `PPNB`."""
    kinds = (chess.PAWN, *PIECES)
    return "".join(chess.piece_symbol(kind).upper() * len(board.pieces(kind, colour)) for kind in kinds)


def colours(board: chess.Board, colour: chess.Color) -> list[int]:
    """0 (dark) or 1 (light) for each bishop."""
    return [(file + rank) % 2 for file, rank in places(board, chess.BISHOP, colour)]


def king(board: chess.Board, colour: chess.Color) -> Place:
    return places(board, chess.KING, colour)[0]


def steps(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def insufficient_material(board: chess.Board) -> str:
    return "dead position" if board.is_insufficient_material() else ""


def two_knights(board: chess.Board) -> str:
    alone = men(board, chess.WHITE) == "NN" and men(board, chess.BLACK) == ""
    return "two knights v king" if alone else ""


def minor_pieces(board: chess.Board) -> str:
    ours, theirs = men(board, chess.WHITE), men(board, chess.BLACK).replace("P", "")
    if theirs not in ("N", "B"):
        return ""
    if ours in ("N", "B"):
        return "minor v minor"
    if ours == "NN":
        return "two knights v minor"
    if ours == "BB" and len(set(colours(board, chess.WHITE))) == 2:
        return "two bishops v bishop" if theirs == "B" else ""
    return "two minors v minor" if ours in ("NB", "BB") else ""


def lone_minor(board: chess.Board) -> str:
    return "lone minor" if men(board, chess.WHITE) in ("", "N", "B") else ""


def no_pawns(board: chess.Board) -> str:
    worth = {"N": 3, "B": 3, "R": 5, "Q": 9, "P": 0}
    ours, theirs = (sum(worth[man] for man in men(board, colour)) for colour in (chess.WHITE, chess.BLACK))
    if "P" in men(board, chess.WHITE) or ours - theirs > 3:
        return ""
    return "at most a minor piece ahead"


def low_material(board: chess.Board) -> str:
    ours, theirs = men(board, chess.WHITE), men(board, chess.BLACK)
    if ours in ("", "N", "B"):
        return "lone minor"
    if ours == "NN" and "P" not in theirs:
        return "two knights"
    if ours == "R" and theirs.replace("P", "") in ("N", "B"):
        return "rook v minor"
    return "rook and minor v rook" if ours in ("NR", "BR") and theirs.replace("P", "") == "R" else ""


def _is_passed(board: chess.Board, pawn: Place) -> bool:
    theirs = places(board, chess.PAWN, chess.BLACK)
    return not any(abs(other[0] - pawn[0]) <= 1 and other[1] > pawn[1] for other in theirs)


def opposite_bishops(board: chess.Board) -> str:
    ours, theirs = colours(board, chess.WHITE), colours(board, chess.BLACK)
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return ""
    if (men(board, chess.WHITE) + men(board, chess.BLACK)).replace("P", "") != "BB":
        return "with other pieces"
    passers = [pawn for pawn in places(board, chess.PAWN, chess.WHITE) if _is_passed(board, pawn)]
    pairs = [(one, other) for one in passers for other in passers]
    connected = any(adjacent(one, other) and abs(one[1] - other[1]) <= 1 for one, other in pairs)
    apart = any(one[0] <= 2 and other[0] >= 5 for one, other in pairs)
    return "bishops only, strong passers" if connected or apart else "bishops only"


def wrong_bishop(board: chess.Board) -> str:
    pawns, bishops = places(board, chess.PAWN, chess.WHITE), colours(board, chess.WHITE)
    if not pawns or not bishops or men(board, chess.WHITE).strip("PB"):
        return ""
    files = {file for file, _ in pawns}
    if len(files) != 1 or not files <= {0, 7}:
        return ""
    corner = (files.pop(), 7)
    if (corner[0] + corner[1]) % 2 in bishops:
        return ""
    away = steps(king(board, chess.BLACK), corner)
    if away <= 1:
        return "king at the corner"
    away -= board.turn == chess.BLACK
    pushes = min(7 - rank for _, rank in pawns)
    in_time = away <= pushes and away <= steps(king(board, chess.WHITE), corner)
    return "king reaches the corner" if in_time else ""


def bishop_and_pawn_v_minor(board: chess.Board) -> str:
    if men(board, chess.WHITE) != "PB" or men(board, chess.BLACK) not in ("N", "B"):
        return ""
    (pawn,), defender = places(board, chess.PAWN, chess.WHITE), king(board, chess.BLACK)
    before = defender[0] == pawn[0] and defender[1] > pawn[1]
    out_of_reach = sum(defender) % 2 not in colours(board, chess.WHITE)
    return "king on the path" if before and out_of_reach else ""


def queen_v_pawn(board: chess.Board) -> str:
    if men(board, chess.WHITE) != "Q" or men(board, chess.BLACK) != "P":
        return ""
    ((file, rank),) = places(board, chess.PAWN, chess.BLACK)
    beside = steps(king(board, chess.BLACK), (file, rank)) == 1
    late = steps(king(board, chess.WHITE), (file, rank)) >= 5
    return "rook or bishop pawn" if rank == 1 and file in (0, 2, 5, 7) and beside and late else ""


def _fixed(ours: set[Place], theirs: set[Place]) -> set[Place]:
    fixed = {pawn for pawn in ours if (pawn[0], pawn[1] + 1) in theirs}
    if len(fixed) < 3:
        return set()
    for _ in range(4):
        fixed |= {pawn for pawn in ours if (pawn[0], pawn[1] + 1) in fixed}
    return fixed


def _fence(ours: set[Place], theirs: set[Place]) -> set[Place]:
    attacked = {(file + east, rank - 1) for file, rank in theirs for east in (-1, 1) if 0 <= file + east <= 7}
    fixed = _fixed(ours, theirs)
    return fixed | attacked if fixed else set()


def ram_fence(ours: set[Place], theirs: set[Place]) -> tuple[set[Place], set[Place]] | None:
    """(flood, fence) as the page describes them, or None where no fence holds White's king."""
    order = {(square % 8, square // 8): square for square in chess.SQUARES}
    fence = _fence(ours, theirs)
    if not fence:
        return None
    first, last = min(order[at] for at in fence), max(order[at] for at in fence)
    flood = {at for at, square in order.items() if square < max(8, first)}
    while True:
        around = [(east, north) for east in (-1, 0, 1) for north in (-1, 0, 1)]
        ring = {(file + east, rank + north) for file, rank in flood for east, north in around}
        grown = {at for at in ring if at in order} - fence
        if any(order[at] > last for at in grown):
            return None
        if grown == flood:
            return flood, fence
        flood = grown
        if flood & theirs:
            theirs = theirs - flood
            fence = _fence(ours, theirs)
            if not fence:
                return None


def blockage(board: chess.Board) -> str:
    if (men(board, chess.WHITE) + men(board, chess.BLACK)).strip("P"):
        return ""
    ours, theirs = (set(places(board, chess.PAWN, colour)) for colour in (chess.WHITE, chess.BLACK))
    if any(adjacent(one, other) and other[1] - one[1] == 1 for one in ours for other in theirs):
        return ""
    held = ram_fence(ours, theirs)
    if held is None or king(board, chess.WHITE) not in held[0] or king(board, chess.BLACK) in held[0]:
        return ""
    loose = ours - _fixed(ours, theirs)
    if not loose:
        return "all pawns fixed"
    passers = [pawn for pawn in loose if _is_passed(board, pawn)]
    defender = king(board, chess.BLACK)
    stopped = all(defender[0] == pawn[0] and defender[1] > pawn[1] for pawn in passers)
    others = [pawn for pawn in loose if pawn not in passers]
    meets = any(adjacent(one, other) and other[1] > one[1] for one in others for other in theirs)
    return "some pawns can move" if len(passers) <= 1 and stopped and not meets else ""
