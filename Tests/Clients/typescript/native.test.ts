// The library for React Native, over stand-ins for its modules, in a realm without `crypto`, `TextEncoder`, `URL` and
// `AbortController`, as Hermes is.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import test from 'node:test';
import { confirmBy, createAuth, expoStore, keychainStore, LockGate } from '../../../Shared/LatchkeyAuthTypeScript/react-native/index.js';
import type { NativeAuth, NativeOptions } from '../../../Shared/LatchkeyAuthTypeScript/react-native/index.js';
import { CookieServer } from './cookieServer.js';
import { pause, sleep, until } from './page.js';

for (const name of ['crypto', 'TextEncoder', 'TextDecoder', 'URL', 'AbortController', 'BroadcastChannel', 'localStorage']) {
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
}

/** Stands in for react-native-keychain. */
class Keychain {
  readonly ACCESSIBLE = { AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 'AccessibleAfterFirstUnlockThisDeviceOnly' };
  readonly items = new Map<string, string>();
  readonly accessible = new Set<string | undefined>();
  trouble = false;
  loses = false;

  async getGenericPassword({ service }: { service: string }): Promise<false | { password: string }> {
    if (this.trouble) throw new Error('errSecInteractionNotAllowed');
    const password = this.items.get(service);
    return password === undefined ? false : { password };
  }
  async setGenericPassword(_user: string, password: string, options: { service: string; accessible?: string }): Promise<object> {
    if (!this.loses) this.items.set(options.service, password);
    this.accessible.add(options.accessible);
    return {};
  }
  async resetGenericPassword({ service }: { service: string }): Promise<boolean> { return this.items.delete(service); }
}

const random = (count: number): Uint8Array => randomBytes(count);

function open(keychain: Keychain, more: Partial<NativeOptions> = {}): NativeAuth {
  return createAuth({ baseURL: 'https://api.example.com', store: keychainStore(keychain), random, ...more });
}

async function signedIn(keychain: Keychain, more: Partial<NativeOptions> = {}): Promise<NativeAuth> {
  const auth = open(keychain, more);
  await auth.ready();
  await auth.signInWithPassword('a@example.com', 'right password');
  return auth;
}

test('without a random source there is no session', () => {
  const options = { baseURL: 'https://api.example.com', store: keychainStore(new Keychain()) };
  assert.throws(() => createAuth(options as NativeOptions), /needs `random`/);
});

test('the item has neither access token nor profile, stays on the device, and is short', async () => {
  new CookieServer().install();
  const keychain = new Keychain();
  await signedIn(keychain);
  const [item] = [...keychain.items.values()];
  assert.equal(JSON.parse(item).refreshToken, 'T1');
  assert.ok(!item.includes('accessToken') && !item.includes('Betty') && item.length < 1024);
  assert.deepEqual([...keychain.accessible], ['AccessibleAfterFirstUnlockThisDeviceOnly']);
});

test('an app that starts again goes on at once, with the key that derives from secret and token', async () => {
  const server = new CookieServer().install();
  const keychain = new Keychain();
  await signedIn(keychain);
  for (const token of ['A2', 'A3']) {
    await pause(10); // Until the last renewal is stored.
    const [{ secret, refreshToken }] = [...keychain.items.values()].map((item) => JSON.parse(item));
    const auth = open(keychain);
    assert.equal((await auth.ready()).at, 'signedIn');
    assert.equal(await auth.accessToken(), token);
    const key = createHmac('sha256', Buffer.from(secret, 'base64url')).update(refreshToken).digest('base64url');
    const refreshes = server.seen.filter((request) => request.path === '/auth/refresh');
    assert.equal(refreshes[refreshes.length - 1].headers['Idempotency-Key'], key);
  }
});

test('a store that loses what is written is noticed, and the session is given back', async () => {
  const server = new CookieServer().install();
  const keychain = new Keychain();
  keychain.loses = true;
  const auth = open(keychain);
  await auth.ready();
  await assert.rejects(auth.signInWithPassword('a@example.com', 'right password'), { kind: 'storeUnavailable', trouble: 'unwritable' });
  await until('the session is given back', () => server.count('/auth/logout') === 1);
  assert.equal(auth.state.at, 'signedOut');
});

