import { compareVersions, parseObject, parseVersion, StoreFailure } from '../core/index.js';
import type { SessionStore, StoreTrouble, StoreVersion } from '../core/index.js';

/** A place for small secrets: the Keychain or the KeyStore, by a package for React Native. */
export interface SecureStore {
  /** Reads a value; `null` if there is none. Rejects if that cannot be told. */
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/**
 * A place that the system erases together with the app, such as AsyncStorage. What an earlier installation has left in the Keychain
 * is told by it. It gets a mark and no secret.
 */
export interface Installation {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
}

/** The part of `react-native-keychain` that the adapter uses. */
export interface KeychainModule<Accessible> {
  readonly ACCESSIBLE: { readonly AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: Accessible };
  getGenericPassword(options: { service: string }): Promise<false | { password: string }>;
  setGenericPassword(username: string, password: string, options: { service: string; accessible?: Accessible }): Promise<unknown>;
  resetGenericPassword(options: { service: string }): Promise<unknown>;
}

/** The part of `expo-secure-store` that the adapter uses. */
export interface ExpoSecureStoreModule {
  readonly AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: number;
  getItemAsync(key: string, options?: object): Promise<string | null>;
  setItemAsync(key: string, value: string, options?: object): Promise<void>;
  deleteItemAsync(key: string, options?: object): Promise<void>;
}

/** A secure store by `react-native-keychain`. Items stay on this device, and can be read after its first unlock. */
export function keychainStore<Accessible>(keychain: KeychainModule<Accessible>): SecureStore {
  const accessible = keychain.ACCESSIBLE.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY;
  return {
    async get(service) {
      const found = await keychain.getGenericPassword({ service });
      return found ? found.password : null;
    },
    async set(service, value) {
      await keychain.setGenericPassword('latchkey', value, { service, accessible });
    },
    async remove(service) {
      await keychain.resetGenericPassword({ service });
    },
  };
}

/** A secure store by `expo-secure-store`. Items stay on this device, and can be read after its first unlock. */
export function expoStore(store: ExpoSecureStoreModule): SecureStore {
  const options = { keychainAccessible: store.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY };
  return {
    get: (key) => store.getItemAsync(key, options),
    set: (key, value) => store.setItemAsync(key, value, options),
    remove: (key) => store.deleteItemAsync(key, options),
  };
}

/**
 * A session in a secure store, as the app's one process uses it. The access token and the profile are never stored: the item has less
 * than 1 KiB, and some of these stores lose longer ones. What was written is read back, since some lose it without an error.
 */
export class SecureSessionStore implements SessionStore {
  private readonly key: string;

  constructor(private readonly place: SecureStore, profile: string, private readonly installation: Installation | undefined) {
    this.key = `latchkey.${profile.replace(/[^\w.-]/g, '_')}`;
  }

  async load(): Promise<string | null> {
    const [held, { installation }] = [await this.held(), this];
    if (held === null || !installation) return held;
    if (await attempt('unreadable', () => installation.getItem(this.key)) !== null) return held;
    // iOS keeps items when an app is removed. What they say of a session is over; their version goes on.
    const epoch = (parseVersion(held)?.epoch || 0) + 1;
    const erased = JSON.stringify({ v: 1, epoch, generation: 0, signedOut: 'newInstallation' });
    await attempt('unwritable', () => this.place.set(this.key, erased));
    await this.claim();
    return erased;
  }

  private held(): Promise<string | null> {
    return attempt('unreadable', () => this.place.get(this.key));
  }

  private async claim(): Promise<void> {
    await attempt('unwritable', async () => this.installation?.setItem(this.key, 'here'));
  }

  async keepNewer(item: string, version: StoreVersion): Promise<string | null> {
    // The library uses a store for one thing at a time, and no other process has this item.
    const held = await this.load();
    const present = held === null ? null : parseVersion(held);
    if (present && compareVersions(present, version) >= 0) return held;
    const kept = withoutAccess(item);
    await this.claim();
    await attempt('unwritable', () => this.place.set(this.key, kept));
    if (await this.held() !== kept) throw new StoreFailure('unwritable');
    return null;
  }
}

/**
 * The item without access token and profile, and with the last sign-out that the server has not confirmed. Its date goes as well: a process that finds it renews at once, and does not wait until 30
 * seconds have passed since the renewal of a process that is gone.
 */
function withoutAccess(item: string): string {
  const { accessToken: _token, user: _user, unconfirmed, issuedAt, ...kept } = parseObject(item) || {};
  return JSON.stringify({ ...kept, issuedAt: issuedAt && 0, unconfirmed: unconfirmed?.slice(-1) });
}

async function attempt<Value>(trouble: StoreTrouble, body: () => Promise<Value>): Promise<Value> {
  try {
    return await body();
  } catch {
    throw new StoreFailure(trouble);
  }
}
