import type { FetchResponse, PasskeyChoice } from '../ports.js';
import { isText, isWhole, text, texts, whole, type JSONValue, type Members } from '../support/json.js';
import { AuthError } from '../values.js';
import type { Configuration } from './configuration.js';
import { IdentityMethods, segment } from './identities.js';
import type { SignIn } from './once.js';
import { tokenKey } from './signIn.js';

/** One of the user's passkeys. Times are Unix seconds. */
export interface Passkey {
  /** The id by which it is renamed and removed. */
  readonly id: string;
  readonly name: string;
  /** `passkey`, or `restore` for a key that Android moves to the user's next device. */
  readonly kind: string;
  readonly createdAt: number;
  /** Absent if it has not signed in yet. */
  readonly lastUsedAt?: number;
  /** The time from which it signs in; absent if it does already. Until then any session of the user can remove it. */
  readonly activeFrom?: number;
  /** Whether it is copied to the user's other devices. */
  readonly isBackedUp: boolean;
  readonly transports: readonly string[];
  /** The model of the authenticator as a UUID, which nothing proves. */
  readonly aaguid?: string;
}

/** A passkey with what the platform knows of it. */
export interface ListedPasskey extends Passkey {
  readonly credentialID: string;
  readonly userHandle: string;
}

/** The answer of the sheet to a challenge of the server. */
export interface Shown {
  readonly challengeId: string;
  readonly credential: Members;
}

/** Passkeys: adding one to a session, and signing in by it. */
export class PasskeyMethods<R extends FetchResponse = FetchResponse> extends IdentityMethods<R> {
  private adding?: Promise<Passkey>;

  constructor(configuration: Configuration<R>) {
    super(configuration);
    if (configuration.passkeys?.accepted) this.onEvent(({ is }) => void (is === 'signedIn' && this.tell()));
  }

  /**
   * Signs in with a passkey of this device. The user chooses the account at the system's sheet, so no name is asked for, and no message
   * is sent. Rejects with `cancelled` if they close the sheet, and with `passkeyRefused` if the server does not accept the passkey.
   */
  signInWithPasskey(options: PasskeyChoice = {}): Promise<SignIn> {
    // A field can wait for as long as its page is open, and several pages of an app may have one.
    return options.conditional ? this.signInOnce(options) : this.once('passkey', () => this.signInOnce(options));
  }

  /** Shows the sheet for a sign-in, and sends what it gives. */
  protected async signInOnce(options: PasskeyChoice): Promise<SignIn> {
    const shown = await this.assertion(() => this.api.json({ method: 'POST', path: '/auth/passkeys/options' }), options);
    return this.twice(() => this.open('/auth/passkeys/verify', { ...shown }, keyOf(shown)));
  }

  /**
   * Adds a passkey of this device to the account; the next sign-in needs no message. A further passkey may have to wait: it then has
   * `activeFrom`. Rejects with `passkeyExists` if the device has one for this account.
   *
   * @param name its name in the user's list; that of the device if absent.
   */
  addPasskey(name: string | undefined = this.configuration.deviceName): Promise<Passkey> {
    return this.adding ||= this.add(name).finally(() => (this.adding = undefined));
  }

  private async add(name?: string): Promise<Passkey> {
    const sheet = this.sheet();
    const path = '/users/me/passkeys';
    await this.accessToken();
    const epoch = this.engine.record()?.version.epoch;
    const { challengeId, publicKey } = begun(await this.authorized({ method: 'POST', path: `${path}/options` }, 'methodNotOffered'));
    const shown: Shown = { challengeId, credential: await sheet.create(publicKey) };
    // Another user may have signed in while the sheet was open.
    if (this.engine.record()?.version.epoch !== epoch) throw this.sessionIsOver();
    const call = { method: 'POST', path, body: { ...shown, name }, idempotencyKey: keyOf(shown) };
    const passkey = passkeyOf(await this.twice(() => this.authorized(call, 'methodNotOffered')));
    if (!passkey) throw new AuthError({ kind: 'notLatchkey' });
    return passkey;
  }

