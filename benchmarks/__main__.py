"""`python -m benchmarks [NAME]`: prints a table; every answer that is timed is checked."""

import argparse
import importlib

TABLES = {
    "main": "text to weights: parse, extract, one pass, a whole fit; 100k and 1M positions, 1 and 2 threads",
    "terms": "the cost of every term",
    "fit": "time and passes to the optimum of every optimizer",
    "formats": "reading and writing every format",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    listed = "; ".join(f"{name}: {what}" for name, what in TABLES.items())
    parser.add_argument("name", nargs="?", default="main", choices=TABLES, help=listed)
    parser.add_argument("--rows", type=int, nargs="+", help="sizes, where a table has sizes")
    arguments = parser.parse_args()
    importlib.import_module(f"benchmarks.{arguments.name}").run(arguments.rows)


if __name__ == "__main__":
    main()
