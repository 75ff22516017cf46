import { makeEngine, type Engine } from '../engine.js';
import { sendWith, type API, type Call } from '../http/api.js';
import { objectionOf, replyOf, success, type Objection, type Reply } from '../http/reply.js';
import { earlyDefault } from '../machine/rules.js';
import type { FetchOptions, FetchRequest, FetchResponse, Signal } from '../ports.js';
import { base64url } from '../support/bytes.js';
import type { Members } from '../support/json.js';
import { AuthError, type Event, type FaultKind, type SignOutReason, type SignOutResult, type SignOutScope, type State, type User } from '../values.js';
import { apiOf, type Configuration } from './configuration.js';
import { makeAsking, type Asking } from './asking.js';
import { makeOnce, type Once } from './once.js';

/** A session's state and tokens: what {@link LatchkeyAuth} is built on. */
export class SessionTokens<R extends FetchResponse = FetchResponse> {
  /** The shell of the machine. It is no part of the public interface. */
  protected readonly engine: Engine;
  /** The requests to the server. They are no part of the public interface. */
  protected readonly api: API;
  protected readonly configuration: Configuration<R>;
  /** Makes two sign-ins with one proof one. It is no part of the public interface. */
  protected readonly once: Once;
  private readonly asking: Asking;
  private readonly leaveSurroundings?: () => void;

  constructor(configuration: Configuration<R>) {
    const { random, surroundings, store, clock, early = earlyDefault } = configuration;
    if (random?.(16).length !== 16) {
      throw new TypeError('LatchkeyAuth needs `random`.');
    }
    const api = this.api = apiOf(configuration);
    const engine = this.engine = makeEngine(api, store, clock, early);
    this.configuration = configuration;
    this.once = makeOnce(engine, api);
    this.asking = makeAsking(engine);
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
    await this.engine.ready();
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
    return this.engine.freshToken(minimum) ?? this.engine.ask({ is: 'wanted', minimum }, signal);
  }

  /**
   * Returns another access token in place of one that an API has answered with 401.
   *
   * Rejects with `refusedAgain` if the token was renewed less than 30 seconds ago: a newer one would be refused as well.
   */
  accessTokenInsteadOf(refused: string): Promise<string> {
    return this.engine.ask({ is: 'refusedByAPI', token: refused });
  }

  /**
   * Returns another access token in place of one with which the user showed too long ago who they are: an API has answered 401 with
   * `insufficient_user_authentication`, or 403 with `reauthentication_required`.
   *
   * Lets the user show again who they are, as `onReauthenticate` says. Rejects with `reauthenticationRequired` if they do not.
   */
  async accessTokenAfterProof(refused: string, signal?: Signal): Promise<string> {
    await this.askFor(refused, signal);
    return this.accessTokenInsteadOf(refused);
  }

  /** Lets the user show again who they are, unless they did since the token was issued. */
  private async askFor(refused: string, signal?: Signal): Promise<void> {
    const record = this.engine.record();
    // Another call may have brought the proof already, and a newer token, unless that could not be fetched yet.
    if (record?.accessToken !== refused || this.engine.isOutdated()) return;
    const isShown = await this.asking.ask(signal);
    if (this.engine.record()?.version.epoch !== record.version.epoch) throw this.sessionIsOver();
    if (!isShown) throw new AuthError({ kind: 'reauthenticationRequired' });
  }

  /** The error of a call whose session is over. */
  protected sessionIsOver(): AuthError {
    const { state } = this;
    return new AuthError({ kind: 'signedOut', reason: state.at === 'signedOut' ? state.reason : undefined });
  }

  /**
   * Sets what lets the user show again who they are, by `reauthenticate` or its sisters. Calls that need this wait for it and are
   * sent again, once; if it rejects, they fail as they would without it. Returns a function that takes it off.
   */
  onReauthenticate(body: () => Promise<unknown>): () => void {
    return this.asking.set(body);
  }

  /**
   * Whether a request to a URL may have the access token: it goes to the base URL's host, or to one of `alsoSendTo`. A path that
   * begins with one `/` is a path of the base URL.
   */
  mayKnowToken(url: string): boolean {
    return this.api.baseURL.mayKnowToken(this.resolved(url));
  }

