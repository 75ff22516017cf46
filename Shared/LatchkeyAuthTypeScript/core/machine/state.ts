import type { KeptSignOut, NewItem, StoredItem } from '../record/item.js';
import type { SessionRecord, Tokens } from '../record/record.js';
import type { StoreVersion } from '../ports.js';
import type { Change, Event, Fault, SignOutReason, StoreTrouble, User } from '../values.js';

/** Everything that the machine knows. */
export interface MachineState {
  readonly phase: Phase;
  /** Callers that wait for an access token. */
  readonly waiters: readonly Waiter[];
  readonly isInBackground: boolean;
  /** Sign-outs that the server has not confirmed. Whatever is written has them. */
  readonly kept: readonly KeptSignOut[];
}

export type Phase =
  /** The store has not answered yet. */
  | { readonly at: 'starting' }
  /** The store cannot be read, so nothing is known. */
  | { readonly at: 'unavailable'; readonly trouble: StoreTrouble }
  /** No session. The version is that of the stored sign-out; (0, 0) if there is none. */
  | { readonly at: 'signedOut'; readonly version: StoreVersion; readonly reason?: SignOutReason; readonly isStored: boolean }
  | SignedIn;

/** A caller that waits for an access token. */
export interface Waiter {
  readonly caller: number;
  /** The lifetime that the token must have left. */
  readonly minimum: number;
  /** The token that an API has refused: any other one will do. */
  readonly refused?: string;
}

/** A session in memory. */
export interface SignedIn {
  readonly at: 'signedIn';
  readonly record: SessionRecord;
  /** The end of the access token's life, on the device's clock. */
  readonly deadline: number;
  readonly saved: Saved;
  readonly mode: Mode;
  /** The time of the record's last renewal by any process; absent if that is unknown or long ago. */
  readonly lastRotation?: number;
  /** Whether that renewal came less than the spacing after the one before it, or may have. */
  readonly isHurried?: boolean;
  /** The generation up to which access tokens are older than what the server knows of the user; absent if there is nothing. */
  readonly outdated?: number;
  /** Whether access token and profile have left the memory, since the app is in the background. */
  readonly isResting: boolean;
}

/** Whether the record is in the store. Nothing is renewed before it is. */
export type Saved = 'no' | 'saving' | 'yes' | FirstSave;

/** The record of a sign-in is being written, and its callers wait for that. */
export interface FirstSave {
  readonly callers: readonly number[];
  /** The refresh tokens of sessions that this one replaces. */
  readonly replaces: readonly string[];
}

/** The progress of a renewal. `tries` is the number of renewals that have failed one after the other. */
export type Mode =
  | { readonly is: 'idle'; readonly tries: 0 }
  /** The store is being read: another process may have been faster. */
  | { readonly is: 'looking'; readonly tries: number }
  /** The request is on its way. */
  | { readonly is: 'flying'; readonly tries: number }
  /** The server has refused the refresh token, and the store is being read before that is believed. */
  | { readonly is: 'doubting'; readonly tries: number; readonly verdict: Verdict; readonly jitter: number }
  /** The last renewal failed. */
  | { readonly is: 'waiting'; readonly tries: number; readonly until: number; readonly fault: Fault };

export const idle: Mode = { is: 'idle', tries: 0 };

/**
 * The server's refusal of a refresh token: why the session has ended, or `superseded` for a late copy of a request that another
 * process has sent.
 */
export type Verdict = SignOutReason | 'superseded';

/** The present time on the device's clocks, in seconds. */
export interface Moment {
  /** On the clock that cannot be set. */
  readonly now: number;
  /** The date. */
  readonly wall: number;
}

/** Something that happened. */
export type MachineEvent =
  // The store.
  | { is: 'read'; item: StoredItem }
  | { is: 'unreadable'; trouble: StoreTrouble }
  | { is: 'written'; version: StoreVersion }
  /** The item with this version was not written, since the stored one is as new or newer. */
  | { is: 'found'; item: StoredItem; version: StoreVersion }
  | { is: 'unwritten'; version: StoreVersion; trouble: StoreTrouble }
  // Callers.
  | { is: 'wanted'; caller: number; minimum: number }
  | { is: 'refusedByAPI'; caller: number; token: string }
  | { is: 'cancelled'; caller: number }
  | { is: 'signedIn'; caller: number; record: Omit<SessionRecord, 'version'> }
  | { is: 'signOutAsked'; caller: number; scope?: 'all' }
  /** The server has confirmed a sign-out that was kept, or never will. */
  | { is: 'signOutConfirmed'; signOut: KeptSignOut }
  /** The response to a call says that the session is over. */
  | { is: 'over'; reason: SignOutReason }
  /** The server knows more than the access token says: the user has shown again who they are, or has changed an identity. */
  | { is: 'outdated' }
  | { is: 'userChanged'; user: User }
  // The server's responses to a renewal of the record with this version.
  | { is: 'rotated'; version: StoreVersion; tokens: Tokens }
  | { is: 'failed'; version: StoreVersion; fault: Fault; jitter: number }
  | { is: 'refused'; version: StoreVersion; verdict: Verdict; jitter: number }
  // The surroundings.
  | { is: 'changed'; change: Change; jitter: number }
  | { is: 'woke' };

/** The event of a kind. */
export type EventOf<Kind> = Extract<MachineEvent, { is: Kind }>;

/** The result of a call: a text, or why there is none. */
export type Result = { readonly ok: string } | { readonly fault: Fault };

/** Something to do, in this order. */
export type Action =
  | { do: 'read' }
  | { do: 'write'; item: NewItem }
  /** Sends `POST /auth/refresh` with the record's refresh token and key. */
  | { do: 'renew'; record: SessionRecord }
  | { do: 'answer'; caller: number; result: Result }
  | { do: 'emit'; event: Event }
  /**
   * Sends `POST /auth/logout`, then answers the caller and emits whether the server has confirmed it. `kept` is what the store keeps
   * until then; without a caller, it is made good. Without both, the session was given back, which an app need not know.
   */
  | { do: 'signOutOnServer'; signOut: Omit<KeptSignOut, 'since' | 'origin'>; caller?: number; kept?: KeptSignOut }
  /** Feeds `woke` after this number of seconds. */
  | { do: 'wake'; after: number };

/** The action of a kind. */
export type ActionOf<Kind> = Extract<Action, { do: Kind }>;

/** The access token, if it lives longer than this. */
export function tokenOf(session: SignedIn, minimum: number, now: number): string | undefined {
  return session.deadline - now > minimum ? session.record.accessToken : undefined;
}

/** Whether the access token is older than what the server knows of the user, so that a newer one is wanted. */
export const isOutdated = ({ record, outdated = 0 }: SignedIn): boolean => record.version.generation <= outdated;

/** The access token, if it lives longer than this and needs no renewal for another reason. */
export const freshTokenOf = (session: SignedIn, minimum: number, now: number): string | undefined =>
  isOutdated(session) ? undefined : tokenOf(session, minimum, now);

/** The sign-in that is being stored, if the session is one. */
export const firstOf = (session?: SignedIn): FirstSave | undefined =>
  typeof session?.saved === 'object' ? session.saved : undefined;

/** Whether the record is being written. */
export const isSaving = (session: SignedIn): boolean => session.saved !== 'no' && session.saved !== 'yes';

/** Whether a renewal is in progress. */
export const isRenewing = (session: SignedIn): boolean => session.mode.is !== 'idle' && session.mode.is !== 'waiting';
