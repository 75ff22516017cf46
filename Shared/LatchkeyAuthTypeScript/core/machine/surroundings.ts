import { earlyOf } from '../record/record.js';
import type { FaultKind } from '../values.js';
import { become, makeGood, save, saveSignOut, sessionOf, set, type Machine } from './change.js';
import { wakeMax } from './rules.js';
import type { EventOf, SignedIn } from './state.js';
import { renew, restInBackground } from './tokens.js';

// Changes of the device and the app. No timer runs: a renewal begins when a token is wanted, or when the app comes back.

/** Faults that may be gone with another network. Where the server has asked to wait, they are not. */
const ofTheNetwork: FaultKind[] = ['offline', 'timedOut', 'untrustedServer', 'notLatchkey'];

/** Handles a change. */
export function changed(m: Machine, { change, jitter }: EventOf<'changed'>): void {
  if (change === 'background') {
    set(m, { isInBackground: true });
    return restInBackground(m);
  }
  if (change === 'foreground') set(m, { isInBackground: false });
  if (change !== 'networkBack') catchUp(m);
  makeGood(m);
  const session = sessionOf(m);
  if (change !== 'protectedDataThere' && session && isDue(m, session)) m.actions.push({ do: 'wake', after: wakeMax * jitter });
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

/** A short while after the app or the network came back. */
export function woke(m: Machine): void {
  const session = sessionOf(m);
  if (!session || m.state.isInBackground || session.isResting || !isDue(m, session)) return;
  const { mode } = session;
  if (mode.is === 'waiting' && ofTheNetwork.includes(mode.fault.kind)) become(m, session, { mode: { ...mode, until: m.now } });
  renew(m);
}

function isDue(m: Machine, session: SignedIn): boolean {
  return session.mode.is === 'waiting' || m.now + earlyOf(session.record, m.early) >= session.deadline;
}
