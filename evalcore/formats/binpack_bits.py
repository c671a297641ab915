"""Numbers in a Stockfish `.binpack`: big-endian ones, signed ones, and those of a few bits each."""

from __future__ import annotations

from ..bitboards import Bitboard, Square, lowest, without_lowest
from ..compiled import primitive
from ..moves import Words


@primitive
def big_endian(data: Words, at: int) -> int:
    """A number of two bytes, the high one first."""
    return (data[at] << 8) | data[at + 1]


@primitive
def signed(number: int) -> int:
    """The 16-bit number that was stored with its sign in the lowest bit."""
    turned = ((number << 15) | (number >> 1)) & 0xFFFF
    if turned & 0x8000:
        turned ^= 0x7FFF
    return turned - 0x10000 if turned & 0x8000 else turned


@primitive
def read_bits(data: Words, at: int, count: int) -> int:
    """Up to 8 bits from a bit offset on, the highest first."""
    return (big_endian(data, at >> 3) >> (16 - (at & 7) - count)) & ((1 << count) - 1)


@primitive
def index_bits(choices: int) -> int:
    """How many bits tell so many choices apart; none for one."""
    bits = 0
    while 1 << bits < choices:
        bits += 1
    return bits


@primitive
def nth_square(squares: Bitboard, number: int) -> Square:
    """The n-th square of a set, from 0; 64 beyond the last one."""
    for _ in range(number):
        squares = without_lowest(squares)
    return lowest(squares)


@primitive
def read_change(data: Words, at: int) -> tuple[int, int]:
    """A number of four bits and one "there is more" at a time, low ones first, and the offset after it."""
    value, shift = 0, 0
    while shift < 16:
        bits = read_bits(data, at, 5)
        at += 5
        value |= (bits & 15) << shift
        shift += 4
        if bits & 16 == 0:
            break
    return signed(value & 0xFFFF), at
