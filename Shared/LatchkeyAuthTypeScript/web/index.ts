import { apiOf, LatchkeyAuth, type Change, type Configuration, type Fetch } from '../core/index.js';
import { makeClock } from '../core/support/clock.js';
import { PageStore } from './store.js';

export * from '../core/index.js';

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

/** Creates the session of a web page. Create one and keep it. */
export function createAuth(options: WebOptions): LatchkeyAuth<Response> {
  const { session = 'cookies', profile = 'default', ...rest } = options;
  const clock = makeClock(() => performance.now(), () => Date.now(), (body, milliseconds) => {
    const timer = setTimeout(body, milliseconds);
    return () => clearTimeout(timer);
  });
  const send: Fetch<Response> = (url, init) => fetch(url, init);
  const common = { ...rest, clock, fetch: send, cookies: session === 'cookies' };
  const store = new PageStore({
    api: apiOf(common), name: `latchkey ${profile} ${options.baseURL}`, now: () => clock.now(),
    changed: () => auth.storeChanged(),
    signedOutElsewhere: (userID) => {
      if (auth.state.at === 'signedIn' && auth.state.userID === userID) void auth.signOut();
    },
  });
  const auth: LatchkeyAuth<Response> = new LatchkeyAuth({
    ...common, store, random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    surroundings: (changed) => {
      const leave = watchPage(changed, () => auth.storeChanged());
      return () => {
        leave();
        store.close();
      };
    },
  });
  if (session === 'cookies') void begin(auth);
  return auth;
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
function watchPage(changed: (change: Change) => void, returned: () => void): () => void {
  const foreground = () => {
    if (document.visibilityState !== 'visible') return;
    returned();
    changed('foreground');
  };
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
