"""A driver's process, and the device that its apps share: one store, two clocks."""
import http.client, json, os, signal, subprocess, threading, urllib.parse
from passkeys import Sheet


class Device(Sheet):
    """The store of one user on one device. Comparing and writing is one step here, as it must be in every store."""

    def __init__(self):
        self.lock, self.item, self.trouble, self.write_trouble = threading.Lock(), None, None, None
        self.now, self.wall, self.writes, self.faults = 1000.0, 1_800_000_000.0, 0, []
        self.silent, self.unanswered, self.page = False, 0, None

    @staticmethod
    def version(item):
        try:
            record = json.loads(item)
            return record['epoch'], record['generation']
        except (ValueError, KeyError, TypeError): return -1, -1

    environment = {}

    def close(self): pass

    def answer(self, question):
        with self.lock:
            if self.silent:
                self.unanswered += 1
                return None
            if self.trouble: return {'trouble': self.trouble}
            if question['what'] == 'load': return {'item': self.item}
            if self.write_trouble: return {'trouble': self.write_trouble}
            if self.item is not None and self.version(self.item) >= (question['epoch'], question['generation']):
                return {'item': self.item}
            if len(question['item']) > 4096: self.faults.append('an item of more than 4 KiB')
            self.item, self.writes = question['item'], self.writes + 1
            return {}

    def browse(self, page):
        """What a page brings back: the server's redirect, or what `page` says."""
        if self.page == 'open':
            self.unanswered += 1
            return None
        if self.page == 'closed': return {'trouble': 'cancelled'}
        if self.page: return {'link': self.page}
        url = urllib.parse.urlsplit(page)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        connection.request('GET', f'{url.path}?{url.query}')
        return {'link': connection.getresponse().getheader('Location')}

    def stored(self):
        """The stored item, in the words of the scenarios: T1, signedOut:asked, nothing, damaged."""
        if self.item is None: return 'nothing'
        try:
            record = json.loads(self.item)
            return f"signedOut:{record['signedOut']}" if 'signedOut' in record else record['refreshToken']
        except (ValueError, KeyError, TypeError): return 'damaged'


class App:
    """A process that runs the library."""

    def __init__(self, device, base, command):
        self.device, self.last, self.results, self.events, self.log, self.frozen = device, 0, {}, [], [], False
        environment = {**os.environ, **device.environment, 'SWIFT_BACKTRACE': 'enable=no'}     # It would take seconds.
        self.process = subprocess.Popen(command + [base], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, bufsize=1)
        self.changed, self.writing = threading.Condition(), threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()
        self.logger = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.logger.start()

    def send(self, message):
        with self.writing:
            try:
                self.process.stdin.write(json.dumps({'now': self.device.now, 'wall': self.device.wall, **message}) + '\n')
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError): pass

    def listen(self):
        for line in self.process.stdout:
            try: message = json.loads(line)
            except ValueError: continue                                  # Cut off by a kill.
            if 'ask' in message:
                answer = self.answer(message)
                if answer is not None: self.send({'reply': message['ask'], **answer})
                continue
            with self.changed:
                if 'event' in message: self.events.append(message['event'])
                else: self.results[message['id']] = message
                self.changed.notify_all()
        self.process.wait()
        with self.changed: self.changed.notify_all()

    def answer(self, question):
        if question['what'] == 'open': return self.device.browse(question['page'])
        return self.device.present(question) if question['what'] in ('create', 'get') else self.device.answer(question)

    def call(self, **call):
        self.last += 1
        self.send({'id': self.last, **call})
        return self.last

    def wait(self, number, seconds=30):
        with self.changed:
            self.changed.wait_for(lambda: number in self.results or self.process.poll() is not None, seconds)
            if self.process.poll() is not None and number not in self.results:
                raise SystemExit(f'the driver has ended: {"".join(self.log)[-2000:]}')
            return self.results.get(number)

    def kill(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()
        self.logger.join(5)

    def freeze(self):
        self.frozen = True
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        self.frozen = False
        os.kill(self.process.pid, signal.SIGCONT)
