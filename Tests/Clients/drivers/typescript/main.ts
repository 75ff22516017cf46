// The library under the conformance suite: its public client, with store and clock in the hands of the runner.
import { createInterface } from 'node:readline';
import { AuthError, LatchkeyAuth } from '../../../../Shared/LatchkeyAuthTypeScript/core/index.js';
import type { AccountProof, Change, PendingCode, SecondFactor, SignIn, User } from '../../../../Shared/LatchkeyAuthTypeScript/core/index.js';
import { errorWord, eventWord, replied, RunnerClock, sheet, signInWord, stateWord, store, tell } from './wire.js';
import type { Message } from './wire.js';

/** What this library can do that others may lack yet; README.md has the list. */
const features = ['one proof', 'kept sign-out', 'inactive account', 'prepared code', 'invalid member', 'silent store', 'own requests',
  'reasons', 'reads at 401', 'passkeys', 'told passkeys', 'second factor'];

const clock = new RunnerClock();
const calls = new Map<number, AbortController>();
let auth: LatchkeyAuth;
let change: (change: Change) => void = () => {};
let pending: PendingCode | undefined;
/** The app's question who the user is, until it is answered or closed. */
let question: { resolve: () => void; reject: (error: Error) => void } | undefined;
/** The token of the last error that had one. */
let mergeToken = '';
let restoreToken = '';
let mfaToken = '';

function start(call: Message): void {
  auth = new LatchkeyAuth({
    baseURL: process.argv[2], store, clock, fetch, early: call.early, deviceName: 'driver',
    installationID: 'installation', passkeys: call.told ? sheet : { ...sheet, accepted: undefined },
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    surroundings: (changed) => {
      change = changed;
      return () => {};
    },
    log: (line) => process.stderr.write(`${line}\n`),
  });
}

/** Events count from the moment at which the stored session is known, as in libraries that read the store at once. */
async function started(): Promise<string> {
  await auth.ready();
  auth.onEvent((event) => tell({ event: eventWord(event) }));
  return stateWord(auth.state);
}

async function handle(call: Message): Promise<void> {
  const cancelled = calls.get(call.cancels);
  if (cancelled) cancelled.abort();
  calls.set(call.id, new AbortController());
  try {
    tell({ id: call.id, ok: await answer(call) });
  } catch (error) {
    mergeToken = (error as AuthError).mergeToken || mergeToken;
    restoreToken = (error as AuthError).restoreToken || restoreToken;
    mfaToken = (error as AuthError).mfaToken || mfaToken;
    // An app would log the error like this. The runner searches the output for secrets.
    process.stderr.write(`${(error as Error).message}\n`);
    tell({ id: call.id, error: errorWord(error) });
  }
}

async function answer(call: Message): Promise<string> {
  const controller = calls.get(call.id) as AbortController;
  switch (call.do) {
    case 'features': return features.join();
    case 'start': return started();
    case 'state': return stateWord(auth.state);
    case 'accessToken': return auth.accessToken({ validFor: call.minimum || 0, signal: controller.signal });
    case 'refused': return auth.accessTokenInsteadOf(call.token);
    case 'prepareCode': case 'keepCode': case 'takeCode': case 'requestCode': case 'requestIdentityCode': case 'resend':
      return code(call);
    case 'signIn': case 'signInPassword': case 'signInApple': case 'signInProvider': case 'adopt': case 'restore':
    case 'signInWithPasskey': case 'signInWithSecondFactor':
      return signInWord(await signIn(call));
    case 'signOut': {
      const { isStored, isConfirmed } = await auth.signOut(call.scope || 'thisSession');
      return `${stateWord(auth.state)}:${isStored ? 'stored' : 'unstored'}:${isConfirmed ? 'confirmed' : 'unconfirmed'}`;
    }
    case 'data': {
      return String((await auth.fetch(...request(call, controller.signal))).status);
    }
    case 'change':
      change(call.change);
      return 'changed';
    case 'sleeping':
      await clock.sleeping();
      return 'sleeping';
    case 'asks': case 'closeQuestion': case 'sendProof': case 'reauthenticate': case 'reauthenticateWithPassword':
    case 'reauthenticateWithProvider': case 'reauthenticateWithPhone': case 'stepUp': return proof(call);
    default: return person(call);
  }
}

