// `navigator.locks` of a browser, as far as the library uses it.

interface Options { ifAvailable?: boolean; signal?: AbortSignal }

/** The locks of all tabs: each name has one holder, and the others wait in their order. */
export class Locks {
  private held = new Map<string, Promise<unknown>>();

  /** Whether nobody has a lock or waits for one. */
  get areFree(): boolean { return this.held.size === 0; }

  async request<Result>(name: string, { ifAvailable, signal }: Options, body: (lock: object | null) => Promise<Result>): Promise<Result> {
    if (ifAvailable && this.held.has(name)) return body(null);
    while (this.held.has(name)) await Promise.race([this.held.get(name), aborted(signal)]);
    const work = body({ name });
    const held = work.then(() => {}, () => {}).then(() => void this.held.delete(name));
    this.held.set(name, held);
    return work;
  }
}

function aborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal) signal.addEventListener('abort', () => reject(Object.assign(new Error(), { name: 'AbortError' })));
  });
}
