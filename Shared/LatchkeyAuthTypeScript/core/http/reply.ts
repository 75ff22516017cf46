import type { FetchResponse } from '../ports.js';
import { isLifetime } from '../record/record.js';
import type { Tokens } from '../record/record.js';
import { parseObject, text, whole } from '../support/json.js';
import type { JSONValue, Members } from '../support/json.js';
import { AuthError } from '../values.js';
import type { Fault } from '../values.js';

/** A response of the server, or of something that stands between. */
export interface Reply {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly json: Members | null;
  readonly requestID?: string;
  readonly entityTag?: string;
  /** The time in seconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** The stable code of an error: `code`, or else `error`. */
  readonly code?: string;
}

/** Reads a response. */
export function replyOf(body: string, { status, headers }: FetchResponse): Reply {
  const json = parseObject(body);
  const header = headers.get('Retry-After');
  const wait = header && /^\d+$/.test(header) ? Number(header) : json && whole(json.retryAfter);
  return {
    status, json,
    requestID: word(headers.get('X-Request-Id')),
    entityTag: headers.get('ETag') || undefined,
    retryAfter: typeof wait === 'number' && wait >= 0 ? wait : undefined,
    code: json ? word(json.code) || word(json.error) : undefined,
  };
}

/** The JSON of a good response. Throws for any other. */
export function success(reply: Reply): Members {
  if (reply.status !== 200) throw new AuthError(faultOf(reply));
  if (!reply.json) throw new AuthError({ kind: 'notLatchkey' });
  return reply.json;
}

/** The failure that a bad response stands for. */
export function faultOf({ status, json, retryAfter, code, requestID }: Reply): Fault {
  if (status === 429) return { kind: 'rateLimited', retryAfter: retryAfter === undefined ? 30 : retryAfter };
  if (status >= 500 && status < 600) return { kind: 'unavailable', retryAfter };
  if (status < 400 || status >= 500) return { kind: 'notLatchkey' };
  if (code) return codeFault(status, code, requestID);
  // The response to a wrong code has a sentence in place of a code.
  const isCodeRefusal = status === 401 && json && json.success === false && text(json.error) !== undefined;
  return { kind: isCodeRefusal ? 'codeRefused' : 'notLatchkey' };
}

function codeFault(status: number, code: string, requestID?: string): Fault {
  switch (code) {
    case 'invalid_code': case 'code_expired': case 'invalid_link': return { kind: 'codeRefused' };
    case 'invalid_credentials': case 'wrong_password': return { kind: 'passwordRefused' };
    case 'account_inactive': return { kind: 'accountInactive' };
    case 'not_invited': return { kind: 'notInvited' };
    case 'deletion_scheduled': return { kind: 'deletionScheduled' };
    case 'invalid_phone': case 'blocked_country': return { kind: 'invalid', field: 'phoneNumber', code };
    case 'invalid_email': case 'undeliverable_email': return { kind: 'invalid', field: 'email', code };
    case 'weak_password': return { kind: 'invalid', field: 'password', code };
    case 'unsupported_channel': return { kind: 'invalid', field: 'channel', code };
    default: return { kind: 'refused', status, code, requestID };
  }
}

/** The tokens of a response, or `null` if it is not the expected JSON. By cookie, the refresh token may be absent. */
export function tokensOf(json: JSONValue, byCookie: boolean): Tokens | null {
  if (!json) return null;
  const { accessToken, refreshToken = byCookie ? '' : undefined, expiresIn } = json;
  const isGood = isToken(accessToken) && (refreshToken === '' ? byCookie : isToken(refreshToken));
  return isGood && isLifetime(whole(expiresIn)) ? { accessToken, refreshToken, expiresIn } : null;
}

/** Whether a value may be part of a header: visible ASCII. */
const isToken = (value: JSONValue): boolean => typeof value === 'string' && /^[!-~]{1,8192}$/.test(value);

/** A text that is safe to log: at most 64 letters, digits and `_ - .`. */
function word(value: JSONValue): string | undefined {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}
