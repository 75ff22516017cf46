"""A device whose store is the stub Keychain of apple-stubs/Security: a file that the drivers' processes share."""
import base64, contextlib, fcntl, json, os, shutil, tempfile
from apps import Device

SESSIONS, CANARY, CLASS = 'latchkey.session', 'latchkey.canary', 'cku'


class KeychainDevice(Device):
    """`fault` says how a locked device shows: `locked`, `hidden` (items seem not to be there), or a status of every call."""

    def __init__(self, fault):
        self.folder = tempfile.mkdtemp(prefix='keychain-')
        self.file, self.fault = os.path.join(self.folder, 'keychain.json'), fault
        self.files = os.path.join(self.folder, 'latchkey')
        self.environment = {'LATCHKEY_STUB_KEYCHAIN': self.file, 'XDG_DATA_HOME': self.folder}
        super().__init__()

    def answer(self, question): return {}        # With the time, which is all that the driver asks for.

    def close(self): shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def state(self):
        """The Keychain, for the time of one change."""
        with open(self.file + '.lock', 'w') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                with open(self.file) as file: state = json.load(file)
            except FileNotFoundError:
                state = {'items': [], 'lock': 'unlocked', 'groups': ['TEAM.app'], 'hidesLockedItems': False, 'faults': [], 'writes': 0}
            before = json.dumps(state)
            yield state
            if json.dumps(state) != before:
                with open(self.file + '.new', 'w') as file: json.dump(state, file)
                os.rename(self.file + '.new', self.file)

    # What the steps of a scenario read and set

    @property
    def item(self):
        with self.state() as state:
            return next((base64.b64decode(i['data']).decode() for i in state['items'] if i['service'] == SESSIONS), None)

    @item.setter
    def item(self, text):
        with self.state() as state:
            state['items'] = [i for i in state['items'] if i['service'] != SESSIONS]
            if text is None: return
            self.install(state)
            version = '{}.{}'.format(*self.version(text))
            state['items'].append(self.password(SESSIONS, 'default', text, version))

    @property
    def writes(self):
        with self.state() as state: return state['writes']

    @writes.setter
    def writes(self, count): pass

    @property
    def trouble(self): return None

    @trouble.setter
    def trouble(self, word):
        with self.state() as state:
            state['faults'], state['lock'] = [], 'unlocked'
            if word and self.fault in ('locked', 'hidden'):
                state['lock'], state['hidesLockedItems'] = 'beforeFirstUnlock', self.fault == 'hidden'
            elif word: state['faults'] = [{'operations': ['copy', 'add', 'update', 'delete'], 'status': int(self.fault), 'isPerformed': False}]
        self.lock_files(bool(word) and self.fault in ('locked', 'hidden'))

    @property
    def write_trouble(self): return None

    @write_trouble.setter
    def write_trouble(self, word):
        status = -25308 if self.fault in ('locked', 'hidden') else int(self.fault)
        # A canary that cannot be written stands for a first start that fails, which has rows of its own.
        with self.state() as state:
            if word: self.install(state)
            state['faults'] = [{'operations': ['add', 'update'], 'status': status, 'isPerformed': False}] if word else []

    # The parts of a device

    def install(self, state):
        """An app that was started before: its canary and its marker."""
        if not any(i['service'] == CANARY for i in state['items']):
            state['items'].append(self.password(CANARY, f'canary.{CLASS}', 'latchkey', ''))
        os.makedirs(self.files, exist_ok=True)
        with open(os.path.join(self.files, 'installation'), 'w') as file: file.write('latchkey\n')

    def lock_files(self, is_locked):
        """A folder in the probe's place cannot be read, as a file of a locked protection class cannot."""
        os.makedirs(self.files, exist_ok=True)
        probe = os.path.join(self.files, 'probe-first-unlock')
        if os.path.isdir(probe): os.rmdir(probe)
        if is_locked:
            if os.path.exists(probe): os.remove(probe)
            os.mkdir(probe)

    @staticmethod
    def password(service, account, text, version):
        def encoded(text): return base64.b64encode(text.encode()).decode()
        return {'service': service, 'account': account, 'group': 'TEAM.app', 'accessible': CLASS, 'generic': encoded(version),
                'data': encoded(text), 'isDamaged': False}
