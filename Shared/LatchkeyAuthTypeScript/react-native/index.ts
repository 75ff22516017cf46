import type { Configuration, RandomBytes, Surroundings } from '../core/index.js';
import { base64url } from '../core/support/bytes.js';
import { makeClock } from '../core/support/clock.js';
import { NativeAuth } from './nativeAuth.js';
import { SecureSessionStore, type Installation, type SecureStore } from './stores.js';

export * from '../core/index.js';
export { confirmBy, LockGate } from './lockGate.js';
export type { LocalAuthenticationModule } from './lockGate.js';
export type { NativeAuth } from './nativeAuth.js';
export { expoStore, keychainStore } from './stores.js';
export type { ExpoSecureStoreModule, Installation, KeychainModule, SecureStore } from './stores.js';

/** The part of React Native's `AppState` that the library uses. */
export interface AppStateModule {
  addEventListener(type: 'change', listener: (state: string) => void): { remove(): void };
}

/** The part of `@react-native-community/netinfo` that the library uses. */
export interface NetInfoModule {
  addEventListener(listener: (state: { isConnected: boolean | null }) => void): () => void;
}

/** The settings of a session in a React Native app. */
export interface NativeOptions extends Pick<
  Configuration, 'baseURL' | 'early' | 'alsoSendTo' | 'allowsPrivateHTTP' | 'deviceName' | 'log' | 'passkeys'
> {
  /** The Keychain or the KeyStore: `keychainStore(Keychain)` or `expoStore(SecureStore)`. */
  store: SecureStore;
  /** A cryptographically secure source, such as `getRandomBytes` of `expo-crypto`: Hermes has none. */
  random: RandomBytes;
  /**
   * A place that the system erases with the app, such as AsyncStorage: what an earlier installation has left in iOS' Keychain does not
   * sign in again. Pass it from the app's first release on, since a session without its mark counts as such.
   */
  installation?: Installation;
  /** `AppState` of `react-native`: the session is looked at when the app comes back. */
  appState?: AppStateModule;
  /** `NetInfo`: a renewal that failed is tried again as soon as the network is back. */
  netInfo?: NetInfoModule;
  /** The name of the session; give each user of a device a name of their own. */
  profile?: string;
}

/** Creates the session of an app. Create one and keep it. Nothing of it is for a WebView: give that no token. */
export function createAuth(options: NativeOptions): NativeAuth {
  const { store, random, appState, netInfo, installation, profile = 'default', ...rest } = options;
  // React Native has these; ES2020 does not.
  // deno-lint-ignore no-explicit-any
  const realm = globalThis as any;
  const date = () => Date.now();
  const clock = makeClock(realm.performance ? () => realm.performance.now() : date, date, (body, after) => {
    const timer = realm.setTimeout(body, after);
    return () => realm.clearTimeout(timer);
  });
  return new NativeAuth({
    ...rest, clock, random, fetch: (url, init) => realm.fetch(url, init), store: new SecureSessionStore(store, profile, installation),
    surroundings: surroundings(appState, netInfo), installationID: async () => installation && installationID(installation, random),
  });
}

/** The random id of this installation; none if it cannot be kept, since a sign-in must not fail because of it. */
async function installationID(place: Installation, random: RandomBytes): Promise<string | undefined> {
  const name = 'latchkey.installation-id';
  try {
    const found = await place.getItem(name);
    if (found) return found;
    const made = base64url(random(32));
    await place.setItem(name, made);
    return made;
  } catch {
    return undefined;
  }
}

/**
 * Tells of the app's return. Its way to the background is not told: the access token is nowhere but in the memory, so letting it go
 * would cost a renewal at each return.
 */
function surroundings(appState?: AppStateModule, netInfo?: NetInfoModule): Surroundings {
  return (changed) => {
    const app = appState && appState.addEventListener('change', (state) => state === 'active' && changed('foreground'));
    let isConnected: boolean | null = true;
    const leave = netInfo && netInfo.addEventListener((state) => {
      if (state.isConnected && !isConnected) changed('networkBack');
      isConnected = state.isConnected;
    });
    return () => {
      if (app) app.remove();
      if (leave) leave();
    };
  };
}
