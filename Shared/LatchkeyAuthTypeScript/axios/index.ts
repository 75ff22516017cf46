import type { AuthError, LatchkeyAuth } from '../core/index.js';

// deno-lint-ignore no-explicit-any
type Any = any;

/** The part of an axios instance that the interceptors use. */
export interface AxiosLike {
  interceptors: {
    request: { use(body: (config: Any) => Any): number; eject(id: number): void };
    response: { use(body: (response: Any) => Any, failed: (error: Any) => Any): number; eject(id: number): void };
  };
  request(config: Any): Promise<Any>;
}

/**
 * Lets an axios instance send the access token, renew it after a 401 and send the request again, once.
 *
 * If an API wants a more recent authentication, `onReauthenticate` comes before that. The token goes to the hosts that may have it only. While the user is signed out, requests go without it, so that callers see
 * axios' own error with the server's 401. What else hinders a renewal, such as no network, rejects with `AuthError`.
 *
 * @returns a function that takes the interceptors off.
 */
export function attachAuth(instance: AxiosLike, auth: LatchkeyAuth<Any>): () => void {
  const { request, response } = instance.interceptors;
  const onRequest = request.use(async (config) => {
    if (!auth.mayKnowToken(target(config))) return config;
    const token = await auth.accessToken().catch((error: AuthError) => {
      if (error.keepsSession) throw error;
    });
    if (token === undefined) return config;
    const sent = token ? { headers: withBearer(config.headers, token) } : { withCredentials: true };
    return { ...config, ...sent, latchkeyToken: token };
  });
  const onResponse = response.use((answer) => answer, async (error) => {
    const { config, response } = error;
    const { status } = response || {};
    const code = codeOf(response);
    // The server's answer to a renewal tells whether the account is inactive, or an API has said something like it.
    const isInactive = status === 403 && code === 'account_inactive';
    const isTooOld = code === (status === 401 ? insufficient : status === 403 && 'reauthentication_required');
    const isRefused = (status === 401 || isInactive || isTooOld) && config.latchkeyToken !== undefined;
    // A stream has been read by now.
    const isStream = config.data?.pipe || config.data?.getReader;
    if (!isRefused || config.latchkeyRepeats || isTooOld && isStream) throw error;
    try {
      await auth[isTooOld ? 'accessTokenAfterProof' : 'accessTokenInsteadOf'](config.latchkeyToken, config.signal);
    } catch (fault) {
      const { kind, keepsSession } = fault as AuthError;
      throw keepsSession && !['refusedAgain', 'reauthenticationRequired'].includes(kind) && !isInactive ? fault : error;
    }
    if (isInactive || isStream) throw error;
    return instance.request({ ...config, latchkeyRepeats: true });
  });
  return () => {
    request.eject(onRequest);
    response.eject(onResponse);
  };
}

/** The code of RFC 9470: the user showed too long ago who they are. */
const insufficient = 'insufficient_user_authentication';

/** The code of a refusal, from its challenge or its body. */
function codeOf({ headers, data }: Any = {}): unknown {
  const challenge = String(headers?.['www-authenticate'] || '');
  return challenge.includes(`error="${insufficient}"`) ? insufficient : data && (data.code || data.error);
}

/** The absolute URL of a request, as axios makes it. Without a page, a relative one has no host, and gets no token. */
function target({ baseURL = '', url = '' }: { baseURL?: string; url?: string }): string {
  const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
  const whole = isAbsolute || !baseURL ? url : url ? `${baseURL.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}` : baseURL;
  const { location, URL } = globalThis as Any;
  if (location && URL) return new URL(whole, location.href).href;
  return whole.startsWith('/') ? '' : whole;
}

/** The headers with the token, in the class that they have: axios 1 has one of its own. */
function withBearer(headers: Any, token: string): Any {
  if (!headers || !headers.set) return { ...headers, Authorization: `Bearer ${token}` };
  headers.set('Authorization', `Bearer ${token}`);
  return headers;
}
