import { authStoreName } from './constants.js';
import type { UserProfile } from './types.js';

export interface AuthState {
  user: UserProfile | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  setUser(user: UserProfile | null): void;
  setAuthenticated(status: boolean): void;
  setLoading(status: boolean): void;
  clearAuth(): void;
}

/** A store of zustand's shape. */
export interface AuthStore {
  getState(): AuthState;
  setState(change: Partial<AuthState>): void;
  subscribe(listener: (state: AuthState, before: AuthState) => void): () => void;
}

/** A place for text, such as `localStorage`. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

/** Creates the store. Of its state the user and the flag alone are persisted, in zustand's format; no token is in either. */
export function makeAuthStore(storage?: TextStorage): AuthStore {
  const listeners = new Set<(state: AuthState, before: AuthState) => void>();
  function setState(change: Partial<AuthState>): void {
    const before = state;
    state = { ...state, ...change };
    const { user, isAuthenticated } = state;
    if (storage) storage.setItem(authStoreName, JSON.stringify({ state: { user, isAuthenticated }, version: 0 }));
    for (const listener of [...listeners]) listener(state, before);
  }
  let state: AuthState = {
    user: null, isAuthenticated: false, isLoading: true,
    setUser: (user) => setState({ user }),
    setAuthenticated: (isAuthenticated) => setState({ isAuthenticated }),
    setLoading: (isLoading) => setState({ isLoading }),
    clearAuth: () => setState({ user: null, isAuthenticated: false, isLoading: false }),
    ...storage && persisted(storage),
  };
  return {
    setState,
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function persisted(storage: TextStorage): Partial<AuthState> {
  try {
    const { user = null, isAuthenticated = false } = JSON.parse(storage.getItem(authStoreName) || '').state;
    return { user, isAuthenticated };
  } catch {
    return {};
  }
}
