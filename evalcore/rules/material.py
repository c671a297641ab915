"""Factors by material signature, named in the evaluation file.

`{ name = "material", factors = { "KR v KB" = 0.5, "KRBP* v KRP*" = 0.75 } }`: the side ahead is named first;
`P*` is any number of pawns. (Wiki pages "Material Hash Table", "Draw Evaluation".)
"""

from collections.abc import Mapping

from ..bitboards import popcount
from ..errors import InputError
from ..scaling import Scaling, ScalingFamily
from ..side import Side

PAGE, CONCEPT = "Material Hash Table", ("J12", "J15")
LETTERS = "PNBRQ"
NIBBLE = 4
"""Bits of each number of men in a key: ours P N B R Q, then theirs."""


def key_of_men(men: str) -> tuple[int, int]:
    """(key, mask) of one side's men such as "KRP*"; raises ValueError for any other text."""
    if not men.startswith("K"):
        raise ValueError
    rest = men.removesuffix("P*")
    any_pawns = rest != men
    if set(rest[1:]) - set(LETTERS) or (any_pawns and "P" in rest):
        raise ValueError
    key = sum(min(rest.count(letter), 15) << NIBBLE * place for place, letter in enumerate(LETTERS))
    mask = (1 << NIBBLE * len(LETTERS)) - 1
    return key, mask ^ 15 if any_pawns else mask


def key_of(signature: str) -> tuple[int, int]:
    """(key, mask) of a signature such as "KR v KB"."""
    ours, _, theirs = signature.partition(" v ")
    try:
        (first, first_mask), (second, second_mask) = key_of_men(ours), key_of_men(theirs)
    except ValueError:
        raise InputError(
            f"scaling rule material: {signature!r} is no material signature; expected one such as "
            f"'KRB v KR' or 'KBP* v KN', pieces of {LETTERS}, the side ahead first"
        ) from None
    shift = NIBBLE * len(LETTERS)
    return first | second << shift, first_mask | second_mask << shift


def make_material(factors: Mapping[str, float]) -> Scaling:
    """Factors by the men of both sides, the side ahead first: "KR v KB", "KBP* v KN" (P*: any pawns).

    Of several signatures that fit, the first counts.
    """
    keys = tuple(key_of(signature)[0] for signature in factors)
    masks = tuple(key_of(signature)[1] for signature in factors)

    def material(us: Side) -> int:
        """The men of both sides fit a signature; the side ahead is named first."""
        ours = popcount(us.pawns) | popcount(us.knights) << 4 | popcount(us.bishops) << 8
        ours |= popcount(us.rooks) << 12 | popcount(us.queens) << 16
        theirs = popcount(us.their_pawns) | popcount(us.their_knights) << 4 | popcount(us.their_bishops) << 8
        theirs |= popcount(us.their_rooks) << 12 | popcount(us.their_queens) << 16
        key = ours | theirs << 20
        for case in range(len(keys)):
            if key & masks[case] == keys[case]:
                return case + 1
        return 0

    values = tuple(map(float, factors.values()))
    return Scaling("material", material, tuple(factors), values, PAGE, CONCEPT)


material = ScalingFamily("material", make_material, PAGE, CONCEPT)
