#!/usr/bin/env python3
"""Writes Shared/PhoneNumbers/CallingCodes+Table.swift from the metadata of the Python package `phonenumbers`.

    python3 -m venv .venv && .venv/bin/pip install -r deploy/phone-table/requirements.txt
    .venv/bin/python deploy/phone-table/generate.py

A row takes the possible lengths and the prefixes of the calling code's main region, and the lengths and first digits of
the mobile numbers of all its regions. Lengths hardly ever change, so an old table does not refuse people; first digits only
choose between two readings of a number without plus. `oracle` shows how the table and the package agree.
"""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

if {"-h", "--help"} & set(sys.argv):
    sys.exit(print(__doc__))

try:
    from re import _parser as parser  # Python 3.11 and later
except ImportError:
    import sre_parse as parser

import phonenumbers
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata, SUPPORTED_REGIONS

TARGET = Path(__file__).resolve().parents[2] / "Shared" / "PhoneNumbers" / "CallingCodes+Table.swift"
NON_GEOGRAPHIC = "001"
USUAL_PREFIX = "00"
# Dialled before mobile numbers until 2019, and still in address books and apps: +52 1 55 ... is +52 55 ...
FORMER_PREFIXES = {52: "1"}


DIGITS = [str(digit) for digit in range(10)]
# A pattern that is not a short list of prefixes, such as one for local numbers, gives more texts than this.
PREFIXES_MAX = 40


def texts(pattern) -> list[str]:
    """All texts that a parsed pattern without repetitions matches; `x` stands for any digit."""
    found = [""]
    for kind, value in pattern:
        name = str(kind)
        if name == "LITERAL":
            parts = [chr(value)]
        elif name == "IN":
            parts = in_class(value)
        elif name == "BRANCH":
            parts = [text for branch in value[1] for text in texts(branch)]
        elif name == "SUBPATTERN":
            parts = texts(value[3])
        elif name == "MAX_REPEAT":
            low, high, inner = value
            parts = [text * count for count in range(low, high + 1) for text in texts(inner)]
        else:
            raise ValueError(name)
        found = [before + part for before in found for part in parts]
    return found


def in_class(members) -> list[str]:
    parts = []
    for kind, value in members:
        name = str(kind)
        if name == "LITERAL":
            parts.append(chr(value))
        elif name == "RANGE":
            parts += [chr(code) for code in range(value[0], value[1] + 1)]
        elif name == "CATEGORY":
            parts.append("x")
        else:
            raise ValueError(name)
    return parts


def trunks(code: int, metadata) -> list[str]:
    """What is dialled before the national number, carrier codes included; a longer prefix before one that it begins with."""
    if code in FORMER_PREFIXES:
        return [FORMER_PREFIXES[code]]
    pattern = metadata.national_prefix_for_parsing
    if not pattern or metadata.national_prefix_transform_rule:
        return [metadata.national_prefix] if metadata.national_prefix else []
    found = sorted(set(texts(parser.parse(pattern))), key=lambda text: (-len(text), text))
    if len(found) > PREFIXES_MAX:
        raise ValueError(f"+{code}: {len(found)} prefixes")
    return found


def starts(patterns: list[str]) -> str:
    """The digits that texts of the patterns can begin with."""
    return "".join(digit for digit in DIGITS if any(can_begin(parser.parse(text), digit) for text in patterns))


def can_begin(pattern, digit: str) -> bool:
    kind, value = list(pattern)[0]
    name = str(kind)
    if name == "BRANCH":
        return any(can_begin(branch, digit) for branch in value[1])
    if name == "SUBPATTERN":
        return can_begin(value[3], digit)
    if name == "MAX_REPEAT":
        return can_begin(value[2], digit) or value[0] == 0 and can_begin(list(pattern)[1:], digit)
    return any(text in (digit, "x") for text in (in_class(value) if name == "IN" else [chr(value)]))


