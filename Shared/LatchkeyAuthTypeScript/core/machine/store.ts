import { compareVersions, versionOf, type StoredItem } from '../record/item.js';
import type { StoreVersion } from '../ports.js';
import type { SessionRecord } from '../record/record.js';
import type { Fault, SignOutReason } from '../values.js';
import { answerAll, become, emit, keep, known, makeGood, save, set, write, type Machine } from './change.js';
import { finishSignIn, leave, undoSignIn } from './ends.js';
import { confirmed } from './renewal.js';
import { clockTolerance } from './rules.js';
import { firstOf, idle, isRenewing, type EventOf, type Moment, type SignedIn } from './state.js';
import { postpone, restInBackground, serveAll, settle } from './tokens.js';

// The contents of the store, and failures to read or write it.

/** The store was read. */
export function read(m: Machine, { item }: EventOf<'read'>): void {
  const { phase } = m.state;
  if (phase.at === 'signedOut') return readSignedOut(m, item, phase.version, phase.reason);
  if (phase.at !== 'signedIn') return begin(m, item);
  // A sign-in is newer than all that was stored before it.
  if (!firstOf(phase)) readSignedIn(m, item, phase);
}

function begin(m: Machine, item: StoredItem): void {
  keep(m, item);
  if (item.is === 'record') restore(m, item.record);
  else if (item.is === 'lost') leave(m, versionOf(item), 'storageLost', true);
  else stayOut(m, versionOf(item), item.is === 'signedOut' ? item.reason : undefined);
  makeGood(m);
}

function readSignedOut(m: Machine, item: StoredItem, version: StoreVersion, reason?: SignOutReason): void {
  const isNewer = compareVersions(versionOf(item), version) > 0;
  if (isNewer) keep(m, item);
  if (item.is === 'record' && isNewer) return restore(m, item.record);
  // A stored sign-out keeps its reason; one that is not stored yet is written later.
  if (isNewer) return stayOut(m, versionOf(item), reason);
  answerAll(m, { fault: { kind: 'signedOut', reason } });
}

function readSignedIn(m: Machine, item: StoredItem, session: SignedIn): void {
  const order = compareVersions(versionOf(item), session.record.version);
  if (order > 0) keep(m, item);
  if (item.is === 'record' && order > 0) return restore(m, item.record, session);
  if (item.is === 'signedOut' && order > 0) {
    return leave(m, item.version, item.reason === 'asked' ? 'elsewhere' : item.reason, true);
  }
  if (item.is === 'lost' && session.saved === 'yes') {
    return leave(m, { epoch: Math.max(item.epoch, session.record.version.epoch), generation: 0 }, 'storageLost', true);
  }
  if (item.is === 'record' && order === 0 && session.isResting) {
    become(m, session, { record: item.record, isResting: false });
    return serveAll(m);
  }
  if (order < 0 && session.saved === 'yes') return restoreStore(m, session);
  confirmed(m, session);
}

/** The store could not be read. */
export function unreadable(m: Machine, { trouble }: EventOf<'unreadable'>): void {
  const fault: Fault = { kind: 'storeUnavailable', trouble };
  const { phase } = m.state;
  if (phase.at === 'signedOut') return answerAll(m, { fault });
  if (phase.at === 'signedIn') {
    if (phase.mode.is === 'looking' || phase.mode.is === 'doubting') return postpone(m, fault, 0.5);
    if (phase.isResting) answerAll(m, { fault });
    return;
  }
  const isKnown = phase.at === 'unavailable' && phase.trouble === trouble;
  if (!isKnown) emit(m, { is: 'storeFailed', trouble });
  set(m, { phase: { at: 'unavailable', trouble } });
  answerAll(m, { fault });
}

/** The item with this version was written. */
export function written(m: Machine, { version }: EventOf<'written'>): void {
  const { phase } = m.state;
  if (compareVersions(known(m), version)) return;
  if (phase.at === 'signedOut') set(m, { phase: { ...phase, isStored: true } });
  if (phase.at !== 'signedIn') return;
  const [session, first] = [become(m, phase, { saved: 'yes' }), firstOf(phase)];
  if (first) finishSignIn(m, session, first);
  serveAll(m);
  restInBackground(m);
}

/** Nothing was written, since the stored item is as new or newer. */
export function found(m: Machine, { item, version }: EventOf<'found'>): void {
  // A store that keeps an older item contradicts itself; writing again would not end.
  if (compareVersions(versionOf(item), version) < 0) {
    return unwritten(m, { is: 'unwritten', version, trouble: 'unwritable' });
  }
  const { phase } = m.state;
  if (compareVersions(known(m), version)) return;
  if (phase.at === 'signedOut') {
    set(m, { phase: { ...phase, isStored: true } });
    readSignedOut(m, item, version, phase.reason);
  } else if (phase.at === 'signedIn' && firstOf(phase)) {
    // Another process has signed in or out at the same moment. The later sign-in wins.
    const epoch = Math.max(versionOf(item).epoch, version.epoch) + 1;
    const record = { ...phase.record, version: { epoch, generation: 1 } };
    keep(m, item);
    become(m, phase, { record });
    write(m, { is: 'record', record });
  } else if (item.is === 'record' && !compareVersions(item.record.version, version)) {
    // Two processes have renewed at once and got the same successor.
    written(m, { is: 'written', version });
  } else {
    readSignedIn(m, item, phase as SignedIn);
  }
}

/** The item with this version could not be written. */
export function unwritten(m: Machine, { version, trouble }: EventOf<'unwritten'>): void {
  const { phase } = m.state;
  if (compareVersions(known(m), version)) return;
  if (phase.at === 'signedOut') set(m, { phase: { ...phase, isStored: false } });
  if (phase.at === 'signedIn') {
    const first = firstOf(phase);
    if (first) return undoSignIn(m, phase, first, trouble);
    become(m, phase, { saved: 'no' });
    settle(m, { kind: 'storeUnavailable', trouble });
  }
  emit(m, { is: 'storeFailed', trouble });
}

// Steps

function stayOut(m: Machine, version: StoreVersion, reason?: SignOutReason): void {
  set(m, { phase: { at: 'signedOut', version, reason, isStored: true } });
  answerAll(m, { fault: { kind: 'signedOut', reason } });
}

/** Takes a session from the store. If there was one with this epoch before, another process has renewed it. */
function restore(m: Machine, record: SessionRecord, before?: SignedIn): void {
  const isSameSession = before?.record.version.epoch === record.version.epoch;
  set(m, { phase: storedSession(record, m) });
  emit(m, { is: isSameSession ? 'renewed' : 'restored' });
  serveAll(m);
}

/** The store has lost what was written. It is written again, and a renewal waits until the next attempt. */
function restoreStore(m: Machine, session: SignedIn): void {
  save(m, { ...session, isResting: false });
  if (isRenewing(session)) postpone(m, { kind: 'storeUnavailable', trouble: 'unreadable' }, 0.5);
}

/**
 * A session that was found in the store.
 *
 * Only the date tells how old the access token is. A date before the record's own says nothing, so the token is renewed once; the
 * new record then has the present date.
 */
function storedSession(record: SessionRecord, moment: Moment): SignedIn {
  const age = moment.wall - record.issuedAt;
  const isUnknown = age < -clockTolerance;
  const since = Math.max(0, age);
  return {
    at: 'signedIn', record, saved: 'yes', mode: idle, isResting: false, isHurried: true,
    deadline: isUnknown || record.accessToken === undefined ? moment.now : moment.now + record.expiresIn - since,
    lastRotation: isUnknown || record.version.generation <= 1 ? undefined : moment.now - since,
  };
}