/** The arguments of `fetch`, in the form that the call names. */
function request(call: Message, signal: AbortSignal): Parameters<LatchkeyAuth['fetch']> {
  const [url, fields] = [(call.base || '') + call.path, call.headers || {}];
  const body = call.stream ? new Blob([call.body]).stream() : call.body;
  const init = { ...body && { method: 'POST', body, duplex: 'half' }, headers: fields, signal };
  switch (call.form) {
    case 'Headers': return [new URL(url), { ...init, headers: new Headers(fields) }];
    case 'pairs': return [url, { ...init, headers: Object.entries<string>(fields) }];
    case 'Request': return [new Request(url, init)];
    default: return [url, init];
  }
}

async function code(call: Message): Promise<string> {
  const to = call.email ? { email: call.email } : { phone: call.phone, region: call.region || 'US' };
  switch (call.do) {
    case 'keepCode': return JSON.stringify(pending);
    case 'takeCode': pending = JSON.parse(call.kept); return 'taken';
    case 'prepareCode': pending = auth.prepareCode(to); return 'prepared';
    case 'resend': pending = await auth.resend(pending as PendingCode); return 'sent';
    default: {
      const wanted = call.email || call.phone || !pending ? to : pending;
      pending = await (call.do === 'requestCode' ? auth.requestCode(wanted) : auth.requestIdentityCode(wanted));
      return 'sent';
    }
  }
}

function signIn(call: Message): Promise<SignIn> {
  switch (call.do) {
    case 'signInPassword': return auth.signInWithPassword(call.email, call.password);
    case 'signInApple': return auth.signInWithApple({ identityToken: call.token });
    case 'signInProvider': return auth.signInWithProvider(call.name, call.token);
    case 'adopt': return auth.adopt(call.response);
    case 'restore': return auth.restore(call.token || restoreToken);
    case 'signInWithPasskey': return auth.signInWithPasskey();
    case 'signInWithSecondFactor': return auth.signInWithSecondFactor(mfaToken, factorOf(call));
  }
  if (!pending) throw new AuthError({ kind: 'codeRefused' });
  return call.link ? auth.signInWithLink(pending, call.link) : auth.signIn(pending, call.code || '', call.name, call.newAccount);
}

async function proof(call: Message): Promise<string> {
  switch (call.do) {
    case 'asks':
      auth.onReauthenticate(() => {
        tell({ event: 'asked' });
        return new Promise<void>((resolve, reject) => (question = { resolve, reject }));
      });
      return 'done';
    case 'closeQuestion': question?.reject(new Error('closed')); return 'done';
    case 'sendProof': await auth.requestReauthentication(); return 'done';
    case 'reauthenticateWithPassword': await auth.reauthenticateWithPassword(call.password); break;
    case 'reauthenticateWithProvider': await auth.reauthenticateWithProvider(call.name, call.token); break;
    case 'stepUp': await auth.stepUp(factorOf(call)); break;
    case 'reauthenticateWithPhone': await auth.reauthenticate({ phoneToken: call.token }); break;
    default: await auth.reauthenticate(call.code);
  }
  question?.resolve();
  return 'done';
}

function factorOf({ totp, recoveryCode }: Message): SecondFactor {
  return totp ? { totp } : recoveryCode ? { recoveryCode } : 'passkey';
}

function proofOf({ code, password, name, token }: Message): AccountProof {
  return code ? { code } : password ? { password } : { provider: name, identityToken: token };
}

