"""Twilio's own client, as it is, against latchkey-fakes: its http_client changes scheme, host and port, and nothing else.

Arguments: host and port of the fakes, the port at which callbacks are taken, the auth token.
"""
import http.server
import json
import queue
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

import twilio
from twilio.base.exceptions import TwilioRestException
from twilio.http.http_client import TwilioHttpClient
from twilio.request_validator import RequestValidator
from twilio.rest import Client

fakes, port, token = sys.argv[1], int(sys.argv[2]), sys.argv[3]
account, service = "AC" + "01" * 16, "VA" + "23" * 16
number = "+14155552671"
callbacks = queue.Queue()
assert twilio.__version__ == "9.13.0", twilio.__version__


class Redirected(TwilioHttpClient):
    def request(self, method, url, *arguments, **options):
        parts = urllib.parse.urlsplit(url)
        assert parts.scheme == "https" and parts.netloc in ("verify.twilio.com", "api.twilio.com"), url
        return super().request(method, parts._replace(scheme="http", netloc=fakes).geturl(), *arguments, **options)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
        url = f"http://127.0.0.1:{port}{self.path}"
        callbacks.put((RequestValidator(token).validate(url, fields, self.headers["X-Twilio-Signature"]), fields))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def post(path, body):
    request = urllib.request.Request(
        f"http://{fakes}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def refused(code, status, call):
    """What the client raises, as its own exception."""
    try:
        call()
    except TwilioRestException as error:
        assert (error.code, error.status) == (code, status), (error.code, error.status)
        return error
    raise AssertionError(f"{code} was expected")


threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever, daemon=True).start()
client = Client(account, token, http_client=Redirected())
verify = client.verify.v2.services(service)

# Verify: create, fetch, check, update, the Service.
assert verify.fetch().custom_code_enabled is True
first = verify.verifications.create(to=number, channel="sms", custom_code="123456", locale="en", device_ip="192.0.2.1")
assert first.sid.startswith("VE") and first.status == "pending" and first.to == number and first.valid is False
assert verify.verifications.create(to=number, channel="call", custom_code="123456").sid == first.sid
assert verify.verifications(number).fetch().status == "pending"
assert verify.verification_checks.create(to=number, code="000000").status == "pending"
right = verify.verification_checks.create(to=number, code="123456")
assert right.status == "approved" and right.valid is True
refused(20404, 404, lambda: verify.verification_checks.create(to=number, code="123456"))
verify.verifications.create(to=number, channel="sms", custom_code="654321")
assert verify.verifications(number).update(status="canceled").status == "canceled"
refused(20404, 404, lambda: verify.verifications(number).update(status="approved"))
for _ in range(5):
    verify.verifications.create(to=number, channel="sms")
refused(60203, 429, lambda: verify.verifications.create(to=number, channel="sms"))
for _ in range(5):
    assert verify.verification_checks.create(to=number, code="0000").status == "pending"
refused(60202, 429, lambda: verify.verification_checks.create(to=number, code="0000"))
refused(60200, 400, lambda: verify.verifications.create(to="12", channel="sms"))
post("/fakes/script", [{"provider": "twilio-verify", "at": "create", "code": 60410, "status": 403}])
refused(60410, 403, lambda: verify.verifications.create(to="+14155552672", channel="sms"))

# Messaging, and its callbacks by Twilio's own validator.
url = f"http://127.0.0.1:{port}/webhooks/twilio/status?a=1"
message = client.messages.create(
    to=number, from_="+15005550006", body="Your code is 123456", status_callback=url, validity_period=300)
assert message.sid.startswith("SM") and message.status == "queued" and message.num_segments == "1"
for status in ("sent", "delivered"):
    is_valid, fields = callbacks.get(timeout=10)
    assert is_valid and fields["MessageStatus"] == status and fields["MessageSid"] == message.sid, fields
assert post("/fakes/twilio", {"sid": message.sid, "status": "undelivered", "errorCode": 30003}) == 204
assert callbacks.get(timeout=10)[1]["ErrorCode"] == "30003"
refused(21211, 400, lambda: client.messages.create(to="+15005550001", from_="+15005550006", body="x"))

# Our validator by Twilio's own signatures: with odd texts, empty values, ports and a query.
validator = RequestValidator(token)
for url in ("https://a.example/x", "https://a.example:443/x", "https://a.example:8443/x?q=1&r=%20", "http://[::1]:80/x"):
    for fields in ({}, {"a": ""}, {"To": "+1", "Body": "é & = \U0001F600"}, {"b": "2", "a": "1", "B": "3"}):
        signature = validator.compute_signature(url, fields)
        body = urllib.parse.urlencode(fields)
        told = {"url": url, "body": body, "signature": signature}
        assert post("/fakes/twilio/signature", told) == 204, told
        assert post("/fakes/twilio/signature", {**told, "body": body + "&z=1"}) == 403, told
print("ok: twilio 9.13.0")
