#!/usr/bin/env python3
"""Level 3: takes one rule at a time out of a library, and sees that a scenario catches it: mutate.py LIBRARY FOLDER [NAME].

FOLDER is a copy of the library with its driver. mutants/LIBRARY.json has the command that builds it, or a program that builds it
for each line that it gets (`builder`). The scenario `by`, and then those of the file `first`, run before the others. A mutant that
no scenario catches, or that does not build, is a failure: of the scenarios or of the list.
"""
import json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    library, folder, only = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ''
    with open(f'{HERE}/mutants/{library}.json') as file: plan = json.load(file)
    mutants = [mutant for mutant in plan['mutants'] if only in mutant['rule']]
    failed, builder = 0, start_builder(plan, folder)
    for mutant in mutants:
        result = judge(plan, mutant, folder, builder)
        failed += not result.startswith('caught')
        print(f"{mutant['rule']:76} {result}", flush=True)
    print(f"{len(mutants)} mutants, {failed} not caught")
    sys.exit(failed > 0)


def start_builder(plan, folder):
    if 'builder' not in plan: return None
    return subprocess.Popen([plan['builder']], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def build(plan, folder, builder):
    """What is wrong with the build, or None."""
    if not builder:
        built = subprocess.run(plan['build'], cwd=folder, shell=True, capture_output=True, text=True)
        return built.stdout[-600:] if built.returncode else None
    print(file=builder.stdin, flush=True)
    output = ''
    for line in builder.stdout:
        if line == 'built\n': return None
        if line == 'failed\n': break
        output += line
    return output[-600:]


def judge(plan, mutant, folder, builder):
    path = os.path.join(folder, plan['sources'], mutant['file'])
    with open(path) as file: original = file.read()
    if original.count(mutant['old']) != 1: return f"the text is there {original.count(mutant['old'])} times"
    try:
        with open(path, 'w') as file: file.write(original.replace(mutant['old'], mutant['new']))
        if (wrong := build(plan, folder, builder)) is not None: return 'does not build: ' + wrong
        if 'test' in plan: return judge_by_tests(plan, folder)
        for chosen in choices(mutant):
            run = subprocess.run([f'{HERE}/run.py', '-j', '4', '--first', *plan['options'], *chosen, '--',
                                  os.path.join(folder, plan['driver'])], capture_output=True, text=True)
            found = re.search(r'^failed: (.*?): (step \d+) {.*}: (.*)', run.stdout, re.M)
            if found: return f'caught by "{found[1]}", {found[2]}: {found[3][:80]}'
            if found := re.search(r'^failed: (.*)', run.stdout, re.M): return f'caught by "{found[1]}"'
        return 'NOT CAUGHT'
    finally:
        with open(path, 'w') as file: file.write(original)


def choices(mutant):
    """What is run until a scenario fails: arguments of run.py."""
    every = f'{HERE}/scenarios/*.json'
    if 'by' in mutant: yield ['--only', mutant['by'], every]
    if mutant['first']: yield [f"{HERE}/scenarios/{mutant['first']}.json"]
    yield [every]


def judge_by_tests(plan, folder):
    """What is of one library only has tests in place of scenarios."""
    environment = {**os.environ, 'LATCHKEY_SUITE': HERE}
    try: run = subprocess.run(plan['test'], cwd=folder, shell=True, capture_output=True, text=True, errors='replace', env=environment, timeout=120)
    except subprocess.TimeoutExpired: return 'caught: the tests do not end'
    found = re.search(r'^(?:not ok \d+ - |✘ Test )(.*)', run.stdout, re.M)
    return f'caught by "{found[1] if found else run.stdout[-200:]}"' if run.returncode else 'NOT CAUGHT'


if __name__ == '__main__': main()
