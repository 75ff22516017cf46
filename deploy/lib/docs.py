"""The code blocks of the documents. Used by deploy/test-docs.

A block's first line has its language and one of three marks:
  run       deploy/test-docs runs it against a stack of its own;
  compiled  its syntax is checked, or its types, or what it configures;
  shown     nothing is checked, and the text around it says so where a reader might expect more.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

MARKS = ('run', 'compiled', 'shown')
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Block:
    def __init__(self, page, line, language, mark, text):
        self.page, self.line, self.language, self.mark, self.text = page, line, language, mark, text

    @property
    def place(self):
        return f'{self.page}:{self.line}'


def pages():
    found = ['README.md', 'Shared/LatchkeyAuthTypeScript/README.md']
    for pattern in ('.github/*.md', 'deploy/docs/*.md', 'deploy/docs/*/*.md'):
        found += glob.glob(pattern, root_dir=ROOT)
    return sorted(found)


def blocks(page):
    """The blocks of a page, in order; those in lists are moved to the margin."""
    with open(f'{ROOT}/{page}', encoding='utf-8') as file:
        lines = file.read().split('\n')
    start = None
    for number, line in enumerate(lines, 1):
        fence = re.match(r'(\s*)```(.*)$', line)
        if not fence:
            continue
        if start is None:
            start, indent, words = number, len(fence[1]), fence[2].split()
            continue
        text = '\n'.join(inner[indent:] for inner in lines[start:number - 1]) + '\n'
        language, mark = (words + ['', ''])[:2]
        yield Block(page, start, language, mark, text)
        start = None
    if start is not None:
        raise SystemExit(f'{page}:{start}: the block has no end')


def tool(*names):
    """Whether all of these programs are installed; in the long form a missing one is a fault."""
    missing = [name for name in names if not shutil.which(name)]
    if missing and os.environ.get('DOCS_LONG') == '1':
        raise Fault(f'{missing[0]} is not installed')
    return not missing


class Fault(Exception):
    pass


def call(command, text=None, suffix='', name='block', **options):
    """Runs a command on the text as a file, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = f'{folder}/{name}{suffix}'
        with open(file, 'w', encoding='utf-8') as out:
            out.write(text or '')
        outcome = subprocess.run(
            [word.replace('FILE', file).replace('FOLDER', folder) for word in command], cwd=folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        if outcome.returncode:
            raise Fault(outcome.stdout.strip()[-2000:])


def is_example(block):
    """Whether the block is a file of Tests/Examples, which deploy/examples and deploy/test compile and run."""
    for path in glob.glob(f'{ROOT}/Tests/Examples/*/*'):
        with open(path, encoding='utf-8') as file:
            if file.read() == block.text:
                return True
    return False


def check_example(block):
    if not is_example(block):
        raise Fault('the block is no file of Tests/Examples')


def check_json(block):
    json.loads(block.text)


def policy(block):
    """The default policy with the block's keys instead of its own; None if the block is no part of a policy."""
    import yaml
    value = yaml.safe_load(block.text)
    with open(f'{ROOT}/deploy/policies/starter.yaml', encoding='utf-8') as file:
        policy = yaml.safe_load(file)
    known = set(policy) | {'spend', 'apps', 'apple', 'oidc', 'phoneTokens', 'edge', 'attributes', 'accounts', 'deletion', 'publicURL',
                           'passwords', 'trustedProxies', 'cookies', 'cors', 'web', 'sessions', 'audit', 'signing', 'webRedirects'}
    if not isinstance(value, dict) or not set(value) <= known:
        return None
    policy.update(value)
    return yaml.safe_dump(policy)


def check_yaml(block):
    text, control = policy(block), os.environ.get('LATCHKEYCTL')
    if text and control:
        environment = dict(os.environ, LATCHKEY_POLICIES_DIR=f'{ROOT}/deploy/policies')
        # The variable goes before the policy's key.
        if 'publicURL:' not in block.text: environment['LATCHKEY_PUBLIC_URL'] = 'http://127.0.0.1:8080'
        call([control, 'policy', 'check', 'FILE'], text, '.yaml', env=environment)


def check_xml(block):
    names = 'xmlns:android="http://schemas.android.com/apk/res/android"'
    xml.etree.ElementTree.fromstring(f'<page {names}>{block.text}</page>')


def check_python(block):
    call([sys.executable, '-m', 'py_compile', 'FILE'], block.text, '.py')


def check_shell(block):
    call(['bash', '-n', 'FILE'], block.text)


def check_javascript(block):
    if tool('node'):
        call(['node', '--check', 'FILE'], block.text, '.mjs' if 'import ' in block.text else '.js')


def check_typescript(block):
    if not is_example(block): TOGETHER['typescript'].append(block)


def check_kotlin(block):
    if not is_example(block): TOGETHER['kotlin'].append(block)


# The blocks that one run of a compiler checks, since its start is most of its time.
TOGETHER = {'typescript': [], 'kotlin': []}


def compile_together(blocks, suffix, text_of, command, folder):
    """Compiles blocks as files of their own, and prints what the compiler says, each line with the block's place."""
    files = {f'block{number}{suffix(block)}': block for number, block in enumerate(blocks)}
    for name, block in files.items():
        with open(f'{folder}/{name}', 'w', encoding='utf-8') as file:
            file.write(text_of(block, name))
    outcome = subprocess.run(command(list(files)), cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if outcome.returncode == 0: return 0
    print('\n'.join(re.sub(r'\S*?(block\d+\.\w+)', lambda match: f'{files[match[1]].place} {match[1]}', line)
                    for line in outcome.stdout.strip().split('\n')[-60:]))
    return 1


def compile_typescript(blocks):
    """Checks the types of the blocks that use the library, except names that the page declares elsewhere."""
    react = '/usr/share/nodejs/@types/react'
    if not tool('tsc') or not os.path.isdir(react): return 0
    sources = f'{ROOT}/Shared/LatchkeyAuthTypeScript'
    paths = {'@latchkey/auth/*': [f'{sources}/*'], 'react': [react], 'react/jsx-runtime': [f'{react}/jsx-runtime']}

    def command(names):
        with open(f'{folder}/tsconfig.json', 'w', encoding='utf-8') as file:
            json.dump({'compilerOptions': {
                'target': 'es2022', 'module': 'es2022', 'moduleResolution': 'node', 'lib': ['es2022', 'dom', 'dom.iterable'],
                'jsx': 'react-jsx', 'noEmit': True, 'skipLibCheck': True, 'baseUrl': '.', 'paths': paths, 'types': []},
                'files': [*names, 'prelude.d.ts']}, file)
        return ['tsc', '-p', folder]

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(f'{ROOT}/deploy/lib/docs-prelude.d.ts', f'{folder}/prelude.d.ts')
        suffix = lambda block: '.tsx' if block.language == 'tsx' else '.ts'
        return compile_together(blocks, suffix, lambda block, name: block.text + '\nexport {};\n', command, folder)


def compile_kotlin(blocks):
    """Checks the types of blocks against the jars of the Kotlin library. Each is the body of a function."""
    home, jars = f'{ROOT}/.build/peers/kotlin-2.4', f'{ROOT}/.build/clients/kotlin'
    if not os.path.isfile(f'{home}/ready') or not os.path.isfile(f'{jars}/android.jar'):
        if os.environ.get('DOCS_LONG') == '1':
            print('the Kotlin library is not built: deploy/clients kotlin')
            return 1
        return 0
    with open(f'{ROOT}/deploy/lib/docs-prelude.kt', encoding='utf-8') as file:
        prelude = file.read()

    def text_of(block, name):
        lines = block.text.split('\n')
        imports = '\n'.join(line for line in lines if line.startswith('import '))
        body = '\n'.join(line for line in lines if not line.startswith('import '))
        return prelude.replace('NAME', name[:-3]).replace('IMPORTS', imports).replace('BODY', body)

    def command(names):
        path = [f'{home}/{jar}.jar' for jar in ('kotlin-stdlib', 'kotlinx-coroutines-core')]
        path += [f'{jars}/{jar}.jar' for jar in ('core', 'android', 'okhttp', 'stubs')] + glob.glob('/usr/share/java/ok*.jar')
        return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx1500m', '-Xss4m', '-cp', f'{home}/compiler.jar',
                'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler', '-no-stdlib', '-no-reflect', '-nowarn', '-jvm-target', '11',
                '-classpath', ':'.join(path), '-d', 'classes', *names]

    with tempfile.TemporaryDirectory() as folder:
        return compile_together(blocks, lambda block: '.kt', text_of, command, folder)


def check_ruby(block):
    if tool('ruby'):
        call(['ruby', '-c', 'FILE'], block.text, '.rb')


def check_java(block):
    servlets = next(iter(glob.glob('/usr/share/java/jakarta-servlet-api*.jar') + glob.glob(
        '/usr/share/java/servlet-api*.jar')), None)
    if tool('javac') and (servlets or os.environ.get('DOCS_LONG') == '1'):
        name = re.search(r'public class (\w+)', block.text)[1]
        call(['javac', '-cp', servlets or 'missing', '-d', 'FOLDER', 'FILE'], block.text, '.java', name)


def check_swift(block):
    """The types, against the modules of the debug build. Statements are the body of a function."""
    modules = f'{ROOT}/.build/debug/Modules'
    if is_example(block) or not tool('swiftc') or not os.path.isdir(modules):
        return
    imports = [line for line in block.text.split('\n') if line.startswith('import ')]
    body = '\n'.join(line for line in block.text.split('\n') if not line.startswith('import '))
    declares = re.search(r'^(struct|final class|actor|extension) ', body, re.M)
    if 'LatchkeyAuth' in ' '.join(imports) or 'auth' in body and not declares:
        imports += ['import Foundation', 'import FoundationNetworking', 'import LatchkeyAuth', 'import LatchkeyAuthTesting']
    text = '\n'.join(dict.fromkeys(imports)) + '\n'
    text += body if declares else swift_prelude(body)
    made = glob.glob(f'{ROOT}/.build/debug/*.build/module.modulemap')
    written = glob.glob(f'{ROOT}/.build/checkouts/*/Sources/*/include/module.modulemap')
    words = [word for path in made + written for word in ('-Xcc', f'-fmodule-map-file={path}')]
    call(['swiftc', '-typecheck', '-swift-version', '6', '-I', modules, *words, 'FILE'], text, '.swift')


def swift_prelude(body):
    with open(f'{ROOT}/deploy/lib/docs-prelude.swift', encoding='utf-8') as file:
        prelude = file.read()
    names = re.findall(r'^let (\w+)', body, re.M)
    kept = [line for line in prelude.split('\n') if not any(line.strip().startswith(f'let {name}') for name in names)]
    return '\n'.join(kept).replace('BODY', body)


def check_nginx(block):
    if tool('nginx'):
        text = re.sub(r'listen 443 ssl;', 'listen 127.0.0.1:18443;', block.text)
        call(['nginx', '-t', '-c', 'FILE', '-p', 'FOLDER'], 'events {}\npid /dev/null;\nhttp {\n' + text + '}\n')


def check_haproxy(block):
    if tool('haproxy'):
        text = re.sub(r'bind :443 ssl crt \S+', 'bind 127.0.0.1:8443', block.text)
        times = 'defaults\n    timeout client 30s\n    timeout server 30s\n    timeout connect 5s\n'
        call(['haproxy', '-c', '-f', 'FILE'], times + text)


CHECKS = {
    'json': check_json, 'yaml': check_yaml, 'xml': check_xml, 'python': check_python, 'sh': check_shell,
    'bash': check_shell, 'js': check_javascript, 'ts': check_typescript, 'tsx': check_typescript, 'ruby': check_ruby,
    'java': check_java, 'kotlin': check_kotlin, 'typescript': check_example, 'swift': check_swift, 'nginx': check_nginx, 'haproxy': check_haproxy,
}


def check(chosen):
    """Prints what is wrong with the marks and with the blocks that need no server; returns the number of faults."""
    faults = 0
    counts = dict.fromkeys(MARKS, 0)
    for page in chosen:
        for block in blocks(page):
            try:
                if block.mark not in MARKS:
                    raise Fault('the block is not marked run, compiled or shown')
                counts[block.mark] += 1
                if block.mark == 'shown':
                    continue
                if block.language not in CHECKS:
                    raise Fault(f'{block.language} cannot be {block.mark}')
                CHECKS[block.language](block)
            except (Fault, ValueError, xml.etree.ElementTree.ParseError) as fault:
                print(f'{block.place}: {fault}')
                faults += 1
    for language, compiler in (("typescript", compile_typescript), ("kotlin", compile_kotlin)):
        try:
            if TOGETHER[language]: faults += compiler(TOGETHER[language])
        except Fault as fault:
            print(fault)
            faults += 1
    print(', '.join(f'{count} {mark}' for mark, count in counts.items()))
    return faults


if __name__ == '__main__':
    command, *chosen = sys.argv[1:]
    chosen = chosen or pages()
    if command == 'check':
        sys.exit(1 if check(chosen) else 0)
    if command == 'policy':
        # The first part of a policy on the page, in the default policy.
        print(next(filter(None, (policy(block) for block in blocks(chosen[0]) if block.language == 'yaml'))))
    if command == 'pages':
        print('\n'.join(page for page in chosen if any(block.mark == 'run' for block in blocks(page))))
    if command == 'write':
        # One file for each block that is run, in the order of the page.
        folder, page = chosen
        for number, block in enumerate(block for block in blocks(page) if block.mark == 'run'):
            with open(f'{folder}/{number:02}.{block.language}', 'w', encoding='utf-8') as file:
                file.write(block.text)
