import { baseURL } from '../http/baseURL.js';
import { makeAPI, type API } from '../http/api.js';
import type { Clock, Fetch, FetchResponse, PasskeySheet, RandomBytes, SessionStore, Surroundings } from '../ports.js';

/** The settings of a {@link LatchkeyAuth}. The packages for the web and for React Native fill in what the platform has. */
export interface Configuration<R extends FetchResponse = FetchResponse> {
  /** The server's address, such as `https://api.example.com`. `http` works on loopback only. */
  baseURL: string;
  store: SessionStore;
  /** The platform's `fetch`. */
  fetch: Fetch<R>;
  clock: Clock;
  /** A cryptographically secure source. Without one no session can be kept. */
  random: RandomBytes;
  surroundings?: Surroundings;
  /** The time in seconds before the end of an access token at which it is renewed; at most a fifth of its lifetime. */
  early?: number;
  /** Hosts of other APIs that may have the access token, over https. */
  alsoSendTo?: readonly string[];
  /** Whether `http` also works on private addresses, for a phone in the same network as the developer's machine. */
  allowsPrivateHTTP?: boolean;
  /** Whether the server may keep the refresh token in a cookie that no script can read. */
  cookies?: boolean;
  /** The name of this device in the user's list of sessions. */
  deviceName?: string;
  /**
   * An id by which the server recognises this installation when a user signs in, sent as `X-Device-Fingerprint`, or a function that
   * reads it; without it none is sent. Do not use an id of the hardware.
   */
  installationID?: string | (() => Promise<string | undefined>);
  /** The platform's sheet for passkeys, if it has one. */
  passkeys?: PasskeySheet;
  /** Receives lines for a log. No line contains a token, code, phone number or address. */
  log?: (line: string) => void;
}

/** Creates the requests that a configuration describes. */
export function apiOf(configuration: Omit<Configuration, 'store' | 'random'>): API {
  const { alsoSendTo = [], allowsPrivateHTTP = false, fetch, clock, cookies = false, log = () => {} } = configuration;
  return makeAPI(baseURL(configuration.baseURL, alsoSendTo, allowsPrivateHTTP), fetch, clock, cookies, log);
}
