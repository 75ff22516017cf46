"""An S3 server for tests: it keeps one bucket in memory, and compares each signature with botocore's.

Arguments: none, or the files of a certificate and its key for https. Prints its port. The end of a bucket's name is the mode in which the server answers, e.g. copies.slow.
"""
import hashlib
import socket
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.sax.saxutils import escape

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY, SECRET, TOKEN, REGION, BUCKET = "AKIDEXAMPLE", "s3/secret+key", "session/token+", "eu-test-1", "copies"
PAGE_KEYS = 3
REFUSALS = {  # mode: (status, code)
    "revoked": (403, "InvalidAccessKeyId"), "denied": (403, "AccessDenied"), "expired": (400, "ExpiredToken"),
    "busy": (503, "SlowDown"), "full": (507, "XMinioStorageFull"),
    "skewed": (403, "RequestTimeTooSkewed"), "odd": (400, "<b>\x1b[31mweird"),
}
files = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    rbufsize = 512  # A slow reader reads slowly.

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        if self.mode == "closing":  # The end of the body is the end of the connection.
            self.send_header("Connection", "close")
            self.close_connection = True
        elif "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.pace(self.wfile.write, body)
        if self.mode == "closing" and self.command != "HEAD":
            self.connection.shutdown(socket.SHUT_RDWR)

    def refuse(self, status, code, **headers):
        text = f"<?xml version=\"1.0\"?>\n<Error><Code>{escape(code)}</Code><Message>secret text</Message></Error>"
        self.answer(status, text.encode("utf-8", "replace"), **headers)

    def pace(self, write, body):
        step = 512 if self.mode == "slow" else max(1, len(body))
        for start in range(0, len(body), step):
            write(body[start:start + step])
            if self.mode == "slow":
                time.sleep(0.5)

    def body(self):
        length, parts = int(self.headers.get("Content-Length", 0)), []
        while length > 0:
            part = self.rfile.read(min(length, 512 if self.mode == "slow" else 1 << 20))
            if not part:
                break
            parts.append(part)
            length -= len(part)
            if self.mode == "slow":
                time.sleep(0.5)
        return b"".join(parts)

    def wrong_signature(self, body):
        """The code of what is wrong with a request's signature, or None."""
        head = self.headers.get("Authorization", "")
        if not head.startswith("AWS4-HMAC-SHA256 "):
            return "AccessDenied"
        parts = dict(part.strip().split("=", 1) for part in head.split(" ", 1)[1].split(","))
        key, date, region, service, _ = parts["Credential"].split("/")
        if (key, region, service) != (KEY, REGION, "s3"):
            return "InvalidAccessKeyId" if key != KEY else "AuthorizationHeaderMalformed"
        signed = parts["SignedHeaders"].split(";")
        tokens = [self.headers[name] for name in self.headers if name.lower() == "x-amz-security-token"]
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(signed) or tokens not in ([], [TOKEN]):
            return "AccessDenied"
        if tokens and "x-amz-security-token" not in signed:
            return "AccessDenied"
        if hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]:
            return "XAmzContentSHA256Mismatch"
        target = urlsplit(self.path)
        request = AWSRequest(
            method=self.command, url=f"http://{self.headers['Host']}{unquote(target.path)}",
            params=dict(parse_qsl(target.query, keep_blank_values=True)) or None,
            headers={name: self.headers[name] for name in signed})
        request.context["timestamp"] = self.headers["x-amz-date"]
        auth = S3SigV4Auth(Credentials(KEY, SECRET), "s3", REGION)
        text = auth.string_to_sign(request, auth.canonical_request(request))
        if date != self.headers["x-amz-date"][:8] or auth.signature(text, request) != parts["Signature"]:
            print("canonical:", auth.canonical_request(request), file=sys.stderr)
            return "SignatureDoesNotMatch"
        return None

    def serve(self):
        target = urlsplit(self.path)
        _, bucket, key = (unquote(target.path).split("/", 2) + [""])[:3]
        bucket, _, self.mode = bucket.partition(".")
        query = dict(parse_qsl(target.query))
        if self.mode == "frozen":
            time.sleep(3600)
        if self.mode in REFUSALS:
            if self.headers.get("Expect"):
                self.close_connection = True
            else:
                self.body()
            return self.refuse(*REFUSALS[self.mode])
        if self.mode == "moved":
            self.body()
            return self.refuse(301, "PermanentRedirect", x_amz_bucket_region="us-west-9", Location="http://127.0.0.1:1/")
        body = self.body()
        if wrong := self.wrong_signature(body):
            return self.refuse(403, wrong)
        if bucket != BUCKET:
            return self.refuse(404, "NoSuchBucket")
        getattr(self, "serve_" + self.command)(key, query, body)

    do_GET = do_PUT = do_HEAD = do_DELETE = serve

    def handle_expect_100(self):
        refused = urlsplit(self.path).path.split("/")[1].partition(".")[2] in REFUSALS
        return True if refused else super().handle_expect_100()

    def serve_PUT(self, key, query, body):
        files[key] = body[:-1] if self.mode == "short" else body
        self.answer(200)

    def serve_HEAD(self, key, query, body):
        if key not in files:
            return self.answer(404)
        self.answer(200, Content_Length=str(len(files[key])))

    def serve_GET(self, key, query, body):
        if not key:
            return self.serve_list(query)
        if key not in files:
            return self.refuse(404, "NoSuchKey")
        self.answer(200, files[key])

    def serve_DELETE(self, key, query, body):
        files.pop(key, None)
        self.answer(204)

    def serve_list(self, query):
        if self.mode == "endless":
            return self.answer(200, b"<ListBucketResult>" + b" " * (64 << 20))
        assert query["list-type"] == "2"
        start = query.get("continuation-token", "").removeprefix("after/+=")
        keys = sorted(key for key in files if key.startswith(query.get("prefix", "")) and key > start)
        page, more = keys[:PAGE_KEYS], len(keys) > PAGE_KEYS
        if self.mode == "looping":
            page, more = sorted(files)[:1], True
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-11-30T00:00:00.000Z</LastModified>"
            f"<ETag>&quot;0&quot;</ETag><Size>{len(files[key])}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key in page)
        token = f"<NextContinuationToken>after/+={page[-1]}</NextContinuationToken>" if more else ""
        self.answer(200, (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult "
            f"xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>{BUCKET}</Name><KeyCount>{len(page)}</KeyCount>"
            f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>").encode(),
            Content_Type="application/xml")


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self):
        # Small, so that a slow reader is seen by the client at once.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        super().server_bind()


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[1:])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
