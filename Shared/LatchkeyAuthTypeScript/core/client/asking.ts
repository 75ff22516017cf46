import type { Engine } from '../engine.js';
import type { Signal } from '../ports.js';
import { AuthError } from '../values.js';

/** Lets the app's user show again who they are. */
export interface Asking {
  /** Sets the app's part. Returns a function that takes it off. */
  set(body: () => Promise<unknown>): () => void;
  /** Asks the user once for all calls that wait, and returns whether they did it. */
  ask(signal?: Signal): Promise<boolean>;
}

/** Creates what asks the user. The question is over when its session is, also if the app's part goes on. */
export function makeAsking({ onEvent }: Engine): Asking {
  let part: (() => Promise<unknown>) | undefined;
  let asked: Promise<boolean> | undefined;

  async function begin(body: () => Promise<unknown>): Promise<boolean> {
    let leave: () => void = () => {};
    const isOver = new Promise<boolean>((resolve) => {
      leave = onEvent(({ is }) => (is === 'signedOut' || is === 'signedIn') && resolve(false));
    });
    const isDone = Promise.resolve().then(body).then(() => true, () => false);
    return Promise.race([isOver, isDone]).finally(leave);
  }

  return {
    set(body) {
      part = body;
      return () => void (part === body && (part = undefined));
    },
    async ask(signal) {
      if (!part) return false;
      asked ||= begin(part).finally(() => (asked = undefined));
      return unlessAborted(asked, signal);
    },
  };
}

/** Waits for some work, but not longer than its caller wants. */
function unlessAborted<Value>(work: Promise<Value>, signal?: Signal): Promise<Value> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AuthError({ kind: 'cancelled' }));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
