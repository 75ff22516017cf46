import type { StoreVersion } from '../ports.js';
import { utf8 } from '../support/bytes.js';
import { isCount, isText, isWhole, parseObject, sortedJSON, text, type Members } from '../support/json.js';
import type { SignOutReason } from '../values.js';
import { isLifetime, userOf, type SessionRecord } from './record.js';

/** The content of the store. */
export type StoredItem =
  /** Surely nothing: no user has ever signed in here. */
  | { readonly is: 'nothing' }
  | { readonly is: 'record'; readonly record: SessionRecord }
  /** The last session ended. The item stays, so that a renewal that arrives late cannot bring the session back. */
  | { readonly is: 'signedOut'; readonly epoch: number; readonly reason: SignOutReason }
  /** An item that this release cannot use. It is kept until the next sign-in replaces it. */
  | { readonly is: 'lost'; readonly epoch: number };

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
  return { epoch: item.is === 'nothing' ? 0 : item.epoch, generation: 0 };
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
 * @param origin the base URL; the record of another server is lost, since its tokens must not reach this one.
 * @param byCookie whether the refresh token may be absent, since a cookie has it.
 */
export function parseItem(item: string | null, origin: string, byCookie: boolean): StoredItem {
  if (item === null) return { is: 'nothing' };
  const [version, members] = [parseVersion(item), parseObject(item)];
  if (!version || !members) return { is: 'lost', epoch: 0 };
  const { epoch } = version;
  const { v, min, signedOut: reason } = members;
  const isReadable = v === format || v > format && isWhole(min) && min <= format;
  if (isReadable && isText(reason)) {
    return { is: 'signedOut', epoch, reason: reasons.includes(reason) ? reason as SignOutReason : 'ended' };
  }
  const record = isReadable && members.origin === origin && recordIn(members, version, byCookie);
  return record ? { is: 'record', record } : { is: 'lost', epoch };
}

/** The item as text: one JSON object of at most 4 KiB. What can be fetched again is left out where it would be too long. */
export function itemText(item: NewItem): string {
  if (item.is === 'signedOut') return sortedJSON({ v: format, epoch: item.epoch, generation: 0, signedOut: item.reason });
  const { version, others, ...members } = item.record;
  const whole = { v: format, ...others, ...version, ...members };
  const lean = { ...whole, user: undefined };
  const texts = [whole, lean, { ...lean, accessToken: undefined }].map(sortedJSON);
  return texts.find((each) => utf8(each).length <= bytesMax) || texts[0];
}

function recordIn(members: Members, version: StoreVersion, byCookie: boolean): SessionRecord | null {
  const {
    epoch: _epoch, generation: _generation, origin, secret, refreshToken, accessToken, issuedAt, expiresIn, userID, user, ...others
  } = members;
  const isGood = [secret, refreshToken, userID].every(isText) && isWhole(issuedAt) && isLifetime(expiresIn) &&
    (refreshToken ? /^[\w-]{43}$/.test(secret) : byCookie);
  if (!isGood) return null;
  return {
    origin, version, secret, refreshToken, accessToken: text(accessToken), issuedAt, expiresIn, userID,
    user: userOf(user), others,
  };
}
