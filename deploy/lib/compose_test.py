"""Checks what the compose files start, without an engine. Used by `deploy/test-compose --files`.

- Every selection of overlays confines its containers, and opens only the networks and ports of the tables below.
- Every command of the documents selects the deployment of vps.md, which `.env` defines.
"""
import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile

from compose import ROOT, Missing, load, model, project, read_env, started

BASE, PRODUCTION = 'docker-compose.yml', 'deploy/compose.production.yaml'
VPS = 'deploy/docs/run/vps.md'
# The networks of each service. `edge` is for published ports, and only `egress` and `database` lead elsewhere.
NETWORKS = {
    'gateway': {'edge', 'internal', 'upstream'}, 'inbox': {'edge', 'internal'}, 'sample-api': {'upstream'},
    'otp': {'internal', 'egress'}, 'token': {'internal'}, 'user': {'internal'}, 'functions': {'internal'},
    'redis': {'internal'}, 'databases': set(), 'database': {'internal'}, 'postgres': {'internal'}, 'postgres-2': {'internal'},
    'redis-2': {'internal'}, 'redis-3': {'internal'}, 'proxy': {'published', 'proxied'},
    'sentinel-1': {'internal'}, 'sentinel-2': {'internal'}, 'sentinel-3': {'internal'},
    'prometheus': {'internal', 'observability'}, 'grafana': {'observability'}, 'copier': {'egress'},
    'console': {'console'},
}
REDIS = ('redis', 'redis-2', 'redis-3', 'sentinel-1', 'sentinel-2', 'sentinel-3')
# The networks that an overlay adds; None replaces those above.
OPENED = {
    'apple': {'user': {'egress'}}, 'oidc': {'user': {'egress'}},
    'external-postgres': {'token': {'database'}, 'user': {'database'}}, 'gateways': {'gateway': {'proxied'}},
    'console': {'gateway': {'console'}}, 'events': {'token': {'egress'}, 'user': {'egress'}},
}
INTERNAL = {'internal', 'upstream'}
# The overlays that one needs below it.
BELOW = {'scale': ['postgres']}
LIMITS = dict.fromkeys(('postgres', 'postgres-2', 'prometheus', 'grafana'), '512M')
# PostgreSQL's image begins as root and becomes another user.
ROOTS = dict.fromkeys(('postgres', 'postgres-2'), {'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'})
USERS = {**dict.fromkeys(REDIS, '999:999'), **dict.fromkeys(ROOTS), 'proxy': 'haproxy', 'prometheus': '65534:65534', 'grafana': '472:0'}
# Values of the variables that the overlays require.
SETTINGS = {
    'LATCHKEY_ENV': 'production', 'LATCHKEY_UPSTREAM': 'http://app:3000', 'LATCHKEY_TLS_DIR': '/tls', 'MAIL_FROM': 'a@example.com',
    'SMTP_HOST': 'mail.example.com', 'SMTP_USER': 'a', 'TWILIO_ACCOUNT_SID': 'AC', 'APPLE_TEAM_ID': 'T', 'APPLE_KEY_ID': 'K',
    'TOKEN_DATABASE_URL': 'postgres://t@db/l', 'USER_DATABASE_URL': 'postgres://u@db/l', 'LATCHKEY_DATABASE_CA_DIR': '/ca',
    'LATCHKEY_CA_DIR': '/authorities', 'LATCHKEY_INTERNAL_TLS_DIR': '/internal', 'USER_HOOK_URL': 'https://app.example.com/events',
    'LATCHKEY_COPY_TO': '/copies',
}
faults = []


def expect(holds, place, text):
    if not holds:
        faults.append(f'{place}: {text}')


def overlay(name):
    return f'deploy/compose.{name}.yaml'


# In an order that satisfies their documents: the gateways' comes last, since it takes the ports of the others.
OVERLAYS = sorted((re.fullmatch(r'.*compose\.(.*)\.yaml', path)[1] for path in glob.glob(f'{ROOT}/deploy/compose.*.yaml')),
                  key=lambda name: (name == 'gateways', name == 'scale', name))


def selections():
    """Every selection of overlays. Two of them say where the data is, and exclude each other."""
    for count in range(len(OVERLAYS) + 1):
        for names in itertools.combinations(OVERLAYS, count):
            if not {'postgres', 'external-postgres'} <= set(names) and all(set(BELOW.get(name, [])) <= set(names) for name in names):
                yield names


