import { within, type API } from './http/api.js';
import { endOnServer, renewSession } from './http/session.js';
import { firstState, freshToken, step } from './machine/machine.js';
import { usable } from './machine/rules.js';
import { isOutdated, tokenOf } from './machine/state.js';
import type { Action, ActionOf, EventOf, MachineEvent, MachineState, Result } from './machine/state.js';
import type { Clock, SessionStore, Signal, StoreFailure, StoreVersion } from './ports.js';
import { itemText, parseItem, versionOf, type StoredItem } from './record/item.js';
import type { SessionRecord } from './record/record.js';
import { AuthError, type Event, type SignOutResult, type State, type StoreTrouble, type User } from './values.js';

/** The time in seconds after which a store that does not answer counts as unavailable. */
const portLimit = 10;

/** An event to which the machine answers, without the number of its caller. */
type Question =
  | Omit<EventOf<'wanted'>, 'caller'> | Omit<EventOf<'refusedByAPI'>, 'caller'> | Omit<EventOf<'signedIn'>, 'caller'>
  | Omit<EventOf<'signOutAsked'>, 'caller'>;

/** The shell around the machine: feeds it with events, and performs its actions in their order. */
export interface Engine {
  state(): State;
  user(): User | undefined;
  /** Waits until the store has answered for the first time. */
  ready(): Promise<unknown>;
  /** The access token if it is fresh, without any waiting. */
  freshToken(minimum: number): string | undefined;
  /** Reads the store: at the start, and when another process has written to it. The result is the end of that. */
  read(): Promise<unknown>;
  feed(event: MachineEvent): void;
  /** Feeds an event, and returns the answer that the machine gives to it, now or later. */
  ask(event: Question, signal?: Signal): Promise<string>;
  /** Signs out, and waits until that is stored and confirmed, for 10 seconds at most. */
  signOut(scope?: 'all'): Promise<SignOutResult>;
  /** The session's record, if there is one. */
  record(): SessionRecord | undefined;
  /** Whether the access token is older than what the server knows of the user. */
  isOutdated(): boolean;
  /** The access token if it is usable, also if a newer one is wanted. */
  usableToken(): string | undefined;
  /** Tells the listeners of an event that the machine does not know. */
  report(event: Event): void;
  /** Calls a function after every change of the state or the user. Returns a function that ends this. */
  subscribe(body: () => void): () => void;
  /** Calls a function for every event. Returns a function that ends this. */
  onEvent(body: (event: Event) => void): () => void;
}

/**
 * Creates the shell. Everything that it knows is in variables of this function, so that no debugger's or logger's print of the
 * client has a token in it.
 */
