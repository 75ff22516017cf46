"""Sends one request by Python's http.client: METHOD URL TOKEN TYPE FILE; prints the status and the body."""
import http.client
import os
import ssl
import sys
from urllib.parse import urlsplit

method, url, token, kind, file = sys.argv[1:]
parts = urlsplit(url)
if parts.scheme == "https":
    connection = http.client.HTTPSConnection(parts.netloc, context=ssl.create_default_context(cafile=os.environ["CA"]))
else:
    connection = http.client.HTTPConnection(parts.netloc)
headers = {}
if token:
    headers["Authorization"] = "Bearer " + token
if kind:
    headers["Content-Type"] = kind
body = open(file, "rb").read() if file else None
connection.request(method, parts.path, body, headers)
response = connection.getresponse()
print(response.status)
print(response.read().decode())