def check_service(place, name, service, names):
    """Checks one container of a selection."""
    place = f'{place}: {name}'
    for key, value in (('read_only', True), ('cap_drop', ['ALL']), ('security_opt', ['no-new-privileges:true']),
                       ('user', USERS.get(name, '10001:10001'))):
        expect(service.get(key) == value, place, f'{key} is {service.get(key)}')
    expect(set(service.get('cap_add', [])) == ROOTS.get(name, set()), place, f'cap_add is {service.get("cap_add")}')
    for key in ('privileged', 'devices', 'pid', 'ipc', 'userns_mode'):
        expect(key not in service, place, f'{key} is set')
    limits = service.get('deploy', {}).get('resources', {}).get('limits', {})
    memory = '640M' if name == 'gateway' and 'tls' in names else LIMITS.get(name, '256M')
    expected = {'cpus': '1.0', 'memory': memory, 'pids': 256}
    expect(limits == expected, place, f'its limits are {limits}')
    expect('max-size' in service.get('logging', {}).get('options', {}), place, 'its log has no limit')
    networks = set(NETWORKS[name])
    if name == 'database' and 'external-postgres' in names:
        networks = {'database'}
    for opened in names:
        networks |= OPENED.get(opened, {}).get(name, set())
    expect(set(service.get('networks', [])) == networks, place, f'its networks are {service.get("networks")}')
    expect(service.get('network_mode') == ('none' if name == 'databases' else None), place, 'its network_mode is another')
    public = {'127.0.0.1:8080:8080'} | ({'127.0.0.1:8443:8443'} if {'tls', 'gateways'} & set(names) else set())
    ports = {'proxy' if 'gateways' in names else 'gateway': public, 'inbox': {'127.0.0.1:8025:8025'},
             'prometheus': {'127.0.0.1:9090:9090'}, 'grafana': {'127.0.0.1:3001:3000'}}.get(name, set())
    expect(set(service.get('ports', [])) == ports, place, f'it publishes {service.get("ports")}')
    sockets = [volume for volume in service.get('volumes', []) if '.sock' in volume or volume.startswith('/:')]
    expect(not sockets, place, f'it mounts {sockets}')


def check_scale(place, services):
    """Checks that every process knows all Sentinels and both servers of PostgreSQL, and that there are as many as a majority needs."""
    sentinels = sorted(name for name in services if name.startswith('sentinel-'))
    expect(len(sentinels) == 3, place, f'the Sentinels are {sentinels}')
    url = f'redis+sentinel://{",".join(f"{name}:26379" for name in sentinels)}/latchkey'
    for name, service in services.items():
        environment, secrets = service.get('environment') or {}, service.get('secrets') or []
        if 'REDIS_USER' in environment:
            expect(environment['REDIS_URL'] == url, f'{place}: {name}', f'REDIS_URL is {environment["REDIS_URL"]}')
            expect('REDIS_SENTINEL_USER' in environment and 'sentinel_password' in secrets, f'{place}: {name}', 'has no account at the Sentinels')
        elif name not in REDIS:
            expect('sentinel_password' not in secrets, f'{place}: {name}', 'has an account at the Sentinels')
        for key, value in environment.items():
            if key.endswith('_DATABASE_URL'):
                expect('@postgres:5432,postgres-2:5432/' in value, f'{place}: {name}', f'{key} is {value}')
    data = [volume for name in REDIS + tuple(ROOTS) for volume in services[name]['volumes'] if volume.split(':')[0].endswith('-data')]
    expect(len(data) == len(set(data)) == len(REDIS) + len(ROOTS), place, f'the servers keep their data in {data}')


def check_gateways(place, whole):
    """Checks that gateways believe the proxy's network alone, and that the proxy meets them nowhere else."""
    gateway, proxy = (whole['services'][name] for name in ('gateway', 'proxy'))
    shared = set(gateway['networks']) & set(proxy['networks'])
    expect(shared == {'proxied'}, place, f'the gateways and the proxy share {shared}')
    blocks = [block['subnet'] for block in whole['networks']['proxied']['ipam']['config']]
    expect(blocks == [gateway['environment']['LATCHKEY_TRUSTED_PROXIES']], place, f'the gateways trust other networks than {blocks}')
    others = [name for name, service in whole['services'].items() if name not in ('gateway', 'proxy') and 'proxied' in (service.get('networks') or [])]
    expect(not others, place, f'{others} could pose as the proxy')


def check_observability(place, services):
    """Checks that every file of the configuration is mounted, that images are pinned, and that Grafana has a password of its own."""
    for name, mounted in (('prometheus', {'/etc/prometheus/latchkey'}), ('grafana', {'/etc/grafana/provisioning', '/etc/latchkey/dashboards'})):
        service = services[name]
        found = {volume.split(':')[1] for volume in service['volumes'] if volume.startswith('./') and os.path.isdir(f'{ROOT}/{volume.split(":")[0]}') and volume.endswith(':ro')}
        expect(found == mounted, f'{place}: {name}', f'it reads {found}')
        expect(re.fullmatch(r'docker\.io/\w+/\w+:v?\d+\.\d+\.\d+', service['image']), f'{place}: {name}', f'its image is {service["image"]}')
    environment = services['grafana']['environment']
    expect(environment['GF_SECURITY_ADMIN_PASSWORD'] == '$__file{/run/secrets/grafana_admin_password}', place, "Grafana's password is no secret")
    expect(not any('ANONYMOUS' in key for key in environment), place, 'Grafana needs no sign-in')


