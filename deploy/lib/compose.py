"""Merges compose files as compose does, without an engine. Used by deploy/lib/compose_test.py.

Implements what the files of this repository use: `.env`, variables with defaults and requirements, profiles, and the rules for
mappings, lists and the lists that later files replace.
"""
import os
import re

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A later file replaces these lists; it adds to all others.
REPLACED = {'command', 'entrypoint', 'test'}
# These lists have one entry for each of its targets in the container.
BY_TARGET = {'volumes': lambda entry: entry.split(':')[1] if isinstance(entry, str) and ':' in entry else str(entry)}
VARIABLE = re.compile(r'\$(?:(\$)|(\w+)|\{(\w+)(?:(:?[-?+])([^}]*))?\})')
loaded = {}


class Missing(Exception):
    """A variable that a file requires has no value."""


class Loader(yaml.SafeLoader):
    """Reads `!reset`, by which a later file removes what earlier ones say."""


RESET = object()
Loader.add_constructor('!reset', lambda loader, node: RESET)


def read_env(text):
    """The variables of a `.env` file."""
    variables = {}
    for line in text.splitlines():
        assignment = re.match(r'\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$', line)
        if assignment and not line.lstrip().startswith('#'):
            variables[assignment[1]] = re.sub(r'\s+#.*$', '', assignment[2]).strip('"\'')
    return variables


def interpolated(value, variables):
    """A value with its variables replaced, in all strings below it."""
    if isinstance(value, dict):
        return {key: interpolated(inner, variables) for key, inner in value.items()}
    if isinstance(value, list):
        return [interpolated(inner, variables) for inner in value]
    if not isinstance(value, str):
        return value

    def replacement(match):
        if match[1]:
            return '$'
        name, operator, word = match[2] or match[3], match[4] or '', match[5] or ''
        known = variables.get(name)
        if operator.startswith(':') and not known:
            known = None
        if operator.endswith('?') and known is None:
            raise Missing(f'{name}: {word}')
        if operator.endswith('+'):
            return word if known is not None else ''
        return known if known is not None else word if operator.endswith('-') else ''
    return VARIABLE.sub(replacement, value)


def merged(earlier, later, key=''):
    """The value of a key after a later file."""
    if isinstance(earlier, list) and key in ('environment', 'networks') and isinstance(later, dict):
        earlier = dict(entry.split('=', 1) if '=' in entry else (entry, None) for entry in earlier)
    if isinstance(earlier, dict) and isinstance(later, list):
        later = dict(entry.split('=', 1) if '=' in entry else (entry, None) for entry in later)
    if isinstance(earlier, dict) and isinstance(later, dict):
        both = dict(earlier)
        for name, value in later.items():
            both[name] = merged(both[name], value, name) if name in both and value is not None else value
        return {name: value for name, value in both.items() if value is not RESET}
    if isinstance(earlier, list) and isinstance(later, list) and key not in REPLACED:
        target = BY_TARGET.get(key, str)
        return list({target(entry): entry for entry in earlier + later}.values())
    return later


def load(file):
    """The content of a file; a text is a file's content itself."""
    if file not in loaded:
        if '\n' in file:
            loaded[file] = yaml.load(file, Loader)
        else:
            with open(f'{ROOT}/{file}', encoding='utf-8') as content:
                loaded[file] = yaml.load(content, Loader)
    return loaded[file]


def project(files, variables):
    """The whole of the merged files."""
    whole = {}
    for file in files:
        whole = merged(whole, interpolated(load(file), variables))
    return whole


def started(whole, profiles=()):
    """The services that `up` starts, by name."""
    return {name: service for name, service in whole['services'].items()
            if not service.get('profiles') or set(service['profiles']) & set(profiles)}


def facts(service):
    """What two deployments of a service are compared by."""
    environment = service.get('environment') or {}
    return {
        'ports': set(map(str, service.get('ports') or [])),
        'variables': {f'{name}={value}' for name, value in environment.items()},
        'secrets': set(service.get('secrets') or []),
        'networks': set(service.get('networks') or []),
        'volumes': set(service.get('volumes') or []),
    }


def model(files, variables):
    """The facts of each service that `up` starts from the files."""
    return {name: facts(service) for name, service in started(project(files, variables)).items()}
