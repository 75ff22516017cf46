// The library for web pages, over a scripted server. Tests/Clients/browsers has pages with Latchkey's own cookies.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';
import type { LatchkeyAuth, PageAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';
import axios from 'axios';
import { attachAuth } from '../../../Shared/LatchkeyAuthTypeScript/axios/index.js';
import { CookieServer } from './cookieServer.js';
import { Locks } from './locks.js';
import { dispatch, pause, sleep, stored, until } from './page.js';

const baseURL = 'https://api.example.com';
const superseded = { status: 401, body: { code: 'invalid_refresh_token', reason: 'superseded' } };
const tabs: PageAuth[] = [];

/** Opens a tab. */
function open(session: 'cookies' | 'memory' = 'cookies'): PageAuth {
  const auth = createAuth({ baseURL, session });
  tabs.push(auth);
  return auth;
}

/** Runs a test in a fresh browser. */
function browse(name: string, body: (server: CookieServer) => Promise<void>): void {
  test(name, async () => {
    stored.clear();
    try {
      await body(new CookieServer().install());
    } finally {
      for (const tab of tabs.splice(0)) tab.close();
    }
  });
}

async function signedIn(session: 'cookies' | 'memory' = 'cookies'): Promise<LatchkeyAuth<Response>> {
  const auth = open(session);
  await auth.ready();
  await auth.signInWithPassword('a@example.com', 'right password');
  return auth;
}

const at = (auth: LatchkeyAuth<Response>, state: string) => until(`a tab is ${state}`, () => auth.state.at === state);

browse('by cookie, no script ever has the refresh token, and nothing of worth is stored', async (server) => {
  const auth = await signedIn();
  assert.equal(await auth.accessToken(), 'A1');
  assert.equal(server.jar, 'T1');
  const installation = stored.get('latchkey installation');
  assert.equal(installation?.length, 43);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['X-Device-Fingerprint']).filter((id) => id), [installation]);
  const hints = [...stored].filter(([name]) => name !== 'latchkey installation').map(([, text]) => text);
  assert.deepEqual(hints.map((text) => Object.keys(JSON.parse(text))), [['v', 'epoch', 'userID']]);
  sleep(4000);
  assert.equal(await auth.accessToken(), 'A2');
  const refreshes = server.seen.filter((request) => request.path === '/auth/refresh');
  for (const { body, headers, credentials } of refreshes) {
    assert.deepEqual([body, headers['Idempotency-Key'], credentials], [{}, undefined, 'include']);
  }
});

browse('after a reload the hint says who it is, and one refresh by cookie goes on', async (server) => {
  (await signedIn()).close();
  const auth = open();
  assert.equal((await auth.ready()).at, 'signedIn');
  assert.equal(auth.state.at === 'signedIn' && auth.state.userID, 'usr_1');
  await until('the profile is there', () => auth.user !== undefined);
  assert.equal(await auth.accessToken(), 'A2');
  assert.equal(server.count('/auth/refresh'), 2); // The first one was before the sign-in, without a hint.
});

browse('without the hint one refresh finds the session, and nothing is shown before', async (server) => {
  (await signedIn()).close();
  stored.clear();
  const auth = open();
  assert.equal(auth.state.at, 'starting');
  assert.equal((await auth.ready()).at, 'signedIn');
  assert.equal(auth.user && auth.user.name, 'Betty');
  assert.equal(await auth.accessToken(), 'A2');
});

browse('a visitor without a session costs one request, and no more', async (server) => {
  const auth = open();
  assert.equal((await auth.ready()).at, 'signedOut');
  assert.equal(server.count('/auth/refresh'), 1);
  assert.equal(server.seen.length, 1);
});

browse('without a network and without a hint nothing is known; later it is', async (server) => {
  (await signedIn()).close();
  stored.clear();
  server.isOnline = false;
  const auth = open();
  assert.equal((await auth.ready()).at, 'unavailable');
  const before = server.seen.length;
  await assert.rejects(auth.accessToken(), { kind: 'storeUnavailable' });
  assert.equal(server.seen.length, before, 'no second request at once');
  server.isOnline = true;
  sleep(10);
  assert.equal(await auth.accessToken(), 'A2');
});

