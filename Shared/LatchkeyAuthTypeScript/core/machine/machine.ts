import { earlyOf } from '../record/record.js';
import type { Event, SignOutReason } from '../values.js';
import { ended, signedIn, signOutAsked, userChanged } from './ends.js';
import { failed, refused, rotated } from './renewal.js';
import { earlyDefault } from './rules.js';
import { tokenOf } from './state.js';
import type { Action, EventOf, MachineEvent, MachineState, Moment, Result, SignedIn } from './state.js';
import { found, read, unreadable, unwritten, written } from './store.js';
import { changed, woke } from './surroundings.js';
import { cancelled, refusedByAPI, serve } from './tokens.js';

/**
 * The machine that keeps a session, at work on one event: what it knows, and what follows.
 *
 * It is pure: no input or output, no clock, no randomness. The same events always lead to the same actions, so the rows in
 * `Tests/Clients/machine` bind this machine and those of the other languages. The engine performs the actions.
 */
export interface Machine extends Moment {
  state: MachineState;
  readonly actions: Action[];
  readonly early: number;
}

/** The state at the start. */
export const firstState: MachineState = { phase: { at: 'starting' }, waiters: [], isInBackground: false };

/** Returns the state after an event, and what to do. */
export function step(
  state: MachineState, event: MachineEvent, moment: Moment, early: number = earlyDefault,
): [MachineState, Action[]] {
  const machine: Machine = { state, actions: [], early, ...moment };
  (handlers[event.is] as (m: Machine, event: MachineEvent) => void)(machine, event);
  return [machine.state, machine.actions];
}

/** Returns the access token if it is fresh, which is all that nearly every call needs. */
export function freshToken(state: MachineState, minimum: number, now: number, early: number): string | undefined {
  const session = state.phase;
  if (session.at !== 'signedIn') return undefined;
  return tokenOf(session, Math.max(earlyOf(session.record, early), minimum), now);
}

/** What each kind of event leads to. */
const handlers: { readonly [Kind in MachineEvent['is']]: (m: Machine, event: EventOf<Kind>) => void } = {
  read, unreadable, written, found, unwritten,
  wanted: serve, refusedByAPI, cancelled,
  signedIn, signOutAsked, deleted: (m) => ended(m, 'deleted'), userChanged,
  rotated, failed, refused,
  changed, woke,
};

// What several parts use

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
