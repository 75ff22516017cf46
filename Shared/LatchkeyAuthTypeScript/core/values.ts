/** The reason why a session ended. */
export type SignOutReason =
  /** The user signed out here. */
  | 'asked'
  /** The user signed out in another process or tab. */
  | 'elsewhere'
  /** The server ended the session: signed out on another device, by an administrator, or by a change of the password. */
  | 'ended'
  /** The session had not been used for too long. */
  | 'expired'
  /** A refresh token was used twice, which the server takes for theft. */
  | 'reused'
  /** The account was deactivated. */
  | 'inactive'
  /** The account was deleted. */
  | 'deleted'
  /** The stored session cannot be used: it is damaged, or a later release wrote it. */
  | 'storageLost'
  /** The app was installed again, and what an earlier installation had left was erased. */
  | 'newInstallation';

/** The reason why the store did not answer. */
export type StoreTrouble = 'protectedData' | 'denied' | 'unreadable' | 'unwritable';

/** The kind of a failure; see {@link AuthError}. */
export type FaultKind =
  | 'signedOut' | 'storeUnavailable' | 'offline' | 'timedOut' | 'untrustedServer' | 'unavailable' | 'rateLimited'
  | 'refusedAgain' | 'notLatchkey' | 'codeRefused' | 'passwordRefused' | 'invalid' | 'accountInactive' | 'notInvited'
  | 'deletionScheduled' | 'methodNotOffered' | 'refused' | 'cancelled'
  | 'reauthenticationRequired' | 'reauthenticationFailed' | 'identityInUse' | 'identityChanged' | 'lastIdentity'
  | 'phoneChangePending' | 'secondIdentityRequired' | 'accountUnderReview' | 'mergeProofRequired'
  | 'passkeyRefused' | 'passkeyExists' | 'tooManyPasskeys' | 'secondFactorRequired' | 'secondFactorRefused';

/** The facts of a failure. Only those that belong to its kind are there. */
export interface Fault {
  readonly kind: FaultKind;
  /** With `signedOut`: why the session ended, if one did. */
  readonly reason?: SignOutReason;
  /** With `storeUnavailable`. */
  readonly trouble?: StoreTrouble;
  /** With `unavailable` and `rateLimited`: the time in seconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** With `invalid`: the field to mark on the screen. */
  readonly field?: string;
  /** With `invalid` and `refused`: the server's stable code. */
  readonly code?: string;
  /**
   * With `codeRefused`: whether the code is `wrong` or `expired`. With `rateLimited`: whether the user is `locked` out after wrong
   * codes, has been sent too many (`sends`), or makes too many `requests`. Absent if the server does not tell.
   */
  readonly why?: 'wrong' | 'expired' | 'locked' | 'sends' | 'requests';
  /** With `phoneChangePending`: the time from which the number signs in, in Unix seconds. */
  readonly movesAt?: number;
  /**
   * With `secondIdentityRequired`: the ways in which the user can sign in instead. With `mergeProofRequired`: one of them shows that
   * the other account is theirs. With `secondFactorRequired`: the user's second factors, of `totp`, `passkey` and `recovery`.
   */
  readonly methods?: readonly string[];
  /** With `identityInUse`: what `merge` needs to join the other account, if it can be joined. */
  readonly mergeToken?: string;
  /** With `deletionScheduled`: what `restore` needs to cancel the deletion, if the user can do that. */
  readonly restoreToken?: string;
  /** With `secondFactorRequired`: what `signInWithSecondFactor` needs to complete the sign-in. */
  readonly mfaToken?: string;
  /** With `refused`: the HTTP status. */
  readonly status?: number;
  /** With `refused`: the id that finds the request in the server's logs. */
  readonly requestID?: string;
}

/**
 * The reason why a call failed.
 *
 * Only `signedOut` and `accountInactive` mean that the user has to sign in again. After every other error the session is
 * still there.
 */