def mobiles(code: int, main) -> list:
    """What the package says of mobile numbers in each region of a calling code."""
    regions = [region for region in COUNTRY_CODE_TO_REGION_CODE[code] if region != NON_GEOGRAPHIC]
    all_metadata = [PhoneMetadata.metadata_for_region(region, None) for region in regions]
    return [
        (metadata.mobile.national_number_pattern, metadata.mobile.possible_length or main.general_desc.possible_length)
        for metadata in all_metadata
        if metadata.mobile and metadata.mobile.national_number_pattern
    ]


def row(code: int) -> str:
    region = phonenumbers.region_code_for_country_code(code)
    if region == NON_GEOGRAPHIC:
        metadata = PhoneMetadata.metadata_for_nongeo_region(code, None)
    else:
        metadata = PhoneMetadata.metadata_for_region(region, None)
    parts = [f"{code}, lengths: {numbers(metadata.general_desc.possible_length)}"]
    prefixes = trunks(code, metadata)
    if prefixes:
        parts.append("trunks: [" + ", ".join(f'"{prefix}"' for prefix in prefixes) + "]")
    known = mobiles(code, metadata)
    if known:
        lengths = sorted({length for _, lengths in known for length in lengths if length > 0})
        parts.append(f'mobile: {numbers(lengths)}, starts: "{starts([pattern for pattern, _ in known])}"')
    line = f"        CallingCode({', '.join(parts)}),"
    if len(line) <= 120:
        return line
    return "        CallingCode(\n            " + ",\n            ".join(parts) + "),"


def numbers(values) -> str:
    return "[" + ", ".join(str(value) for value in values) + "]"


def region_lines() -> list[str]:
    entries = [f'"{region}": {phonenumbers.country_code_for_region(region)}' for region in sorted(SUPPORTED_REGIONS)]
    return ["        " + ", ".join(entries[start : start + 8]) + "," for start in range(0, len(entries), 8)]


def abroad_lines() -> list[str]:
    """What is dialled before a calling code in regions where that is other than 00, carriers' codes included."""
    regions = defaultdict(list)
    for region in sorted(SUPPORTED_REGIONS):
        pattern = PhoneMetadata.metadata_for_region(region, None).international_prefix or USUAL_PREFIX
        found = sorted(set(texts(parser.parse(pattern))), key=lambda text: (-len(text), text))
        if len(found) > PREFIXES_MAX:
            raise ValueError(f"{region}: {len(found)} prefixes")
        if found != [USUAL_PREFIX]:
            regions[tuple(found)].append(region)
    return [
        f'        ([{", ".join(f"{prefix!r}" for prefix in found)}], "{" ".join(names)}"),'.replace("'", '"')
        for found, names in sorted(regions.items(), key=lambda entry: entry[1])
    ]


def main() -> None:
    lines = [
        f"// Generated by deploy/phone-table/generate.py from phonenumbers {phonenumbers.__version__}; do not edit.",
        "",
        "extension CallingCodes {",
        "    /// Every calling code with the possible lengths of its national numbers, its trunk prefixes and its mobile numbers.",
        "    static let rows: [CallingCode] = [",
        *(row(code) for code in sorted(COUNTRY_CODE_TO_REGION_CODE)),
        "    ]",
        "",
        "    /// The calling code of each region (ISO 3166-1 alpha-2).",
        "    static let byRegion: [String: Int] = [",
        *region_lines(),
        "    ]",
        "",
        "    /// The prefixes for calls abroad of regions where they are other than `00`, carriers' codes included; `x` is any",
        "    /// digit. If one prefix is the start of another one, the longer one comes first.",
        "    static let abroad: [(prefixes: [String], regions: String)] = [",
        *abroad_lines(),
        "    ]",
        "}",
        "",
    ]
    TARGET.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run(["swift", "format", "-i", str(TARGET)], check=True)
    print(f"{TARGET.name}: {len(COUNTRY_CODE_TO_REGION_CODE)} calling codes, {len(SUPPORTED_REGIONS)} regions")


if __name__ == "__main__":
    main()