test('a store that cannot be read is not empty, and is read again when the app comes back', async () => {
  new CookieServer().install();
  const keychain = new Keychain();
  await signedIn(keychain);
  keychain.trouble = true;
  let changed: (state: string) => void = () => {};
  const appState = { addEventListener: (_: 'change', listener: (state: string) => void) => ((changed = listener), { remove() {} }) };
  const auth = open(keychain, { appState });
  assert.equal((await auth.ready()).at, 'unavailable');
  keychain.trouble = false;
  changed('background');
  changed('active');
  await until('the session is there', () => auth.state.at === 'signedIn');
});

test('a renewal that failed is tried again when the network is back', async () => {
  const server = new CookieServer().install();
  let told: (state: { isConnected: boolean }) => void = () => {};
  const netInfo = { addEventListener: (listener: (state: { isConnected: boolean }) => void) => ((told = listener), () => {}) };
  const auth = await signedIn(new Keychain(), { netInfo });
  sleep(4000);
  server.isOnline = false;
  told({ isConnected: false });
  await assert.rejects(auth.accessToken(), { kind: 'offline' });
  server.isOnline = true;
  const { random } = Math;
  Math.random = () => 0;
  told({ isConnected: true });
  Math.random = random;
  await until('the token is renewed', () => auth.state.at === 'signedIn' && auth.state.freshness === 'fresh');
  assert.equal(await auth.accessToken(), 'A2');
});

test('a request that gets no answer is given up', async () => {
  const server = new CookieServer().install();
  const auth = await signedIn(new Keychain());
  Object.assign(globalThis, { fetch: () => new Promise(() => {}) });
  const { setTimeout } = globalThis;
  Object.assign(globalThis, { setTimeout: (body: () => void, after: number) => setTimeout(body, after / 1000) });
  sleep(4000);
  await assert.rejects(auth.accessToken(), { kind: 'timedOut' });
  Object.assign(globalThis, { setTimeout });
  assert.equal(auth.state.at, 'signedIn');
  server.install();
});

test('expo-secure-store has the same item, with the same protection', async () => {
  new CookieServer().install();
  const items = new Map<string, string>();
  const options: unknown[] = [];
  const auth = createAuth({
    baseURL: 'https://api.example.com', random, profile: 'a b/c',
    store: expoStore({
      AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 6,
      getItemAsync: async (key) => items.get(key) || null,
      setItemAsync: async (key, value, option) => {
        assert.ok(/^[\w.-]+$/.test(key), 'a key that expo-secure-store accepts');
        options.push(option);
        items.set(key, value);
      },
      deleteItemAsync: async (key) => void items.delete(key),
    }),
  });
  await auth.ready();
  await auth.signInWithPassword('a@example.com', 'right password');
  await pause(1);
  assert.equal(items.size, 1);
  assert.deepEqual(options, [{ keychainAccessible: 6 }]);
});

test('however many sign-outs the server has not confirmed, the item stays short', async () => {
  const server = new CookieServer().install();
  const { fetch } = globalThis;
  const send = (url: string, init: never) => url.endsWith('/auth/logout') ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init);
  Object.assign(globalThis, { fetch: send });
  const keychain = new Keychain();
  const auth = open(keychain);
  await auth.ready();
  for (let times = 0; times < 3; times++) {
    await auth.signInWithPassword('a@example.com', 'right password');
    assert.deepEqual(await auth.signOut(), { isStored: true, isConfirmed: false });
  }
  const [{ unconfirmed }] = [...keychain.items.values()].map((item) => JSON.parse(item));
  assert.deepEqual(unconfirmed.map(({ accessToken }: { accessToken: string }) => accessToken), ['A3']);
  server.install();
  await open(keychain).ready();
  await until('the server is told', () => server.count('/auth/logout') === 1);
});

test('an app that starts with an old token and a network that hangs shows the session at once', async () => {
  new CookieServer().install();
  const keychain = new Keychain();
  await signedIn(keychain);
  Object.assign(globalThis, { fetch: () => new Promise(() => {}) });
  const auth = open(keychain);
  assert.equal((await auth.ready()).at, 'signedIn');
  void auth.accessToken().catch(() => {});
  await pause(5);
  assert.deepEqual([auth.state.at, auth.state.at === 'signedIn' && auth.state.freshness], ['signedIn', 'renewing']);
});

test('what an app prints of its client has no token in it', async () => {
  new CookieServer().install();
  const auth = await signedIn(new Keychain());
  const seen = JSON.stringify(auth) + String(auth) + Object.keys(auth).join();
  assert.ok(!seen.includes('T1') && !seen.includes('A1'));
});