browse('without a network, a page with the hint knows that the user is signed in', async (server) => {
  (await signedIn()).close();
  server.isOnline = false;
  const auth = open();
  assert.equal((await auth.ready()).at, 'signedIn');
  await assert.rejects(auth.accessToken(), { kind: 'offline' });
  assert.equal(auth.state.at, 'signedIn');
});

browse('two tabs share a renewal', async (server) => {
  const [one, two] = [await signedIn(), open()];
  await two.ready();
  await until('the second tab has a token', () => two.user !== undefined);
  sleep(4000);
  const before = server.count('/auth/refresh');
  const token = await one.accessToken();
  await pause(100);
  assert.equal(await two.accessToken(), token);
  assert.equal(server.count('/auth/refresh'), before + 1);
});

browse('two tabs that renew at once both go on', async (server) => {
  const [one, two] = [await signedIn(), open()];
  await two.ready();
  await until('the second tab has a token', () => two.user !== undefined);
  sleep(4000);
  await Promise.all([one.accessToken(), two.accessToken()]);
  sleep(4000);
  await Promise.all([one.accessToken(), two.accessToken()]);
  assert.deepEqual([one.state.at, two.state.at], ['signedIn', 'signedIn']);
});

browse('signing out in one tab signs out in all, and the server is told once', async (server) => {
  const [one, two] = [await signedIn(), open()];
  await two.ready();
  await one.signOut();
  await at(two, 'signedOut');
  assert.equal(two.state.at === 'signedOut' && two.state.reason, 'elsewhere');
  assert.equal(server.count('/auth/logout'), 1);
  const three = open();
  assert.equal((await three.ready()).at, 'signedOut');
});

browse('by cookie, a sign-out without a network leaves a mark, and comes before any other request', async (server) => {
  const one = await signedIn();
  server.isOnline = false;
  assert.deepEqual(await one.signOut(), { isStored: true, isConfirmed: false });
  assert.ok(!JSON.stringify([...stored]).includes('A1'), 'a mark has no token');
  one.close();
  server.isOnline = true;
  const before = server.seen.length;
  const two = open();
  assert.equal((await two.ready()).at, 'signedOut');
  await two.requestCode({ phone: '+15551234567' }).catch(() => {});
  assert.deepEqual(server.seen.slice(before).map(({ path }) => path), ['/auth/logout', '/auth/otp/request']);
  assert.equal(server.jar, undefined);
  two.close();
  await open().ready();
  assert.equal(server.count('/auth/logout'), 2, 'the mark is gone');
});

browse('by cookie, a request that is made at once waits until the mark is sent and answered', async (server) => {
  const one = await signedIn();
  server.isOnline = false;
  await one.signOut();
  one.close();
  server.isOnline = true;
  let answer: () => void = () => {};
  server.freezes = new Promise((resolve) => (answer = resolve));
  const before = server.seen.length;
  const paths = (): string[] => server.seen.slice(before).map(({ path }) => path);
  const two = open();
  const requests = Promise.all([two.requestCode({ phone: '+15551234567' }), two.forgotPassword('a@example.com')].map((each) => each.catch(() => {})));
  await until('the mark is sent', () => paths().length > 0);
  await pause(20);
  assert.deepEqual(paths(), ['/auth/logout']);
  answer();
  await requests;
  assert.deepEqual(paths(), ['/auth/logout', '/auth/otp/request', '/auth/forgot-password']);
});

