import type { KeptSignOut } from '../record/item.js';
import { renewalKey, type SessionRecord, type Tokens } from '../record/record.js';
import type { JSONValue } from '../support/json.js';
import type { AuthError, Fault } from '../values.js';
import type { Verdict } from '../machine/state.js';
import type { API } from './api.js';
import { faultOf, inactive, tokensOf, type Reply } from './reply.js';

// `POST /auth/refresh` and `POST /auth/logout`, and what their responses mean for the session.

/** The part of a record that a renewal needs. */
type Presented = Pick<SessionRecord, 'refreshToken' | 'secret'>;

/** The outcome of a renewal. */
export type Renewal =
  | { readonly is: 'rotated'; readonly tokens: Tokens }
  /** The server has ended the session, or the request was a late copy of one of another process. */
  | { readonly is: 'refused'; readonly verdict: Verdict }
  /** The response says nothing about the session. */
  | { readonly is: 'failed'; readonly fault: Fault };

/**
 * Sends a renewal. Where a cookie has the refresh token, the server derives the key of the request from its cookies.
 *
 * A browser keeps the cookie that arrived last, which may be older than one that another tab has received. The server refuses it
 * as superseded. By then the browser may have the newer one, so the request is sent once more.
 */
export async function renewSession(api: API, record: Presented): Promise<Renewal> {
  const renewal = await present(api, record);
  const isLate = !record.refreshToken && renewal.is === 'refused' && renewal.verdict === 'superseded';
  return isLate ? present(api, record) : renewal;
}

async function present(api: API, record: Presented): Promise<Renewal> {
  const { refreshToken } = record;
  const call = refreshToken ? { body: { refreshToken }, idempotencyKey: renewalKey(record) } : {};
  try {
    return outcome(await api.send({ method: 'POST', path: '/auth/refresh', ...call }), !refreshToken);
  } catch (error) {
    // No caller has cancelled this: a renewal belongs to none.
    const fault = error as AuthError;
    return { is: 'failed', fault: fault.kind === 'cancelled' ? { kind: 'offline' } : fault };
  }
}

/**
 * Only two responses end a session: 401 with the code `invalid_refresh_token`, and 403 with `account_inactive`. A firewall or a
 * portal answers 401 and 403 as well. By cookie, `missing_token` is a third: the cookie is gone.
 */
function outcome(reply: Reply, byCookie: boolean): Renewal {
  const { status, code, json } = reply;
  const tokens = status === 200 && tokensOf(json, byCookie);
  if (tokens) return { is: 'rotated', tokens };
  if (status === 401 && code === 'invalid_refresh_token') return { is: 'refused', verdict: verdictOf(json) };
  if (status === 401 && byCookie && code === 'missing_token') return { is: 'refused', verdict: 'ended' };
  if (status === 403 && code === inactive) return { is: 'refused', verdict: 'inactive' };
  return { is: 'failed', fault: faultOf(reply) };
}

function verdictOf(json: JSONValue): Verdict {
  const { reason } = json;
  return ['expired', 'reused', 'deleted', 'superseded'].includes(reason) ? reason : 'ended';
}

/**
 * Tells the server that a session has ended. Returns whether it has confirmed that within 10 seconds. A session that the server
 * does not know any more counts as ended.
 */
export async function endOnServer(api: API, { accessToken: bearer, refreshToken, scope }: Partial<KeptSignOut>): Promise<boolean> {
  try {
    const body = { refreshToken, scope };
    const { status, json, code } = await api.send({ method: 'POST', path: '/auth/logout', body, bearer, limit: 10, isFirst: true });
    const isOver = status === 401 && !!code;
    // A token that has ended ends its own session only.
    if (isOver && bearer && scope) return endOnServer(api, { accessToken: bearer });
    return isOver || status === 200 && !!json;
  } catch {
    return false;
  }
}
