#!/usr/bin/env python3
"""Level 3: takes one rule at a time out of a library, and sees that a scenario catches it: mutate.py LIBRARY FOLDER [NAME].

FOLDER is a copy of the library with its driver, which is built by the commands in mutants/LIBRARY.json. A mutant that no scenario
catches, or that does not build, is a failure: of the scenarios or of the list.
"""
import json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    library, folder, only = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ''
    with open(f'{HERE}/mutants/{library}.json') as file: plan = json.load(file)
    failed = 0
    for mutant in plan['mutants']:
        if only not in mutant['rule']: continue
        result = judge(plan, mutant, folder)
        failed += not result.startswith('caught')
        print(f"{mutant['rule']:76} {result}", flush=True)
    print(f"{len(plan['mutants'])} mutants, {failed} not caught")
    sys.exit(failed > 0)


def judge(plan, mutant, folder):
    path = os.path.join(folder, plan['sources'], mutant['file'])
    with open(path) as file: original = file.read()
    if original.count(mutant['old']) != 1: return f"the text is there {original.count(mutant['old'])} times"
    try:
        with open(path, 'w') as file: file.write(original.replace(mutant['old'], mutant['new']))
        built = subprocess.run(plan['build'], cwd=folder, shell=True, capture_output=True, text=True)
        if built.returncode: return 'does not build: ' + built.stdout[-600:]
        if 'test' in plan: return judge_by_tests(plan, folder)
        files = [f'{HERE}/scenarios/{name}.json' for name in [mutant['first']] if name] + [f'{HERE}/scenarios/*.json']
        for each in files:
            run = subprocess.run([f'{HERE}/run.py', '-j', '4', '--first', *plan['options'], each, '--',
                                  os.path.join(folder, plan['driver'])], capture_output=True, text=True)
            found = re.search(r'^failed: (.*?): step', run.stdout, re.M) or re.search(r'^failed: (.*)', run.stdout, re.M)
            if found: return f'caught by "{found[1]}"'
        return 'NOT CAUGHT'
    finally:
        with open(path, 'w') as file: file.write(original)


def judge_by_tests(plan, folder):
    """What is of one library only has tests in place of scenarios."""
    environment = {**os.environ, 'LATCHKEY_SUITE': HERE}
    try: run = subprocess.run(plan['test'], cwd=folder, shell=True, capture_output=True, text=True, errors='replace', env=environment, timeout=120)
    except subprocess.TimeoutExpired: return 'caught: the tests do not end'
    found = re.search(r'^(?:not ok \d+ - |✘ Test )(.*)', run.stdout, re.M)
    return f'caught by "{found[1] if found else run.stdout[-200:]}"' if run.returncode else 'NOT CAUGHT'


if __name__ == '__main__': main()
