"""The site of the example page: serves its files under a strict policy, and passes everything else on to the scripted server.

With cookies it does what Latchkey's gateway is going to do for pages (cookies are not part of Latchkey yet): the refresh token of a
response goes into a cookie that no script can read, a second cookie has a random secret, and a refresh by both has the key
HMAC-SHA256(secret, refresh token).
"""
import base64, hashlib, hmac, http.cookies, http.server, json, os, secrets, threading, urllib.error, urllib.request

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'; require-trusted-types-for 'script'")
KINDS = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css'}
REFRESH, PAGE = 'latchkey-refresh', 'latchkey-page'        # Without the prefixes that need https.


class Front:
    def __init__(self, server, folder, has_cookies):
        self.server, self.folder, self.has_cookies = server, folder, has_cookies
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_): pass

            def serve(self):
                try: outer.serve(self)
                except (BrokenPipeError, ConnectionResetError): pass

            do_GET = do_POST = do_PATCH = do_DELETE = serve

        self.http = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.http.daemon_threads = True
        self.base = f'http://127.0.0.1:{self.http.server_address[1]}'
        threading.Thread(target=self.http.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()

    def serve(self, h):
        name = h.path.split('?')[0].lstrip('/') or 'index.html'
        path = os.path.join(self.folder, name)
        if h.command == 'GET' and '/' not in name and os.path.exists(path):
            with open(path, 'rb') as file:
                headers = {'Content-Type': KINDS[os.path.splitext(name)[1]], 'Content-Security-Policy': POLICY}
                return self.reply(h, 200, headers, [], file.read())
        jar = {name: morsel.value for name, morsel in http.cookies.SimpleCookie(h.headers.get('Cookie', '')).items()}
        body, key = self.with_token(h, jar)
        status, answer = self.forward(h, body, key)
        cookies = self.cookies(h, jar, status, answer)
        self.reply(h, status, {'Content-Type': 'application/json'}, cookies, json.dumps(answer).encode())

    def with_token(self, h, jar):
        """The body of a request, and its key; the token of a cookie takes the place of one that is not in the body."""
        raw = h.rfile.read(int(h.headers.get('Content-Length') or 0))
        body, key = json.loads(raw) if raw.strip() else {}, h.headers.get('Idempotency-Key')
        if h.path in ('/auth/refresh', '/auth/logout') and not body.get('refreshToken') and REFRESH in jar and PAGE in jar:
            digest = hmac.new(jar[PAGE].encode(), jar[REFRESH].encode(), hashlib.sha256).digest()
            body['refreshToken'], key = jar[REFRESH], base64.urlsafe_b64encode(digest).decode().rstrip('=')
        return body, key

    def forward(self, h, body, key):
        if h.path == '/auth/refresh' and 'refreshToken' not in body: return 401, {'code': 'missing_token'}
        headers = {name: h.headers[name] for name in ('Authorization', 'Latchkey-Client') if name in h.headers}
        if key: headers['Idempotency-Key'] = key
        data = json.dumps(body).encode() if h.command in ('POST', 'PATCH') else None
        request = urllib.request.Request(self.server.base + h.path, data, headers, method=h.command)
        try:
            with urllib.request.urlopen(request) as response: return response.status, json.load(response)
        except urllib.error.HTTPError as error: return error.code, json.load(error)

    def cookies(self, h, jar, status, answer):
        """Moves the refresh token of an answer into a cookie, or clears the cookies after an end."""
        if not self.has_cookies: return []
        tokens = answer.get('tokens', answer)
        if status == 200 and 'refreshToken' in tokens:
            return [self.cookie(REFRESH, tokens.pop('refreshToken')), self.cookie(PAGE, jar.get(PAGE) or secrets.token_urlsafe(32))]
        is_end = status == 401 and answer.get('reason') in ('expired', 'signed_out', 'reused', 'deleted')
        if h.path == '/auth/logout' or is_end: return [self.cookie(name, '') + '; Max-Age=0' for name in (REFRESH, PAGE)]
        return []

    def cookie(self, name, value): return f'{name}={value}; HttpOnly; SameSite=Strict; Path=/'

    def reply(self, h, status, headers, cookies, body):
        h.send_response(status)
        for name, value in headers.items(): h.send_header(name, value)
        for cookie in cookies: h.send_header('Set-Cookie', cookie)
        h.send_header('Content-Length', str(len(body)))
        h.end_headers()
        h.wfile.write(body)
