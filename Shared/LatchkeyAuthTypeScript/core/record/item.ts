import type { StoreVersion } from '../ports.js';
import { utf8 } from '../support/bytes.js';
import { isCount, isText, isWhole, parseObject, text, type Members } from '../support/json.js';
import type { SignOutReason } from '../values.js';
import { isLifetime, userOf, type SessionRecord } from './record.js';

/** The content of the store: what it says of a session, and sign-outs that the server has not confirmed. */
export type StoredItem = Content & { readonly kept?: readonly KeptSignOut[] };

type Content =
  /** Surely nothing: no user has ever signed in here. */
  | { readonly is: 'nothing' }
  | { readonly is: 'record'; readonly record: SessionRecord }
  /** The last session ended. The item stays, so that a renewal that arrives late cannot bring the session back. */
  | { readonly is: 'signedOut'; readonly version: StoreVersion; readonly reason: SignOutReason }
  /** An item that this release cannot use. It is kept until the next sign-in replaces it. */
  | { readonly is: 'lost'; readonly epoch: number };

/**
 * A sign-out that the server has not confirmed yet, as it is stored. It renews nothing: it has the access token of the session that
 * ended, or the refresh token where there was none. A session in a cookie leaves no more than the date.
 */
export interface KeptSignOut {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  readonly scope?: 'all';
  /** The base URL. The sign-out is never sent anywhere else. */
  readonly origin: string;
  /** The date of the sign-out, in Unix seconds of the device. */
  readonly since: number;
}

/** An item that this release writes. */
export type NewItem = Extract<StoredItem, { is: 'record' | 'signedOut' }>;

/** The reasons that a stored sign-out can have. */
const reasons: string[] = [
  'asked', 'elsewhere', 'ended', 'expired', 'reused', 'inactive', 'deleted', 'storageLost', 'newInstallation',
];

/** The format's version. A later release that adds members keeps `min` at 1 as long as this release can ignore them. */
const format = 1;
const bytesMax = 4096;

/** The version of an item; (0, 0) if there is none. */
export function versionOf(item: StoredItem): StoreVersion {
  if (item.is === 'record') return item.record.version;
  return item.is === 'signedOut' ? item.version : { epoch: item.is === 'nothing' ? 0 : item.epoch, generation: 0 };
}

/** A negative number if the first version is lower, 0 if both are equal. */
export const compareVersions = (one: StoreVersion, other: StoreVersion): number =>
  one.epoch - other.epoch || one.generation - other.generation;

/** The version of an item's text, or `null` if it is damaged. A damaged item is older than every other. */
export function parseVersion(item: string): StoreVersion | null {
  const { epoch, generation } = parseObject(item) || {};
  return isCount(epoch) && isCount(generation) ? { epoch, generation } : null;
}

/**
 * Reads an item.
 *
 * @param origin the base URL; what is of another server is lost, since its tokens must not reach this one.
 * @param byCookie whether the refresh token may be absent, since a cookie has it.
 */
export function parseItem(item: string | null, origin: string, byCookie: boolean): StoredItem {
  if (item === null) return { is: 'nothing' };
  const [version, members] = [parseVersion(item), parseObject(item)];
  if (!version || !members) return { is: 'lost', epoch: 0 };
  const { v, min, signedOut: reason, unconfirmed } = members;
  const kept = Array.isArray(unconfirmed) ? unconfirmed.filter((each) => each?.origin === origin && isWhole(each.since)) : [];
  const isReadable = v === format || v > format && isWhole(min) && min <= format;
  if (isReadable && isText(reason)) {
    return { is: 'signedOut', version, reason: reasons.includes(reason) ? reason as SignOutReason : 'ended', kept };
  }
  const record = isReadable && members.origin === origin && recordIn(members, version, byCookie);
  return record ? { is: 'record', record, kept } : { is: 'lost', epoch: version.epoch };
}

/** The item as text: one JSON object of at most 4 KiB. What can be fetched again is left out where it would be too long. */
export function itemText(item: NewItem): string {
  const { kept: unconfirmed = [], ...content } = item;
  const { version, ...members } = content.is === 'record' ? content.record : { version: content.version, signedOut: content.reason };
  const whole = { v: format, ...version, ...members, unconfirmed: unconfirmed.length ? unconfirmed : undefined };
  const lean = { user: undefined };
  const texts = [{}, lean, { ...lean, accessToken: undefined, unconfirmed: undefined }].map((less) =>
    JSON.stringify({ ...whole, ...less }));
  return texts.find((each) => utf8(each).length <= bytesMax) || texts[0];
}

function recordIn(members: Members, version: StoreVersion, byCookie: boolean): SessionRecord | null {
  const { epoch: _epoch, generation: _generation, unconfirmed: _kept, accessToken, user, proof, ...others } = members;
  const { secret, refreshToken, userID, issuedAt, expiresIn } = others;
  const isGood = [secret, refreshToken, userID].every(isText) && isWhole(issuedAt) && isLifetime(expiresIn) &&
    (refreshToken ? /^[\w-]{43}$/.test(secret) : byCookie);
  if (!isGood) return null;
  return { ...others as SessionRecord, version, accessToken: text(accessToken), user: userOf(user), proof: text(proof) };
}
