import type { Clock, Fetch, FetchInit, FetchOptions, FetchRequest, FetchResponse } from '../ports.js';
import type { JSONValue, Members } from '../support/json.js';
import { AuthError } from '../values.js';
import type { BaseURL } from './baseURL.js';
import { replyOf, success, type Reply } from './reply.js';

/** The time in seconds that a request may take in all. The server's rules about repeated requests rely on it. */
const limit = 20;

/** The value of `Latchkey-Client`, by which the server counts library versions. */
const client = 'typescript/1.0.0-beta.1';

/** Responses of the API are a few kilobytes; anything longer is not Latchkey's. */
const lengthMax = 1 << 20;

/** A request to the API. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** The path as it is logged, without ids; absent if the path has none. */
  readonly route?: string;
  readonly body?: Members;
  readonly idempotencyKey?: string;
  readonly bearer?: string;
  /** The id of the installation, with a sign-in. */
  readonly installation?: string;
  /** The time in seconds that it may take. */
  readonly limit?: number;
  /** Whether it does not wait for what has to come first. */
  readonly isFirst?: boolean;
}

/** Requests to the server's own API. */
export interface API {
  readonly baseURL: BaseURL;
  /** Whether requests are sent with cookies, so that the refresh token can be in one. */
  readonly byCookie: boolean;
  readonly log: (line: string) => void;
  /** Waits for the store and for sign-outs that are on their way, which come before a sign-in. With cookies, before every request. */
  first?: () => Promise<unknown>;
  /** Sends a request and returns the response, whatever its status. */
  send(call: Call): Promise<Reply>;
  /** Sends a request and returns the JSON of a good response. Anything else is an error. */
  json(call: Call): Promise<Members>;
}

/** Creates the requests to a server. */
export function makeAPI(
  server: BaseURL, fetch: Fetch, clock: Clock, byCookie: boolean, log: (line: string) => void,
): API {
  async function send(call: Call): Promise<Reply> {
    const line = `${call.method} ${call.route || call.path}: `;
    try {
      if (!server.isAllowed) throw new AuthError({ kind: 'untrustedServer' });
      if (byCookie && !call.isFirst) await api.first?.();
      const reply = await limited(clock, call.limit || limit, (signal) => answered(call, signal));
      log(`${line}${reply.status} ${reply.requestID || ''}`);
      return reply;
    } catch (error) {
      const fault = transportError(error);
      log(line + fault.message);
      throw fault;
    }
  }

  async function answered(call: Call, signal: unknown): Promise<Reply> {
    const response = await fetch(server.text + call.path, request(call, byCookie, signal));
    const body = await response.text();
    // A redirect that the platform has followed, or an overlong body: another server's.
    if (response.redirected || body.length > lengthMax) throw new AuthError({ kind: 'notLatchkey' });
    return replyOf(body, response);
  }

  const api: API = { baseURL: server, byCookie, log, send, json: async (call) => success(await send(call), 'methodNotOffered') };
  return api;
}

/** The error for a request that got no response. */
export function transportError(error: unknown): AuthError {
  const isAbort = (error as { name?: string } | null)?.name === 'AbortError';
  return error instanceof AuthError ? error : new AuthError({ kind: isAbort ? 'cancelled' : 'offline' });
}

function request(call: Call, byCookie: boolean, signal: unknown): FetchInit {
  const { method, body, idempotencyKey, bearer, installation } = call;
  return {
    method, body: body && JSON.stringify(body), signal, redirect: 'manual', cache: 'no-store',
    credentials: byCookie ? 'include' : 'omit',
    headers: {
      'Latchkey-Client': client, ...bearer && { Authorization: `Bearer ${bearer}` },
      ...body && { 'Content-Type': 'application/json' }, ...idempotencyKey && { 'Idempotency-Key': idempotencyKey },
      ...installation && { 'X-Device-Fingerprint': installation },
    },
  };
}

/** Sends a request, and stops waiting at the limit. */
function limited<R>(clock: Clock, seconds: number, send: (signal: unknown) => Promise<R>): Promise<R> {
  // Not part of ES2020, but of every platform that has `fetch`.
  const { AbortController } = globalThis as { AbortController?: new () => { signal: unknown; abort(): void } };
  const controller = AbortController && new AbortController();
  const end = clock.now() + seconds;
  // An app that was frozen may see an old response before its timer. The token in it is as old.
  const sent = send(controller?.signal).then((response) => {
    if (clock.now() > end) throw new AuthError({ kind: 'timedOut' });
    return response;
  });
  return within(clock, seconds, sent, () => controller?.abort());
}

/** Waits for something, but not longer than a number of seconds. */
export function within<R>(clock: Clock, seconds: number, work: Promise<R>, stop: () => void = () => {}): Promise<R> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(seconds, () => {
      reject(new AuthError({ kind: 'timedOut' }));
      stop();
    });
    work.then(resolve, reject).then(cancel);
  });
}

/** Sends a request of the app to its own API, with the access token if there is one. An empty one is in a cookie. */
export async function sendWith<R extends FetchResponse>(
  fetch: Fetch<R>, input: string | FetchRequest, init: FetchOptions, bearer?: string,
): Promise<R> {
  const request = typeof input === 'string' ? undefined : input;
  // Not part of ES2020, but of every platform that has `fetch`.
  const headers = new (globalThis as JSONValue).Headers(init.headers || request?.headers);
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
  const redirect = request?.redirect === 'error' ? 'error' : 'manual';
  try {
    return await fetch(request?.clone() || input, { redirect, ...bearer === '' && { credentials: 'include' }, ...init, headers });
  } catch (error) {
    throw transportError(error);
  }
}
