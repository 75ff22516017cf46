import type { Members } from './support/json.js';
import type { Change, StoreTrouble } from './values.js';

/**
 * The place where a session is stored. One store holds one item.
 *
 * Several processes may use the same store at the same time. Nothing is ever deleted: a sign-out is an item as well.
 */
export interface SessionStore {
  /** Reads the item. `null` only if there surely is none. Rejects with {@link StoreFailure}. */
  load(): Promise<string | null>;
  /**
   * Writes the item if the stored one is older, or if there is none. Comparing and writing must be one step for all
   * processes that share the store: otherwise an old token could be written over a newer one.
   *
   * @returns `null` if the item was written, or the stored one if that is as new or newer.
   */
  keepNewer(item: string, version: StoreVersion): Promise<string | null>;
}

/** A stored item's version; the higher one wins. */
export interface StoreVersion {
  /** The number of sign-ins and sign-outs. */
  readonly epoch: number;
  /** The number of renewals since the sign-in. */
  readonly generation: number;
}

/** A failure of the store. */
export class StoreFailure extends Error {
  constructor(readonly trouble: StoreTrouble) {
    super(`The session store failed: ${trouble}`);
    this.name = 'StoreFailure';
  }
}

/** The device's clocks. */
export interface Clock {
  /** The time in seconds on a clock that cannot be set and that goes on while the device sleeps. */
  now(): number;
  /** The date in Unix seconds. It may be wrong: it only serves to compare times across a restart of the app. */
  wall(): number;
  /** Calls a function after a number of seconds. Returns a function that cancels it. */
  after(seconds: number, body: () => void): () => void;
}

/** The options of a sign-in by a passkey. */
export interface PasskeyChoice {
  /** Offers the passkeys in the suggestions of a field, and waits until the user chooses one. Only web pages have this. */
  readonly conditional?: boolean;
  /** Closes the sheet. */
  readonly signal?: Signal;
}

/**
 * The platform's sheet for passkeys. Options and credentials have the JSON forms of Web Authentication Level 3.
 *
 * Rejects with an `AuthError`: `cancelled` if the user closes the sheet, `passkeyExists` if the device has one of `excludeCredentials`.
 */
export interface PasskeySheet {
  create(options: Members): Promise<Members>;
  get(options: Members, choice: PasskeyChoice): Promise<Members>;
  /** Tells the platform which passkeys an account has, so that it offers no others. Absent where it cannot be told. */
  accepted?(rpID: string, userHandle: string, credentialIDs: string[]): Promise<unknown>;
}

/** Changes of the device and the app. Returns a function that ends the subscription. */
export type Surroundings = (changed: (change: Change) => void) => () => void;

/** Returns that many bytes from a cryptographically secure source. */
export type RandomBytes = (count: number) => Uint8Array;

/** The part of the platform's `fetch` that the library uses. The first argument is a URL, or the platform's own request. */
// deno-lint-ignore no-explicit-any
export type Fetch<R extends FetchResponse = FetchResponse> = (url: any, init: FetchInit) => Promise<R>;

/** The part of a `Request` that the library uses. */
export interface FetchRequest {
  readonly url: string;
  readonly headers: FetchOptions['headers'];
  readonly redirect?: string;
  readonly signal?: Signal;
  clone(): unknown;
}

/** The part of a request's settings that the library sets; further ones are passed on. */
export interface FetchInit {
  method?: string;
  /** Fields by name; `Headers` for an app's request. */
  // deno-lint-ignore no-explicit-any
  headers?: any;
  // deno-lint-ignore no-explicit-any
  body?: any;
  redirect?: 'follow' | 'manual' | 'error';
  credentials?: 'include' | 'omit' | 'same-origin';
  cache?: 'default' | 'no-store' | 'reload' | 'no-cache' | 'force-cache' | 'only-if-cached';
  // deno-lint-ignore no-explicit-any
  signal?: any;
}

/** The settings of an app's request; others are passed on. */
export interface FetchOptions extends Omit<FetchInit, 'headers'> {
  /** Fields by name, a list of pairs, or the platform's `Headers`. */
  headers?: Record<string, string> | string[][] | { forEach(body: (value: string, name: string) => void): void };
}

/** The part of a response that the library reads. */
export interface FetchResponse {
  readonly status: number;
  readonly redirected?: boolean;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  clone?(): { text(): Promise<string> };
}

/** The part of an `AbortSignal` that the library uses. */
export interface Signal {
  readonly aborted: boolean;
  // deno-lint-ignore no-explicit-any
  readonly reason?: any;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
