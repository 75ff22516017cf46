import { earlyOf } from '../record/record.js';
import type { SignOutReason } from '../values.js';
import { ended, signedIn, signOutAsked, userChanged } from './ends.js';
import { failed, refused, rotated } from './renewal.js';
import { earlyDefault } from './rules.js';
import { tokenOf } from './state.js';
import type { Action, MachineEvent, MachineState, Moment, Result, SignedIn } from './state.js';
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
  handle(machine, event);
  return [machine.state, machine.actions];
}

/** Returns the access token if it is fresh, which is all that nearly every call needs. */
export function freshToken(state: MachineState, minimum: number, now: number, early: number): string | undefined {
  const session = state.phase;
  if (session.at !== 'signedIn') return undefined;
  return tokenOf(session, Math.max(earlyOf(session.record, early), minimum), now);
}

function handle(m: Machine, event: MachineEvent): void {
  switch (event.is) {
    case 'read': return read(m, event.item);
    case 'unreadable': return unreadable(m, event.trouble);
    case 'written': return written(m, event.version);
    case 'found': return found(m, event.item, event.version);
    case 'unwritten': return unwritten(m, event.version, event.trouble);
    case 'wanted': return serve(m, { caller: event.caller, minimum: event.minimum });
    case 'refusedByAPI': return refusedByAPI(m, event.caller, event.token);
    case 'cancelled': return cancelled(m, event.caller);
    case 'signedIn': return signedIn(m, event.caller, event.record, event.isNewUser);
    case 'signOutAsked': return signOutAsked(m, event.caller, event.scope);
    case 'deleted': return ended(m, 'deleted');
    case 'userChanged': return userChanged(m, event.user);
    case 'rotated': return rotated(m, event.version, event.tokens);
    case 'failed': return failed(m, event.version, event.fault, event.jitter);
    case 'refused': return refused(m, event.version, event.verdict, event.jitter);
    case 'changed': return changed(m, event.change, event.jitter);
    case 'woke': return woke(m);
  }
}

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
