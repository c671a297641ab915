"""Patterns of pawns as sets: spans, attacks, open pawns, rams, levers, sentries and helpers.

Building blocks of the pawn terms; there is no term in this file. Functions take our pawns, which move
north, and where needed the enemy's; `..._of_enemy` are the same patterns for pawns that move south.
Definitions: Chess Programming Wiki, pages "Pawn Spans", "Attack Spans", "Pawn Pattern and Properties".
"""

from ..bitboards import (
    Bitboard,
    complement,
    east,
    file_fill,
    front_spans,
    front_spans_of_enemy,
    neighbours,
    north,
    pawn_attacks,
    pawn_attacks_of_enemy,
    south,
    south_fill,
    west,
)
from ..compiled import primitive

# --- attack spans: of the files beside a pawn ---------------------------------------------------------


@primitive
def east_attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares our pawns attack to the east, now or after advancing."""
    return east(front_spans(pawns))


@primitive
def west_attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares our pawns attack to the west, now or after advancing."""
    return west(front_spans(pawns))


@primitive
def east_rear_attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares beside and behind our pawns on the next file to the east; the pawn's own rank is included."""
    return east(south_fill(pawns))


@primitive
def west_rear_attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares beside and behind our pawns on the next file to the west; the pawn's own rank is included."""
    return west(south_fill(pawns))


@primitive
def rear_attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares beside and behind our pawns on both adjacent files: where helpers stand."""
    return neighbours(south_fill(pawns))


@primitive
def attack_file_fill(pawns: Bitboard) -> Bitboard:
    """The whole files beside those of the pawns."""
    return neighbours(file_fill(pawns))


# --- attacks ------------------------------------------------------------------------------------------


@primitive
def east_pawn_attacks(pawns: Bitboard) -> Bitboard:
    """Squares our pawns attack to the north-east."""
    return east(north(pawns))


@primitive
def west_pawn_attacks(pawns: Bitboard) -> Bitboard:
    """Squares our pawns attack to the north-west."""
    return west(north(pawns))


@primitive
def double_pawn_attacks(pawns: Bitboard) -> Bitboard:
    """Squares two of our pawns attack."""
    return east(north(pawns)) & west(north(pawns))


@primitive
def single_pawn_attacks(pawns: Bitboard) -> Bitboard:
    """Squares exactly one of our pawns attacks."""
    return east(north(pawns)) ^ west(north(pawns))


@primitive
def double_pawn_attacks_of_enemy(pawns: Bitboard) -> Bitboard:
    """Squares two of the enemy's pawns attack."""
    return east(south(pawns)) & west(south(pawns))


@primitive
def safe_pawn_squares(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Squares attacked by as many of our pawns as of theirs, or more."""
    undisputed = complement(pawn_attacks_of_enemy(their_pawns))
    disputed_once = single_pawn_attacks(pawns) & complement(double_pawn_attacks_of_enemy(their_pawns))
    return double_pawn_attacks(pawns) | undisputed | disputed_once


@primitive
def outnumbered_squares(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Squares more enemy pawns attack than own ones; the complement of the safe ones."""
    once = pawn_attacks_of_enemy(their_pawns) & complement(pawn_attacks(pawns))
    return once | (double_pawn_attacks_of_enemy(their_pawns) & complement(double_pawn_attacks(pawns)))


# --- what stands in front -----------------------------------------------------------------------------


@primitive
def stops(pawns: Bitboard) -> Bitboard:
    """The squares directly in front of our pawns."""
    return north(pawns)


@primitive
def telestops(pawns: Bitboard) -> Bitboard:
    """The squares in front of our pawns beyond their stops."""
    return front_spans(north(pawns))


@primitive
def open_pawns(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with no enemy pawn ahead on their file (half-free; own pawns ahead do not matter)."""
    return pawns & complement(front_spans_of_enemy(their_pawns))


@primitive
def unfree_pawns(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with an enemy pawn somewhere ahead on their file."""
    return pawns & front_spans_of_enemy(their_pawns)


@primitive
def rammed_pawns(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with an enemy pawn on their stop square."""
    return pawns & south(their_pawns)


@primitive
def levers(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns that attack an enemy pawn."""
    return pawns & pawn_attacks_of_enemy(their_pawns)


# --- one pawn: who hinders it, who helps it -----------------------------------------------------------


@primitive
def sentries(pawn: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Enemy pawns that attack a square this pawn stands on or may advance to."""
    return neighbours(front_spans(pawn)) & their_pawns


@primitive
def helpers(pawn: Bitboard, pawns: Bitboard) -> Bitboard:
    """Own pawns on adjacent files, beside or behind this pawn."""
    return rear_attack_spans(pawn) & pawns
