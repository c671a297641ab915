"""Several own pawns on one file, beyond `doubled_pawn` (pawns.py), which counts the rear members."""

from ..bitboards import (
    Bitboard,
    complement,
    file_fill,
    front_spans,
    popcount,
    rear_spans,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_FOLDED_FILE, BY_PAWN_RANK, WHOLE, term
from .spans import attack_file_fill, open_pawns


@primitive
def behind_own(pawns: Bitboard) -> Bitboard:
    """Pawns with an own pawn ahead on their file."""
    return pawns & rear_spans(pawns)


@primitive
def in_front_of_own(pawns: Bitboard) -> Bitboard:
    """Pawns with an own pawn behind on their file."""
    return pawns & front_spans(pawns)


@primitive
def tripled_files(pawns: Bitboard) -> Bitboard:
    """Whole files with three own pawns or more."""
    return file_fill(behind_own(pawns) & in_front_of_own(pawns))


@term(BY_PAWN_RANK, page="Double and Triple (Bitboards)", concept="C12")
def doubled_front_pawn(us: Side) -> Bitboard:
    """Pawns with an own pawn behind on their file, by rank; there are as many as `doubled_pawn` counts."""
    return in_front_of_own(us.pawns)


@term(BY_FOLDED_FILE, page="Doubled Pawn", concept="C12 B6")
def doubled_open_pawn(us: Side) -> Bitboard:
    """Pawns with an own pawn but no enemy pawn ahead on their file; in addition to `doubled_pawn`."""
    return behind_own(us.pawns) & open_pawns(us.pawns, us.their_pawns)


@term(WHOLE, page="CPW-Engine_eval", number=True, concept="C12")
def doubled_pawn_pairs(us: Side) -> int:
    """Pairs of own pawns on one file: each pawn counts all own pawns ahead of it.

    Three pawns on a file are three pairs; `doubled_pawn` counts two.
    """
    pairs = 0
    ahead = behind_own(us.pawns)
    while ahead:
        pairs += popcount(ahead)
        ahead = behind_own(ahead)
    return pairs


@term(BY_FOLDED_FILE, page="Double and Triple (Bitboards)", concept="C13")
def tripled_pawn(us: Side) -> Bitboard:
    """Pawns with own pawns ahead and behind on their file."""
    return behind_own(us.pawns) & in_front_of_own(us.pawns)


@term(BY_PAWN_RANK, page="Double and Triple (Bitboards)", concept="C13")
def rear_twin(us: Side) -> Bitboard:
    """The rear pawn of exactly two on a file, by rank."""
    return behind_own(us.pawns) & complement(tripled_files(us.pawns))


@term(BY_PAWN_RANK, page="Double and Triple (Bitboards)", concept="C13")
def front_twin(us: Side) -> Bitboard:
    """The front pawn of exactly two on a file, by rank."""
    return in_front_of_own(us.pawns) & complement(tripled_files(us.pawns))


@primitive
def exchangeable(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with an enemy pawn on an adjacent file, whatever its rank."""
    return pawns & attack_file_fill(their_pawns)


@term(WHOLE, page="Doubled Pawn", concept="C14")
def doubled_pawn_with_support(us: Side) -> Bitboard:
    """Rear doubled pawns with both own and enemy pawns on adjacent files (Berliner's b-file, the best)."""
    return behind_own(exchangeable(us.pawns, us.their_pawns)) & attack_file_fill(us.pawns)


@term(WHOLE, page="Doubled Pawn", concept="C14")
def doubled_pawn_without_support(us: Side) -> Bitboard:
    """Rear doubled pawns with enemy pawns but no own ones on adjacent files (Berliner's f-file)."""
    return behind_own(exchangeable(us.pawns, us.their_pawns)) & complement(attack_file_fill(us.pawns))


@term(WHOLE, page="Doubled Pawn", concept="C14")
def doubled_pawn_held(us: Side) -> Bitboard:
    """Rear doubled pawns with no enemy pawn on an adjacent file to exchange with (Berliner's h-file)."""
    return behind_own(us.pawns) & complement(attack_file_fill(us.their_pawns))
