"""Sets of squares as 64-bit words: shifts, fills, spans, attacks.

Square a1 is bit 0, h8 bit 63; north is toward rank 8. Every function is pure and serves both worlds:
Python ints below 2**64, and machine words in compiled code. Definitions: Chess Programming Wiki,
pages "Bitboards", "Fill Algorithms", "Pawn Spans", "Hyperbola Quintessence".
"""

from typing import TypeAlias

from llvmlite import ir
from numba import types

from .compiled import Constant, builtin, primitive

Bitboard: TypeAlias = int
Square: TypeAlias = int

EMPTY = Constant(0)
ONE = Constant(1)
ALL = Constant(0xFFFF_FFFF_FFFF_FFFF)
FILE_A = Constant(0x0101_0101_0101_0101)
FILE_H = Constant(0x8080_8080_8080_8080)
NOT_A = Constant(0xFEFE_FEFE_FEFE_FEFE)
NOT_H = Constant(0x7F7F_7F7F_7F7F_7F7F)
NOT_AB = Constant(0xFCFC_FCFC_FCFC_FCFC)
NOT_GH = Constant(0x3F3F_3F3F_3F3F_3F3F)
RANK_1 = Constant(0x0000_0000_0000_00FF)
RANK_2 = Constant(0x0000_0000_0000_FF00)
RANK_3 = Constant(0x0000_0000_00FF_0000)
RANK_4 = Constant(0x0000_0000_FF00_0000)
RANK_5 = Constant(0x0000_00FF_0000_0000)
RANK_6 = Constant(0x0000_FF00_0000_0000)
RANK_7 = Constant(0x00FF_0000_0000_0000)
RANK_8 = Constant(0xFF00_0000_0000_0000)
DARK_SQUARES = Constant(0xAA55_AA55_AA55_AA55)
LIGHT_SQUARES = Constant(0x55AA_55AA_55AA_55AA)
CENTER = Constant(0x0000_0018_1800_0000)
EXTENDED_CENTER = Constant(0x0000_3C3C_3C3C_0000)
DIAGONAL = Constant(0x8040_2010_0804_0201)
ANTIDIAGONAL = Constant(0x0102_0408_1020_4080)


@builtin(types.int64, lambda builder, word: builder.ctpop(word))
def popcount(squares: Bitboard) -> int:
    """How many squares are in the set."""
    return squares.bit_count()


@builtin(types.int64, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))
def lowest(squares: Bitboard) -> Square:
    """The first square of a set (a1 before h8); 64 for the empty set."""
    return (squares & -squares).bit_length() - 1 if squares else 64


@builtin(types.uint64, lambda builder, word: builder.bswap(word))
def flip(squares: Bitboard) -> Bitboard:
    """The board upside down: rank 1 becomes rank 8 (python-chess calls this mirroring)."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


@builtin(types.uint64, lambda builder, word: builder.bitreverse(word))
def rotate(squares: Bitboard) -> Bitboard:
    """The board turned by 180 degrees: a1 becomes h8."""
    return int(f"{squares:064b}"[::-1], 2)


def squares_named(names: str) -> Bitboard:
    """The constant set of squares named in a text such as "a7 h7"; for module constants."""
    return Constant(sum(1 << 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in names.split()))


@primitive
def bit(square: Square) -> Bitboard:
    """The set of one square."""
    return ONE << square


@primitive
def complement(squares: Bitboard) -> Bitboard:
    """All other squares (`~` would turn a Python int negative)."""
    return squares ^ ALL


@primitive
def without_lowest(squares: Bitboard) -> Bitboard:
    """The set without its first square; for loops over squares."""
    return squares & (squares - ONE) if squares else EMPTY


@primitive
def north(squares: Bitboard) -> Bitboard:
    """One step toward rank 8."""
    return (squares << 8) & ALL


@primitive
def south(squares: Bitboard) -> Bitboard:
    """One step toward rank 1."""
    return squares >> 8


@primitive
def east(squares: Bitboard) -> Bitboard:
    """One step toward the h-file, without wrapping."""
    return (squares << 1) & NOT_A


@primitive
def west(squares: Bitboard) -> Bitboard:
    """One step toward the a-file, without wrapping."""
    return (squares >> 1) & NOT_H


@primitive
def neighbours(squares: Bitboard) -> Bitboard:
    """One step east and one step west."""
    return east(squares) | west(squares)


@primitive
def north_fill(squares: Bitboard) -> Bitboard:
    """The squares and everything north of them."""
    squares |= (squares << 8) & ALL
    squares |= (squares << 16) & ALL
    return squares | ((squares << 32) & ALL)


@primitive
def south_fill(squares: Bitboard) -> Bitboard:
    """The squares and everything south of them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


