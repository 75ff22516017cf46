"""Compares what the clients send, and what the scripted server answers, with the API document."""
import functools, json, pathlib, re, yaml

PATH = pathlib.Path(__file__).resolve().parents[2] / 'deploy/openapi/latchkey.yaml'
TYPES = {'string': str, 'integer': int, 'boolean': bool, 'object': dict, 'array': list, 'null': type(None)}


class Document:
    def __init__(self, path=PATH):
        with open(path, encoding='utf-8') as file: self.root = yaml.load(file, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))
        self.paths = [(re.compile(re.sub(r'\{\w+\}', '[^/]+', path)), node) for path, node in self.root['paths'].items()]

    def resolved(self, node):
        if '$ref' not in node: return node
        return functools.reduce(lambda node, name: node[name], node['$ref'].split('/')[1:], self.root)

    def operation(self, method, path):
        return next((node[method.lower()] for pattern, node in self.paths
                     if pattern.fullmatch(path) and method.lower() in node), None)

    def of_request(self, method, path, query, body, headers):
        """The faults of a request; `body` is the text."""
        operation = self.operation(method, path)
        if not operation: return ['there is no such operation']
        parameters = [self.resolved(p) for p in operation.get('parameters', [])]
        known = {p['name']: p['required'] for p in parameters if p['in'] == 'query'}
        faults = [f'{name} in the query' for name in query if name not in known]
        faults += [f'{name} is missing' for name, required in known.items() if required and name not in query]
        if 'Idempotency-Key' in headers and not any(p['name'] == 'Idempotency-Key' for p in parameters):
            faults.append('an Idempotency-Key')
        if 'security' in operation and 'Authorization' not in headers: faults.append('no access token')
        takes = operation.get('requestBody')
        if not takes: return faults + ['a body'] * (body not in (b'', b'{}'))
        if not body: return faults + ['no body'] * takes['required']
        return faults + self.of_value(takes['content']['application/json']['schema'], json.loads(body))

    def of_response(self, method, path, status, body, whole=True):
        """The faults of a response; one that is not `whole` may lack members."""
        operation = self.operation(method, path)
        response = self.resolved((operation or {}).get('responses', {}).get(str(status), {}))
        if not response: return [f'there is no status {status}']
        schemas = [each['schema'] for name, each in response.get('content', {}).items() if name.endswith('json')]
        if not schemas: return ['a body'] * bool(body)
        faults = min((self.of_value(schema, body, whole) for schema in schemas), key=len)
        code = body.get('code') if isinstance(body, dict) else None
        return faults + [f'the code {code}'] * (status >= 400 and code not in (None, *response['description'].split(', ')))

    def of_value(self, schema, value, whole=True, at=''):
        schema = self.resolved(schema)
        if 'anyOf' in schema: return min((self.of_value(each, value, whole, at) for each in schema['anyOf']), key=len)
        types = schema.get('type', [])
        types = [TYPES[name] for name in ([types] if isinstance(types, str) else types)]
        if types and type(value) not in types or value not in schema.get('enum', [value]): return [f'{at} is {value!r}']
        if isinstance(value, list): return [f for each in value for f in self.of_value(schema['items'], each, whole, at + '[]')]
        if not isinstance(value, dict): return []
        members = schema.get('properties', {})
        faults = [f'{at}.{name} is missing' for name in schema.get('required', []) if whole and name not in value]
        for name, each in value.items():
            if name in members: faults += self.of_value(members[name], each, whole, f'{at}.{name}')
            elif more := schema.get('additionalProperties'): faults += self.of_value(more, each, whole, f'{at}.{name}')
            elif members: faults.append(f'{at}.{name} is unknown')
        return faults
