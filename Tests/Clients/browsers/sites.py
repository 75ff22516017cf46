"""The sites of the browsers' tests: a page with its API, a sibling of its host, and a site elsewhere, by https on loopback.

The API is the scripted server. With cookies the app's site does what Latchkey's gateway does for pages: the refresh token of a
sign-in goes into a cookie that no script can read, a second cookie has the session's secret, a renewal by both has the key
HMAC-SHA256(secret, refresh token), and a request of another origin with one of these cookies is refused.
"""
import base64, hashlib, hmac, http.server, json, os, re, secrets, ssl, subprocess, tempfile, threading, urllib.error, urllib.request

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'; require-trusted-types-for 'script'")
KINDS = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css'}
REFRESH, PAGE = '__Secure-latchkey-refresh', '__Host-latchkey-page'
PATHS = {REFRESH: '/auth', PAGE: '/'}
ENDS = ('expired', 'signed_out', 'reused', 'deleted')


def certificate():
    """A context with a new certificate of nobody's."""
    with tempfile.TemporaryDirectory() as folder:
        files = [f'{folder}/certificate', f'{folder}/key']
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
                        '-out', files[0], '-keyout', files[1], '-subj', '/CN=localhost'], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
        return context


def page_file(folder, path):
    """Headers and content of one of the page's files, or nothing."""
    name = path.split('?')[0].lstrip('/') or 'index.html'
    if '/' in name or not os.path.exists(os.path.join(folder, name)): return None
    with open(os.path.join(folder, name), 'rb') as file:
        return {'Content-Type': KINDS[os.path.splitext(name)[1]], 'Content-Security-Policy': POLICY}, file.read()


def reply(h, status, headers, body):
    h.send_response(status)
    for name, value in [*headers, ('Content-Length', str(len(body)))]: h.send_header(name, value)
    h.end_headers()
    h.wfile.write(body)


class Sites:
    TLS, count = None, 0

    def __init__(self, server, folder, has_cookies):
        Sites.TLS = Sites.TLS or certificate()
        Sites.count += 1        # No browser brings cookies of another test along.
        self.server, self.folder, self.has_cookies, self.checks_origin = server, folder, has_cookies, True
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_): pass

            def serve(self):
                try: outer.serve(self)
                except (BrokenPipeError, ConnectionResetError, ssl.SSLError): pass

            do_GET = do_POST = do_PATCH = do_DELETE = do_OPTIONS = serve

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def finish_request(self, connection, address):
                connection.settimeout(30)
                super().finish_request(Sites.TLS.wrap_socket(connection, server_side=True), address)

            def handle_error(self, *_): pass

        self.http = Quiet(('127.0.0.1', 0), Handler)
        self.site = f'site{Sites.count}.localhost'
        names = (f'app.{self.site}', f'evil.{self.site}', 'evil.localhost')
        self.app, self.sibling, self.stranger = [f'https://{name}:{self.http.server_address[1]}' for name in names]
        threading.Thread(target=self.http.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    def serve(self, h):
        if f'https://{h.headers["Host"]}' != self.app: return self.reply(h, 200, {'Content-Type': 'text/html'}, [], b'<body>evil')
        if h.command == 'GET' and (found := page_file(self.folder, h.path)): return self.reply(h, 200, found[0], [], found[1])
        raw = h.rfile.read(int(h.headers.get('Content-Length') or 0))
        cookies = []
        status, answer = self.refusal(h) or self.forward(h, raw, cookies)
        self.reply(h, status, {'Content-Type': 'application/json'}, cookies, json.dumps(answer).encode())

    # What the gateway does for pages

    def jar(self, h): return re.findall(f'({REFRESH}|{PAGE})=([^;]*)', h.headers.get('Cookie', ''))

    def refusal(self, h):
        """Requests that go no further: other origins' with one of our cookies, and those with one of them twice."""
        jar = self.jar(h)
        if len(dict(jar)) < len(jar): return 400, {'code': 'ambiguous_cookie'}
        is_ours = h.headers.get('Origin') == self.app or h.command == 'GET' and h.headers.get('Sec-Fetch-Site') != 'cross-site'
        if jar and self.checks_origin and not is_ours: return 403, {'code': 'cross_site'}
        return (403, {'code': 'cors'}) if h.command == 'OPTIONS' else None

    def forward(self, h, raw, cookies):
        body = json.loads(raw) if raw.strip() else {}
        key, jar = h.headers.get('Idempotency-Key'), dict(self.jar(h))
        if h.path in ('/auth/refresh', '/auth/logout') and 'refreshToken' not in body:
            if REFRESH not in jar or PAGE not in jar: return 401, {'code': 'missing_token'}
            digest = hmac.new(jar[PAGE].encode(), jar[REFRESH].encode(), hashlib.sha256).digest()
            body['refreshToken'], key = jar[REFRESH], base64.urlsafe_b64encode(digest).decode().rstrip('=')
        status, answer = self.ask(h, body, key)
        if self.has_cookies: self.keep(h, jar, status, answer, cookies)
        return status, answer

    def ask(self, h, body, key):
        """The scripted server's answer."""
        headers = {name: h.headers[name] for name in ('Authorization', 'Latchkey-Client') if name in h.headers}
        if key: headers['Idempotency-Key'] = key
        data = json.dumps(body).encode() if h.command in ('POST', 'PATCH') else None
        request = urllib.request.Request(self.server.base + h.path, data, headers, method=h.command)
        try:
            with urllib.request.urlopen(request) as response: return response.status, json.load(response)
        except urllib.error.HTTPError as error: return error.code, json.load(error)

    def keep(self, h, jar, status, answer, cookies):
        """Moves the refresh token of an answer into a cookie, or clears the cookies after an end."""
        tokens = answer.get('tokens', answer)
        if status == 200 and 'refreshToken' in tokens:
            cookies.append(self.cookie(REFRESH, tokens.pop('refreshToken')))
            if h.path != '/auth/refresh': cookies.append(self.cookie(PAGE, secrets.token_urlsafe(32)))
        elif h.path == '/auth/logout' and status == 200 or status == 401 and answer.get('reason') in ENDS:
            cookies += [self.cookie(name, '') + '; Max-Age=0' for name in (REFRESH, PAGE)]

    def cookie(self, name, value): return f'{name}={value}; HttpOnly; Secure; SameSite=Strict; Path={PATHS[name]}'

    def reply(self, h, status, headers, cookies, body):
        reply(h, status, [*headers.items(), *(('Set-Cookie', cookie) for cookie in cookies)], body)
