// The core: every ES2020 realm can run it. It has no dependencies, and uses nothing of the platform but what it is given.
export { LatchkeyAuth, type SessionInfo } from './client/auth.js';
export { apiOf, type Configuration } from './client/configuration.js';
export type { AccountProof, Identities, Identity, KeptPhone, PendingMerge, PendingPhone, ProofChannel } from './client/identities.js';
export type { Passkey } from './client/passkeys.js';
export type { SecondFactor, SecondFactors, TOTPSecret } from './client/secondFactor.js';
export type { Channel, Discovery } from './client/discovery.js';
export type { AppleCredential, CodeRequest, PendingCode } from './client/signIn.js';
export type { SignIn } from './client/once.js';
export { StoreFailure } from './ports.js';
export type {
  Clock, Fetch, FetchInit, FetchOptions, FetchRequest, FetchResponse, PasskeyChoice, PasskeySheet, RandomBytes, SessionStore, Signal,
  StoreVersion, Surroundings,
} from './ports.js';
export { renewSession } from './http/session.js';
export { compareVersions, parseVersion } from './record/item.js';
export { parseObject, type Members } from './support/json.js';
export { AuthError } from './values.js';
export type {
  AttributeValue, Change, Event, Fault, FaultKind, Session, SignOutReason, SignOutResult, SignOutScope, State, StoreTrouble, User,
} from './values.js';
