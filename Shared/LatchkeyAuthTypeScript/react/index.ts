import { createContext, createElement, useContext, useSyncExternalStore, type ReactElement, type ReactNode } from 'react';
import type { LatchkeyAuth, Session, State, User } from '../core/index.js';

// deno-lint-ignore no-explicit-any
type AnyAuth = LatchkeyAuth<any>;

const Context = createContext<AnyAuth | null>(null);

/** The state on a server, which knows no session. A page begins with it, too, so that both render the same. */
const onServer: State = { at: 'starting' };

/** Gives a session to the components below. Create the session outside of components, once. */
export function AuthProvider({ auth, children }: { auth: AnyAuth; children?: ReactNode }): ReactElement {
  return createElement(Context.Provider, { value: auth }, children);
}

/** The session's methods, such as `signOut`. */
export function useAuth(): AnyAuth {
  const auth = useContext(Context);
  if (!auth) throw new Error('There is no <AuthProvider auth={…}> above this component.');
  return auth;
}

/** The present state. The component is rendered again whenever it changes. */
export function useAuthState(): State {
  const auth = useAuth();
  return useSyncExternalStore(auth.subscribe, () => auth.state, () => onServer);
}

/** The session, or `null` if there is none or it is not known yet. */
export function useSession(): Session | null {
  const state = useAuthState();
  return state.at === 'signedIn' ? state : null;
}

/** The user's profile, if it is known. */
export function useUser(): User | undefined {
  const auth = useAuth();
  return useSyncExternalStore(auth.subscribe, () => auth.user, () => undefined);
}
