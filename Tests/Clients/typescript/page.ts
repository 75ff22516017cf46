// A browser's globals, as far as the library for the web uses them.

/** What scripts of the page can store, and what a test looks into. */
export const stored = new Map<string, string>();
const listeners = new Map<string, Set<() => void>>();
const target = {
  addEventListener: (name: string, body: () => void) => void listeners.set(name, (listeners.get(name) || new Set()).add(body)),
  removeEventListener: (name: string, body: () => void) => void (listeners.get(name) || new Set()).delete(body),
};
const realNow = Date.now;
let passed = 0;

Object.assign(globalThis, {
  window: target,
  document: { ...target, visibilityState: 'visible' },
  localStorage: {
    getItem: (name: string) => stored.has(name) ? stored.get(name) : null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  },
});
Date.now = () => realNow() + passed;

/** Lets the page sleep for a number of seconds: no code runs, and no timer ticks. */
export function sleep(seconds: number): void { passed += seconds * 1000; }

export function dispatch(name: string): void { for (const body of [...listeners.get(name) || []]) body(); }

/** Waits until something holds, for at most two seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let rounds = 0; rounds < 400; rounds++) {
    if (holds()) return;
    await pause(5);
  }
  throw new Error(`in vain: ${what}`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
