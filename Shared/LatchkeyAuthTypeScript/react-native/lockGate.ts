import type { AppStateModule } from './index.js';

/** The part of `expo-local-authentication` that the library uses. */
export interface LocalAuthenticationModule {
  authenticateAsync(options?: { promptMessage?: string; cancelLabel?: string }): Promise<{ success: boolean }>;
}

/**
 * A lock in front of the app's screens, after the app was in the background for a while.
 *
 * It stands beside the session: a cancelled prompt leaves the app locked and the user signed in, and a new fingerprint changes nothing.
 * Show a lock screen while `isLocked`, whose button calls `unlock`.
 */
export class LockGate {
  private locked = true;
  private leftAt?: number;
  private asking?: Promise<boolean>;
  private readonly listeners = new Set<() => void>();
  /** Ends the subscription to the app's state. */
  readonly close: () => void;

  /**
   * @param confirm asks the user, such as `confirmBy(LocalAuthentication)`. Returns whether they have confirmed.
   * @param after the time in the background, in seconds, after which the app is locked.
   */
  constructor(appState: AppStateModule, private readonly confirm: () => Promise<boolean>, private readonly after: number) {
    const subscription = appState.addEventListener('change', (state) => this.changed(state));
    this.close = () => subscription.remove();
  }

  /** Whether the app is locked. It is at the start. */
  get isLocked(): boolean {
    return this.locked;
  }

  /** Asks the user, once at a time. Returns whether the app is unlocked. A prompt that cannot be shown leaves the app locked. */
  unlock(): Promise<boolean> {
    return this.asking = this.asking || (this.locked ? this.confirm() : Promise.resolve(true)).catch(() => false).then((isConfirmed) => {
      this.asking = undefined;
      if (isConfirmed) this.set(false);
      return !this.locked;
    });
  }

  /** Calls a function after every change of `isLocked`. Returns a function that ends this. */
  readonly subscribe = (body: () => void): () => void => {
    this.listeners.add(body);
    return () => void this.listeners.delete(body);
  };

  private changed(state: string): void {
    // The prompt itself makes iOS' app inactive, so only the background counts. The date goes on while the device sleeps.
    const now = Date.now() / 1000;
    if (state === 'background') this.leftAt = now;
    if (state !== 'active' || this.leftAt === undefined) return;
    const away = now - this.leftAt;
    this.leftAt = undefined;
    // A date that was set back says nothing of the time.
    if (away >= this.after || away < 0) this.set(true);
  }

  private set(isLocked: boolean): void {
    const isChange = this.locked !== isLocked;
    this.locked = isLocked;
    if (isChange) for (const body of this.listeners) body();
  }
}

/** Asks the user by `expo-local-authentication`. */
export function confirmBy(module: LocalAuthenticationModule, promptMessage: string, cancelLabel?: string): () => Promise<boolean> {
  return async () => (await module.authenticateAsync({ promptMessage, cancelLabel })).success;
}