browse('by cookie, a sign-in drops the mark of a sign-out, whose session it would end', async (server) => {
  const [one, two] = [await signedIn(), open()];
  await two.ready();
  server.isOnline = false;
  await one.signOut();
  await at(two, 'signedOut');
  server.isOnline = true;
  await one.signInWithPassword('a@example.com', 'right password');
  await at(two, 'signedIn');
  dispatch('online');
  dispatch('visibilitychange');
  await pause(20);
  assert.deepEqual([one, two].map((tab) => tab.state.at), ['signedIn', 'signedIn']);
  assert.equal(server.count('/auth/logout'), 1);
  one.close();
  const three = open();
  assert.equal((await three.ready()).at, 'signedIn');
  await three.accessToken();
  assert.equal(server.count('/auth/logout'), 1);
});

browse('by cookie, a mark that a frozen tab still has ends no later session', async (server) => {
  const one = await signedIn();
  server.isOnline = false;
  await one.signOut();
  // The channel of a frozen tab is silent.
  const { BroadcastChannel } = globalThis as { BroadcastChannel?: unknown };
  Object.assign(globalThis, { BroadcastChannel: undefined });
  const frozen = open();
  await at(frozen, 'signedOut');
  Object.assign(globalThis, { BroadcastChannel });
  server.isOnline = true;
  await one.signInWithPassword('a@example.com', 'right password');
  const before = server.count('/auth/logout');
  const { random } = Math;
  Math.random = () => 0; // A renewal comes at once.
  for (const event of ['online', 'visibilitychange', 'pageshow']) dispatch(event);
  await at(frozen, 'signedIn');
  await pause(20);
  Math.random = random;
  assert.match(await frozen.accessToken(), /^A/);
  assert.deepEqual([server.count('/auth/logout'), one.state.at], [before, 'signedIn']);
});

browse('signing in in one tab signs in in all', async () => {
  const [one, two] = [open(), open()];
  await Promise.all([one.ready(), two.ready()]);
  await one.signInWithPassword('a@example.com', 'right password');
  await at(two, 'signedIn');
  assert.equal(await two.accessToken(), await one.accessToken());
});

browse('a tab that was frozen for an hour ends nothing', async (server) => {
  const one = await signedIn();
  const two = open();
  await until('the second tab has a token', () => two.user !== undefined);
  // The channel of a frozen tab is silent.
  const { BroadcastChannel } = globalThis as { BroadcastChannel?: unknown };
  Object.assign(globalThis, { BroadcastChannel: undefined });
  const silent = open();
  await until('the silent tab has a token', () => silent.user !== undefined);
  Object.assign(globalThis, { BroadcastChannel });
  sleep(3600);
  await one.accessToken();
  sleep(3600);
  await one.accessToken();
  dispatch('visibilitychange');
  dispatch('pageshow');
  await silent.accessToken();
  assert.deepEqual([one, two, silent].map((tab) => tab.state.at), ['signedIn', 'signedIn', 'signedIn']);
  assert.equal(server.count('/auth/logout'), 0);
  await one.signOut();
  dispatch('pageshow');
  await at(silent, 'signedOut');
});

browse('a late answer, refused as superseded, is sent once more with what the jar has then', async (server) => {
  const auth = await signedIn();
  sleep(4000);
  server.refusals = [superseded];
  assert.equal(await auth.accessToken(), 'A2');
  assert.equal(server.count('/auth/refresh'), 3); // The first one was before the sign-in.
});

browse('an answer that is superseded twice ends nothing', async (server) => {
  const auth = await signedIn();
  sleep(4000);
  server.refusals = [superseded, superseded, superseded];
  await assert.rejects(auth.accessToken(), { kind: 'unavailable' });
  assert.deepEqual([auth.state.at, server.count('/auth/refresh')], ['signedIn', 3]);
  server.refusals = [];
  sleep(10);
  assert.equal(await auth.accessToken(), 'A2');
});

browse('a cookie that is there twice or was sent across sites ends nothing', async (server) => {
  const auth = await signedIn();
  sleep(4000);
  for (const [status, code] of [[400, 'ambiguous_cookie'], [403, 'cross_site']] as const) {
    server.refusals = [{ status, body: { code } }];
    await assert.rejects(auth.accessToken(), { kind: 'refused', code });
    sleep(120);
  }
  assert.equal(await auth.accessToken(), 'A2');
});

