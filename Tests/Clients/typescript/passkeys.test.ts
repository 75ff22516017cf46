// The browser's sheet for passkeys: the JSON forms, where a browser or an extension lacks them, and sheets that give way to each other.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';
import type { AuthError, PageAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';
import { CookieServer } from './cookieServer.js';
import { pause, stored, until } from './page.js';

// deno-lint-ignore no-explicit-any
type Any = any;

const bytes = (text: string) => new Uint8Array(Buffer.from(text)).buffer;
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const requestOptions = { challenge: base64url('challenge'), rpId: 'example.com', allowCredentials: [], timeout: 300_000 };
const creationOptions = {
  challenge: base64url('challenge'), rp: { id: 'example.com' }, user: { id: base64url('handle'), name: '+1' }, pubKeyCredParams: [],
  excludeCredentials: [{ type: 'public-key', id: base64url('known') }],
};

/** A server with passkeys, and the requests' bodies by path. */
class PasskeyServer extends CookieServer {
  readonly bodies = new Map<string, Any[]>();

  override async fetch(url: string, init: Record<string, never>): Promise<object> {
    const path = url.replace(/^https:\/\/[^/]+/, '');
    const body = JSON.parse((init as Any).body || '{}');
    this.bodies.set(path, [...this.bodies.get(path) || [], body]);
    const reply = (status: number, body: object) => ({ status, headers: { get: () => null }, text: async () => JSON.stringify(body) });
    const challengeId = `ch_${this.sent(path)}`;
    switch (path) {
      case '/auth/passkeys/options': return reply(200, { challengeId, expiresAt: 1, publicKey: requestOptions });
      case '/users/me/passkeys/options': return reply(200, { challengeId, expiresAt: 1, publicKey: creationOptions });
      case '/users/me/passkeys': return reply(201, { id: 'psk_1', name: body.name, createdAt: 1 });
      case '/auth/passkeys/verify': return super.fetch(url.replace('passkeys/verify', 'login'), init);
      default: return super.fetch(url, init);
    }
  }

  sent(path: string): number { return this.bodies.get(path)?.length || 0; }
}

/** What a credential of the browser gives, without `toJSON`. */
function credential(response: object): Any {
  return { id: 'aWQ', rawId: bytes('id'), type: 'public-key', authenticatorAttachment: 'platform', getClientExtensionResults: () => ({}), response };
}

const asserted = credential({
  clientDataJSON: bytes('data'), authenticatorData: bytes('auth'), signature: bytes('sig'), userHandle: bytes('handle'),
});

/** Runs a test in a browser whose sheet is `credentials`. */
function browse(name: string, credentials: object, level3: object, body: (auth: PageAuth, server: PasskeyServer) => Promise<void>): void {
  test(name, async () => {
    stored.clear();
    const server = new PasskeyServer().install() as PasskeyServer;
    Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true });
    Object.assign(globalThis, { PublicKeyCredential: level3 });
    const auth = createAuth({ baseURL: 'https://api.example.com', session: 'memory' });
    await auth.ready();
    try {
      await body(auth, server);
    } finally {
      auth.close();
      Object.assign(globalThis, { PublicKeyCredential: undefined });
    }
  });
}

const kind = (call: Promise<unknown>) => call.then(() => 'done', (error: AuthError) => error.kind);
const error = (name: string) => Object.assign(new Error(name), { name });
let seen: Any;

browse('a browser without the JSON forms gets bytes, and its credential is sent as JSON', {
  get: async (options: Any) => (seen = options, asserted),
}, {}, async (auth, server) => {
  assert.equal(await kind(auth.signInWithPasskey()), 'done');
  assert.equal(Buffer.from(seen.publicKey.challenge).toString(), 'challenge');
  assert.equal(seen.publicKey.rpId, 'example.com');
  const [body] = server.bodies.get('/auth/passkeys/verify') as Any[];
  assert.equal(body.challengeId, 'ch_1');
  assert.deepEqual(body.credential, {
    id: 'aWQ', rawId: 'aWQ', type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {},
    response: {
      clientDataJSON: base64url('data'), authenticatorData: base64url('auth'), signature: base64url('sig'), userHandle: base64url('handle'),
    },
  });
});

browse('a new passkey is made from bytes, and sent with its transports', {
  create: async (options: Any) => (seen = options, credential({
    clientDataJSON: bytes('data'), attestationObject: bytes('object'), getTransports: () => ['internal'],
  })),
}, {}, async (auth, server) => {
  await auth.signInWithPassword('a@example.com', 'right password');
  assert.equal((await auth.addPasskey('Laptop')).id, 'psk_1');
  const { challenge, user, excludeCredentials } = seen.publicKey;
  assert.deepEqual([challenge, user.id, excludeCredentials[0].id].map((each) => Buffer.from(each).toString()), ['challenge', 'handle', 'known']);
  const [body] = server.bodies.get('/users/me/passkeys') as Any[];
  assert.deepEqual([body.name, body.credential.response.transports], ['Laptop', ['internal']]);
});

