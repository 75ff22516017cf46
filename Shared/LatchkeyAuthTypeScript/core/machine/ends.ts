import type { StoreVersion } from '../ports.js';
import type { Fault, SignOutReason, StoreTrouble } from '../values.js';
import {
  answer, answerAll, answerEach, become, emit, hasToken, keep, known, letGo, makeGood, saveSignOut, sessionOf, set, write,
  writeSignOut, type Machine,
} from './change.js';
import { firstOf, idle, type EventOf, type FirstSave, type SignedIn } from './state.js';

// Sign-in, sign-out, and what else begins or ends a session.

/** A user has signed in. The session counts once it is stored. */
export function signedIn(m: Machine, { caller, record: unversioned }: EventOf<'signedIn'>): void {
  const earlier = sessionOf(m);
  const first = firstOf(earlier);
  const token = earlier?.record.refreshToken;
  if (earlier && token && token === unversioned.refreshToken) {
    // The response to the same proof, once more: this session stays.
    if (first) become(m, earlier, { saved: { ...first, callers: [...first.callers, caller] } });
    else answer(m, caller, { ok: earlier.record.userID });
    return;
  }
  answerEach(m, first?.callers, { fault: { kind: 'cancelled' } });
  const record = { ...unversioned, version: { epoch: known(m).epoch + 1, generation: 1 } };
  const saved = { callers: [caller], replaces: [...first?.replaces || [], ...token ? [token] : []] };
  set(m, { phase: { at: 'signedIn', record, deadline: m.now + record.expiresIn, saved, mode: idle, isResting: false } });
  letGo(m, hasToken);
  write(m, { is: 'record', record });
}

/** The session of a sign-in is stored. */
export function finishSignIn(m: Machine, session: SignedIn, saved: FirstSave): void {
  answerEach(m, saved.callers, { ok: session.record.userID });
  emit(m, { is: 'signedIn', isNewUser: !!session.record.isNewUser });
  // A session whose token was in a cookie was ended by the server, when the new cookie took its place.
  for (const token of saved.replaces) giveBack(m, token);
  makeGood(m);
}

/**
 * The session of a sign-in cannot be stored, so it would be lost with the process. It is given back, and what was there before is
 * read again.
 */
export function undoSignIn(m: Machine, session: SignedIn, saved: FirstSave, trouble: StoreTrouble): void {
  set(m, { phase: { at: 'signedOut', version: { epoch: session.record.version.epoch - 1, generation: 0 }, isStored: true } });
  answerEach(m, saved.callers, { fault: { kind: 'storeUnavailable', trouble } });
  emit(m, { is: 'storeFailed', trouble });
  giveBack(m, session.record.refreshToken);
  m.actions.push({ do: 'read' });
}

/** The user signs out: here at once, then on the server. */
export function signOutAsked(m: Machine, { caller, scope }: EventOf<'signOutAsked'>): void {
  const session = sessionOf(m);
  if (!session) {
    saveSignOut(m);
    makeGood(m);
    return answer(m, caller, { ok: m.state.kept.length ? '' : 'confirmed' });
  }
  const { accessToken, refreshToken, origin } = session.record;
  const token = !refreshToken ? {} : accessToken ? { accessToken } : { refreshToken };
  // The date tells those that are kept apart.
  const since = Math.max(Math.floor(m.wall), ...m.state.kept.map((each) => each.since + 1));
  const kept = { ...token, origin, scope, since };
  keep(m, { kept: [kept] });
  ended(m, 'asked');
  m.actions.push({ do: 'signOutOnServer', signOut: { refreshToken: refreshToken || undefined, scope }, caller, kept });
  for (const token of firstOf(session)?.replaces || []) giveBack(m, token);
}

/** The server has confirmed a sign-out that was kept. */
export function signOutConfirmed(m: Machine, { signOut: { since } }: EventOf<'signOutConfirmed'>): void {
  letGo(m, (each) => each.since !== since);
}

/** The session has ended. A sign-out of the next epoch is stored in its place. */
export function ended(m: Machine, reason: SignOutReason): void {
  const session = sessionOf(m);
  if (!session) return;
  const version = { epoch: session.record.version.epoch + 1, generation: 0 };
  writeSignOut(m, version, reason);
  leave(m, version, reason, false);
}

/** The server has ended the session by what it did for the user. */
export const over = (m: Machine, { reason }: EventOf<'over'>): void => ended(m, reason);

/** The server knows more than the access token says. A renewal that is on its way may have come before that. */
export function outdated(m: Machine): void {
  const session = sessionOf(m);
  if (!session) return;
  const { record: { version: { generation } }, mode } = session;
  become(m, session, { outdated: generation + (mode.is === 'flying' ? 1 : 0) });
}

/** Leaves the session without writing anything. */
export function leave(m: Machine, version: StoreVersion, reason: SignOutReason, isStored: boolean): void {
  const fault: Fault = reason === 'inactive' ? { kind: 'accountInactive' } : { kind: 'signedOut', reason };
  answerEach(m, firstOf(sessionOf(m))?.callers, { fault });
  set(m, { phase: { at: 'signedOut', version, reason, isStored } });
  answerAll(m, { fault });
  emit(m, { is: 'signedOut', reason });
}

/** The server has returned the profile. */
export function userChanged(m: Machine, { user }: EventOf<'userChanged'>): void {
  const session = sessionOf(m);
  if (!session || session.record.userID !== user.id || JSON.stringify(session.record.user) === JSON.stringify(user)) return;
  become(m, session, { record: { ...session.record, user } });
  emit(m, { is: 'userChanged', user });
}

const giveBack = (m: Machine, refreshToken: string): unknown =>
  m.actions.push({ do: 'signOutOnServer', signOut: { refreshToken } });