def check_calls(place, services, names):
    """Checks that the gateway and the services call each other by TLS with the overlay for it, and by nothing else."""
    encrypted, callees = 'internal-tls' in names, {'OTP_URL': 'otp:8081', 'TOKEN_URL': 'token:8082', 'USER_URL': 'user:8083'}
    for name, service in services.items():
        environment = service.get('environment') or {}
        called = {key for key in callees if key in environment}
        urls = {key: f'{"https" if encrypted else "http"}://{callees[key]}' for key in called}
        found = {key: environment[key] for key in called}
        expect(found == urls, f'{place}: {name}', f'it calls {found}')
        mounted = '/internal:/etc/latchkey/internal:ro' in service.get('volumes', [])
        expect(mounted == (encrypted and bool(called)), f'{place}: {name}', 'the certificates are mounted where they are not needed, or not where they are')
        served = ('LATCHKEY_INTERNAL_TLS_CERTIFICATE' in environment, 'internal_tls_key' in (service.get('secrets') or []))
        expect(served == (encrypted and name in ('otp', 'token', 'user'),) * 2, f'{place}: {name}', f'certificate and key are {served}')
        expect(('LATCHKEY_INTERNAL_CA' in environment) == (encrypted and bool(called)), f'{place}: {name}', 'its authority of calls is another')


def check_selections():
    for names in selections():
        place, files = '+'.join(('base',) + names), [BASE] + [overlay(name) for name in names]
        # Without a server elsewhere the overlays' own URLs apply.
        settings = {key: value for key, value in SETTINGS.items() if 'external-postgres' in names or 'DATABASE_URL' not in key}
        whole = project(files, settings)
        services = started(whole, ['operator'])
        developers = {'inbox', 'sample-api'}
        expect(developers.isdisjoint(services) if 'production' in names else developers <= set(services), place,
               'the inbox and the sample API belong to development only')
        for name, service in services.items():
            check_service(place, name, service, names)
        internal = {name for name, network in whole['networks'].items() if (network or {}).get('internal')}
        expected = INTERNAL | ({'proxied'} if 'gateways' in names else set()) | ({'console'} & set(names))
        expect(internal == expected, place, f'internal networks are {internal}')
        check_calls(place, services, names)
        if 'scale' in names:
            check_scale(place, services)
        if 'gateways' in names:
            check_gateways(place, whole)
        if 'observability' in names:
            check_observability(place, services)
        for name, secret in whole['secrets'].items():
            expect(secret['file'] == f'./deploy/secrets.d/{name}', place, f'the secret {name} is {secret}')
        used = {secret for service in services.values() for secret in service.get('secrets', [])}
        expect(used <= set(whole['secrets']), place, 'a service has a secret that no file defines')


def pages():
    found = ['README.md', '.github/CONTRIBUTING.md'] + [overlay(name) for name in OVERLAYS] + [BASE]
    found += glob.glob('deploy/docs/**/*.md', root_dir=ROOT, recursive=True)
    for page in sorted(found):
        with open(f'{ROOT}/{page}', encoding='utf-8') as file:
            yield page, file.read()


def blocks(text, language):
    return re.findall(rf'^ *```{language}[^\n]*\n(.*?)^ *```', text, re.S | re.M)


def reference():
    """The deployment of vps.md: its files, an override in place of the last one, and its variables."""
    with open(f'{ROOT}/{VPS}', encoding='utf-8') as file:
        text = file.read()
    variables = read_env(next(block for block in blocks(text, 'text') if 'COMPOSE_FILE' in block))
    override = next(block for block in blocks(text, 'yaml') if block.startswith('services:'))
    *files, last = variables['COMPOSE_FILE'].split(':')
    expect(last == 'docker-compose.override.yml', VPS, 'the override is not last')
    return files, override, variables


def commands(text):
    """The compose commands of a page, each on one line, without the marks of comments and lists."""
    flat = re.sub(r'\\?\n[ #|]*', ' ', text)
    return [match[0] for match in re.finditer(r'(?:[A-Z_]+=\S+ )*\b(?:docker[ -])?(?:podman-)?compose(?: +-[\w-]+(?:[ =][^\s`]+)?)+', flat)]


def selected(command):
    """The files that a command names itself; None if it takes those of `.env`."""
    named = re.findall(r'(?:-f|--file)[ =]([^\s`]+)', command)
    variable = re.search(r'COMPOSE_FILE=(\S+)', command)
    return named or (variable[1].split(':') if variable else None)


