import type { FetchResponse } from '../ports.js';
import { userOf } from '../record/record.js';
import { isText, isWhole, text, whole, type JSONValue, type Members } from '../support/json.js';
import { AuthError, type User } from '../values.js';
import {
  attemptKey, digitsOf, pathOf, receiverOf, SignInMethods, tokenKey, type AppleCredential, type CodeRequest, type PendingCode,
} from './signIn.js';

/** One of the ways in which a user signs in. */
export interface Identity {
  /** The id by which it is removed. */
  readonly id: string;
  /** `phone`, `email`, `apple` or `oidc`. */
  readonly kind: string;
  /** The provider's name; absent for a phone number or an email address. */
  readonly provider?: string;
  /** The phone number or email address; absent for an account at a provider. */
  readonly value?: string;
  /** The time from which it signs in, in Unix seconds. */
  readonly addedAt: number;
}

/** All ways in which a user signs in. */
export interface Identities {
  readonly identities: Identity[];
  readonly hasPassword: boolean;
  /** A change of the phone number that support has begun, if there is one. `cancelPhoneChange` stops it. */
  readonly pendingPhone?: PendingPhone;
  /** A merge with another account that waits, if there is one. `cancelMerge` stops it. */
  readonly pendingMerge?: PendingMerge;
}

/** A merge that waits, so that the users of both accounts can stop it. */
export interface PendingMerge {
  /** The time of the merge, in Unix seconds. */
  readonly movesAt: number;
  /** Whether this account becomes a part of the other one; otherwise it is the one that stays. */
  readonly isIntoAnother: boolean;
}

/** A phone number that becomes the user's. */
export interface PendingPhone {
  /** The time at which it does, in Unix seconds. */
  readonly movesAt: number;
  /** The last two digits of the new number. */
  readonly lastDigits: string;
}

/** The way in which a code reaches the user's own phone or address. */
export type ProofChannel = 'sms' | 'call' | 'whatsapp' | 'email';

/**
 * A proof that an account is the user's: a code, its password, a phone token for its number, or an identity token of `apple` or another
 * provider, in place of which a page has `code` and `verifier`.
 */
export type AccountProof =
  | { code: string; channel?: ProofChannel }
  | { password: string }
  | { phoneToken: string; nonce?: string }
  | { provider: string; identityToken: string; nonce?: string }
  | { provider: string; code: string; verifier: string };

/** Where both accounts have a phone number, the one that stays. */
export type KeptPhone = 'own' | 'other';

/** The identities that sign the user in, how it is changed, and the proofs that this needs. */
export class IdentityMethods<R extends FetchResponse = FetchResponse> extends SignInMethods<R> {
  // Recent authentication

  /** Has a code sent to the user's own phone number, or to the email address if there is no number or `channel` says so. */
  async requestReauthentication(channel?: ProofChannel, locale?: string): Promise<void> {
    await this.change('/auth/reauthenticate/request', { channel, locale });
  }

  /** Shows again who the user is, by the code that they have typed, or another proof. Rejects with `reauthenticationFailed` if it is wrong. */
  async reauthenticate(proof: string | AccountProof, channel?: ProofChannel): Promise<void> {
    return this.prove(proofOf(typeof proof === 'string' ? { code: proof, channel } : proof));
  }

  /** Sends a proof of who the user is. The token is renewed, when it is next wanted, if the response says so. */
  protected async prove(body: Members): Promise<void> {
    // A repeat of the same code has the same key, so that after a lost response it counts as one guess.
    const { secret = '' } = this.engine.record() || {};
    const key = 'password' in body ? undefined : attemptKey({ secret }, `reauthenticate ${JSON.stringify(body)}`);
    const { refresh } = await this.change('/auth/reauthenticate', body, key);
    if (refresh) this.engine.feed({ is: 'outdated' });
  }

  /** Shows again who the user is, by their password. */
  reauthenticateWithPassword(password: string): Promise<void> {
    return this.reauthenticate({ password });
  }

  /** Shows again who the user is, by a new identity token for the same account at `apple` or another provider. */
  reauthenticateWithProvider(provider: string, identityToken: string, nonce?: string): Promise<void> {
    return this.reauthenticate({ provider, identityToken, nonce });
  }

  // Identities

  /** Lists what signs the user in. */
  async identities(): Promise<Identities> {
    const { identities, hasPassword, pendingPhone, pendingMerge } = await this.authorized({ method: 'GET', path: '/users/me/identities' });
    if (!Array.isArray(identities)) throw new AuthError({ kind: 'notLatchkey' });
    return {
      hasPassword: hasPassword === true,
      identities: identities.filter(isIdentity).map(({ id, kind, provider, value, addedAt }) =>
        ({ id, kind, provider: text(provider), value: text(value), addedAt })),
      pendingPhone: isWhole(pendingPhone?.movesAt)
        ? { movesAt: pendingPhone.movesAt, lastDigits: text(pendingPhone.lastDigits) || '' } : undefined,
      pendingMerge: isWhole(pendingMerge?.movesAt)
        ? { movesAt: pendingMerge.movesAt, isIntoAnother: pendingMerge.intoAnother === true } : undefined,
    };
  }

  /** Has a code sent to a phone number or an email address that the user wants to sign in with. */
  requestIdentityCode(to: CodeRequest | PendingCode): Promise<PendingCode> {
    return this.sendTo(to, (pending, body, key) => this.change(`${ownPath(pending)}/request`, body, key));
  }

  /** Adds the phone number or email address to which a code went, in place of the one that the user had. */
  addIdentity(pending: PendingCode, code: string): Promise<void> {
    const digits = digitsOf(code);
    const body = { ...receiverOf(pending), code: digits };
    return this.changeIdentity(ownPath(pending), body, attemptKey(pending, `code ${digits}`));
  }

