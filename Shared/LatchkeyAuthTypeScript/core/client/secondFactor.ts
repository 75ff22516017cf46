import type { FetchResponse } from '../ports.js';
import { isText, isWhole, texts, whole, type Members } from '../support/json.js';
import { AuthError } from '../values.js';
import type { SignIn } from './once.js';
import { PasskeyMethods } from './passkeys.js';
import { digitsOf, tokenKey } from './signIn.js';

/** A second factor: a passkey, the code of an authenticator app, or one of the recovery codes, each of which serves once. */
export type SecondFactor = 'passkey' | { totp: string } | { recoveryCode: string };

/** The second factors of a user. */
export interface SecondFactors {
  /** Whether an authenticator app is set up. */
  readonly hasTOTP: boolean;
  /** Whether each sign-in by a code, a password or a provider needs a second factor. */
  readonly isRequired: boolean;
  readonly recoveryCodesLeft: number;
  /** The number of passkeys. */
  readonly passkeys: number;
  /** The time from which the authenticator app counts, in Unix seconds; absent if it does already. */
  readonly activeFrom?: number;
  /** The time at which support removes the second factors, in Unix seconds; absent if it does not. */
  readonly resetAt?: number;
}

/** A secret for an authenticator app. Show the URI as a QR code, and the secret for those who type it. */
export interface TOTPSecret {
  readonly secret: string;
  readonly uri: string;
}

/** Second factors: stepping up a session, completing a sign-in, and setting them up. */
export class SecondFactorMethods<R extends FetchResponse = FetchResponse> extends PasskeyMethods<R> {
  /**
   * Shows a second factor in this session, for what needs one. It is a proof as `reauthenticate` is, so an app's part for
   * `onReauthenticate` can call it. Rejects with `reauthenticationFailed` or `secondFactorRefused` if the factor is wrong.
   */
  async stepUp(factor: SecondFactor = 'passkey'): Promise<void> {
    if (factor !== 'passkey') return this.prove(typed(factor));
    const path = '/auth/reauthenticate/options';
    const shown = await this.assertion(() => this.authorized({ method: 'POST', path }, 'methodNotOffered'));
    return this.twice(() => this.prove({ ...shown }));
  }

  /**
   * Completes a sign-in that was refused with `secondFactorRequired`. The `mfaToken` is that of the error; it is good for five minutes.
   * Rejects with `secondFactorRefused` if the factor is wrong or the token too old.
   */
  async signInWithSecondFactor(mfaToken: string, factor: SecondFactor = 'passkey'): Promise<SignIn> {
    const complete = (proof: Members): Promise<SignIn> =>
      this.open('/auth/mfa/verify', { mfaToken, ...proof }, tokenKey(`${mfaToken} ${JSON.stringify(proof)}`));
    if (factor !== 'passkey') {
      const { totp: code, ...other } = typed(factor);
      return complete({ ...other, code });
    }
    const shown = await this.assertion(() => this.api.json({ method: 'POST', path: '/auth/mfa/options', body: { mfaToken } }));
    return this.twice(() => complete({ ...shown }));
  }

  /** Reads which second factors the user has. */
  async secondFactors(): Promise<SecondFactors> {
    return factorsOf(await this.authorized({ method: 'GET', path: '/users/me/mfa' }, 'methodNotOffered'));
  }

  /** Makes a secret for an authenticator app. It counts once `activateTOTP` has its first code. */
  async beginTOTP(): Promise<TOTPSecret> {
    const { secret, uri } = await this.authorized({ method: 'POST', path: '/users/me/mfa/totp' }, 'methodNotOffered');
    if (!isText(secret) || !isText(uri)) throw new AuthError({ kind: 'notLatchkey' });
    return { secret, uri };
  }

  /**
   * Turns the authenticator app on by its first code, and returns the recovery codes, which are shown only now. It may have to wait:
   * `secondFactors` then has `activeFrom`.
   */
  async activateTOTP(code: string): Promise<string[]> {
    const body = { code: digitsOf(code) };
    return codesOf(await this.authorized({ method: 'POST', path: '/users/me/mfa/totp/activate', body }));
  }

  /** Turns the authenticator app off. */
  async removeTOTP(): Promise<void> {
    await this.authorized({ method: 'DELETE', path: '/users/me/mfa/totp' });
    await this.changed({});
  }

  /** Returns new recovery codes; the old ones are not valid any more. It needs a second factor, by `stepUp`. */
  async renewRecoveryCodes(): Promise<string[]> {
    const codes = codesOf(await this.authorized({ method: 'POST', path: '/users/me/mfa/recovery-codes' }));
    await this.changed({});
    return codes;
  }

  /** Sets whether each sign-in by a code, a password or a provider needs a second factor. It needs one itself, by `stepUp`. */
  async requireSecondFactor(isRequired: boolean): Promise<SecondFactors> {
    return factorsOf(await this.authorized({ method: 'PATCH', path: '/users/me/mfa', body: { required: isRequired } }));
  }

  /** Cancels a removal of the second factors that support has begun (`resetAt`). */
  async cancelSecondFactorReset(): Promise<void> {
    await this.authorized({ method: 'DELETE', path: '/users/me/mfa/reset' });
  }
}

/** The members of a factor that was typed, without the spaces and hyphens of a code. */
const typed = (factor: Exclude<SecondFactor, 'passkey'>): Members =>
  'totp' in factor ? { totp: digitsOf(factor.totp) } : { recoveryCode: factor.recoveryCode.trim() };

function factorsOf({ totp, required, recoveryCodesLeft, passkeys, activeFrom, resetAt }: Members): SecondFactors {
  if (!isWhole(recoveryCodesLeft) || !isWhole(passkeys)) throw new AuthError({ kind: 'notLatchkey' });
  return { hasTOTP: totp === true, isRequired: required === true, recoveryCodesLeft, passkeys, activeFrom: whole(activeFrom), resetAt: whole(resetAt) };
}

function codesOf({ recoveryCodes }: Members): string[] {
  const codes = texts(recoveryCodes);
  if (!codes?.length) throw new AuthError({ kind: 'notLatchkey' });
  return codes;
}
