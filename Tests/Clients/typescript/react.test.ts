// The bindings for React: with StrictMode, and on a server.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createElement, StrictMode } from 'react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { act, create } from 'react-test-renderer';
import { LatchkeyAuth } from '../../../Shared/LatchkeyAuthTypeScript/core/index.js';
import { makeClock } from '../../../Shared/LatchkeyAuthTypeScript/core/support/clock.js';
import { AuthProvider, useAuth, useAuthState, useSession, useUser } from '../../../Shared/LatchkeyAuthTypeScript/react/index.js';
import { CookieServer } from './cookieServer.js';
import { pause } from './page.js';

// React's `act` waits by a MessageChannel, which would keep Node running for ever.
class TestChannel {
  readonly port1: { onmessage?: () => void } = {};
  readonly port2 = { postMessage: (): void => void setTimeout(() => this.port1.onmessage && this.port1.onmessage(), 0) };
}
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, MessageChannel: TestChannel });

function client(): LatchkeyAuth {
  const server = new CookieServer();
  let item: string | null = null;
  return new LatchkeyAuth({
    baseURL: 'https://api.example.com', random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    fetch: (url, init) => server.fetch(url, init as never) as never,
    clock: makeClock(() => Date.now(), () => Date.now(), () => () => {}),
    store: { load: async () => item, keepNewer: async (next) => ((item = next), null) },
  });
}

let renders = 0;
function Screen(): ReactElement {
  renders += 1;
  const [auth, state, session, user] = [useAuth(), useAuthState(), useSession(), useUser()];
  assert.ok(auth);
  return createElement('p', null, `${state.at} ${session ? session.userID : '-'} ${user ? user.name : '-'}`);
}

const app = (auth: LatchkeyAuth) =>
  createElement(StrictMode, null, createElement(AuthProvider, { auth }, createElement(Screen)));

test('a screen follows the session, in StrictMode too, and leaves no listener behind', async () => {
  const auth = client();
  const counts = { added: 0, ended: 0 };
  const subscribe = auth.subscribe;
  Object.assign(auth, {
    subscribe: (body: () => void) => {
      counts.added += 1;
      const end = subscribe(body);
      return () => {
        counts.ended += 1;
        end();
      };
    },
  });
  let screen!: { toJSON(): unknown; unmount(): void };
  await act(async () => void (screen = create(app(auth))));
  const text = () => (screen.toJSON() as { children: string[] }).children.join();
  await act(() => pause(10));
  assert.equal(text(), 'signedOut - -');
  await act(async () => void await auth.signInWithPassword('a@example.com', 'right password'));
  await act(() => pause(10));
  assert.equal(text(), 'signedIn usr_1 Betty');
  const before = renders;
  await act(async () => void await auth.accessToken());
  assert.equal(renders, before, 'a fresh token renders nothing');
  await act(async () => void await auth.signOut());
  assert.equal(text(), 'signedOut - -');
  await act(async () => screen.unmount());
  assert.ok(counts.added > 0);
  assert.equal(counts.ended, counts.added);
});

test('a server renders a page without a session', async () => {
  const auth = client();
  await auth.ready();
  await auth.signInWithPassword('a@example.com', 'right password');
  assert.equal(renderToString(app(auth)), '<p>starting - -</p>');
});

test('a hook outside of the provider says what is missing', () => {
  assert.throws(() => renderToString(createElement(Screen)), /AuthProvider/);
});
