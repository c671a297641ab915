"""Boards that show rare patterns of pieces, which games and random setups hardly ever reach."""

PATTERNS = (
    "N5k1/p4ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
    "6kN/2p2p2/8/8/8/8/2P3PP/n5K1 w - - 0 1",
    "6k1/Np3ppp/p7/8/8/6P1/5PP1/6K1 w - - 0 1",
    "6k1/6pN/7p/8/8/P7/nP6/6K1 w - - 0 1",
    "1B4k1/Bpp2ppp/1p6/8/8/8/5PPP/6K1 w - - 0 1",
    "6k1/5ppp/B7/1p6/8/8/5PPP/6K1 w - - 0 1",
    "6k1/8/7B/6p1/1P6/b7/5PPP/6K1 b - - 0 1",
    "6k1/5ppp/8/8/3P4/2N5/2P2PPP/6K1 w - - 0 1",
    "6k1/2p2ppp/2n5/3p4/8/8/5PPP/5BK1 w - - 0 1",
    "1kb5/5ppp/8/8/8/3N4/3P1PPP/1RK2B2 b - - 0 1",
    "6k1/5ppp/8/8/8/3N4/3P1PPP/2B3K1 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/5K1R w - - 0 1",
    "8/8/8/3k4/8/8/3NBK2/8 w - - 0 1",
    "7K/8/5k2/5n2/8/3b4/8/8 w - - 0 1",
    "7k/8/5K2/8/4N3/8/3B4/8 b - - 0 1",
)
