#!/usr/bin/env python3
"""Compares a library's references to Java's and Android's classes with what API level 23 has: references.py LIST JAR...

LIST has a member a line, as `class.member:descriptor`. Each was looked up in Android's reference when it was added; a
reference that is not in the list is new, and a failure until a developer looks it up. With --write, the list is written.
"""
import struct, sys, zipfile

# Classes that every Android from 23 on has, or that an app brings along.
OTHERS = ('kotlin/', 'kotlinx/coroutines/', 'latchkey/auth/', 'okhttp3/', 'okio/', 'org/jetbrains/annotations/',
          'androidx/', 'com/google/android/')
# The size of a constant after its tag (JVMS 4.4); a string of UTF-8, 1, has its own.
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def constants(data):
    """The constants of a class file by their numbers: (tag, content)."""
    pool, at, number = {}, 10, 1
    while number < struct.unpack('>H', data[8:10])[0]:
        tag = data[at]
        size = 2 + struct.unpack('>H', data[at + 1:at + 3])[0] if tag == 1 else SIZES[tag]
        pool[number] = tag, data[at + 1:at + 1 + size]
        at, number = at + 1 + size, number + (2 if tag in (5, 6) else 1)
    return pool


def references(jar):
    with zipfile.ZipFile(jar) as archive:
        names = [n for n in archive.namelist() if n.endswith('.class') and not n.startswith('META-INF/')]
        pools = [constants(archive.read(n)) for n in names]
    found = set()
    for pool in pools:
        def text(number): return pool[number][1][2:].decode()
        def pair(number): return struct.unpack('>HH', pool[number][1])
        def type_name(number): return text(struct.unpack('>H', pool[number][1])[0])
        for number, (tag, _) in pool.items():
            if tag == 7:
                name = type_name(number)
                found.add(name.lstrip('[').removeprefix('L').rstrip(';') if name[0] == '[' else name)
            if tag in (9, 10, 11):
                owner, member = pair(number)
                name, descriptor = map(text, pair(member))
                found.add(f'{type_name(owner)}.{name}:{descriptor}')
    own = {n.removesuffix('.class') for n in names}
    return {r for r in found if '/' in r and not r.startswith(('[', *OTHERS)) and r.split('.')[0] not in own}


def main():
    write = '--write' in sys.argv
    path, *jars = [a for a in sys.argv[1:] if a != '--write']
    found = set().union(*map(references, jars))
    if write:
        with open(path, 'w') as file: file.write('\n'.join(sorted(found)) + '\n')
        return
    with open(path) as file: known = set(file.read().split())
    for reference in sorted(found - known): print(f'not known to be in API level 23: {reference}')
    for reference in sorted(known - found): print(f'not used any more, to be taken out of the list: {reference}')
    print(f'{len(found)} references to Java and Android, {len(found - known)} unknown')
    sys.exit(found != known or not found)


if __name__ == '__main__': main()
