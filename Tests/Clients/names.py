#!/usr/bin/env python3
"""The public names of the three client libraries, compared: names.py write|check DECLARATIONS.

Swift's and Kotlin's names are those that their sources mark `public`, as both compilers require. DECLARATIONS is the folder of
tsc's declarations of the TypeScript library. `write` writes the page; `check` fails if the page differs, if a name that not all
libraries have is without a reason in names.json, or if a reason fits no name.
"""
import json, os, re, sys
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGE = f'{ROOT}/deploy/docs/reference/library-names.md'
LANGUAGES = ['Swift', 'Kotlin', 'TypeScript']


def sources(folder, *endings):
    for path, _, files in sorted(os.walk(f'{ROOT}/Shared/{folder}')):
        for name in sorted(files):
            if name.endswith(endings):
                with open(os.path.join(path, name)) as file: yield re.sub(r'/\*.*?\*/|(?<![:"])//[^\n]*', '', file.read(), flags=re.S)


def camel(word):
    """A constant's name, as the other languages write it."""
    head, *rest = word.lower().split('_')
    return head + ''.join(part.title() for part in rest) if word.isupper() or '_' in word else word[0].lower() + word[1:]


def marked(text, names, type_words, member, cases):
    """Collects what a source marks `public`: members go to the innermost type, which the indentation tells."""
    stack, in_head = [], False
    for line in text.split('\n'):
        if not line.strip(): continue
        indent = len(line) - len(line.lstrip())
        while stack and indent <= stack[-1][0] and line.strip()[0] not in ')}': stack.pop()
        owner = stack[-1] if stack else (-1, '', '', False)
        found = re.match(rf'\s*(?:@\w+(?:\([^)]*\))?\s+)*((?:\w+ )*?){type_words} (?:class )?([\w.]+)', line)
        if found:
            kind, name = found[2].split()[0], found[3].split('.')[-1]
            is_public = 'public' in found[1] or kind == 'extension'
            if kind == 'object' and name == 'companion' or re.search(r'companion object', line): name = owner[1]
            stack.append((indent, name, found[2], is_public))
            if is_public and kind != 'extension': names[name]
        elif match := re.match(member, line):
            receiver = match.groupdict().get('receiver')
            if re.search(r'\bpublic\b', line) or owner[2] == 'protocol': names[receiver or owner[1]].add(match['name'])
        if stack and stack[-1][3]: cases(line, stack, owner, names)


def swift():
    names = defaultdict(set)

    def cases(line, stack, owner, names):
        match = re.match(r'\s*case (\w.*)', line)
        if match and stack[-1][2] == 'enum' and '=' not in match[1].split('"')[0].replace(' = ', '') and len(line) - len(line.lstrip()) == stack[-1][0] + 4:
            names[stack[-1][1]].update(re.findall(r'(?:^|, )(\w+)', re.sub(r'\([^)]*\)', '', match[1])))

    for text in sources('LatchkeyAuth', '.swift'):
        marked(text, names, '(class|struct|enum|protocol|actor|extension)',
               r'\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\(set\))? )*(?:func|var|let|typealias) (?P<name>\w+)', cases)
    return names


def kotlin():
    names = defaultdict(set)

    def cases(line, stack, owner, names):
        indent, name, kind, _ = stack[-1]
        if kind.startswith('enum'):
            body = line.split('{', 1)[1] if '{' in line and 'enum' in line else line if 'enum' not in line else ''
            names[name].update(camel(each) for each in re.findall(r'\b([A-Z][A-Z_]+)\b', re.sub(r'"[^"]*"', '', body)))
        elif 'data' in kind or 'class' in kind:
            head = line if 'class' in line else line if re.match(r'\s*(public )?(val|var) \w+:.*,\s*$', line) else ''
            names[name].update(re.findall(r'(?<!internal )(?<!private )\b(?:val|var) (\w+)', head))

    for text in sources('LatchkeyAuthKotlin', '.kt'):
        nested = re.compile(r'public data (?:object|class) (\w+)(.*?) : (State|Event|Freshness|AuthError|StoreTrouble|LogLine)\b')
        for case, head, owner in nested.findall(text):
            names[owner].add(camel(case))
            names[owner].update(re.findall(r'val (\w+)', head))
        marked(nested.sub('', text), names, r'((?:data |enum |sealed |fun )*(?:class|interface|object))',
               r'\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+ )*(?:fun|val|var) (?:<[^>]*> )?(?:(?P<receiver>LatchkeyAuth)\.)?(?P<name>\w+)', cases)
    for text in sources('LatchkeyAuthKotlin', '.java'):
        for name in re.findall(r'^public final class (\w+)', text, re.M): names[name]
    return names