/** Stands in for AsyncStorage. */
class Files {
  readonly items = new Map<string, string>();
  trouble = false;
  async getItem(key: string): Promise<string | null> {
    if (this.trouble) throw new Error('no files');
    return this.items.has(key) ? this.items.get(key) as string : null;
  }
  async setItem(key: string, value: string): Promise<void> { this.items.set(key, value); }
}

test('an item of an earlier installation signs nobody in, and is erased', async () => {
  const server = new CookieServer().install();
  const [keychain, files] = [new Keychain(), new Files()];
  await signedIn(keychain, { installation: files });
  assert.equal((await open(keychain, { installation: files }).ready()).at, 'signedIn');
  // The app is removed and installed again.
  const again = new Files();
  const auth = open(keychain, { installation: again });
  assert.deepEqual(await auth.ready(), { at: 'signedOut', reason: 'newInstallation' });
  assert.ok(![...keychain.items.values()].join().includes('T1'));
  await assert.rejects(auth.accessToken(), { kind: 'signedOut', reason: 'newInstallation' });
  assert.equal(server.count('/auth/refresh'), 0);
  await auth.signInWithPassword('a@example.com', 'right password');
  assert.equal((await open(keychain, { installation: again }).ready()).at, 'signedIn');
});

test('an installation that cannot be told is no new one', async () => {
  new CookieServer().install();
  const [keychain, files] = [new Keychain(), new Files()];
  await signedIn(keychain, { installation: files });
  files.trouble = true;
  const auth = open(keychain, { installation: files });
  assert.equal((await auth.ready()).at, 'unavailable');
  files.trouble = false;
  assert.equal(await auth.accessToken(), 'A2');
});

test('tokens of an earlier client are taken over, once, and again after a lost response', async () => {
  const server = new CookieServer().install();
  const earlier = await signedIn(new Keychain());
  await earlier.ready();
  const [keychain] = [new Keychain()];
  const auth = open(keychain);
  server.isOnline = false;
  await assert.rejects(auth.takeOver({ refreshToken: 'T1' }), { kind: 'offline' });
  server.isOnline = true;
  const signIn = await auth.takeOver({ refreshToken: 'T1' });
  assert.equal(signIn && signIn.user.id, 'usr_1');
  const keys = server.seen.filter(({ path }) => path === '/auth/refresh').map(({ headers }) => headers['Idempotency-Key']);
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  assert.equal(JSON.parse([...keychain.items.values()][0]).refreshToken, 'T2');
  assert.equal(await auth.takeOver({ refreshToken: 'T1' }), null);
  assert.equal(server.count('/auth/logout'), 0);
  const other = open(new Keychain());
  await assert.rejects(other.takeOver({ refreshToken: 'T1' }), { kind: 'signedOut', reason: 'ended' });
  assert.equal(other.state.at, 'signedOut');
});

test('a lock gate locks at the start and after a while in the background, and a cancelled prompt changes nothing', async () => {
  let [tell, answer, asked]: [(state: string) => void, boolean, number] = [() => {}, false, 0];
  const appState = { addEventListener: (_: 'change', listener: (state: string) => void) => ((tell = listener), { remove() {} }) };
  const confirm = confirmBy({ authenticateAsync: async () => ((asked += 1), { success: answer }) }, 'Unlock');
  const gate = new LockGate(appState, confirm, 60);
  let changes = 0;
  gate.subscribe(() => void (changes += 1));
  assert.equal(gate.isLocked, true);
  assert.equal(await gate.unlock(), false);
  answer = true;
  assert.deepEqual(await Promise.all([gate.unlock(), gate.unlock()]), [true, true]);
  assert.deepEqual([asked, changes], [2, 1]);
  const away = (seconds: number): void => {
    tell('inactive');
    tell('background');
    sleep(seconds);
    tell('active');
  };
  away(59);
  assert.equal(gate.isLocked, false);
  away(61);
  assert.equal(gate.isLocked, true);
  assert.equal(await gate.unlock(), true);
  away(-10); // The date was set back.
  assert.equal(gate.isLocked, true);
  const broken = new LockGate(appState, () => Promise.reject(new Error('no sensor')), 60);
  assert.equal(await broken.unlock(), false);
});