  /** Adds the phone number of a phone token, in place of the one that the user had. */
  addPhoneToken(token: string, nonce?: string): Promise<void> {
    return this.changeIdentity('/users/me/phone', { token, nonce }, tokenKey(token));
  }

  /** Adds an account at Apple, in place of the one that the user had. */
  addApple({ identityToken, nonce, authorizationCode }: AppleCredential): Promise<void> {
    const body = { identityToken, nonce, authorizationCode };
    return this.changeIdentity('/users/me/identities/apple', body, tokenKey(identityToken));
  }

  /** Adds an account at an OpenID Connect provider, in place of the one that the user had there. */
  async addProvider(provider: string, identityToken: string, nonce?: string): Promise<void> {
    const path = `/users/me/identities${pathOf(provider)}`;
    return this.changeIdentity(path, { identityToken, nonce }, tokenKey(identityToken));
  }

  /** Removes an identity of the list. Rejects with `lastIdentity` if the user could not sign in any more. */
  removeIdentity(id: string): Promise<void> {
    return this.changeIdentity(`/users/me/identities/${segment(id)}`);
  }

  /** Sets the password of a user who has an email address. */
  setPassword(password: string): Promise<void> {
    return this.changeIdentity('/users/me/password', { password });
  }

  /** Removes the password. */
  removePassword(): Promise<void> {
    return this.changeIdentity('/users/me/password');
  }

  /** Cancels a change of the phone number that support has begun. */
  async cancelPhoneChange(): Promise<void> {
    await this.authorized({ method: 'DELETE', path: '/users/me/phone/pending' });
  }

  /** Has a code sent to a phone number or email address of the other account, as a proof for `merge`. */
  async requestMergeCode(mergeToken: string, channel?: ProofChannel, locale?: string): Promise<void> {
    await this.change('/users/me/merge/request', { mergeToken, channel, locale });
  }

  /**
   * Joins the account that has an identity to this one. The `mergeToken` is that of the error `identityInUse`.
   *
   * @param proof a proof that the other account is the user's, after a rejection with `mergeProofRequired`.
   */
  merge(mergeToken: string, keepPhone: KeptPhone = 'own', proof?: AccountProof): Promise<void> {
    const body = { ...mergeBody(mergeToken, keepPhone), ...proof && proofOf(proof) };
    return this.changeIdentity('/users/me/merge', body, tokenKey(JSON.stringify(body)));
  }

  /**
   * Joins the account as `merge` does, but needs no proof of it: where the server wants one, the merge waits, and the users of both
   * accounts are told and can stop it by `cancelMerge`.
   *
   * @returns the time of the merge in Unix seconds, or `undefined` if it is done.
   */
  async mergeLater(mergeToken: string, keepPhone: KeptPhone = 'own'): Promise<number | undefined> {
    const response = await this.change('/users/me/merge', { ...mergeBody(mergeToken, keepPhone), wait: true }, tokenKey(`${mergeToken} later`));
    const movesAt = whole(response.movesAt);
    if (movesAt === undefined) await this.changed(response);
    return movesAt;
  }

  /** Stops a merge that waits, in either account. */
  async cancelMerge(): Promise<void> {
    await this.authorized({ method: 'DELETE', path: '/users/me/merge/pending' });
  }

  // The profile

  /** Reads the profile from the server. */
  async reloadUser(): Promise<User> {
    return this.keep(await this.authorized({ method: 'GET', path: '/users/me' }));
  }

  protected keep(json: JSONValue): User {
    const user = userOf(json);
    if (!user) throw new AuthError({ kind: 'notLatchkey' });
    this.engine.feed({ is: 'userChanged', user });
    return user;
  }

  // Steps

  /** Sends a change of the account: a removal, if there is no body. */
  private change(path: string, body?: Members, idempotencyKey: string = this.randomToken()): Promise<Members> {
    const route = path.replace(/(identities\/)(?!apple|oidc).*/, '$1{id}');
    return this.authorized({ method: body ? 'POST' : 'DELETE', path, route, body, idempotencyKey });
  }

  /** Changes what signs the user in. */
  protected async changeIdentity(path: string, body?: Members, idempotencyKey?: string): Promise<void> {
    return this.changed(await this.change(path, body, idempotencyKey));
  }

  /** Follows a change. The response may say that the session is over; else token and profile are read again. */
  protected async changed({ signedOut }: Members): Promise<void> {
    this.engine.feed(signedOut === true ? { is: 'over', reason: 'ended' } : { is: 'outdated' });
    if (signedOut !== true) await this.reloadUser().catch(() => {});
  }
}

/** The members of a proof, without the spaces and hyphens of a code that was typed. */
const proofOf = (proof: AccountProof): Members =>
  'code' in proof && !('verifier' in proof) ? { ...proof, code: digitsOf(proof.code) } : proof;

const mergeBody = (mergeToken: string, keepPhone: KeptPhone): Members =>
  ({ mergeToken, keepPhone: keepPhone === 'other' ? keepPhone : undefined });

/** The path by which the receiver of a code becomes an identity. */
const ownPath = ({ email }: PendingCode): string => `/users/me/${email === undefined ? 'phone' : 'email'}`;

const isIdentity = (json: JSONValue): boolean => isText(json?.id) && isText(json.kind) && isWhole(json.addedAt);

/** An id as a part of a path. A name such as `..` would leave the path. */
export const segment = (id: string): string => encodeURIComponent(id).replace(/\./g, '%2E');