def check_pages():
    """Each command of a page means the deployment that `.env` defines."""
    files, override, variables = reference()
    expected = model(files + [override], variables)
    for page, text in pages():
        for command in commands(text):
            chosen = selected(command)
            if chosen is None:
                continue
            named = [override if 'override' in file else file for file in chosen]
            try:
                found = model(named, {**SETTINGS, **variables})
            except (Missing, OSError) as problem:
                expect(False, page, f'`{command}`: {problem}')
                continue
            for name in sorted(set(expected) | set(found)):
                expect(found.get(name) == expected.get(name), page, f'`{command}` starts another {name} than {VPS}')
        # A name of its own for the command hides what it selects.
        for definition in re.findall(r'`compose` (?:below )?means[^.]*', text):
            expect(False, page, f'defines a second name for docker compose: {" ".join(definition.split())}')
        for line in re.findall(r'(?<![\w./"-])(?<!docker )(?<!podman-)compose (?:up|down|run|exec|ps|stop|restart|build|logs|--profile)\b.*', text):
            expect(False, page, f'`{line}` is no command: write docker compose')


def check_overlays():
    """Each overlay only adds to the deployment of vps.md, and its documents say to add it to COMPOSE_FILE."""
    files, override, variables = reference()
    settings = {**SETTINGS, **variables}
    before = model(files + [override], settings)
    documents = dict(pages())
    for name in OVERLAYS:
        own = {key for service in (load(overlay(name)).get('services') or {}).values() for key in service.get('environment') or {}}
        below = [overlay(other) for other in BELOW.get(name, [])]
        after = model(files + below + [overlay(name), override], settings)
        moved = {port for facts in after.values() for port in facts['ports']}
        for service, facts in before.items():
            for kind, values in facts.items():
                lost = {value for value in values - after[service][kind] if value.split('=')[0] not in own}
                lost -= moved if kind == 'ports' else set()
                expect(not lost, overlay(name), f'{service} loses {kind} {sorted(lost)}')
        expect('COMPOSE_FILE' in documents[overlay(name)].split('services:')[0], overlay(name), 'its head does not name COMPOSE_FILE')
        naming = [page for page, text in documents.items() if page.endswith('.md') and overlay(name) in text and 'COMPOSE_FILE' in text]
        expect(naming, overlay(name), 'no page says to add it to COMPOSE_FILE')


def written_line(dot_env, override):
    """The value of COMPOSE_FILE that deploy/secrets writes into a `.env`."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(f'{ROOT}/deploy', f'{folder}/deploy')
        with open(f'{folder}/.env', 'w', encoding='utf-8') as file:
            file.write(dot_env)
        if override:
            open(f'{folder}/docker-compose.override.yml', 'w', encoding='utf-8').close()
        command = 'root=$1; . "$1/deploy/lib/env.sh"; write_compose_file >&2'
        environment = {name: value for name, value in os.environ.items() if name in ('PATH', 'LANG')}
        subprocess.run(['bash', '-euo', 'pipefail', '-c', command, 'sh', folder], check=True, env=environment, stderr=subprocess.DEVNULL)
        with open(f'{folder}/.env', encoding='utf-8') as file:
            return read_env(file.read())['COMPOSE_FILE'].split(':')


def check_written_lines():
    """deploy/secrets writes the selection that the pages print or describe."""
    files, _, variables = reference()
    settings = ''.join(f'{name}={value}\n' for name, value in variables.items() if name != 'COMPOSE_FILE')
    line = written_line(settings, override=True)
    expect(line == files + ['docker-compose.override.yml'], VPS, f'deploy/secrets writes COMPOSE_FILE={":".join(line)}')
    for page, text in pages():
        for block in blocks(text, 'text'):
            dot_env = ''.join(f'{name}={value}\n' for name, value in read_env(block).items())
            if 'LATCHKEY_ENV=' in dot_env and 'COMPOSE_FILE=' not in dot_env:
                needed = [BASE] + [overlay(name) for name, holds in (
                    ('production', 'LATCHKEY_ENV=production' in dot_env), ('tls', 'LATCHKEY_TLS_DIR=' in dot_env or 'LATCHKEY_TLS_PORT=' in dot_env),
                    ('twilio', 'OTP_SENDER=twilio' in dot_env)) if holds]
                line = written_line(dot_env, override=False)
                expect(line == needed, page, f'deploy/secrets writes COMPOSE_FILE={":".join(line)}')


if __name__ == '__main__':
    check_selections()
    check_pages()
    check_overlays()
    check_written_lines()
    for fault in dict.fromkeys(faults):
        print(fault)
    print(f'{len(list(selections()))} selections of overlays, {len(list(pages()))} pages and files: {len(faults)} faults')
    sys.exit(1 if faults else 0)
