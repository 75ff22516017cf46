// The driver's end of the wire: JSON lines on standard input and output, and the store and the clock, which the runner holds.
import { AuthError, StoreFailure } from '../../../../Shared/LatchkeyAuthTypeScript/core/index.js';
import type {
  Clock, Event, Fault, Members, PasskeySheet, SessionStore, SignIn, State, StoreTrouble,
} from '../../../../Shared/LatchkeyAuthTypeScript/core/index.js';

/** A line from the runner: a call, or its answer to a question about the store. */
// deno-lint-ignore no-explicit-any
export type Message = Record<string, any>;

export const tell = (line: Message): void => process.stdout.write(JSON.stringify(line) + '\n');

const questions = new Map<number, (reply: Message) => void>();
let lastQuestion = 0;

/** Asks the runner, which has the store. */
function ask(question: Message): Promise<Message> {
  const id = ++lastQuestion;
  return new Promise((resolve) => {
    questions.set(id, resolve);
    tell({ ask: id, ...question });
  });
}

export function replied(message: Message): void {
  const resolve = questions.get(message.reply);
  questions.delete(message.reply);
  if (resolve) resolve(message);
}

/** The runner's store: one item, which several processes share. */
export const store: SessionStore = {
  load: async () => item(await ask({ what: 'load' })),
  keepNewer: async (text, version) => item(await ask({ what: 'keep', item: text, ...version })),
};

function item(reply: Message): string | null {
  if (reply.trouble) throw new StoreFailure(reply.trouble as StoreTrouble);
  return typeof reply.item === 'string' ? reply.item : null;
}

/** The runner's sheet for passkeys. */
export const sheet: PasskeySheet = {
  create: async (options) => credential(await ask({ what: 'create', options: JSON.stringify(options) })),
  get: async (options) => credential(await ask({ what: 'get', options: JSON.stringify(options) })),
  accepted: async (_rpID, _userHandle, ids) => tell({ event: `accepted:${ids.join('+') || 'nothing'}` }),
};

function credential({ trouble, credential: text }: Message): Members {
  if (trouble) throw new AuthError({ kind: trouble === 'exists' ? 'passkeyExists' : 'cancelled' });
  return JSON.parse(text);
}

/** The runner's clocks, as each line tells them. */
export class RunnerClock implements Clock {
  private time = { now: 1000, wall: 1_800_000_000 };
  private timers: { at: number; body: () => void }[] = [];
  private watchers: (() => void)[] = [];

  now(): number { return this.time.now; }
  wall(): number { return this.time.wall; }

  after(seconds: number, body: () => void): () => void {
    const timer = { at: this.time.now + seconds, body };
    this.timers.push(timer);
    for (const watcher of this.watchers.splice(0)) watcher();
    return () => void (this.timers = this.timers.filter((each) => each !== timer));
  }

  set(time: { now: number; wall: number }): void {
    this.time = time;
    const due = this.timers.filter((timer) => timer.at <= time.now);
    this.timers = this.timers.filter((timer) => timer.at > time.now);
    for (const timer of due) timer.body();
  }

  /** Waits until a timer runs, so that a scenario can move the clock past it. */
  async sleeping(): Promise<void> {
    if (!this.timers.length) await new Promise<void>((resolve) => void this.watchers.push(resolve));
  }
}

// The words of the scenarios

export function eventWord(event: Event): string {
  switch (event.is) {
    case 'signedIn': return event.isNewUser ? 'signedIn:new' : 'signedIn';
    case 'renewalDeferred': return `deferred:${errorWord(event.fault)}`;
    case 'signedOut': return `signedOut:${event.reason}`;
    case 'signedOutOnServer': return event.confirmed ? 'server:confirmed' : 'server:unconfirmed';
    default: return event.is;
  }
}

export function errorWord(error: unknown): string {
  const fault = error as Fault;
  if ((error as Error).name === 'AbortError') return 'cancelled';
  if (error instanceof Error && !(error instanceof AuthError)) process.stderr.write(`${error.stack}\n`);
  switch (fault.kind) {
    case 'signedOut': return fault.reason ? `signedOut:${fault.reason}` : 'signedOut';
    case 'invalid': return `invalid:${fault.field}:${fault.code}`;
    case 'refused': return `refused:${fault.status}:${fault.code}`;
    case 'secondIdentityRequired': case 'mergeProofRequired': case 'secondFactorRequired': return `${fault.kind}:${fault.methods?.join('+')}`;
    default: {
      const facts = [fault.why, fault.movesAt, fault.mergeToken && 'mergeable', fault.restoreToken && 'restorable'];
      return [fault.kind || 'unexpected', ...facts].filter(Boolean).join(':');
    }
  }
}

export const signInWord = ({ isNewUser, wasRestored }: SignIn): string =>
  ['signedIn', isNewUser && 'new', wasRestored && 'restored'].filter(Boolean).join(':');

export function stateWord(state: State): string {
  if (state.at === 'signedOut') return state.reason ? `signedOut:${state.reason}` : 'signedOut';
  if (state.at !== 'signedIn') return state.at;
  return `signedIn:${state.freshness}` + (state.fault ? `:${errorWord(state.fault)}` : '');
}
