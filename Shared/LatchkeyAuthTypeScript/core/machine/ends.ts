import { sortedJSON } from '../support/json.js';
import type { Fault, SignOutReason, StoreTrouble } from '../values.js';
import { answer, answerAll, become, emit, sessionOf, set, writeSignOut, type Machine } from './change.js';
import { idle, type EventOf, type FirstSave, type SignedIn } from './state.js';

// Sign-in, sign-out, and what else begins or ends a session.

/** A user has signed in. The session counts once it is stored. */
export function signedIn(m: Machine, { caller, record: unversioned, isNewUser }: EventOf<'signedIn'>): void {
  const earlier = sessionOf(m);
  const record = { ...unversioned, version: { epoch: knownEpoch(m) + 1, generation: 1 } };
  const saved = { caller, isNewUser, replaces: earlier?.record.refreshToken };
  set(m, {
    phase: { at: 'signedIn', record, deadline: m.now + record.expiresIn, saved, mode: idle, isResting: false },
  });
  m.actions.push({ do: 'write', item: { is: 'record', record } });
}

/** The session of a sign-in is stored. */
export function finishSignIn(m: Machine, session: SignedIn, saved: FirstSave): void {
  answer(m, saved.caller, { ok: session.record.userID });
  emit(m, { is: 'signedIn', isNewUser: saved.isNewUser });
  // A session whose token was in a cookie was ended by the server, when the new cookie took its place.
  if (saved.replaces) giveBack(m, saved.replaces);
}

/**
 * The session of a sign-in cannot be stored, so it would be lost with the process. It is given back, and what was there before is
 * read again.
 */
export function undoSignIn(m: Machine, session: SignedIn, saved: FirstSave, trouble: StoreTrouble): void {
  set(m, { phase: { at: 'signedOut', epoch: session.record.version.epoch - 1, isStored: true } });
  answer(m, saved.caller, { fault: { kind: 'storeUnavailable', trouble } });
  emit(m, { is: 'storeFailed', trouble });
  giveBack(m, session.record.refreshToken);
  m.actions.push({ do: 'read' });
}

/** The user signs out: here at once, then on the server. */
export function signOutAsked(m: Machine, { caller, scope }: EventOf<'signOutAsked'>): void {
  const session = sessionOf(m);
  if (!session) return answer(m, caller, { ok: '' });
  ended(m, 'asked');
  m.actions.push({ do: 'signOutOnServer', refreshToken: session.record.refreshToken, scope, caller });
}

/** The session has ended. A sign-out of the next epoch is stored in its place. */
export function ended(m: Machine, reason: SignOutReason): void {
  const session = sessionOf(m);
  if (!session) return;
  const epoch = session.record.version.epoch + 1;
  writeSignOut(m, epoch, reason);
  leave(m, epoch, reason, false);
}

/** Leaves the session without writing anything. */
export function leave(m: Machine, epoch: number, reason: SignOutReason, isStored: boolean): void {
  const fault: Fault = reason === 'inactive' ? { kind: 'accountInactive' } : { kind: 'signedOut', reason };
  const session = sessionOf(m);
  if (typeof session?.saved === 'object') answer(m, session.saved.caller, { fault });
  set(m, { phase: { at: 'signedOut', epoch, reason, isStored } });
  answerAll(m, { fault });
  emit(m, { is: 'signedOut', reason });
}

/** The server has returned the profile. */
export function userChanged(m: Machine, { user }: EventOf<'userChanged'>): void {
  const session = sessionOf(m);
  if (!session || session.record.userID !== user.id || sortedJSON(session.record.user) === sortedJSON(user)) return;
  become(m, session, { record: { ...session.record, user } });
  emit(m, { is: 'userChanged', user });
}

const giveBack = (m: Machine, refreshToken: string): unknown =>
  m.actions.push({ do: 'signOutOnServer', refreshToken, scope: 'thisSession' });

/** The newest epoch that is known. */
function knownEpoch(m: Machine): number {
  const { phase } = m.state;
  return phase.at === 'signedOut' ? phase.epoch : phase.at === 'signedIn' ? phase.record.version.epoch : 0;
}
