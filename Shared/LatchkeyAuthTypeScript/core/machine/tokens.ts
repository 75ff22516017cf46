import { earlyOf } from '../record/record.js';
import type { Fault } from '../values.js';
import { answer, become, emit, save, saveSignOut, sessionOf, set, type Machine } from './change.js';
import { spacing, usable, waitAfter } from './rules.js';
import { freshTokenOf, isOutdated, isRenewing, isSaving, tokenOf, type EventOf, type SignedIn, type Waiter } from './state.js';

// Callers that want an access token.

/** Gives a caller the access token, at once or as soon as it is renewed. */
export function serve(m: Machine, waiter: Waiter): void {
  const { phase } = m.state;
  if (phase.at === 'starting') return wait(m, waiter);
  if (phase.at !== 'signedIn' || phase.isResting) {
    // While the user is signed out, another process may have signed in.
    saveSignOut(m);
    return readFor(m, waiter);
  }
  const early = Math.max(earlyOf(phase.record, m.early), waiter.minimum);
  if (give(m, freshTokenOf(phase, early, m.now), waiter)) return;
  // No renewal begins during a save. A caller that waits for its end has the token renewed then.
  const isGiven = !isSaving(phase) && give(m, freshTokenOf(phase, Math.max(usable, waiter.minimum), m.now), waiter);
  if (!isGiven) wait(m, waiter);
  renew(m);
}

/** Serves all callers that wait, after something has changed. */
export function serveAll(m: Machine): void {
  const { waiters } = m.state;
  set(m, { waiters: [] });
  for (const waiter of waiters) serve(m, waiter);
}

/** An API has answered 401 to this access token. */
export function refusedByAPI(m: Machine, { caller, token }: EventOf<'refusedByAPI'>): void {
  const session = sessionOf(m);
  if (session && session.record.accessToken === token && !isRenewing(session) && isWithinSpacing(m, session)) {
    // A token this new is not at fault, and renewing it would go on for ever. Another process may have signed out.
    m.actions.push({ do: 'read' }, { do: 'answer', caller, result: { fault: { kind: 'refusedAgain' } } });
  } else {
    serve(m, { caller, minimum: 0, refused: token });
  }
}

/** The caller has given up. A renewal belongs to no caller, so it goes on. */
export function cancelled(m: Machine, { caller }: EventOf<'cancelled'>): void {
  const left = m.state.waiters.filter((waiter) => waiter.caller !== caller);
  if (left.length === m.state.waiters.length) return;
  set(m, { waiters: left });
  answer(m, caller, { fault: { kind: 'cancelled' } });
}

/** Begins a renewal, unless one is in progress or has to wait. */
export function renew(m: Machine): void {
  const session = sessionOf(m);
  if (!session || isSaving(session)) return;
  if (session.saved === 'no') return save(m, session);
  if (isRenewing(session)) return;
  if (session.mode.is === 'waiting' && m.now < session.mode.until) return settle(m, session.mode.fault);
  if (isWithinSpacing(m, session)) {
    const retryAfter = (session.lastRotation as number) + spacing - m.now;
    return settle(m, { kind: 'unavailable', retryAfter });
  }
  look(m, session);
}

/** Reads the store first: another process may have renewed the session, or ended it. */
function look(m: Machine, session: SignedIn): void {
  become(m, session, { mode: { is: 'looking', tries: session.mode.tries } });
  m.actions.push({ do: 'read' });
}

/** Gives all waiting callers the access token if it still lives, else the fault. */
export function settle(m: Machine, fault: Fault): void {
  const session = sessionOf(m);
  const token = session && tokenOf(session, 0, m.now);
  for (const waiter of m.state.waiters) if (!give(m, token, waiter)) answer(m, waiter.caller, { fault });
  set(m, { waiters: [] });
}

/** Waits before the next attempt, longer each time. */
export function postpone(m: Machine, fault: Fault, jitter: number): void {
  const session = sessionOf(m);
  if (!session) return;
  const tries = session.mode.tries + 1;
  const wait = waitAfter(tries, fault.retryAfter || 0, jitter);
  become(m, session, { mode: { is: 'waiting', until: m.now + wait, fault, tries } });
  settle(m, fault);
  emit(m, { is: 'renewalDeferred', fault, retryAt: m.wall + wait });
}

/** Lets access token and profile leave the memory (they are in the store). */
export function restInBackground(m: Machine): void {
  const session = sessionOf(m);
  if (!m.state.isInBackground || m.state.waiters.length || !session) return;
  if (session.saved !== 'yes' || isRenewing(session)) return;
  const record = { ...session.record, accessToken: undefined, user: undefined };
  become(m, session, { record, isResting: true });
}

/** Gives a token to a caller, unless it is the one that an API has refused. Returns whether the caller was answered. */
function give(m: Machine, token: string | undefined, waiter: Waiter): boolean {
  if (token === undefined || token === waiter.refused) return false;
  answer(m, waiter.caller, { ok: token });
  return true;
}

function wait(m: Machine, waiter: Waiter): void {
  set(m, { waiters: [...m.state.waiters, waiter] });
}

/** Reads the store for a caller. Those that come meanwhile wait for the same result. */
function readFor(m: Machine, waiter: Waiter): void {
  if (!m.state.waiters.length) m.actions.push({ do: 'read' });
  wait(m, waiter);
}

/** Whether a renewal has to wait. That of an outdated token need not, but no two in a row are hurried so. */
function isWithinSpacing(m: Machine, session: SignedIn): boolean {
  return isSoon(m, session) && (!isOutdated(session) || !!session.isHurried);
}

/** Whether the last renewal was less than the spacing ago. */
export const isSoon = (m: Machine, { lastRotation }: SignedIn): boolean =>
  lastRotation !== undefined && m.now - lastRotation < spacing;
