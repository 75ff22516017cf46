import type { FetchResponse } from '../ports.js';
import { isLifetime, type Tokens } from '../record/record.js';
import { isCount, isText, parseObject, text, texts, whole, type JSONValue, type Members } from '../support/json.js';
import { AuthError, type Fault, type FaultKind } from '../values.js';

/** A response of the server, or of something that stands between. */
export interface Reply {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly json: Members | null;
  readonly requestID?: string;
  /** The time in seconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** The stable code of an error: that of a challenge for a more recent authentication, `code`, or else `error`. */
  readonly code?: string;
}

/** Reads a response. */
export function replyOf(body: string, { status, headers }: FetchResponse): Reply {
  const json = parseObject(body);
  const [header, challenge] = ['Retry-After', 'WWW-Authenticate'].map((name) => headers.get(name) || '');
  const wait = /^\d+$/.test(header) ? Number(header) : json?.retryAfter;
  return {
    status, json,
    requestID: word(headers.get('X-Request-Id')),
    retryAfter: isCount(wait) ? wait : undefined,
    code: challenge.includes(`error="${insufficient}"`) ? insufficient : word(json?.code) || word(json?.error),
  };
}

/** The JSON of a good response. Throws for any other. `missing` is what a path that does not exist stands for. */
export function success(reply: Reply, missing?: FaultKind): Members {
  // 202: it is done later. 204: there is nothing to say.
  if ([200, 201, 202].includes(reply.status) && reply.json) return reply.json;
  if (reply.status === 204) return {};
  if (missing && reply.code === 'not_found') throw new AuthError({ kind: missing });
  throw new AuthError(faultOf(reply));
}

/** The code with which an account that is not active is refused. */
export const inactive = 'account_inactive';

/** The code of RFC 9470: the user showed too long ago who they are. */
const insufficient = 'insufficient_user_authentication';

/** The codes of a 401 that is about the access token. Others are about a proof. */
const ofTheToken = ['invalid_token', 'missing_token', 'token_expired', undefined];

/** An objection to the session with which a request was sent. */
export type Objection =
  /** The access token is refused. */
  | 'token'
  /** The account is not active. */
  | 'inactive'
  /** The user has to show again who they are. */
  | 'recency'
  | undefined;

/** Reads what a response of the server's own API says of the session. */
export function objectionOf({ status, code }: Reply): Objection {
  if (status === 403) return code === inactive ? 'inactive' : code === 'reauthentication_required' ? 'recency' : undefined;
  if (status !== 401) return undefined;
  return code === insufficient ? 'recency' : ofTheToken.includes(code) ? 'token' : undefined;
}

/** The failure that a bad response stands for. */
export function faultOf(reply: Reply): Fault {
  const { status, json, retryAfter, code } = reply;
  if (status === 429) return { kind: 'rateLimited', retryAfter: retryAfter ?? 30, why: whys.get(json?.limit) };
  if (status < 400) return { kind: 'notLatchkey' };
  if (status >= 500) return { kind: 'unavailable', retryAfter };
  if (code) return codeFault(reply, code);
  // The response to a wrong code has a sentence in place of a code.
  const isCodeRefusal = status === 401 && json?.success === false && isText(json.error);
  return { kind: isCodeRefusal ? 'codeRefused' : 'notLatchkey' };
}

/** The words of the server that tell two failures of one kind apart. */
const whys = new Map(Object.entries<Fault['why']>({
  invalid_code: 'wrong', code_expired: 'expired', lockout: 'locked', sends: 'sends', requests: 'requests',
}));

/** Codes that have a kind of their own. */
const kinds = new Map(Object.entries<FaultKind>({
  invalid_code: 'codeRefused', code_expired: 'codeRefused', invalid_link: 'codeRefused', invalid_sign_in: 'codeRefused',
  invalid_credentials: 'passwordRefused', wrong_password: 'passwordRefused', [inactive]: 'accountInactive',
  not_invited: 'notInvited', deletion_scheduled: 'deletionScheduled',
  reauthentication_required: 'reauthenticationRequired', [insufficient]: 'reauthenticationRequired',
  reauthentication_failed: 'reauthenticationFailed', identity_in_use: 'identityInUse', identity_changed: 'identityChanged',
  last_identity: 'lastIdentity', phone_change_pending: 'phoneChangePending', second_identity_required: 'secondIdentityRequired',
  account_under_review: 'accountUnderReview', merge_proof_required: 'mergeProofRequired',
  passkey_refused: 'passkeyRefused', passkey_invalid: 'passkeyRefused', passkey_exists: 'passkeyExists',
  too_many_passkeys: 'tooManyPasskeys', second_factor_required: 'secondFactorRequired', second_factor_refused: 'secondFactorRefused',
}));

/** The fields that codes find fault with. */
const fields = new Map(Object.entries({
  invalid_phone: 'phoneNumber', blocked_country: 'phoneNumber', invalid_email: 'email', undeliverable_email: 'email',
  weak_password: 'password', unsupported_channel: 'channel',
}));

function codeFault({ status, json, requestID }: Reply, code: string): Fault {
  // The title of a request that has an invalid member names it.
  const [, member] = code === 'invalid_request' && /'(\w+)' is (not valid|missing)$/.exec(String(json?.title)) || [];
  const [kind, field] = [kinds.get(code), fields.get(code) || member];
  const facts = {
    movesAt: whole(json?.movesAt), methods: texts(json?.methods), mergeToken: text(json?.mergeToken), restoreToken: text(json?.restoreToken),
    mfaToken: text(json?.mfaToken),
  };
  return kind ? { kind, why: whys.get(code), ...facts } : field ? { kind: 'invalid', field, code } : { kind: 'refused', status, code, requestID };
}

/**
 * The tokens of a response, or `null` if it is not the expected JSON. By cookie, either token may be absent: it is in a cookie, and
 * an empty text stands for it.
 */
export function tokensOf(json: JSONValue, byCookie: boolean): Tokens | null {
  const { accessToken = '', refreshToken = '', expiresIn } = json || {};
  const isGood = [accessToken, refreshToken].every((token) => token === '' ? byCookie : isToken(token));
  return isGood && isLifetime(expiresIn) ? { accessToken, refreshToken, expiresIn } : null;
}

/** Whether a value may be part of a header: visible ASCII. */
const isToken = (value: JSONValue): boolean => isText(value) && /^[!-~]{1,8192}$/.test(value);

/** A text that is safe to log: at most 64 letters, digits and `_ - .`. */
const word = (value: JSONValue): string | undefined =>
  isText(value) && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