browse('a session that the server has ended is over in all tabs', async (server) => {
  const [one, two] = [await signedIn(), open()];
  await two.ready();
  await until('the second tab has a token', () => two.user !== undefined);
  server.end();
  sleep(4000);
  await assert.rejects(one.accessToken(), { kind: 'signedOut', reason: 'ended' });
  await at(two, 'signedOut');
});

browse('a server that keeps the access token in a cookie too gives the page none', async (server) => {
  server.keepsAccess = true;
  const auth = await signedIn();
  assert.equal(await auth.accessToken(), '');
  assert.equal((await auth.fetch('/users/me')).status, 200);
  assert.equal((await auth.reloadUser()).name, 'Betty');
  server.accessJar = ''; // Its lifetime is over.
  sleep(60);
  assert.equal((await auth.fetch('/users/me')).status, 200);
  assert.deepEqual([server.accessJar, await auth.accessToken()], ['A2', '']);
  assert.ok(server.seen.every(({ headers }) => !headers || !headers.Authorization));
  const again = open();
  await until('the profile is there', () => again.user !== undefined);
  assert.equal(await again.accessToken(), '');
});

browse('with axios, an access token in a cookie is sent and renewed', async (server) => {
  server.keepsAccess = true;
  const auth = await signedIn();
  const sent: boolean[] = [];
  const api = axios.create({
    baseURL, adapter: async (config: any) => {
      sent.push(config.withCredentials);
      const init: any = { credentials: config.withCredentials ? 'include' : 'omit' };
      const { status } = await server.fetch(baseURL + config.url, init) as any;
      if (status !== 200) throw Object.assign(new Error(), { config, response: { status } });
      return { data: {}, status, headers: {}, config, statusText: '' };
    },
  } as any);
  attachAuth(api as any, auth);
  server.accessJar = '';
  sleep(60);
  assert.equal((await api.get('/users/me')).status, 200);
  assert.deepEqual([sent, server.accessJar], [[true, true], 'A2']);
});

browse('with axios, a stream is not sent again after a 401, and the next request has a new token', async () => {
  const auth = await signedIn();
  const sent: string[] = [];
  const api = axios.create({
    baseURL, adapter: async (config: any) => {
      sent.push(config.headers.Authorization);
      if (config.headers.Authorization === 'Bearer A2') return { data: {}, status: 200, headers: {}, config, statusText: '' };
      throw Object.assign(new Error(), { config, response: { status: 401 } });
    },
  } as any);
  attachAuth(api as any, auth);
  sleep(60);
  await assert.rejects(api.post('/photos', { pipe() {} }), (error: any) => error.response.status === 401);
  assert.deepEqual(sent.splice(0), ['Bearer A1']);
  assert.equal((await api.post('/photos', { a: 1 })).status, 200);
  assert.deepEqual(sent, ['Bearer A2']);
});

browse('with a token in a cookie, a request that needs a recent proof goes out again after it', async (server) => {
  server.keepsAccess = true;
  const auth = await signedIn();
  const remove = auth.onReauthenticate(() => auth.reauthenticate('654321'));
  // The first refresh is that of the page's start.
  const answers = await Promise.all([auth.fetch('/api/pay'), auth.fetch('/api/pay')]);
  assert.deepEqual(answers.map(({ status }) => status), [200, 200]);
  assert.deepEqual(['/api/pay', '/auth/reauthenticate', '/auth/refresh'].map((path) => server.count(path)), [4, 1, 2]);
  remove();
  server.proved = Infinity;
  assert.equal((await auth.fetch('/api/pay')).status, 401);
  assert.deepEqual([auth.state.at, server.count('/auth/refresh')], ['signedIn', 2]);
});