export function makeEngine(api: API, store: SessionStore, clock: Clock, early: number): Engine {
  let state: MachineState = firstState;
  let shown: State = { at: 'starting' };
  let user: User | undefined;
  let lastCaller = 0;
  /** The end of the last access to the store: one waits for the other. */
  let queue: Promise<unknown> = Promise.resolve();
  /** The end of the first reading. */
  let started = queue;
  /** Sign-outs that are on their way, by their dates. */
  const sending = new Map<number, Promise<boolean>>();
  const callers = new Map<number, (result: Result) => void>();
  const subscribers = new Set<() => void>();
  const listeners = new Set<(event: Event) => void>();

  function feed(event: MachineEvent): void {
    const [next, actions] = step(state, event, { now: clock.now(), wall: clock.wall() }, early);
    state = next;
    for (const action of actions) (performers[action.do] as (action: Action) => void)(action);
    show();
  }

  const record = (): SessionRecord | undefined => state.phase.at === 'signedIn' ? state.phase.record : undefined;

  function show(): void {
    const next = stateOf(state);
    const nextUser = record()?.user;
    const isSame = JSON.stringify(next) === JSON.stringify(shown);
    if (isSame && user === nextUser) return;
    if (!isSame) shown = next;
    user = nextUser;
    later(subscribers, undefined);
  }

  // Actions

  /** What begins each kind of action. What it leads to comes back as another event; nothing here waits. */
  const performers: { readonly [Kind in Action['do']]: (action: ActionOf<Kind>) => void } = {
    read, write, renew, answer, emit, signOutOnServer,
    wake: ({ after }) => clock.after(after, () => feed({ is: 'woke' })),
  };

  function read(): Promise<unknown> {
    access(
      () => store.load(), 'unreadable',
      (item) => ({ is: 'read', item: parse(item) }),
      (trouble) => ({ is: 'unreadable', trouble }));
    if (shown.at === 'starting') started = queue;
    return queue;
  }

  function write({ item }: ActionOf<'write'>): void {
    const version: StoreVersion = versionOf(item);
    access(
      () => store.keepNewer(itemText(item), version), 'unwritable',
      (found) => found === null ? { is: 'written', version } : { is: 'found', item: parse(found), version },
      (trouble) => ({ is: 'unwritten', version, trouble }));
  }

  function access<Value>(
    use: () => Promise<Value>, trouble: StoreTrouble,
    done: (value: Value) => MachineEvent, failed: (trouble: StoreTrouble) => MachineEvent,
  ): void {
    queue = queue.then(() => within(clock, portLimit, use()))
      .then(done, (error) => failed((error as StoreFailure).trouble || trouble)).then(feed);
  }

  const parse = (item: string | null): StoredItem => parseItem(item, api.baseURL.text, api.byCookie);

  async function renew({ record }: ActionOf<'renew'>): Promise<void> {
    const event = { version: record.version, jitter: Math.random(), ...await renewSession(api, record) };
    feed(event);
  }

  async function signOutOnServer({ signOut, caller, kept }: ActionOf<'signOutOnServer'>): Promise<void> {
    const date = kept && kept.since;
    if (date && !caller && sending.has(date)) return;
    const sent = endOnServer(api, signOut);
    if (date) sending.set(date, sent);
    const confirmed = await sent;
    if (!date) return;
    sending.delete(date);
    if (confirmed) feed({ is: 'signOutConfirmed', signOut: kept });
    if (!confirmed && !caller) return;
    emit({ event: { is: 'signedOutOnServer', confirmed } });
    if (caller) answer({ caller, result: { ok: confirmed ? 'confirmed' : '' } });
  }

  api.first = () => started.then(() => Promise.all(sending.values()));

  async function signOut(scope?: 'all'): Promise<SignOutResult> {
    const isConfirmed = await ask({ is: 'signOutAsked', scope }) === 'confirmed';
    await within(clock, portLimit, queue).catch(() => {});
    // A sign-in that came since has taken its place.
    return { isStored: state.phase.at === 'signedOut' ? state.phase.isStored : state.phase.at === 'signedIn', isConfirmed };
  }

  function answer({ caller, result }: Omit<ActionOf<'answer'>, 'do'>): void {
    callers.get(caller)?.(result);
    callers.delete(caller);
  }

  function emit({ event }: Omit<ActionOf<'emit'>, 'do'>): void {
    later(listeners, event);
  }

  async function ask(event: Question, signal?: Signal): Promise<string> {
    const caller = ++lastCaller;
    const cancel = () => feed({ is: 'cancelled', caller });
    const result = await new Promise<Result>((resolve) => {
      callers.set(caller, resolve);
      feed({ ...event, caller });
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel);
    });
    signal?.removeEventListener('abort', cancel);
    if ('ok' in result) return result.ok;
    throw new AuthError(result.fault);
  }

  return {
    feed, read, ask, signOut, record,
    isOutdated: () => state.phase.at === 'signedIn' && isOutdated(state.phase),
    usableToken: () => state.phase.at === 'signedIn' ? tokenOf(state.phase, usable, clock.now()) : undefined,
    ready: () => started,
    state: () => shown,
    user: () => user,
    freshToken: (minimum) => freshToken(state, minimum, clock.now(), early),
    report: (event) => emit({ event }),
    subscribe: (body) => added(subscribers, body),
    onEvent: (body) => added(listeners, body),
  };
}

/** Calls functions once the machine has moved on, so that they may call anything. */
function later<Value>(bodies: Set<(value: Value) => void>, value: Value): void {
  for (const body of bodies) Promise.resolve().then(() => bodies.has(body) && body(value));
}

function added<Body>(bodies: Set<Body>, body: Body): () => void {
  bodies.add(body);
  return () => void bodies.delete(body);
}

/** The machine's knowledge as an app sees it. */
function stateOf({ phase }: MachineState): State {
  if (phase.at === 'signedOut') return { at: phase.at, reason: phase.reason };
  if (phase.at !== 'signedIn') return phase;
  const { at, mode, record: { userID } } = phase;
  if (mode.is === 'waiting') return { at, userID, freshness: 'overdue', fault: mode.fault };
  return { at, userID, freshness: mode.is === 'idle' ? 'fresh' : 'renewing' };
}