export class AuthError extends Error {
  constructor(fault: Fault) {
    // The message contains no token, code, phone number or address.
    super(Object.values({ ...fault, mergeToken: '', restoreToken: '', mfaToken: '' }).filter(Boolean).join(' '));
    this.name = 'AuthError';
    Object.assign(this, fault);
  }

  /** Whether the session is still there. */
  get keepsSession(): boolean {
    return !['signedOut', 'accountInactive'].includes(this.kind);
  }

  /** Whether the same call may succeed later without any change by the user. */
  get isWorthRetrying(): boolean {
    return ['storeUnavailable', 'offline', 'timedOut', 'unavailable', 'rateLimited', 'notLatchkey'].includes(this.kind);
  }
}

/** An error has the facts of its failure as members. */
export interface AuthError extends Fault {}

/** The value of a user's attribute. */
export type AttributeValue = string | number | boolean;

/** A user's profile, as the server last returned it. The attributes of the server's policy are further members. */
export interface User {
  /** The public id, such as `usr_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly phoneNumber?: string;
  readonly email?: string;
  readonly name?: string;
  readonly role?: string;
  /** The time of the registration in Unix seconds. */
  readonly createdAt?: number;
  readonly [attribute: string]: AttributeValue | undefined;
}

/** The present state of the session. */
export type State =
  /** The store has not answered yet. */
  | { readonly at: 'starting' }
  /** The store cannot be read. The user may or may not be signed in, so show neither the sign-in screen nor the app. */
  | { readonly at: 'unavailable'; readonly trouble: StoreTrouble }
  /** No session exists. The reason is absent if there was none before. */
  | { readonly at: 'signedOut'; readonly reason?: SignOutReason }
  | Session;

/** A session as an app sees it. */
export interface Session {
  readonly at: 'signedIn';
  /** The user's public id. */
  readonly userID: string;
  /**
   * Whether the access token can be renewed at present. `overdue`: the last renewal failed, and another attempt follows;
   * the user is still signed in.
   */
  readonly freshness: 'fresh' | 'renewing' | 'overdue';
  /** With `overdue`: why the last renewal failed. */
  readonly fault?: Fault;
}

/** A change of the session. */
export type Event =
  /** A stored session was found, at the start or because another process signed in. */
  | { readonly is: 'restored' }
  /** The user signed in, and the session is stored. */
  | { readonly is: 'signedIn'; readonly isNewUser: boolean }
  /** The user had signed in neither from this device nor from this network before. The server may have told them by a message. */
  | { readonly is: 'newDevice' }
  /** New tokens arrived, from the server or from another process. */
  | { readonly is: 'renewed' }
  /** A renewal failed. The next one is possible at this time, in Unix seconds. */
  | { readonly is: 'renewalDeferred'; readonly fault: Fault; readonly retryAt: number }
  /** The server returned a changed profile. */
  | { readonly is: 'userChanged'; readonly user: User }
  /** The session ended. */
  | { readonly is: 'signedOut'; readonly reason: SignOutReason }
  /** After a sign-out: whether the server has confirmed it. */
  | { readonly is: 'signedOutOnServer'; readonly confirmed: boolean }
  /** The store could not be read or written. What could not be written is written again later. */
  | { readonly is: 'storeFailed'; readonly trouble: StoreTrouble };

/** The sessions that a sign-out ends: that of this app, or all sessions of the user on every device. */
export type SignOutScope = 'thisSession' | 'all';

/** The result of a sign-out. The user is signed out on this device in any case. */
export interface SignOutResult {
  /** Whether the sign-out is stored, so that it holds after a restart of the app. */
  readonly isStored: boolean;
  /** Whether the server has ended the session. If it has not, it is told later: when the network is back, and at the next start. */
  readonly isConfirmed: boolean;
}

/** A change of the device or the app that matters to a session. */
export type Change =
  /** The app came to the foreground. */
  | 'foreground'
  /** The app went to the background. The access token and the profile leave the memory. */
  | 'background'
  /** The device was unlocked for the first time since it started. */
  | 'protectedDataThere'
  /** The network came back. */
  | 'networkBack';