for (const refusal of [
  { status: 401, headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="300"' }, data: '' },
  { status: 401, headers: {}, data: { code: 'insufficient_user_authentication' } },
  { status: 403, headers: {}, data: { error: 'reauthentication_required' } },
]) {
  browse(`with axios, ${JSON.stringify(refusal)} has the user asked, and the request goes out again`, async (server) => {
    const auth = await signedIn();
    const sent: string[] = [];
    const api = axios.create({
      baseURL, adapter: async (config: any) => {
        sent.push(config.headers.Authorization);
        if (config.headers.Authorization === 'Bearer A2') return { data: {}, status: 200, headers: {}, config, statusText: '' };
        throw Object.assign(new Error(), { config, response: refusal });
      },
    } as any);
    attachAuth(api as any, auth);
    const isRefusal = (error: any): boolean => error.response.status === refusal.status;
    await assert.rejects(api.get('/pay'), isRefusal);
    auth.onReauthenticate(() => auth.reauthenticate('654321'));
    await assert.rejects(api.post('/photos', { pipe() {} }), isRefusal);
    assert.deepEqual([sent.splice(0), server.count('/auth/reauthenticate')], [['Bearer A1', 'Bearer A1'], 0]);
    assert.equal((await api.get('/pay')).status, 200);
    assert.deepEqual([sent, server.count('/auth/refresh')], [['Bearer A1', 'Bearer A2'], 2]);
  });
}

browse('in memory, nothing is stored, no cookie is sent, and the key derives from secret and token', async (server) => {
  const auth = await signedIn('memory');
  sleep(4000);
  assert.equal(await auth.accessToken(), 'A2');
  assert.equal(stored.size, 0);
  assert.ok(server.seen.every((request) => request.credentials === 'omit'));
  const [refresh] = server.seen.filter((request) => request.path === '/auth/refresh');
  assert.equal(refresh.body.refreshToken, 'T1');
  assert.equal((refresh.headers['Idempotency-Key'] || '').length, 43);
  auth.close();
  assert.equal((await open('memory').ready()).at, 'signedOut');
});

browse('by cookie, a session whose cookie is gone is over', async (server) => {
  const auth = await signedIn();
  server.jar = undefined;
  sleep(4000);
  await assert.rejects(auth.accessToken(), { kind: 'signedOut', reason: 'ended' });
});

browse('no tab tells another one a refresh token', async (server) => {
  const heard: string[] = [];
  const channel = new BroadcastChannel(`latchkey default ${baseURL}`);
  channel.onmessage = ({ data }) => void heard.push(JSON.stringify(data));
  const auth = await signedIn('memory');
  sleep(4000);
  await auth.accessToken();
  server.hasCookies = false;
  await signedIn();
  await auth.signOut();
  await until('the sign-out is told', () => heard.length > 0);
  channel.close();
  assert.ok(!heard.join().includes('refreshToken') && !heard.join().includes('"T'), heard.join());
});

browse('in memory, signing out in one tab signs out in all', async (server) => {
  const [one, two] = [await signedIn('memory'), await signedIn('memory')];
  await one.signOut();
  await at(two, 'signedOut');
  await until('the server knows', () => server.count('/auth/logout') === 2);
});

browse('a server that keeps no cookies gives the session to the page alone', async (server) => {
  server.hasCookies = false;
  const auth = await signedIn();
  sleep(4000);
  assert.equal(await auth.accessToken(), 'A2');
  assert.ok(![...stored.values()].join().includes('usr_1'));
  assert.equal(server.jar, undefined);
});

browse('a path is one of the API, and another host gets no token', async (server) => {
  const auth = await signedIn();
  await auth.fetch('/users/me');
  await auth.fetch('https://other.example/users/me');
  await auth.fetch('https://api.example.com\\@other.example/x');
  const bearers = server.seen.slice(-3).map((request) => request.headers && request.headers.Authorization);
  assert.deepEqual(bearers, ['Bearer A1', undefined, undefined]);
});

// Tabs with locks

/** Runs a test in a browser that has other globals, or lacks some. */
function browseWith(name: string, globals: Record<string, unknown>, body: (server: CookieServer) => Promise<void>): void {
  browse(name, async (server) => {
    const before = new Map(Object.keys(globals).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]));
    for (const [key, value] of Object.entries(globals)) {
      const get = typeof value === 'function' && value.name === 'thrower' ? value as () => unknown : () => value;
      Object.defineProperty(globalThis, key, { get, configurable: true });
    }
    try {
      await body(server);
    } finally {
      for (const tab of tabs.splice(0)) tab.close();
      for (const [key, was] of before) {
        if (was) Object.defineProperty(globalThis, key, was);
        else delete (globalThis as Record<string, unknown>)[key];
      }
    }
  });
}