  /**
   * Sends a request to your API with the access token, by the platform's `fetch`, whose arguments it takes.
   *
   * A request to a host that may not have the token is sent without it. If the API answers 401, the token is renewed and the request
   * is sent again, once, unless its body is a stream. If the API wants a more recent authentication, `onReauthenticate` comes before
   * that. Redirects are not followed unless `init` says so. An aborted signal rejects with
   * its reason, an `AbortError`.
   *
   * @returns the response, whatever its status: a second 401 is returned as it is.
   */
  async fetch(input: string | { readonly href: string } | FetchRequest, init: FetchOptions = {}): Promise<R> {
    const request = typeof input === 'object' && 'clone' in input ? input : this.resolved(String(input));
    const [url, own] = typeof request === 'string' ? [request] : [request.url, request.signal];
    const signal: Signal | undefined = init.signal || own;
    const send = (bearer?: string): Promise<R> => sendWith(this.configuration.fetch, request, init, bearer);
    try {
      if (!this.mayKnowToken(url)) return await send();
      const isStream = init.body?.[Symbol.asyncIterator] || init.body?.getReader;
      return await this.repeated(await this.accessToken({ signal }), send, !isStream, signal);
    } catch (error) {
      // As the platform's `fetch` says it.
      throw signal?.aborted ? signal.reason || Object.assign(error as Error, { name: 'AbortError' }) : error;
    }
  }

  // Signing out

  /**
   * Signs out: here at once, whether or not there is a network, then on the server. It does not throw.
   *
   * The call returns once the sign-out is stored and the server has confirmed it; it waits for 10 seconds at most for each. A server
   * that could not be reached is told later, for 30 days. `others` ends all sessions of the user but this one.
   */
  async signOut(scope: SignOutScope | 'others' = 'thisSession'): Promise<SignOutResult> {
    await this.ready();
    if (scope !== 'others') return this.engine.signOut(scope === 'all' ? scope : undefined);
    const isConfirmed = await this.authorized({ method: 'DELETE', path: '/sessions' }).then(() => true, () => false);
    return { isStored: true, isConfirmed };
  }

  /** Calls a function whenever the session has ended, with the reason. Returns a function that ends this. */
  onSignedOut(body: (reason: SignOutReason) => void): () => void {
    return this.onEvent((event) => event.is === 'signedOut' && body(event.reason));
  }

  // Steps

  /** Sends a request to the server's own API with the access token, and a second time after 401. `missing` is as of `success`. */
  protected async authorized(call: Call, missing?: FaultKind): Promise<Members> {
    const send = (bearer: string): Promise<Reply> => this.api.send({ ...call, bearer });
    const reply = await this.repeated(await this.accessToken(), send);
    const { status, code, requestID } = reply;
    // The session is still there.
    if (objectionOf(reply) === 'inactive') throw new AuthError({ kind: 'refused', status, code, requestID });
    return success(reply, missing);
  }

  /**
   * Sends a request with a token, and after 401 with another one if there is any. Returns the last response.
   *
   * A 403 that says that the account is inactive may be an API's own. The token is renewed, and the server's answer to that decides.
   */
  private async repeated<Answer extends FetchResponse | Reply>(
    token: string, send: (bearer: string) => Promise<Answer>, mayRepeat: boolean = true, signal?: Signal,
  ): Promise<Answer> {
    const user = this.engine.record()?.userID;
    const first = await send(token);
    const objection = 'headers' in first ? await objectionOfAPI(first) : objectionOf(first);
    const isForbidden = objection === 'inactive';
    if (!objection || !isForbidden && !mayRepeat) return first;
    let next: string;
    try {
      if (objection === 'recency') await this.askFor(token, signal);
      // With 403 the server judges the session and not the token.
      const isOfSession = objection === 'recency' && first.status === 403;
      next = isOfSession && this.engine.usableToken() || await this.accessTokenInsteadOf(token);
    } catch (error) {
      const { kind, keepsSession } = error as AuthError;
      if (kind === 'refusedAgain' || kind === 'reauthenticationRequired' || isForbidden && keepsSession) return first;
      throw error;
    }
    if (isForbidden) return first;
    // Another user may have signed in meanwhile, whose request this is not.
    if (this.engine.record()?.userID !== user) throw this.sessionIsOver();
    return send(next);
  }

  /** A random text with 256 bits. */
  protected randomToken(): string {
    return base64url(this.configuration.random(32));
  }

  private resolved(url: string): string {
    return /^\/(?![/\\])/.test(url) ? this.api.baseURL.text + url : url;
  }
}

/** Returns the objection in a response of an app's API, whose body stays readable. Codes that are not Latchkey's are its own. */
async function objectionOfAPI(response: FetchResponse): Promise<Objection> {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const objection = objectionOf(replyOf(await response.clone?.().text() || '', response));
  return objection || (response.status === 401 ? 'token' : undefined);
}