  /** Lists the user's passkeys. */
  async passkeys(): Promise<Passkey[]> {
    return (await this.listed()).filter((each): each is ListedPasskey => !!each);
  }

  /** The user's passkeys, with `undefined` for each that this release cannot read. */
  private async listed(): Promise<(ListedPasskey | undefined)[]> {
    const { passkeys } = await this.authorized({ method: 'GET', path: '/users/me/passkeys' }, 'methodNotOffered');
    if (!Array.isArray(passkeys)) throw new AuthError({ kind: 'notLatchkey' });
    return passkeys.map(passkeyOf);
  }

  /** Gives a passkey another name. */
  async renamePasskey(id: string, name: string): Promise<void> {
    await this.authorized({ method: 'PATCH', path: pathOf(id), route, body: { name } });
  }

  /** Removes a passkey. The sessions that it has opened end. */
  async removePasskey(id: string): Promise<void> {
    const known = this.configuration.passkeys?.accepted && await this.listed();
    await this.authorized({ method: 'DELETE', path: pathOf(id), route });
    if (known) await this.tell(known, id);
    await this.changed({});
  }

  // Steps

  /** Shows the sheet for a challenge of the server, and returns what the user has given. */
  protected async assertion(ask: () => Promise<Members>, options: PasskeyChoice = {}): Promise<Shown> {
    const sheet = this.sheet();
    const { challengeId, publicKey } = begun(await ask());
    return { challengeId, credential: await sheet.get(publicKey, options) };
  }

  /** Sends what the sheet has given, and once more if the connection is lost: the user has done their part. */
  protected async twice<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (error) {
      if (!['offline', 'timedOut'].includes((error as AuthError).kind)) throw error;
      return send();
    }
  }

  private sheet(): NonNullable<Configuration['passkeys']> {
    const { passkeys } = this.configuration;
    if (!passkeys) throw new AuthError({ kind: 'methodNotOffered' });
    return passkeys;
  }

  /**
   * Tells the platform which passkeys the account has. It hides or deletes all others, so nothing is told unless the list is whole.
   * Failures are not the caller's.
   */
  private async tell(known?: (ListedPasskey | undefined)[], removed?: string): Promise<void> {
    try {
      const { passkeyDomain } = await this.discover();
      if (!passkeyDomain) return;
      const all = known || await this.listed();
      const passkeys = all.filter((each): each is ListedPasskey => !!each?.credentialID && !!each.userHandle);
      if (passkeys.length < all.length) return;
      for (const handle of new Set(passkeys.map(({ userHandle }) => userHandle))) {
        const accepted = passkeys.filter(({ id, userHandle }) => userHandle === handle && id !== removed);
        await this.configuration.passkeys?.accepted?.(passkeyDomain, handle, accepted.map(({ credentialID }) => credentialID));
      }
    } catch {
      // It is told after the next sign-in.
    }
  }
}

const route = '/users/me/passkeys/{id}';
const pathOf = (id: string): string => `/users/me/passkeys/${segment(id)}`;

/** The key of a request with a credential, which answers one challenge. */
export const keyOf = (shown: Shown): string => tokenKey(JSON.stringify(shown));

function begun({ challengeId, publicKey }: Members): { challengeId: string; publicKey: Members } {
  if (!isText(challengeId) || !isText(publicKey?.challenge)) throw new AuthError({ kind: 'notLatchkey' });
  return { challengeId, publicKey };
}

function passkeyOf(json: JSONValue): ListedPasskey | undefined {
  const { id, name, kind, createdAt, lastUsedAt, activeFrom, backedUp, transports, aaguid, credentialId, userHandle } = json || {};
  if (!isText(id) || !isWhole(createdAt)) return undefined;
  return {
    id, name: text(name) || '', kind: text(kind) || 'passkey', createdAt, lastUsedAt: whole(lastUsedAt), activeFrom: whole(activeFrom),
    isBackedUp: backedUp === true, transports: texts(transports) || [], aaguid: text(aaguid), credentialID: text(credentialId) || '', userHandle: text(userHandle) || '',
  };
}
