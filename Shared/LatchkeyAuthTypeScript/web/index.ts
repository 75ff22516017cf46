import { apiOf, LatchkeyAuth, type Change, type Configuration, type Fetch, type RandomBytes } from '../core/index.js';
import { base64url } from '../core/support/bytes.js';
import { makeClock } from '../core/support/clock.js';
import { takeTurn } from './alone.js';
import { PageAuth } from './pageAuth.js';
import { makeSheet } from './passkeys.js';
import { PageStore } from './store.js';

export * from '../core/index.js';
export type { BrowserOptions } from './browser.js';
export type { PageAuth } from './pageAuth.js';

/** The settings of a page's session. Only the base URL is needed. */
export interface WebOptions extends Pick<
  Configuration<Response>, 'baseURL' | 'early' | 'alsoSendTo' | 'allowsPrivateHTTP' | 'deviceName' | 'log'
> {
  /**
   * Where the session is. `cookies` (the default): the server keeps the refresh token in a cookie that no script can read; a server
   * that keeps none gives it to the page's memory. `memory`: no cookies are sent, and the session ends with the page.
   */
  session?: 'cookies' | 'memory';
  /** The name of the session; give each user of a page a name of their own. */
  profile?: string;
}

/**
 * Creates the session of a web page. Create one and keep it.
 *
 * Where there is no page, as when a server renders it, the state stays `starting` and nothing is sent.
 */
export function createAuth(options: WebOptions): PageAuth {
  const { session = 'cookies', profile = 'default', ...rest } = options;
  const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
  if (typeof document === 'undefined') return new PageAuth({ ...rest, ...nothing, random: (count) => new Uint8Array(count) }, '');
  const clock = makeClock(() => performance.now(), () => Date.now(), (body, milliseconds) => {
    const timer = setTimeout(body, milliseconds);
    return () => clearTimeout(timer);
  });
  const name = `latchkey ${profile} ${options.baseURL}`;
  const byCookie = session === 'cookies';
  const send: Fetch<Response> = (url, init) => {
    const version = store.version();
    if (!byCookie || !version || !String(url).endsWith('/auth/refresh')) return fetch(url, init);
    // With a cookie all tabs have one session, and one of them renews it for all.
    return takeTurn(name, {
      run: () => fetch(url, init), found: () => store.renewedSince(version), told: () => store.newerThan(version),
    });
  };
  const common = {
    ...rest, clock, fetch: send, cookies: byCookie, passkeys: makeSheet(),
    installationID: byCookie ? () => installation(random) : undefined,
  };
  const store: PageStore = new PageStore({
    api: apiOf(common), name, now: () => clock.now(),
    changed: () => auth.storeChanged(),
    signedOutElsewhere: (userID) => void (auth.state.at === 'signedIn' && auth.state.userID === userID && auth.signOut()),
    userChanged: (user) => auth.heard(user),
  });
  const auth: PageAuth = new PageAuth({
    ...common, store, random,
    surroundings: (changed) => {
      const leave = watchPage((change) => void auth.look().then(() => changed(change)));
      return () => (leave(), store.close());
    },
  }, `${name} sign-in`);
  auth.onEvent((event) => event.is === 'userChanged' && store.tellUser(event.user));
  if (byCookie) void begin(auth);
  return auth;
}

/** What a session is made of where there is no page: a store that never answers, and no time that passes. */
const nothing = {
  store: { load: () => new Promise<null>(() => {}), keepNewer: () => new Promise<null>(() => {}) },
  clock: { now: () => 0, wall: () => Date.now() / 1000, after: () => () => {} },
  fetch: () => Promise.reject(new Error('There is no page.')),
};

/** The random id of this browser for this site; none if it keeps nothing, since a sign-in must not fail because of it. */
async function installation(random: RandomBytes): Promise<string | undefined> {
  const name = 'latchkey installation';
  try {
    const found = localStorage.getItem(name);
    if (found) return found;
    const made = base64url(random(32));
    localStorage.setItem(name, made);
    return made;
  } catch {
    return undefined;
  }
}

/** Renews a session that a hint has told of, and reads the profile, so that the page knows both. */
async function begin(auth: LatchkeyAuth<Response>): Promise<void> {
  if ((await auth.ready()).at !== 'signedIn') return;
  try {
    await auth.accessToken();
    if (!auth.user) await auth.reloadUser();
  } catch {
    // The state says what is the matter.
  }
}

/** Tells of the page's return: to the foreground, from the back/forward cache, from being frozen, or to the network. */
function watchPage(changed: (change: Change) => void): () => void {
  const foreground = () => void (document.visibilityState === 'visible' && changed('foreground'));
  const online = () => changed('networkBack');
  const events: [EventTarget, string, () => void][] = [
    [document, 'visibilitychange', foreground], [document, 'resume', foreground], [window, 'pageshow', foreground],
    [window, 'online', online],
  ];
  for (const [target, name, body] of events) target.addEventListener(name, body);
  return () => {
    for (const [target, name, body] of events) target.removeEventListener(name, body);
  };
}