browse('an extension whose toJSON throws is read by its members', {
  get: async () => ({ ...asserted, toJSON: () => { throw new TypeError('Illegal invocation'); } }),
}, { parseRequestOptionsFromJSON: (json: Any) => (seen = json) }, async (auth, server) => {
  assert.equal(await kind(auth.signInWithPasskey()), 'done');
  assert.equal(seen.challenge, requestOptions.challenge);
  assert.equal((server.bodies.get('/auth/passkeys/verify') as Any[])[0].credential.response.signature, base64url('sig'));
});

browse('the browser\'s own JSON is sent as it is', {
  get: async () => ({ toJSON: () => ({ id: 'own', response: { signature: 's' } }) }),
}, {}, async (auth, server) => {
  assert.equal(await kind(auth.signInWithPasskey()), 'done');
  assert.equal((server.bodies.get('/auth/passkeys/verify') as Any[])[0].credential.id, 'own');
});

for (const [name, wanted] of [['NotAllowedError', 'cancelled'], ['AbortError', 'cancelled'], ['InvalidStateError', 'passkeyExists'], ['SecurityError', 'refused']]) {
  browse(`${name} of the browser is ${wanted}, and the session stays`, { create: async () => { throw error(name); } }, {}, async (auth, server) => {
    await auth.signInWithPassword('a@example.com', 'right password');
    assert.equal(await kind(auth.addPasskey()), wanted);
    assert.equal(auth.state.at, 'signedIn');
    assert.equal(server.sent('/users/me/passkeys'), 0);
  });
}

/** Sheets and fields that wait until their signal is aborted; `choose` is the user's choice in the one that came last. */
let choose: (credential: Any) => void = () => {};
let mediations: (string | undefined)[] = [];
const waiting = {
  get: ({ mediation, signal }: Any) => new Promise((resolve, reject) => {
    mediations.push(mediation);
    choose = resolve;
    signal?.addEventListener('abort', () => reject(error('AbortError')));
  }),
};
const conditional = { isConditionalMediationAvailable: async () => true };

browse('a field gives way to a sheet that the user asks for', waiting, conditional, async (auth) => {
  mediations = [];
  const field = kind(auth.signInWithPasskey({ conditional: true }));
  await until('the field waits', () => mediations.length === 1);
  const sheet = kind(auth.signInWithPasskey());
  assert.equal(await field, 'cancelled');
  await until('the sheet is there', () => mediations.length === 2);
  // A field that comes now must not close the sheet.
  assert.equal(await kind(auth.signInWithPasskey({ conditional: true })), 'cancelled');
  choose(asserted);
  assert.equal(await sheet, 'done');
  assert.deepEqual(mediations, ['conditional', undefined]);
  assert.equal(auth.state.at, 'signedIn');
});

browse('a field gives way to that of a newer page, and to its signal', waiting, conditional, async (auth, server) => {
  mediations = [];
  const [leaves, older] = [new AbortController(), kind(auth.signInWithPasskey({ conditional: true }))];
  await until('the first waits', () => mediations.length === 1);
  const newer = kind(auth.signInWithPasskey({ conditional: true, signal: leaves.signal }));
  assert.equal(await older, 'cancelled');
  await until('the second waits', () => mediations.length === 2);
  leaves.abort();
  assert.equal(await newer, 'cancelled');
  assert.equal(server.sent('/auth/passkeys/verify'), 0);
  assert.equal(await kind(auth.signInWithPasskey({ conditional: true, signal: leaves.signal })), 'cancelled');
});

browse('a field that waits for long gets a new challenge', waiting, conditional, async (auth, server) => {
  mediations = [];
  const real = globalThis.setTimeout;
  // Four minutes pass in no time.
  Object.assign(globalThis, { setTimeout: (body: () => void, time: number) => real(body, time === 240_000 ? 30 : time) });
  const field = kind(auth.signInWithPasskey({ conditional: true }));
  await until('the second challenge is there', () => mediations.length === 2);
  Object.assign(globalThis, { setTimeout: real });
  await until('the third challenge is there', () => mediations.length === 3);
  choose(asserted);
  assert.equal(await field, 'done');
  assert.equal((server.bodies.get('/auth/passkeys/verify') as Any[])[0].challengeId, 'ch_3');
});

browse('a browser without fields for passkeys says so', waiting, {}, async (auth) => {
  assert.equal(await kind(auth.signInWithPasskey({ conditional: true })), 'methodNotOffered');
});

test('where there are no passkeys, nothing is sent for them', async () => {
  const server = new PasskeyServer().install() as PasskeyServer;
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  const auth = createAuth({ baseURL: 'https://api.example.com', session: 'memory' });
  assert.equal(await kind(auth.signInWithPasskey()), 'methodNotOffered');
  assert.equal(server.sent('/auth/passkeys/options'), 0);
  auth.close();
  await pause(1);
});
