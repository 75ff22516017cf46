import { earlyOf } from '../record/record.js';
import type { Change, FaultKind } from '../values.js';
import { become, save, sessionOf, set } from './machine.js';
import type { Machine } from './machine.js';
import { wakeMax } from './rules.js';
import { isRenewing } from './state.js';
import type { SignedIn } from './state.js';
import { saveSignOut } from './store.js';
import { endWait, renew } from './tokens.js';

// Changes of the device and the app. No timer runs: a renewal begins when a token is wanted, or when the app comes back.

/** Handles a change. */
export function changed(m: Machine, change: Change, jitter: number): void {
  if (change === 'background') {
    set(m, { isInBackground: true });
    return restInBackground(m);
  }
  if (change === 'foreground') set(m, { isInBackground: false });
  if (change !== 'networkBack') catchUp(m);
  if (change !== 'protectedDataThere') wakeIfDue(m, jitter);
}

/** Does what was not possible before, or not needed. */
function catchUp(m: Machine): void {
  const { phase } = m.state;
  if (phase.at === 'starting') return;
  if (phase.at === 'signedIn') {
    if (phase.saved === 'no') save(m, phase);
    if (!phase.isResting) return;
  }
  saveSignOut(m);
  m.actions.push({ do: 'read' });
}

/** Lets access token and profile leave the memory (they are in the store). */
export function restInBackground(m: Machine): void {
  const session = sessionOf(m);
  if (!m.state.isInBackground || m.state.waiters.length || !session) return;
  if (session.saved !== 'yes' || isRenewing(session)) return;
  const { accessToken: _token, user: _user, ...record } = session.record;
  become(m, session, { record, isResting: true });
}

function wakeIfDue(m: Machine, jitter: number): void {
  const session = sessionOf(m);
  if (session && isDue(m, session)) m.actions.push({ do: 'wake', after: wakeMax * jitter });
}

/** A short while after the app or the network came back. */
export function woke(m: Machine): void {
  const session = sessionOf(m);
  if (!session || m.state.isInBackground || session.isResting || !isDue(m, session)) return;
  if (session.mode.is === 'waiting' && isOfTheNetwork(session.mode.fault.kind)) endWait(m, session);
  renew(m);
}

function isDue(m: Machine, session: SignedIn): boolean {
  return session.mode.is === 'waiting' || m.now + earlyOf(session.record, m.early) >= session.deadline;
}

/** Whether a fault may be gone with another network. Where the server has asked to wait, it is not. */
function isOfTheNetwork(kind: FaultKind): boolean {
  return ['offline', 'timedOut', 'untrustedServer', 'notLatchkey'].includes(kind);
}