async function identity(call: Message): Promise<void> {
  switch (call.do) {
    case 'addIdentity': return auth.addIdentity(pending as PendingCode, call.code);
    case 'addPhoneToken': return auth.addPhoneToken(call.token);
    case 'addApple': return auth.addApple({ identityToken: call.token });
    case 'addProvider': return auth.addProvider(call.name, call.token);
    case 'removeIdentity': return auth.removeIdentity(call.name);
    case 'setPassword': return auth.setPassword(call.password);
    case 'removePassword': return auth.removePassword();
    case 'cancelMerge': return auth.cancelMerge();
    case 'cancelPhoneChange': return auth.cancelPhoneChange();
    case 'merge': return auth.merge(call.token);
    case 'mergeOther': return auth.merge(mergeToken || call.token, 'other');
    case 'mergeByProof': return auth.merge('mt_secret', 'own', proofOf(call));
    case 'requestMergeCode': return auth.requestMergeCode(call.token);
    default: throw new AuthError({ kind: 'refused', status: 0, code: 'unknown_call' });
  }
}

async function person(call: Message): Promise<string> {
  const name = (user: User | undefined): string => user && user.name || 'nil';
  switch (call.do) {
    case 'user': return name(auth.user);
    case 'reload': return name(await auth.reloadUser());
    case 'update': return name(await auth.update({ name: call.name === undefined ? null : call.name }));
    case 'sessions': return String((await auth.sessions()).length);
    case 'exportData': return auth.exportData();
    case 'endSession': await auth.endSession(call.name); break;
    case 'endOthers': await auth.signOut('others'); break;
    case 'changePassword': await auth.changePassword(call.password, call.name); break;
    case 'delete': await auth.deleteAccount(call.password); break;
    case 'register': await auth.register(call.email, call.password); break;
    case 'forgot': await auth.forgotPassword(call.email); break;
    case 'discover': {
      const { codeLength } = await auth.discover();
      return codeLength === undefined ? 'unknown' : `codes:${codeLength}`;
    }
    case 'identities': {
      const { identities, hasPassword, pendingPhone, pendingMerge } = await auth.identities();
      const words = identities.map(({ kind, provider }) => provider ? `${kind} ${provider}` : kind);
      const pending = pendingPhone && `pending ${pendingPhone.lastDigits} ${pendingPhone.movesAt}`;
      const merge = pendingMerge && `merge ${pendingMerge.isIntoAnother ? 'into' : 'of'} another ${pendingMerge.movesAt}`;
      return [...words, hasPassword && 'password', pending, merge].filter(Boolean).join();
    }
    case 'mergeLater': {
      const movesAt = await auth.mergeLater(call.token);
      return movesAt === undefined ? 'done' : `waits ${movesAt}`;
    }
    case 'addPasskey': {
      const { activeFrom } = await auth.addPasskey(call.name);
      return activeFrom === undefined ? 'added' : `waits ${activeFrom}`;
    }
    case 'passkeys': return (await auth.passkeys()).map(({ id, name }) => `${id} ${name}`).join();
    case 'renamePasskey': await auth.renamePasskey(call.passkey, call.name); break;
    case 'removePasskey': await auth.removePasskey(call.passkey); break;
    case 'beginTOTP': return (await auth.beginTOTP()).uri;
    case 'activateTOTP': return `${(await auth.activateTOTP(call.code)).length} codes`;
    case 'renewRecoveryCodes': return `${(await auth.renewRecoveryCodes()).length} codes`;
    case 'removeTOTP': await auth.removeTOTP(); break;
    case 'cancelSecondFactorReset': await auth.cancelSecondFactorReset(); break;
    case 'requireSecondFactor': await auth.requireSecondFactor(true); break;
    case 'secondFactors': {
      const { hasTOTP, isRequired, recoveryCodesLeft, passkeys, activeFrom, resetAt } = await auth.secondFactors();
      return [
        hasTOTP && 'totp', activeFrom && `waits ${activeFrom}`, isRequired && 'required', `recovery ${recoveryCodesLeft}`, `passkeys ${passkeys}`,
        resetAt && `reset ${resetAt}`,
      ].filter(Boolean).join();
    }
    default: await identity(call);
  }
  return 'done';
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message: Message = JSON.parse(line);
  if (message.now !== undefined) clock.set({ now: message.now, wall: message.wall });
  if (message.reply) return replied(message);
  if (message.id === undefined) return;
  if (!auth) start(message);
  void handle(message);
});
lines.on('close', () => process.exit(0));
