"""Would-be passed pawns: candidates, fakers, sneakers.

A **sentry** is an enemy pawn that attacks a square an open pawn stands on or has to cross, a **helper** an
own pawn on an adjacent file, beside it or behind. The sources define a candidate in several ways; each is
a term of its own:

| term | a candidate is an open pawn, not yet passed, … |
|---|---|
| `candidate_pawn` | with as many helpers as sentries, or more |
| `candidate_pawn_recursive` | the same, but helpers count only if they can come up in time |
| `candidate_pawn_without_passer` | the same, but helpers that are passed already do not count |
| `candidate_pawn_by_path` | of whose path no square is attacked by more enemy pawns than own ones |
| `candidate_pawn_on_fifth` | on rank 5 whose attacked stop square own pawns attack as often |
"""

from ..bitboards import (
    ALL,
    EMPTY,
    RANK_5,
    RANK_6,
    Bitboard,
    attack_spans_of_enemy,
    bit,
    complement,
    flip,
    front_spans,
    lowest,
    north,
    pawn_attacks,
    pawn_attacks_of_enemy,
    popcount,
    rank_of,
    rear_spans,
    south,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, BY_RANK, WHOLE, term
from .passed import passed
from .spans import (
    helpers,
    open_pawns,
    outnumbered_squares,
    rammed_pawns,
    safe_pawn_squares,
    sentries,
)
from .squares import catches, king_is_alone

BY_SNEAKER_RANK = BY_RANK.within(0x0000_FFFF_0000_0000, "rank 5-6")


@primitive
def would_be_passed(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our open pawns that are not passed: every one has a sentry."""
    return open_pawns(pawns, their_pawns) & complement(passed(pawns, their_pawns))


@primitive
def candidates(pawns: Bitboard, their_pawns: Bitboard, helping: Bitboard) -> Bitboard:
    """Would-be passed pawns with as many helpers among `helping` as sentries, or more."""
    found: Bitboard = EMPTY
    rest = would_be_passed(pawns, their_pawns)
    while rest:
        pawn = bit(lowest(rest))
        rest = without_lowest(rest)
        if popcount(helpers(pawn, helping)) >= popcount(sentries(pawn, their_pawns)):
            found |= pawn
    return found


@primitive
def fakers(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Would-be passed pawns with fewer helpers than sentries."""
    return would_be_passed(pawns, their_pawns) & complement(candidates(pawns, their_pawns, pawns))


@term(BY_PAWN_RANK, page="Candidate Passed Pawn", concept="D5")
def candidate_pawn(us: Side) -> Bitboard:
    """Open pawns, not passed, with as many helpers as sentries, or more."""
    return candidates(us.pawns, us.their_pawns, us.pawns)


@term(BY_PAWN_RANK, page="Candidate Passed Pawn", concept="D9")
def candidate_pawn_without_passer(us: Side) -> Bitboard:
    """Candidates by the helpers that are not passed themselves, lest a passer count twice (Werten)."""
    helping = us.pawns & complement(passed(us.pawns, us.their_pawns))
    return candidates(us.pawns, us.their_pawns, helping)


@primitive
def comes_up(
    helper: Bitboard, candidate: Bitboard, pawns: Bitboard, their_pawns: Bitboard, rank: int
) -> bool:
    """Whether a helper can advance to a rank (0-7), from where it defends the contested square.

    No enemy pawn may stand on its way, and no more may attack the way than the helper has helpers itself,
    the candidate not counted.
    """
    way = front_spans(helper) & (ALL >> (8 * (7 - rank)))
    if way & their_pawns:
        return False
    own = helpers(helper, pawns) & complement(candidate)
    return popcount(pawn_attacks(way) & their_pawns) <= popcount(own)


@primitive
def is_candidate(pawn: Bitboard, pawns: Bitboard, their_pawns: Bitboard) -> bool:
    """Whether as many helpers as sentries can come up: to two ranks below the most distant sentry."""
    against = sentries(pawn, their_pawns)
    contact = 5 - rank_of(lowest(flip(against)))
    count = 0
    rest = helpers(pawn, pawns)
    while rest:
        helper = bit(lowest(rest))
        rest = without_lowest(rest)
        if comes_up(helper, pawn, pawns, their_pawns, contact):
            count += 1
    return count >= popcount(against)


@term(BY_PAWN_RANK, page="Candidates (Bitboards)", concept="D6")
def candidate_pawn_recursive(us: Side) -> Bitboard:
    """Candidates by the helpers that can come up: unblocked, and not held by sentries of their own."""
    found: Bitboard = EMPTY
    rest = would_be_passed(us.pawns, us.their_pawns)
    while rest:
        pawn = bit(lowest(rest))
        rest = without_lowest(rest)
        if is_candidate(pawn, us.pawns, us.their_pawns):
            found |= pawn
    return found


@term(BY_PAWN_RANK, page="Candidate Passed Pawn", concept="D7")
def candidate_pawn_by_path(us: Side) -> Bitboard:
    """Open pawns, not passed, on whose path enemy pawns attack no square more often than own ones do.

    Attacks count as the pawns stand; the count of helpers lets them advance and finds more candidates.
    """
    lost = outnumbered_squares(us.pawns, us.their_pawns)
    return would_be_passed(us.pawns, us.their_pawns) & complement(rear_spans(lost))


@term(WHOLE, page="Candidates (Bitboards)", concept="D8")
def candidate_pawn_on_fifth(us: Side) -> Bitboard:
    """Open pawns on rank 5 whose stop square is attacked by enemy pawns, but by no more than own ones."""
    contested = us.their_pawn_attacks & safe_pawn_squares(us.pawns, us.their_pawns)
    return open_pawns(us.pawns, us.their_pawns) & RANK_5 & south(contested)


@term(BY_PAWN_RANK, page="Faker", concept="D10")
def faker(us: Side) -> Bitboard:
    """Open pawns, not passed, with fewer helpers than sentries."""
    return fakers(us.pawns, us.their_pawns)


@term(WHOLE, page="Candidates (Bitboards)", concept="D13")
def candidate_outside_king_square(us: Side) -> Bitboard:
    """Candidates whose promotion square the enemy king cannot reach in time, were they passed."""
    found: Bitboard = EMPTY
    rest = candidates(us.pawns, us.their_pawns, us.pawns)
    while rest:
        square = lowest(rest)
        rest = without_lowest(rest)
        if not catches(us, square):
            found |= bit(square)
    return found


@primitive
def sneakers(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Rammed pawns on ranks 5-6 that an own pawn defends and that have no sentries, so are no levers."""
    hidden = pawn_attacks(pawns) & complement(attack_spans_of_enemy(their_pawns)) & (RANK_5 | RANK_6)
    return rammed_pawns(pawns, their_pawns) & hidden


@term(BY_SNEAKER_RANK, page="Hidden Passed Pawn", concept="D11")
def sneaker(us: Side) -> Bitboard:
    """Hidden passed pawns: rammed on rank 5-6, defended by an own pawn, without sentries, so no levers.

    The pawn that defends it can offer itself to the ramming pawn and so free the way.
    """
    return sneakers(us.pawns, us.their_pawns)


@term(WHOLE, page="Hidden Passed Pawn", concept="D12")
def sneaker_winning_race(us: Side) -> Bitboard:
    """Sneakers on rank 6 whose defender can offer itself and that a king without pieces does not catch then.

    The pawn that takes is three ranks less advanced. On rank 5 it would be one only, too close a race.
    """
    found: Bitboard = EMPTY
    rest = sneakers(us.pawns, us.their_pawns) & RANK_6 if king_is_alone(us) else EMPTY
    while rest:
        square = lowest(rest)
        rest = without_lowest(rest)
        offered = north(pawn_attacks_of_enemy(bit(square)) & us.pawns) & complement(us.occupied)
        if offered != 0 and not catches(us, square):
            found |= bit(square)
    return found
