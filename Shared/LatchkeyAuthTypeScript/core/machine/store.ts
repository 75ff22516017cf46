import { compareVersions, versionOf, type StoredItem } from '../record/item.js';
import type { SessionRecord } from '../record/record.js';
import type { Fault, SignOutReason } from '../values.js';
import { answerAll, become, emit, save, set, type Machine } from './change.js';
import { finishSignIn, leave, undoSignIn } from './ends.js';
import { confirmed } from './renewal.js';
import { clockTolerance } from './rules.js';
import { idle, isRenewing, type EventOf, type Moment, type SignedIn } from './state.js';
import { postpone, restInBackground, serveAll, settle } from './tokens.js';

// The contents of the store, and failures to read or write it.

/** The store was read. */
export function read(m: Machine, { item }: EventOf<'read'>): void {
  const { phase } = m.state;
  if (phase.at === 'signedOut') return readSignedOut(m, item, phase.epoch, phase.reason);
  if (phase.at !== 'signedIn') return begin(m, item);
  // A sign-in is newer than all that was stored before it.
  if (typeof phase.saved !== 'object') readSignedIn(m, item, phase);
}

function begin(m: Machine, item: StoredItem): void {
  if (item.is === 'record') return restore(m, item.record);
  if (item.is === 'nothing') return stayOut(m, 0);
  if (item.is === 'signedOut') return stayOut(m, item.epoch, item.reason);
  leave(m, item.epoch, 'storageLost', true);
}

function readSignedOut(m: Machine, item: StoredItem, epoch: number, reason?: SignOutReason): void {
  const isNewer = compareVersions(versionOf(item), { epoch, generation: 0 }) > 0;
  if (item.is === 'record' && isNewer) return restore(m, item.record);
  // A stored sign-out keeps its reason; one that is not stored yet is written later.
  if (isNewer) return stayOut(m, versionOf(item).epoch, reason);
  answerAll(m, { fault: { kind: 'signedOut', reason } });
}

function readSignedIn(m: Machine, item: StoredItem, session: SignedIn): void {
  const order = compareVersions(versionOf(item), session.record.version);
  if (item.is === 'record' && order > 0) return restore(m, item.record, session);
  if (item.is === 'signedOut' && order > 0) {
    return leave(m, item.epoch, item.reason === 'asked' ? 'elsewhere' : item.reason, true);
  }
  if (item.is === 'lost' && session.saved === 'yes') {
    return leave(m, Math.max(item.epoch, session.record.version.epoch), 'storageLost', true);
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
  if (phase.at === 'signedOut' && version.epoch === phase.epoch) set(m, { phase: { ...phase, isStored: true } });
  if (phase.at !== 'signedIn' || compareVersions(phase.record.version, version)) return;
  const session = become(m, phase, { saved: 'yes' });
  if (typeof phase.saved === 'object') finishSignIn(m, session, phase.saved);
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
  if (phase.at === 'signedOut') {
    set(m, { phase: { ...phase, isStored: true } });
    return readSignedOut(m, item, phase.epoch, phase.reason);
  }
  if (phase.at !== 'signedIn' || compareVersions(phase.record.version, version)) return;
  if (typeof phase.saved === 'object') {
    // Another process has signed in or out at the same moment. The later sign-in wins.
    const epoch = Math.max(versionOf(item).epoch, version.epoch) + 1;
    const record = { ...phase.record, version: { epoch, generation: 1 } };
    become(m, phase, { record });
    m.actions.push({ do: 'write', item: { is: 'record', record } });
  } else if (item.is === 'record' && !compareVersions(item.record.version, version)) {
    // Two processes have renewed at once and got the same successor.
    written(m, { is: 'written', version });
  } else {
    readSignedIn(m, item, phase);
  }
}

/** The item with this version could not be written. */
export function unwritten(m: Machine, { version, trouble }: EventOf<'unwritten'>): void {
  const { phase } = m.state;
  if (phase.at === 'signedOut') {
    if (version.epoch !== phase.epoch) return;
    set(m, { phase: { ...phase, isStored: false } });
  } else {
    if (phase.at !== 'signedIn' || compareVersions(phase.record.version, version)) return;
    if (typeof phase.saved === 'object') return undoSignIn(m, phase, phase.saved, trouble);
    become(m, phase, { saved: 'no' });
    settle(m, { kind: 'storeUnavailable', trouble });
  }
  emit(m, { is: 'storeFailed', trouble });
}

// Steps

function stayOut(m: Machine, epoch: number, reason?: SignOutReason): void {
  set(m, { phase: { at: 'signedOut', epoch, reason, isStored: true } });
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
    at: 'signedIn', record, saved: 'yes', mode: idle, isResting: false,
    deadline: isUnknown || record.accessToken === undefined ? moment.now : moment.now + record.expiresIn - since,
    lastRotation: isUnknown || record.version.generation <= 1 ? undefined : moment.now - since,
  };
}