async function threeTabs(): Promise<LatchkeyAuth<Response>[]> {
  const all = [await signedIn(), open(), open()];
  for (const tab of all) await tab.ready();
  await Promise.all(all.map((tab) => tab.accessToken()));
  await pause(400); // Until the locks of these renewals are free.
  return all;
}

const locks = new Locks();

browseWith('tabs renew once for all, and use the result', { navigator: { locks } }, async (server) => {
  const all = await threeTabs();
  for (let round = 0; round < 2; round++) {
    sleep(4000);
    const before = server.count('/auth/refresh');
    const tokens = new Set(await Promise.all(all.map((tab) => tab.accessToken())));
    // A tab may hear of the token before its turn, in which it must not renew again.
    await until('every tab had its turn', () => locks.areFree);
    assert.deepEqual([tokens.size, server.count('/auth/refresh')], [1, before + 1]);
  }
  assert.deepEqual(all.map((tab) => tab.state.at), ['signedIn', 'signedIn', 'signedIn']);
});

browseWith('a tab that is frozen in its renewal holds nobody up', { navigator: { locks: new Locks() } }, async (server) => {
  const [one, two] = await threeTabs();
  sleep(4000);
  let thaw: () => void = () => {};
  server.freezes = new Promise((resolve) => (thaw = resolve));
  const before = server.count('/auth/refresh');
  const late = one.accessToken();
  await until('the request is on its way', () => server.count('/auth/refresh') > before);
  server.freezes = undefined;
  const begun = performance.now();
  assert.match(await two.accessToken(), /^A/);
  const waited = performance.now() - begun;
  assert.ok(waited > 2900 && waited < 8000, `${waited} ms`);
  thaw();
  await late;
  assert.deepEqual([one, two].map((tab) => tab.state.at), ['signedIn', 'signedIn']);
});

browseWith('locks that the browser refuses hinder nothing', {
  navigator: { locks: { request: () => Promise.reject(new Error('SecurityError')) } },
}, async () => {
  const auth = await signedIn();
  sleep(4000);
  assert.equal(await auth.accessToken(), 'A2');
});

browse('a first page view sends one refused refresh, however often the page is shown', async (server) => {
  const auth = open();
  dispatch('pageshow');
  assert.equal((await auth.ready()).at, 'signedOut');
  dispatch('visibilitychange');
  dispatch('pageshow');
  await assert.rejects(auth.accessToken(), { kind: 'signedOut' });
  assert.equal(server.count('/auth/refresh'), 1);
});

browse('a changed profile is known in all tabs', async () => {
  const [one, two] = await threeTabs();
  await one.update({ name: 'Ann' });
  await until('the other tab knows it', () => two.user !== undefined && two.user.name === 'Ann');
  assert.equal(one.user && one.user.name, 'Ann');
});

// Where something is missing

const thrower = (): never => { throw new Error('SecurityError'); };

for (const [what, globals] of Object.entries({
  'no BroadcastChannel': { BroadcastChannel: undefined },
  'a BroadcastChannel that throws': { BroadcastChannel: class { constructor() { throw new Error('SecurityError'); } } },
  'a BroadcastChannel that posts nothing': { BroadcastChannel: class { postMessage(): void { thrower(); } close(): void {} } },
  'no localStorage': { localStorage: undefined },
  'a localStorage that throws': { localStorage: thrower },
})) {
  browseWith(`with ${what}, a user signs in, renews and signs out`, globals, async () => {
    const auth = await signedIn();
    sleep(4000);
    assert.equal(await auth.accessToken(), 'A2');
    assert.deepEqual(await auth.signOut(), { isStored: true, isConfirmed: true });
  });
}

