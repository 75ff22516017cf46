"""Feeds generated inputs to our parser and to `phonenumbers`, and compares possible or not, and the canonical form."""

import random
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import phonenumbers
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata, PhoneNumberFormat, SUPPORTED_REGIONS, ValidationResult

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import generate

CODES = sorted(COUNTRY_CODE_TO_REGION_CODE)
REGIONS = sorted(SUPPORTED_REGIONS)
WHOLE_LENGTH_MAX = 15
SAMPLES_MAX = 5
# Shares of equal answers below which the comparison fails; all random inputs, so far worse than what people type.
FLOOR = {"table": 1.0, "abroad": 1.0, "example": 0.995, "international": 0.997, "spelling": 0.997, "national": 0.985, "garbage": 0.999}


@dataclass(frozen=True)
class Case:
    kind: str
    region: str | None
    #: What our parser reads.
    text: str
    #: What the package reads: the same number without spelling marks, some of which it does not know.
    plain: str


def table_reference(text: str) -> str | None:
    """Whether the length is possible under the code, before any rule about prefixes."""
    code = next(code for code in CODES if text.startswith(f"+{code}"))
    number = phonenumbers.PhoneNumber(country_code=code, national_number=int(text[len(str(code)) + 1 :]))
    possible = phonenumbers.is_possible_number_with_reason(number) == ValidationResult.IS_POSSIBLE
    return canonical(text) if possible and len(text) - 1 <= WHOLE_LENGTH_MAX else None


def canonical(e164: str) -> str:
    """Our one form of numbers that reach one handset: Argentina's with the 9, Brazil's mobile numbers with nine digits."""
    if e164.startswith("+54") and len(e164) == 13:
        return f"+549{e164[3:]}"
    if e164.startswith("+55") and len(e164) == 13 and e164[5] in "6789":
        return f"{e164[:5]}9{e164[5:]}"
    return e164


def reference(text: str, region: str | None) -> str | None:
    """The canonical number by `phonenumbers`, None when it is not possible."""
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    if phonenumbers.is_possible_number_with_reason(number) != ValidationResult.IS_POSSIBLE:
        return None
    number.extension = None
    e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    return canonical(e164) if len(e164) - 1 <= WHOLE_LENGTH_MAX else None


def digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(count))


def spell(rng: random.Random, text: str) -> str:
    """The same number as somebody else would write it."""
    out = []
    for character in text:
        if character.isdigit() and rng.random() < 0.05:
            character = chr(ord("０") + int(character))
        out.append(character)
        if character != "+" and rng.random() < 0.3:
            out.append(rng.choice([" ", "-", ".", "(", ")", "\u200e", "\u00a0", "\u2011"]))
    spelled = "".join(out)
    return spelled + rng.choice(["", "", "", " ext. 12", "x7", ";ext=34", " #5"])


def table_cases():
    for code in CODES:
        for length in range(2, 18):
            text = f"+{code}" + "2" * length
            yield Case("table", None, text, text)


def example_cases(rng: random.Random):
    kinds = phonenumbers.PhoneNumberType.values()
    for region in REGIONS:
        for kind in kinds:
            number = phonenumbers.example_number_for_type(region, kind)
            if number is None:
                continue
            e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)
            international = phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL)
            national = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
            yield Case("example", None, e164, e164)
            yield Case("example", None, international, international)
            yield Case("spelling", None, spell(rng, e164), e164)
            yield Case("national", region, national, national)


def prefixes(region: str) -> list[str]:
    """What is dialled before a calling code, with the codes of carriers; at most 40 for a region."""
    pattern = PhoneMetadata.metadata_for_region(region, None).international_prefix
    return sorted(set(generate.texts(generate.parser.parse(pattern)))) if pattern else []


def abroad_cases(rng: random.Random):
    """Calls from each region to others and to itself, by each of its prefixes, as a person writes them."""
    for region in REGIONS:
        for prefix in prefixes(region):
            for to in [region, "US", "GB", "KR", "BR", "RU", *rng.sample(REGIONS, 20)]:
                dialled = "".join(rng.choice("0123456789") if digit == "x" else digit for digit in prefix)
                kind = rng.choice([phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE])
                number = phonenumbers.example_number_for_type(to, kind)
                if number is None:
                    continue
                e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)[1:]
                international = phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL)[1:]
                for rest in (e164, " " + international):
                    # People write the tone that they wait for.
                    text = dialled.replace("810", "8~10", 1) + rest
                    # The package takes the tilde for the end of the number.
                    yield Case("abroad", region, text, dialled + rest)


