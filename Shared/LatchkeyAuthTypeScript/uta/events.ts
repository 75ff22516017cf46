import type { UserProfile } from './types.js';

/** The five events and their payloads. */
export interface AuthEvents {
  'auth:login': { userId: string; token: string };
  'auth:logout': void;
  'auth:sessionExpired': void;
  'auth:tokenRefreshed': { accessToken: string };
  'auth:userUpdated': { user: UserProfile };
}

type Payload<Value> = Value extends void ? [] : [Value];
// deno-lint-ignore no-explicit-any
type Listener = (...payload: any[]) => void;

/** Tells listeners of events. */
export class EventEmitter<Events> {
  private readonly listeners = new Map<keyof Events, Set<Listener>>();

  /** Calls a function at every such event. Returns a function that ends this. */
  on<Name extends keyof Events>(name: Name, listener: (...payload: Payload<Events[Name]>) => void): () => void {
    const those = this.listeners.get(name) || new Set<Listener>();
    this.listeners.set(name, those.add(listener as Listener));
    return () => void those.delete(listener as Listener);
  }

  emit<Name extends keyof Events>(name: Name, ...payload: Payload<Events[Name]>): void {
    for (const listener of [...this.listeners.get(name) || []]) listener(...payload);
  }
}

/** Helpers for the events that an app emits itself. */
export class AuthEventHelpers {
  constructor(private readonly events: EventEmitter<AuthEvents>) {}

  readonly notifyLogin = (userId: string, token: string): void => this.events.emit('auth:login', { userId, token });
  readonly notifyLogout = (): void => this.events.emit('auth:logout');
  readonly notifySessionExpired = (): void => this.events.emit('auth:sessionExpired');
  readonly notifyTokenRefreshed = (accessToken: string): void => this.events.emit('auth:tokenRefreshed', { accessToken });
}