browseWith('without a page the state is starting, and nothing is sent', { document: undefined, window: undefined }, async (server) => {
  const auth = open();
  await Promise.race([auth.ready(), pause(50)]);
  assert.deepEqual([auth.state, auth.user, server.seen.length], [{ at: 'starting' }, undefined, 0]);
});

// Sign-in at a provider's own page

/** A tab's own storage, and the page's address. */
function pageAt(href: string): { gone: string[]; globals: Record<string, unknown> } {
  const [kept, gone] = [new Map<string, string>(), [] as string[]];
  const location = { href, origin: 'https://app.example.com', pathname: '/in', assign: (url: string) => void gone.push(url) };
  const sessionStorage = {
    getItem: (name: string) => kept.has(name) ? kept.get(name) : null, setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
  const history = { state: null, replaceState: (_state: unknown, _title: string, url: string) => void (location.href = url) };
  return { gone, globals: { location, sessionStorage, history, open: (url: string) => void gone.push(url) || {} } };
}

const page = pageAt('https://app.example.com/in?a=1');

browseWith('a redirect to a provider comes back with a session, once', page.globals, async (server) => {
  const auth = open();
  await auth.ready();
  assert.equal(await auth.finishSignIn(), null);
  void auth.signInWithBrowser('google');
  const url = new URL(page.gone.pop() as string);
  assert.equal(url.origin + url.pathname, `${baseURL}/auth/oidc/google/authorize`);
  assert.equal(url.searchParams.get('redirect'), 'https://app.example.com/in');
  assert.equal((url.searchParams.get('challenge') || '').length, 43);
  (page.globals.location as { href: string }).href = 'https://app.example.com/in?a=1&code=c1#x';
  const back = open();
  const signIns = await Promise.all([back.finishSignIn(), back.finishSignIn()]);
  assert.deepEqual(signIns.map((each) => each && each.user.id), ['usr_1', 'usr_1']);
  assert.equal((page.globals.location as { href: string }).href, 'https://app.example.com/in?a=1#x');
  const [verify] = server.seen.filter(({ path }) => path === '/auth/oidc/google/verify');
  const { createHash } = await import('node:crypto');
  assert.equal(createHash('sha256').update(verify.body.verifier as string).digest('base64url'), url.searchParams.get('challenge'));
  assert.equal(await back.finishSignIn(), null);
  assert.equal(server.count('/auth/oidc/google/verify'), 1);
});

const cut = pageAt('https://app.example.com/in');

browseWith('a sign-in whose response was lost is finished by a second call, or after a reload', cut.globals, async (server) => {
  const auth = open();
  await auth.ready();
  void auth.signInWithBrowser('google');
  const address = cut.globals.location as { href: string };
  address.href = 'https://app.example.com/in?code=c3';
  server.isOnline = false;
  await assert.rejects(auth.finishSignIn(), { kind: 'offline' });
  await assert.rejects(open().finishSignIn(), { kind: 'offline' });
  assert.equal(address.href, 'https://app.example.com/in?code=c3');
  server.isOnline = true;
  const signIn = await auth.finishSignIn();
  assert.equal(signIn && signIn.user.id, 'usr_1');
  assert.deepEqual([address.href, await auth.finishSignIn()], ['https://app.example.com/in', null]);
  const keys = server.seen.filter(({ path }) => path === '/auth/oidc/google/verify').map(({ headers }) => headers['Idempotency-Key']);
  assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
});

browseWith('a code that no sign-in of this tab has asked for is left alone', pageAt('https://app.example.com/in?code=c9').globals, async (server) => {
  const auth = open();
  assert.equal(await auth.finishSignIn(), null);
  assert.equal(server.count('/auth/oidc/google/verify'), 0);
  assert.equal(location.href, 'https://app.example.com/in?code=c9');
});

const declining = pageAt('https://app.example.com/in');

browseWith('a user who declines is told by `cancelled`, and a provider that is none by `invalid`', declining.globals, async () => {
  const auth = open();
  await assert.rejects(auth.signInWithBrowser('../otp'), { kind: 'invalid', field: 'provider' });
  void auth.signInWithBrowser('apple');
  assert.ok((declining.gone.pop() as string).startsWith(`${baseURL}/auth/apple/authorize?`));
  (declining.globals.location as { href: string }).href = 'https://app.example.com/in?error=access_denied';
  await assert.rejects(auth.finishSignIn(), { kind: 'cancelled' });
  assert.equal(await auth.finishSignIn(), null);
});

const windows = pageAt('https://app.example.com/in');

browseWith('a window of its own brings the code to the page that has opened it', {
  ...windows.globals, close: () => void windows.gone.push('closed'),
}, async (server) => {
  const [auth, child] = [open(), open()];
  const signIn = auth.signInWithBrowser('google', { popup: true });
  await until('the window is open', () => windows.gone.length > 0);
  (windows.globals.location as { href: string }).href = 'https://app.example.com/in?code=c2';
  assert.equal(await child.finishSignIn(), null);
  assert.equal((await signIn).user.id, 'usr_1');
  assert.deepEqual([windows.gone.length, server.count('/auth/oidc/google/verify')], [2, 1]);
  await at(auth, 'signedIn');
});

const own = pageAt('https://app.example.com/in');

browseWith('a signed-in user adds an account at the provider\'s page, once', own.globals, async (server) => {
  const auth = await signedIn() as ReturnType<typeof open>;
  void auth.addWithBrowser('google');
  await until('the page is left', () => own.gone.length > 0);
  assert.deepEqual(own.gone, ['https://provider.example.com/']);
  (own.globals.location as { href: string }).href = 'https://app.example.com/in?code=c1';
  assert.equal(await auth.finishSignIn(), null);
  assert.deepEqual(await Promise.all([auth.finishChange(), auth.finishChange()]), [true, true]);
  const [begun, added] = ['/authorize', ''].map((end) => server.seen.filter(({ path }) => path === `/users/me/identities/oidc/google${end}`));
  assert.deepEqual([begun.length, added.length, begun[0].body.redirect], [1, 1, 'https://app.example.com/in']);
  const { createHash } = await import('node:crypto');
  assert.equal(createHash('sha256').update(added[0].body.verifier as string).digest('base64url'), begun[0].body.challenge);
  assert.deepEqual([await auth.finishChange(), server.count('/auth/oidc/google/verify')], [false, 0]);
});

const asking = pageAt('https://app.example.com/in');
const opened = { location: { replace: (url: string) => void asking.gone.push(url) }, close: () => void asking.gone.push('closed') };

browseWith('a window of its own shows who the user is; it opens at once, and closes if the server refuses', {
  ...asking.globals, open: () => opened, close: () => {},
}, async (server) => {
  const [auth, child] = [await signedIn() as ReturnType<typeof open>, open()];
  const proof = auth.reauthenticateWithBrowser('apple', { popup: true });
  await until('the window is there', () => asking.gone.length > 0);
  (asking.globals.location as { href: string }).href = 'https://app.example.com/in?code=c2';
  assert.equal(await child.finishSignIn(), null);
  await proof;
  const [{ body }] = server.seen.filter(({ path }) => path === '/auth/reauthenticate');
  assert.deepEqual([body.provider, body.code, typeof body.verifier], ['apple', 'c2', 'string']);
  server.isOnline = false;
  await assert.rejects(auth.addWithBrowser('apple', { popup: true }), { kind: 'offline' });
  assert.deepEqual(asking.gone, ['https://provider.example.com/', 'closed']);
});
