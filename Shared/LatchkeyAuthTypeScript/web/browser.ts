import { AuthError } from '../core/index.js';

// The sign-in at a provider's own page: there by `authorize`, and back to the app's page with a code.

/** The options of a sign-in in the browser. */
export interface BrowserOptions {
  /** The page to which the provider returns, one of the policy's `webRedirects`; this page without its query if absent. */
  redirect?: string;
  /** Whether the provider's page is a window of its own. Call it in the handler of a click then, else the browser blocks it. */
  popup?: boolean;
}

/** A sign-in, or a change by a signed-in user, that the user has gone to a provider for. */
export interface Begun {
  /** The path of the requests of a change; absent for a sign-in. */
  readonly use?: '/users/me/identities' | '/auth/reauthenticate';
  /** `/auth/apple` or `/auth/oidc/{name}`. */
  readonly path: string;
  readonly verifier: string;
  /** Whether it was begun by the page that has opened this one. */
  readonly popup?: boolean;
}

// A sign-in that is under way is in the storage of its tab, of which a window that the tab opens gets a copy.

export function keepBegun(name: string, begun: Begun): void {
  const isKept = attempt(() => (sessionStorage.setItem(name, JSON.stringify(begun)), true));
  // Without it the way back finds nothing.
  if (!isKept) throw new AuthError({ kind: 'storeUnavailable', trouble: 'unwritable' });
}

export function begunOf(name: string): Begun | undefined {
  const begun = attempt(() => sessionStorage.getItem(name));
  return begun ? attempt(() => JSON.parse(begun) as Begun) : undefined;
}

export const endBegun = (name: string): void => attempt(() => sessionStorage.removeItem(name));

function attempt<Result>(body: () => Result): Result | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

/** The path of a provider's requests. Throws if it can be none. */
export function pathOf(provider: string): string {
  if (!/^[a-z\d_-]+$/.test(provider)) throw new AuthError({ kind: 'invalid', field: 'provider', code: 'invalid_provider' });
  return provider === 'apple' ? '/auth/apple' : `/auth/oidc/${provider}`;
}

/** What a provider has brought back. */
export interface Brought { readonly code?: string; readonly error?: string }

/** The failure that a provider has brought back in place of a code. */
export const faultOf = ({ error }: Brought): AuthError =>
  new AuthError(error === 'access_denied' ? { kind: 'cancelled' } : { kind: 'refused', status: 0, code: error || 'no_code' });

/** What this page's address has brought back. `forget` takes it out of the address. */
export function broughtBack(): Brought & { forget(): void } | null {
  const url = new URL(location.href);
  const [code, error] = ['code', 'error'].map((name) => url.searchParams.get(name) || undefined);
  const forget = (): void => {
    for (const name of ['code', 'error']) url.searchParams.delete(name);
    history.replaceState(history.state, '', url.href);
  };
  return code || error ? { code, error, forget } : null;
}

/** Waits for what a window of its own brings back. The window opens at once, since a browser blocks one that comes later. */
export function fromWindow(channelName: string, url: string | Promise<string>): Promise<Brought> {
  const popup = open(typeof url === 'string' ? url : '', '_blank', 'popup,width=500,height=640');
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(channelName);
    // The server forgets a sign-in after ten minutes.
    const timer = setTimeout(() => fail(new AuthError({ kind: 'timedOut' })), 600_000);
    const end = (): void => (clearTimeout(timer), channel.close());
    const fail = (error: unknown): void => (end(), reject(error));
    channel.onmessage = ({ data }) => (end(), resolve(data));
    if (typeof url !== 'string') url.then((page) => popup?.location.replace(page), (error) => (popup?.close(), fail(error)));
    if (!popup) fail(new AuthError({ kind: 'refused', status: 0, code: 'popup_blocked' }));
  });
}
