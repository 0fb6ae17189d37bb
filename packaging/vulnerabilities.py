"""Whether a library of an installation has a known vulnerability that is not closed.

usage: vulnerabilities.py HOME

Reads HOME/sbom.cdx.json and vulnerabilities.csv beside this file, and needs no network. Each line of the latter is one vulnerability of one
library, with the versions from `from` to before `below`, and where that is published. `closed` says why it does no harm here. A library
that is affected while `closed` is empty fails the build; so does a reason that no library needs any more, and a library that is not there.
"""

import csv
import json
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "vulnerabilities.csv"
COLUMNS = ["id", "library", "from", "below", "closed", "source"]
# What stands before a release of the same number.
BEFORE_RELEASE = ("alpha", "beta", "milestone", "m", "rc", "cr", "snapshot")


def libraries(components):
    """Versions by group:name, of npm's packages scope:name, those within jars included, each with the jars that hold it."""
    found = {}
    for component in components:
        jars = [occurrence["location"] for occurrence in component["evidence"]["occurrences"]]
        for part in (component, *component.get("components", ())):
            found.setdefault(f"{part.get('group', '')}:{part['name']}", {}).setdefault(part["version"], []).extend(jars)
    return found


def order(version):
    """A key by which versions are compared: numbers by value, and qualifiers of what precedes a release before it."""
    parts = []
    for number, word in re.findall(r"(\d+)|([a-zA-Z]+)", version):
        if number:
            parts.append((1, int(number)))
        elif word.lower() in BEFORE_RELEASE:
            parts = _without_zeros(parts) + [(-1, BEFORE_RELEASE.index(word.lower()))]
    return _without_zeros(parts) + [(0, 0)]


def _without_zeros(parts):
    """1.0 and 1 are the same version."""
    while parts and parts[-1] == (1, 0):
        parts = parts[:-1]
    return parts


def affects(row, version):
    """Whether that version is one of the row's."""
    return order(row["from"]) <= order(version) and (not row["below"] or order(version) < order(row["below"]))


def findings(rows, found):
    """What is wrong, one line each."""
    wrong = []
    for number, row in enumerate(rows, 2):
        place = f"vulnerabilities.csv:{number}: {row['id']} of {row['library']}"
        if not all(row[column] for column in ("id", "library", "from", "source")):
            wrong.append(f"{place}: id, library, from or source is empty. Fill it in.")
        versions = found.get(row["library"])
        if versions is None:
            wrong.append(f"{place}: the installation has no such library. Remove the line.")
            continue
        affected = {version: jars for version, jars in versions.items() if affects(row, version)}
        if affected and not row["closed"]:
            jars = ", ".join(f"{version} in {' and '.join(jars)}" for version, jars in affected.items())
            remedy = f"Take version {row['below']}" if row["below"] else "Do without it"
            wrong.append(f"{place}: is open: {jars}. {remedy}, or say in `closed` why it does no harm here.")
        elif row["closed"] and not affected:
            wrong.append(f"{place}: no version of the installation is affected any more. Empty `closed`.")
    return wrong


def read(path):
    """The rows of the table."""
    with open(path, encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        if reader.fieldnames != COLUMNS:
            sys.exit(f"{path}: the first line must be {','.join(COLUMNS)}.")
        return list(reader)


def main(arguments):
    """Checks an installation; returns the exit code."""
    if len(arguments) != 1:
        sys.exit(__doc__)
    bill = json.loads((Path(arguments[0]) / "sbom.cdx.json").read_text("utf-8"))
    wrong = findings(read(TABLE), libraries(bill["components"]))
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
