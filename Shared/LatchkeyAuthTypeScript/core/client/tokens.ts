import { makeEngine, type Engine } from '../engine.js';
import { sendWith, type API, type Call } from '../http/api.js';
import { success } from '../http/reply.js';
import { earlyDefault } from '../machine/rules.js';
import type { FetchInit, FetchResponse, Signal } from '../ports.js';
import { base64url } from '../support/bytes.js';
import type { Members } from '../support/json.js';
import type { AuthError, Event, SignOutScope, State, User } from '../values.js';
import { apiOf, type Configuration } from './configuration.js';

/** A session's state and tokens: what {@link LatchkeyAuth} is built on. */
export class SessionTokens<R extends FetchResponse = FetchResponse> {
  /** The shell of the machine. It is no part of the public interface. */
  protected readonly engine: Engine;
  /** The requests to the server. They are no part of the public interface. */
  protected readonly api: API;
  protected readonly configuration: Configuration<R>;
  private readonly leaveSurroundings?: () => void;

  constructor(configuration: Configuration<R>) {
    const { random, surroundings, store, clock, early = earlyDefault } = configuration;
    if (random?.(16).length !== 16) {
      throw new TypeError('LatchkeyAuth needs `random`, a secure source of bytes.');
    }
    const api = this.api = apiOf(configuration);
    const engine = this.engine = makeEngine(api, store, clock, early);
    this.configuration = configuration;
    this.subscribe = engine.subscribe;
    this.onEvent = engine.onEvent;
    this.leaveSurroundings = surroundings?.((change) => engine.feed({ is: 'changed', change, jitter: Math.random() }));
    engine.read();
  }

  // What is known

  /** The present state, without waiting. The same object is returned until it changes. */
  get state(): State {
    return this.engine.state();
  }

  /** The profile as the server last returned it, if it is known. */
  get user(): User | undefined {
    return this.engine.user();
  }

  /** Waits until the store has answered for the first time, and returns the state. */
  async ready(): Promise<State> {
    if (this.state.at === 'starting') {
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => this.state.at === 'starting' || resolve(stop()));
      });
    }
    return this.state;
  }

  /** Calls a function after every change of the state or the user. Returns a function that ends this. */
  readonly subscribe: (body: () => void) => () => void;

  /** Calls a function for every event. It may call anything. Returns a function that ends this. */
  readonly onEvent: (body: (event: Event) => void) => () => void;

  /** Reads the store again. To be called when another process or tab has written to it. */
  storeChanged(): void {
    this.engine.read();
  }

  /** Ends the subscription to the surroundings. The session stays in the store. */
  close(): void {
    this.leaveSurroundings?.();
  }

  // Tokens

  /**
   * Returns an access token.
   *
   * A fresh one is returned at once. One that ends soon is renewed; callers that come meanwhile wait for the same renewal. If that
   * fails, a token that still lives is returned. Rejects with {@link AuthError}. A text without characters stands for a token that
   * is in a cookie, which browsers send by themselves.
   *
   * @param options.validFor the lifetime in seconds that the token should have left.
   * @param options.signal ends the wait of this caller; a renewal goes on.
   */
  async accessToken(options: { validFor?: number; signal?: Signal } = {}): Promise<string> {
    const { validFor: minimum = 30, signal } = options;
    return this.engine.freshToken(minimum) ?? this.engine.ask((caller) => ({ is: 'wanted', caller, minimum }), signal);
  }

  /**
   * Returns another access token in place of one that an API has answered with 401.
   *
   * Rejects with `refusedAgain` if the token was renewed less than 30 seconds ago: a newer one would be refused as well.
   */
  accessTokenInsteadOf(refused: string): Promise<string> {
    return this.engine.ask((caller) => ({ is: 'refusedByAPI', caller, token: refused }));
  }

  /**
   * Whether a request to a URL may have the access token: it goes to the base URL's host, or to one of `alsoSendTo`. A path that
   * begins with one `/` is a path of the base URL.
   */
  mayKnowToken(url: string): boolean {
    return this.api.baseURL.mayKnowToken(this.resolved(url));
  }

  /**
   * Sends a request to your API with the access token, by the platform's `fetch`.
   *
   * A request to a host that may not have the token is sent without it. If the API answers 401, the token is renewed and the request
   * is sent again, once, unless its body is a stream. Redirects are not followed unless `init` says so.
   *
   * @returns the response, whatever its status: a second 401 is returned as it is.
   */
  async fetch(url: string, init: FetchInit = {}): Promise<R> {
    const { fetch } = this.configuration;
    const target = this.resolved(url);
    if (!this.mayKnowToken(target)) return sendWith(fetch, target, init);
    const token = await this.accessToken({ signal: init.signal });
    return this.repeated(token, (bearer) => sendWith(fetch, target, init, bearer), !init.body?.getReader);
  }

  // Signing out

  /**
   * Signs out: here at once, whether or not there is a network, then on the server.
   *
   * The call returns when the server has confirmed it, or after 10 seconds; the event `signedOutOnServer` tells which. A session
   * that could not be ended on the server expires there.
   */
  async signOut(scope: SignOutScope = 'thisSession'): Promise<void> {
    await this.engine.ask((caller) => ({ is: 'signOutAsked', caller, scope }));
  }

  // Steps

  /** Sends a request to the server's own API with the access token, and a second time after 401. */
  protected async authorized(call: Call): Promise<Members> {
    return success(await this.repeated(await this.accessToken(), (bearer) => this.api.send({ ...call, bearer })));
  }

  /** Sends a request with a token, and after 401 with another one if there is any. Returns the last response. */
  private async repeated<Answer extends { readonly status: number }>(
    token: string, send: (bearer: string) => Promise<Answer>, mayRepeat: boolean = true,
  ): Promise<Answer> {
    const first = await send(token);
    if (first.status !== 401 || !mayRepeat) return first;
    try {
      return await send(await this.accessTokenInsteadOf(token));
    } catch (error) {
      if ((error as AuthError).kind === 'refusedAgain') return first;
      throw error;
    }
  }

  /** A random text with 256 bits. */
  protected randomToken(): string {
    return base64url(this.configuration.random(32));
  }

  private resolved(url: string): string {
    return /^\/(?![/\\])/.test(url) ? this.api.baseURL.text + url : url;
  }
}
