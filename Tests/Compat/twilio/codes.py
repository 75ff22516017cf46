"""The effects of Twilio's codes: latchkey-fakes answers each once, and the next channel or sender takes the message.

Argument: the folder of the built processes.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

binaries = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[3]
next_number = 2_671_000


def fresh(country="1415"):
    global next_number
    next_number += 1
    return f"+{country}{next_number}"


def request(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, {"Content-Type": "application/json"})) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


class Stack:
    """Latchkey with Twilio's senders in front of the fakes, and a policy with these channels."""

    def __init__(self, folder, senders, channels, fallback, **settings):
        policies = folder / "policies"
        subprocess.run(["cp", "-r", root / "deploy/policies", policies], check=True)
        policy = (policies / "howru.yaml").read_text()
        policy = re.sub(r"channels: \[[a-z, ]*\]", f"channels: [{channels}]", policy)
        (policies / "howru.yaml").write_text(re.sub(r"fallback: \[[a-z, ]*\]", f"fallback: [{fallback}]", policy))
        self.folder = folder / "data"
        self.environment = dict(
            os.environ, LATCHKEY_DATA_DIR=str(self.folder), LATCHKEY_PORT="0", LATCHKEY_INBOX_PORT="0",
            LATCHKEY_POLICIES_DIR=str(policies), LATCHKEY_POLICY="howru", LATCHKEY_FAKES="1", OTP_SENDER=senders,
            **settings)

    def __enter__(self):
        self.process = subprocess.Popen(
            [binaries / "supervisor", "--stop-with-parent"], env=self.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("ready "):
                self.base = line.split()[1]
                self.fakes = f"http://127.0.0.1:{(self.folder / 'run/fakes.port').read_text().strip()}"
                return self
        raise AssertionError("Latchkey does not start: " + (self.folder / "log/otp.log").read_text()[-500:])

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def ask(self, number, channel="sms"):
        return request(self.base + "/auth/otp/request", {"phoneNumber": number, "channel": channel})

    def script(self, provider, code, at="create", **more):
        step = {"provider": provider, "at": at, "code": code, "status": 400, **more}
        assert request(self.fakes + "/fakes/script", [step])[0] == 204

    def messages(self, number):
        found = request(f"{self.fakes}/fakes/messages?to={urllib.parse.quote(number)}")[1]
        return [(message["channel"], message["provider"], message["fields"]) for message in found]

    def logged(self, code):
        log = self.folder / "log/otp.log"
        end = time.monotonic() + 10
        while str(code) not in log.read_text():
            assert time.monotonic() < end, f"{code} is in no line of the log"
            time.sleep(0.1)


def follows(stack, code, provider, channel, expected):
    """One failure with the code, then the message by the expected channel and sender."""
    number = fresh()
    stack.script(provider, code)
    status, answer = stack.ask(number, channel)
    assert status == 200, (code, status, answer)
    taken = [message[:2] for message in stack.messages(number)]
    assert taken == [expected], (code, taken)
    stack.logged(code)


def main(work):
    shown = 0
    messaging, verify = "twilio-messaging", "twilio-verify"
    with Stack(work / "both", f"{messaging},{verify}", "sms, whatsapp, call", "whatsapp, call",
               TWILIO_FROM="+15005550006,44=ACME") as stack:
        for code in (21635, 21614, 30006, 21612):  # a landline; the next channel
            follows(stack, code, messaging, "sms", ("whatsapp", messaging))
        for code in (21610, 21606, 20003, 30034, 21999):  # STOP, a sender set up wrong, an unknown code: the next sender
            follows(stack, code, messaging, "sms", ("sms", verify))
        for code in (63003, 63024):  # a number without WhatsApp; the next channel
            follows(stack, code, messaging, "whatsapp", ("call", verify))
        for code in (63007, 63016, 63999):  # a WhatsApp sender set up wrong; the next sender
            follows(stack, code, messaging, "whatsapp", ("whatsapp", verify))
        shown += 14
        # A message that did not arrive: the next one begins with the fallback.
        number = fresh()
        stack.script(messaging, 30003, at="callback", name="undelivered")
        assert stack.ask(number)[0] == 200
        stack.logged(30003)
        assert stack.ask(number)[0] == 200
        taken = [message[:2] for message in stack.messages(number)]
        assert sorted(taken) == [("sms", messaging), ("whatsapp", messaging)], taken
        # Senders by country.
        for number, sender in ((fresh("44791"), "ACME"), (fresh(), "+15005550006")):
            assert stack.ask(number)[0] == 200
            assert stack.messages(number)[0][2]["From"] == sender, stack.messages(number)
        shown += 3
    with Stack(work / "one", messaging, "sms", "") as stack:
        stack.script(messaging, 21610)
        status, answer = stack.ask(fresh())
        assert (status, answer["error"]) == (422, "number_opted_out"), (status, answer)
        stack.script(messaging, 21635)
        status, answer = stack.ask(fresh())
        assert (status, answer["error"]) == (400, "invalid_phone"), (status, answer)
        shown += 2
    print(f"Twilio's codes: {shown} statements hold")


with tempfile.TemporaryDirectory(prefix="latchkey-twilio-", dir="/tmp") as name:
    folder = pathlib.Path(name)
    for part in ("both", "one"):
        (folder / part).mkdir()
    main(folder)
