import type { LatchkeyAuth } from '../core/index.js';
import { makeAuthAPI, type AuthAPI, type HTTPClient } from './api.js';
import { AuthEventHelpers, EventEmitter, type AuthEvents } from './events.js';
import { makeHooks, type AuthHooks, type ReactQuery } from './hooks.js';
import { makeAuthStore, type AuthStore, type TextStorage } from './store.js';
import { TokenService } from './tokenService.js';

export type { AuthAPI, HTTPClient } from './api.js';
export { authQueryKeys } from './constants.js';
export type { AuthEventHelpers, AuthEvents, EventEmitter } from './events.js';
export type { AuthHooks, AuthStatus, Mutation, Query, QueryCache, ReactQuery } from './hooks.js';
export type { AuthState, AuthStore, TextStorage } from './store.js';
export type { TokenService } from './tokenService.js';
export type { LoginRequest, LoginResponse, RegisterRequest, RegisterResponse, UserProfile } from './types.js';

/** What the auth domain is built of. */
export interface UtaOptions {
  // deno-lint-ignore no-explicit-any
  auth: LatchkeyAuth<any>;
  /** The client for endpoints without a token. */
  publicApi: HTTPClient;
  /** The client for endpoints with a token: one that `attachAuth` has prepared. */
  authenticatedApi: HTTPClient;
  /** `@tanstack/react-query`. */
  reactQuery: ReactQuery;
  /** Where the user and the flag are persisted; absent if nowhere. */
  storage?: TextStorage;
}

/** The auth domain, laid out as uta's document prints it. */
export interface Uta extends AuthHooks {
  authApi: AuthAPI;
  authStore: AuthStore;
  authEvents: EventEmitter<AuthEvents>;
  authEventHelpers: AuthEventHelpers;
  tokenService: TokenService;
}

/** Creates the auth domain. Store and events follow the session, whatever changes it. */
export function createUta({ auth, publicApi, authenticatedApi, reactQuery, storage }: UtaOptions): Uta {
  const authEvents = new EventEmitter<AuthEvents>();
  const authEventHelpers = new AuthEventHelpers(authEvents);
  const authStore = makeAuthStore(storage);
  const tokenService = new TokenService(auth);
  const authApi = makeAuthAPI(auth, publicApi, authenticatedApi);
  auth.onEvent((event) => {
    if (event.is === 'renewed') {
      void auth.accessToken().then(authEventHelpers.notifyTokenRefreshed, () => {});
    } else if (event.is === 'signedOut') {
      authStore.getState().clearAuth();
      if (event.reason === 'asked') authEventHelpers.notifyLogout();
      else authEventHelpers.notifySessionExpired();
    }
  });
  void auth.ready().then(({ at }) => authStore.setState({ isLoading: false, isAuthenticated: at === 'signedIn' }));
  return {
    authApi, authStore, authEvents, authEventHelpers, tokenService,
    ...makeHooks(reactQuery, authApi, authStore, authEvents, tokenService),
  };
}
