import type { Event, SignOutReason } from '../values.js';
import { earlyDefault } from './rules.js';
import type { Action, MachineState, Moment, Result, SignedIn } from './state.js';

/**
 * The machine at work on one event: what it knows, and what is to be done.
 *
 * A step reads and changes this alone. The steps are layers, each of which uses those below it: these changes, then `tokens.ts` and
 * `ends.ts`, then `renewal.ts` and `surroundings.ts`, then `store.ts`, and at the top `machine.ts`.
 */
export interface Machine extends Moment {
  state: MachineState;
  readonly actions: Action[];
  readonly early: number;
}

/** The machine before an event. */
export const machineAt = (state: MachineState, moment: Moment, early: number = earlyDefault): Machine =>
  ({ state, actions: [], early, ...moment });

/** The session, if there is one. */
export function sessionOf(m: Machine): SignedIn | undefined {
  return m.state.phase.at === 'signedIn' ? m.state.phase : undefined;
}

/** Sets the phase, or changes members of the state. */
export function set(m: Machine, change: Partial<MachineState>): void {
  m.state = { ...m.state, ...change };
}

/** Changes members of a session and makes it the phase. */
export function become(m: Machine, session: SignedIn, change: Partial<SignedIn> = {}): SignedIn {
  const phase = { ...session, ...change };
  set(m, { phase });
  return phase;
}

/** Tells the app of a change. */
export function emit(m: Machine, event: Event): void {
  m.actions.push({ do: 'emit', event });
}

/** Answers one caller. */
export function answer(m: Machine, caller: number, result: Result): void {
  m.actions.push({ do: 'answer', caller, result });
}

/** Answers all callers that wait. */
export function answerAll(m: Machine, result: Result): void {
  for (const waiter of m.state.waiters) answer(m, waiter.caller, result);
  set(m, { waiters: [] });
}

/** Writes the session's record again. */
export function save(m: Machine, session: SignedIn): void {
  become(m, session, { saved: 'saving' });
  m.actions.push({ do: 'write', item: { is: 'record', record: session.record } });
}

/** Writes a sign-out. */
export function writeSignOut(m: Machine, epoch: number, reason: SignOutReason): void {
  m.actions.push({ do: 'write', item: { is: 'signedOut', epoch, reason } });
}

/** Writes the sign-out again if that has failed before. */
export function saveSignOut(m: Machine): void {
  const { phase } = m.state;
  if (phase.at === 'signedOut' && !phase.isStored) writeSignOut(m, phase.epoch, phase.reason || 'ended');
}
