import { earlyOf } from '../record/record.js';
import { machineAt, type Machine } from './change.js';
import { outdated, over, signedIn, signOutAsked, signOutConfirmed, userChanged } from './ends.js';
import { failed, refused, rotated } from './renewal.js';
import { freshTokenOf } from './state.js';
import type { Action, EventOf, MachineEvent, MachineState, Moment } from './state.js';
import { found, read, unreadable, unwritten, written } from './store.js';
import { changed, woke } from './surroundings.js';
import { cancelled, refusedByAPI, serve } from './tokens.js';

/** The state at the start. */
export const firstState: MachineState = { phase: { at: 'starting' }, waiters: [], isInBackground: false, kept: [] };

/**
 * Returns the state after an event, and what to do.
 *
 * The machine is pure: no input or output, no clock, no randomness. The same events always lead to the same actions, so the rows in
 * `Tests/Clients/machine` bind this machine and those of the other languages. The engine performs the actions.
 */
export function step(
  state: MachineState, event: MachineEvent, moment: Moment, early?: number,
): [MachineState, Action[]] {
  const machine = machineAt(state, moment, early);
  (handlers[event.is] as (m: Machine, event: MachineEvent) => void)(machine, event);
  return [machine.state, machine.actions];
}

/** Returns the access token if it is fresh, which is all that nearly every call needs. */
export function freshToken(state: MachineState, minimum: number, now: number, early: number): string | undefined {
  const session = state.phase;
  if (session.at !== 'signedIn') return undefined;
  return freshTokenOf(session, Math.max(earlyOf(session.record, early), minimum), now);
}

/** What each kind of event leads to. */
const handlers: { readonly [Kind in MachineEvent['is']]: (m: Machine, event: EventOf<Kind>) => void } = {
  read, unreadable, written, found, unwritten,
  wanted: serve, refusedByAPI, cancelled,
  signedIn, signOutAsked, signOutConfirmed, over, outdated, userChanged,
  rotated, failed, refused,
  changed, woke,
};