def random_cases(rng: random.Random, count: int):
    for _ in range(count):
        kind = rng.choices(["international", "spelling", "national", "garbage"], [5, 3, 3, 1])[0]
        number = f"+{rng.choice(CODES)}" + digits(rng, rng.randint(3, 13))
        if kind == "international":
            yield Case(kind, None, number, number)
        elif kind == "spelling":
            yield Case(kind, None, spell(rng, number), number)
        elif kind == "national":
            national = digits(rng, rng.randint(3, 13))
            yield Case(kind, rng.choice(REGIONS), national, national)
        else:
            garbage = "".join(rng.choice("+-() .abc/*123%\\") for _ in range(rng.randint(0, 12)))
            yield Case(kind, None, garbage, garbage)


def ask(parser: str, cases: list[Case]) -> list[str]:
    lines = "".join(f"{case.region or ''}\t{case.text}\n" for case in cases)
    answer = subprocess.run([parser], input=lines, capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()


def reason(case: Case, ours: str, theirs: str | None) -> str:
    """Why the two may differ; each reason is a decision of ours (integration guide 5.3)."""
    if case.text.startswith("00") and case.region:
        return "a leading 00 is the plus where it begins no prefix of the region; the package knows the region's own only"
    if theirs is None:
        return "accepted by us: the length is possible; the package judges by patterns of one country"
    if not ours.startswith("+"):
        return "refused by us: the package adds an area code that islanders leave out, or removes more by patterns"
    if len(ours) < len(theirs):
        return "shorter with us: we drop a trunk prefix, however often it stands, wherever the rest is possible"
    return "longer with us: the package drops, by patterns, a calling code without plus or more than a trunk prefix"


def is_known(case: Case, ours: str, theirs: str | None) -> bool:
    """Whether a number with a prefix for calls abroad is read as the package reads it, or refused."""
    if ours == theirs or not ours.startswith("+"):
        return True
    # 00 and the own calling code: the package may take the first digit of it for a carrier's code, and then reads no number.
    return theirs is None and calling_code(ours) == f"+{phonenumbers.country_code_for_region(case.region)}"


def calling_code(number: str) -> str:
    return f"+{next(code for code in CODES if number.startswith(f'+{code}'))}"


def main() -> int:
    parser, count, seed, file = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    rng = random.Random(seed)
    cases = list(table_cases()) + list(example_cases(rng)) + list(abroad_cases(rng)) + list(random_cases(rng, count))
    answers = ask(parser, cases)
    if len(answers) != len(cases):
        print(f"{len(answers)} answers to {len(cases)} inputs")
        return 1
    total, equal = Counter(), Counter()
    reasons, codes, samples = Counter(), defaultdict(Counter), defaultdict(list)
    differences = []
    for case, ours in zip(cases, answers):
        theirs = table_reference(case.text) if case.kind == "table" else reference(case.plain, case.region)
        total[case.kind] += 1
        is_same = (ours if ours.startswith("+") else None) == theirs
        if is_known(case, ours, theirs) if case.kind == "abroad" else is_same:
            equal[case.kind] += 1
            continue
        why = reason(case, ours, theirs)
        reasons[why] += 1
        codes[why][calling_code(theirs or ours)] += 1
        line = f"{case.region or '-'} {case.text!r}: ours {ours}, package {theirs}"
        differences.append(f"{line} ({why})\n")
        if len(samples[why]) < SAMPLES_MAX:
            samples[why].append(line)
    if file:
        with open(file, "w", encoding="utf-8") as list_of_all:
            list_of_all.writelines(differences)
    print(f"phonenumbers {phonenumbers.__version__}, {sum(total.values())} inputs, seed {seed}")
    failed = False
    for kind in total:
        share = equal[kind] / total[kind]
        verdict = "ok" if share >= FLOOR[kind] else f"LESS THAN {FLOOR[kind]:.3%}"
        failed = failed or share < FLOOR[kind]
        print(f"  {kind:14} {equal[kind]:7} of {total[kind]:7} equal ({share:.3%}) {verdict}")
    for why, number in reasons.most_common():
        print(f"{number:6}  {why}")
        print("        " + ", ".join(f"{code} {count}" for code, count in codes[why].most_common(12)))
        for sample in samples[why]:
            print(f"          {sample}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
