// A page without a framework: sign in by a code, call an API, sign out. `?session=memory` keeps the session in memory.
import { AuthError, createAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';
import type { PendingCode } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';

const isInMemory = new URLSearchParams(location.search).get('session') === 'memory';
const auth = createAuth({ baseURL: location.origin, session: isInMemory ? 'memory' : 'cookies' });
let pending: PendingCode | undefined;

function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

const valueOf = (id: string): string => element<HTMLInputElement>(id).value;

/** Shows the section of the present state. */
function show(): void {
  const { state, user } = auth;
  // A store that cannot be read says nothing about the user: neither the form nor the app is shown.
  const section = state.at === 'unavailable' ? 'starting' : state.at;
  for (const id of ['starting', 'signedOut', 'signedIn']) element(id).hidden = id !== section;
  if (state.at === 'signedOut') {
    element('reason').textContent = state.reason && state.reason !== 'asked' ? 'Your session has ended.' : '';
  }
  if (state.at === 'signedIn') {
    element('name').textContent = (user && user.name) || state.userID;
    element('freshness').textContent = state.freshness === 'overdue' ? 'Offline' : '';
  }
}

/** Does what a form or a button asks for, and says what went wrong. */
function on(id: string, event: 'submit' | 'click', body: () => Promise<unknown>): void {
  element(id).addEventListener(event, async (happened) => {
    happened.preventDefault();
    element('message').textContent = '';
    try {
      await body();
    } catch (error) {
      element('message').textContent = wordsFor(error);
    }
  });
}

function wordsFor(error: unknown): string {
  if (!(error instanceof AuthError)) throw error;
  switch (error.kind) {
    case 'codeRefused': return 'This code is wrong or too old.';
    case 'invalid': return 'Please check the phone number.';
    case 'rateLimited': return `Please wait ${error.retryAfter} seconds.`;
    case 'offline': case 'timedOut': return 'There is no connection.';
    default: return `That did not work (${error.kind}).`;
  }
}

on('phoneForm', 'submit', async () => {
  pending = await auth.requestCode({ phone: valueOf('phone') });
  element('codeForm').hidden = false;
  element('code').focus();
});
on('codeForm', 'submit', async () => {
  if (pending) await auth.signIn(pending, valueOf('code'));
  element('codeForm').hidden = true;
});
on('hello', 'click', async () => {
  const response = await auth.fetch('/api/hello');
  element('message').textContent = `The API says ${response.status}.`;
});
on('signOut', 'click', () => auth.signOut());

auth.subscribe(show);
show();
