// One renewal at a time over all tabs of a browser, where it has locks.

/** The time in milliseconds for which a tab waits for another tab's renewal. Then it renews without the lock. */
const patience = 3000;

/** The time in milliseconds that another tab's message may take. */
const delivery = 50;

/** The work of a tab that holds the lock. */
export interface Turn<Result> {
  /** Does the work. */
  run(): Promise<Result>;
  /** What another tab has found meanwhile, if this one had to wait for it. */
  found(): Result | undefined;
  /** Waits until the other tabs can know the result. */
  told(): Promise<unknown>;
}

/**
 * Takes a turn with the other tabs: does the work alone, or takes what another tab has found.
 *
 * A tab that is frozen in its turn holds nobody up: after three seconds the work is done without the lock, which is as safe. The lock
 * only spares requests.
 */
export function takeTurn<Result>(name: string, turn: Turn<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isBegun = false;
    const begin = (): Promise<unknown> => {
      isBegun = true;
      const work = turn.run();
      work.then(resolve, reject);
      return work.then(() => turn.told(), () => {});
    };
    const wait = async (): Promise<void> => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), patience);
      await navigator.locks.request(name, { signal: controller.signal }, async () => {
        clearTimeout(timer);
        await pause(delivery);
        const found = turn.found();
        if (found === undefined) return begin();
        isBegun = true;
        resolve(found);
      });
    };
    const ask = async (): Promise<void> => {
      const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock) await begin();
        return lock !== null;
      });
      if (!isFree) await wait();
    };
    // A browser may have no locks, refuse them, or end the wait.
    ask().catch(() => isBegun || begin());
  });
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));