def typescript(folder):
    """What the package's entries export, and the members that the declarations have of it."""
    texts, exported, names = {}, set(), defaultdict(set)
    for path, _, files in sorted(os.walk(folder)):
        for name in files:
            with open(os.path.join(path, name)) as file: texts[os.path.join(path, name)] = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)
    for path, text in texts.items():
        if path.endswith('/index.d.ts') and '/uta/' not in path:
            for group in re.findall(r'export (?:type )?\{([^}]*)\} from', text): exported.update(re.findall(r'(?:type )?(\w+)(?:,|\s*$)', group.strip()))
            exported.update(re.findall(r'export (?:declare )?(?:abstract )?(?:class|interface|function|type|const) (\w+)', text))
    parts = ('SecondFactorMethods', 'PasskeyMethods', 'IdentityMethods', 'SignInMethods', 'DiscoveryMethods', 'SessionTokens')
    bases = dict.fromkeys(parts, 'LatchkeyAuth')
    for text in texts.values():
        for kind, name, body in re.findall(r'^export (?:declare )?(class|interface|function|type|const) (\w+)(.*?)(?=^export |\Z)', text, re.M | re.S):
            if name not in exported and name not in bases: continue
            if kind in ('function', 'const'): names[''].add(name)
            else: names[bases.get(name, name)].update(members(body))
    return names


def members(body):
    for line in body.split('\n'):
        if re.match(r'\s{4,}(private|protected|constructor)\b', line): continue
        if match := re.match(r'\s{4}(?:readonly |static |get |set )*(\w+)\??[(:<]', line): yield match[1]
    unions = re.sub(r'\{[^{}]*\}', lambda object: ' '.join(re.findall(r"(?:at|is): ('\w+')", object[0])), body.split('{\n')[0] if '= ' not in body[:120] else body)
    if '=' in body.split('{')[0] or "'" in body.split('\n')[0]: yield from re.findall(r"'(\w+)'", unions)


def compared(libraries, rules):
    """Names by type: which libraries have each, in the spelling of the first."""
    found, spelled = defaultdict(set), {}
    for language in LANGUAGES:
        for owner, members in libraries[language].items():
            owner = rules['types'].get(owner, owner)
            for name in [''] + sorted(members):
                label = rules['same'].get(f'{owner}.{name}', f'{owner}.{name}')
                if label == '.' or label in rules['ignored'] or name in rules['ignored']: continue
                key = tuple(label.lower().split('.'))
                spelled.setdefault(key, label.split('.'))
                found[key].add(language)
    return {tuple(spelled[key]): languages for key, languages in sorted(found.items())}


def page(names, rules):
    """The page's text, and what is wrong with the reasons."""
    wrong, groups, used = [], defaultdict(list), set()
    common = defaultdict(list)
    for (owner, name), languages in names.items():
        label = f'{owner}.{name}'.strip('.')
        if len(languages) == 3:
            if name: common[owner].append(name)
            else: common[owner]
            continue
        # The members of a type that not all have stand with it.
        if owner and name and names.get((owner, '')) == languages: continue
        rule = next((rule for rule in rules['reasons'] if re.fullmatch(rule['names'], label)), None)
        if rule: used.add(rule['names'])
        else: wrong.append(f'{label} is only in {" and ".join(sorted(languages))}: give a reason in names.json')
        where = ', '.join(language for language in LANGUAGES if language in languages)
        groups[where, rule['reason'] if rule else ''].append(label)
    wrong += [f'no name fits "{rule["names"]}" of names.json' for rule in rules['reasons'] if rule['names'] not in used]
    lines = ['# Public names of the client libraries', '',
             'For app developers who use more than one of the libraries. The first table lists what all three have, the second what one or',
             'two have, and why. The spelling is Swift\'s; Kotlin writes `Id` and `Url`, and constants in capital letters. A type that not',
             'all have is listed without its members. `deploy/clients names` writes this page from the libraries.', '',
             '| type | in Swift, Kotlin and TypeScript |', '|---|---|']
    lines += [f'| `{owner or "functions"}` | {", ".join(f"`{name}`" for name in members) or "–"} |' for owner, members in common.items()]
    lines += ['', '| in | names | why |', '|---|---|---|']
    lines += [f'| {where} | {", ".join(f"`{label}`" for label in labels)} | {reason} |' for (where, reason), labels in sorted(groups.items())]
    return '\n'.join(lines) + '\n', wrong


def main():
    command, folder = sys.argv[1:]
    with open(f'{HERE}/names.json') as file: rules = json.load(file)
    text, wrong = page(compared({'Swift': swift(), 'Kotlin': kotlin(), 'TypeScript': typescript(folder)}, rules), rules)
    if command == 'write':
        with open(PAGE, 'w') as file: file.write(text)
    elif not os.path.exists(PAGE) or open(PAGE).read() != text:
        wrong.append('library-names.md is not up to date: run deploy/clients names')
    for each in wrong: print(each)
    print(f'{text.count("`") // 2} public names compared, {len(wrong)} wrong')
    sys.exit(len(wrong) > 0)


if __name__ == '__main__': main()
