import type { StoreVersion } from '../ports.js';
import { base64url, fromBase64url, utf8 } from '../support/bytes.js';
import { isText, isWhole, type JSONValue } from '../support/json.js';
import { hmacSHA256 } from '../support/sha256.js';
import type { User } from '../values.js';

/**
 * A session as it is stored: the tokens, and what is needed to renew them after any crash. A record that was read has further members:
 * its format's version, and what a later release added. They are kept.
 */
export interface SessionRecord {
  /** The base URL. The tokens are never sent anywhere else. */
  readonly origin: string;
  readonly version: StoreVersion;
  /** 32 random bytes in base64url, made at the sign-in. Keys of renewals derive from it. Empty if a cookie has the session. */
  readonly secret: string;
  /** The refresh token; empty if it is in a cookie that no script can read. */
  readonly refreshToken: string;
  /** Absent where it is not kept, such as in the background. */
  readonly accessToken?: string;
  /** The date at which the access token arrived, in Unix seconds of the device. */
  readonly issuedAt: number;
  /** The lifetime of the access token in seconds. */
  readonly expiresIn: number;
  readonly userID: string;
  readonly user?: User;
  /** The key of the proof that has opened the session, so that a repeat of it needs no request. */
  readonly proof?: string;
  /** Whether the sign-in has made the account. */
  readonly isNewUser?: boolean;
}

/** The tokens of a response. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The lifetime of the access token in seconds. */
  readonly expiresIn: number;
}

/**
 * The Idempotency-Key of a renewal with a record's refresh token.
 *
 * It derives from the session's secret and the token, so every process and every restart sends the same key for the same token,
 * without storing it. The server answers a repeat with the same successor, and takes it for no theft.
 */
export function renewalKey(record: Pick<SessionRecord, 'refreshToken' | 'secret'>): string {
  return base64url(hmacSHA256(utf8(record.refreshToken), fromBase64url(record.secret)));
}

/** The time before the end of an access token at which it is renewed: at most a fifth of its lifetime. */
export const earlyOf = (record: SessionRecord, limit: number): number => Math.min(limit, record.expiresIn / 5);

/** The record after a renewal. */
export function renewed(record: SessionRecord, tokens: Tokens, wall: number): SessionRecord {
  const version = { ...record.version, generation: record.version.generation + 1 };
  return { ...record, ...tokens, version, issuedAt: Math.floor(wall) };
}

/** Whether a lifetime of an access token is believed, in seconds: up to ten years. */
export const isLifetime = (seconds: JSONValue): seconds is number =>
  isWhole(seconds) && seconds >= 1 && seconds <= 315_360_000;

/** A user as the server's JSON describes them, or `undefined` without an id. */
export function userOf(json: JSONValue): User | undefined {
  if (!isText(json?.id) || !json.id || json.id.length > 256) return undefined;
  const isAttribute = (name: string): boolean => ['string', 'number', 'boolean'].includes(typeof json[name]);
  return Object.fromEntries(Object.keys(json).filter(isAttribute).map((name) => [name, json[name]])) as User;
}