@primitive
def file_fill(squares: Bitboard) -> Bitboard:
    """Whole files of the squares."""
    return north_fill(squares) | south_fill(squares)


@primitive
def front_spans(pawns: Bitboard) -> Bitboard:
    """Squares in front of our pawns on their own files; a span excludes the pawn's square."""
    return north_fill(north(pawns))


@primitive
def rear_spans(pawns: Bitboard) -> Bitboard:
    """Squares behind our pawns on their own files."""
    return south_fill(south(pawns))


@primitive
def front_spans_of_enemy(pawns: Bitboard) -> Bitboard:
    """Squares in front of the enemy's pawns, which move south."""
    return south_fill(south(pawns))


@primitive
def attack_spans(pawns: Bitboard) -> Bitboard:
    """Squares our pawns attack now or after advancing."""
    return neighbours(front_spans(pawns))


@primitive
def attack_spans_of_enemy(pawns: Bitboard) -> Bitboard:
    """Squares the enemy's pawns attack now or after advancing."""
    return neighbours(front_spans_of_enemy(pawns))


@primitive
def pawn_attacks(pawns: Bitboard) -> Bitboard:
    """Squares attacked by pawns that move north."""
    return neighbours(north(pawns))


@primitive
def pawn_attacks_of_enemy(pawns: Bitboard) -> Bitboard:
    """Squares attacked by pawns that move south."""
    return neighbours(south(pawns))


@primitive
def knight_attacks(knights: Bitboard) -> Bitboard:
    """Squares any of the knights attacks."""
    one = neighbours(knights)
    two = ((knights << 2) & NOT_AB) | ((knights >> 2) & NOT_GH)
    return ((one << 16) & ALL) | (one >> 16) | ((two << 8) & ALL) | (two >> 8)


@primitive
def king_attacks(kings: Bitboard) -> Bitboard:
    """The ring of squares around a king."""
    row = neighbours(kings) | kings
    return (row | north(row) | south(row)) ^ kings


@primitive
def file_of(square: Square) -> int:
    """0 for the a-file, 7 for the h-file."""
    return square & 7


@primitive
def rank_of(square: Square) -> int:
    """0 for rank 1, 7 for rank 8."""
    return square >> 3


@primitive
def diagonal_of(square: Square) -> Bitboard:
    """The whole a1-h8 direction diagonal through a square."""
    offset = rank_of(square) - file_of(square)
    return (DIAGONAL << (8 * offset)) & ALL if offset >= 0 else DIAGONAL >> (-8 * offset)


@primitive
def antidiagonal_of(square: Square) -> Bitboard:
    """The whole a8-h1 direction diagonal through a square."""
    offset = rank_of(square) + file_of(square) - 7
    return (ANTIDIAGONAL << (8 * offset)) & ALL if offset >= 0 else ANTIDIAGONAL >> (-8 * offset)


@primitive
def line_attacks(square: Square, occupied: Bitboard, line: Bitboard) -> Bitboard:
    """Sliding attacks along one line, up to and including the first man on either side.

    The forward ray is o ^ (o - 2s); the backward ray is the same on the rotated board.
    """
    blockers = occupied & line
    slider = bit(square)
    forward = (blockers - slider - slider) & ALL
    turned = rotate(slider)
    backward = rotate((rotate(blockers) - turned - turned) & ALL)
    return (forward ^ backward) & line & complement(slider)


@primitive
def bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """Squares a bishop on `square` attacks."""
    return line_attacks(square, occupied, diagonal_of(square)) | line_attacks(
        square, occupied, antidiagonal_of(square)
    )


@primitive
def rook_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """Squares a rook on `square` attacks."""
    return line_attacks(square, occupied, FILE_A << file_of(square)) | line_attacks(
        square, occupied, RANK_1 << (8 * rank_of(square))
    )


@primitive
def queen_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """Squares a queen on `square` attacks."""
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied)
