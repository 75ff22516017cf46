import type { Event, SignOutReason } from '../values.js';
import type { KeptSignOut, NewItem, StoredItem } from '../record/item.js';
import type { StoreVersion } from '../ports.js';
import { earlyDefault, keptMax } from './rules.js';
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

/** The version of what is known: of the session, or of the sign-out. */
export function known(m: Machine): StoreVersion {
  const { phase } = m.state;
  return phase.at === 'signedIn' ? phase.record.version : phase.at === 'signedOut' ? phase.version : { epoch: 0, generation: 0 };
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

/** Answers several callers. */
export function answerEach(m: Machine, callers: readonly number[] | undefined, result: Result): void {
  for (const caller of callers || []) answer(m, caller, result);
}

/** Answers all callers that wait. */
export function answerAll(m: Machine, result: Result): void {
  answerEach(m, m.state.waiters.map((waiter) => waiter.caller), result);
  set(m, { waiters: [] });
}

/** Writes the session's record again. */
export function save(m: Machine, session: SignedIn): void {
  become(m, session, { saved: 'saving' });
  write(m, { is: 'record', record: session.record });
}

/** Writes an item, with the sign-outs that the server has not confirmed. */
export function write(m: Machine, item: NewItem): void {
  m.actions.push({ do: 'write', item: { ...item, kept: m.state.kept } });
}

/** Writes a sign-out. */
export function writeSignOut(m: Machine, version: StoreVersion, reason: SignOutReason = 'ended'): void {
  write(m, { is: 'signedOut', version, reason });
}

/** Writes the sign-out again if that has failed before. */
export function saveSignOut(m: Machine): void {
  const { phase } = m.state;
  if (phase.at === 'signedOut' && !phase.isStored) writeSignOut(m, phase.version, phase.reason);
}

// Sign-outs that the server has not confirmed

/** Keeps further ones, such as those of an item that was read. A few are enough: each was made by a user. */
export function keep(m: Machine, { kept: more = [] }: Pick<StoredItem, 'kept'>): void {
  const known = m.state.kept.map((each) => each.since);
  set(m, { kept: [...m.state.kept, ...more.filter((each) => !known.includes(each.since))].slice(-3) });
}

/** Lets go of those that do not pass a test. A stored sign-out is written without them. */
export function letGo(m: Machine, stays: (signOut: KeptSignOut) => boolean): void {
  const kept = m.state.kept.filter(stays);
  if (kept.length === m.state.kept.length) return;
  set(m, { kept });
  const { phase } = m.state;
  if (phase.at !== 'signedOut') return;
  const version = { ...phase.version, generation: phase.version.generation + 1 };
  set(m, { phase: { ...phase, version, isStored: false } });
  saveSignOut(m);
}

/** Whether one names its session. A mark, which has no token, would end the session whose cookie the browser has now. */
export const hasToken = ({ accessToken, refreshToken }: KeptSignOut): boolean => !!(accessToken || refreshToken);

/** Sends them again. */
export function makeGood(m: Machine): void {
  letGo(m, (each) => m.wall - each.since < keptMax && (m.state.phase.at === 'signedOut' || hasToken(each)));
  for (const kept of m.state.kept) m.actions.push({ do: 'signOutOnServer', signOut: kept, kept });
}
