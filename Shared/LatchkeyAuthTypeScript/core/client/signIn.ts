import type { FetchResponse } from '../ports.js';
import { tokensOf } from '../http/reply.js';
import { userOf } from '../record/record.js';
import { base64url, utf8 } from '../support/bytes.js';
import type { Members } from '../support/json.js';
import { hmacSHA256, sha256 } from '../support/sha256.js';
import { AuthError } from '../values.js';
import { DiscoveryMethods, type Channel } from './discovery.js';
import type { SignIn } from './once.js';

/**
 * A code that is requested, and that the user has not typed yet.
 *
 * It can be stored as JSON: keep it while the user reads the message, since the system may end the app meanwhile. It holds the phone
 * number or email address and a secret, so keep it where you would keep those.
 */
export interface PendingCode {
  /** The phone number as the user has typed it; absent if the code went to an email address. */
  readonly phone?: string;
  /** The ISO 3166 code of the country, such as `US`, for a number without `+`. */
  readonly region?: string;
  readonly channel?: Channel;
  readonly email?: string;
  /** The language of the message, as a tag of RFC 5646. */
  readonly locale?: string;
  /** Random; the keys of requests and attempts and the link's verifier derive from it. */
  readonly secret: string;
}

/** The receiver of a code, and the language of its message. */
export type CodeRequest =
  | { phone: string; region?: string; channel?: Channel; locale?: string }
  | { email: string; locale?: string };

/** The result of Sign in with Apple. */
export interface AppleCredential {
  identityToken: string;
  /** The server needs it to revoke Apple's tokens when the account is deleted. */
  authorizationCode?: string;
  /** The random value whose SHA-256, as lower-case hexadecimal digits, was the request's `nonce`. */
  nonce?: string;
  /** The name, which Apple gives at the first sign-in only. */
  fullName?: string;
  email?: string;
}

/** The ways to sign in. */
export class SignInMethods<R extends FetchResponse = FetchResponse> extends DiscoveryMethods<R> {
  /** Prepares the request of a code. Nothing is sent yet, so keep the result before you pass it to `requestCode`. */
  prepareCode(to: CodeRequest): PendingCode {
    return { ...to, secret: this.randomToken() };
  }

  /**
   * Has a code sent to a phone, or a mail that contains a code and a link. The link works on this device only.
   *
   * After a lost response, pass the same prepared code again: both requests send one message.
   */
  async requestCode(to: CodeRequest | PendingCode): Promise<PendingCode> {
    return this.sendTo(to, (pending, body, key) => pending.email === undefined
      ? this.post('/auth/otp/request', body, key)
      : this.post('/auth/magic-link/request', { ...body, challenge: base64url(sha256(utf8(pending.secret))) }, key));
  }

  /** Has the code sent again, by another channel if one is named. */
  resend({ secret: _secret, ...to }: PendingCode, channel?: Channel): Promise<PendingCode> {
    return this.requestCode({ ...to, channel: channel || to.channel } as CodeRequest);
  }

  /**
   * Signs in with the code that the user has typed; spaces and hyphens do not count.
   *
   * After a lost response, send the code again: both requests count as one guess and open one session. Rejects with `codeRefused`
   * if the code is wrong or too old.
   *
   * @param name the name of a new user.
   * @param newAccount whether the number begins a new account. Only for a user who says so after `secondIdentityRequired`.
   */
  signIn(pending: PendingCode, code: string, name?: string, newAccount?: boolean): Promise<SignIn> {
    const digits = digitsOf(code);
    const path = pending.email === undefined ? '/auth/otp/verify' : '/auth/magic-link/verify';
    const proof = { ...receiverOf(pending), code: digits, name, newAccount: newAccount || undefined };
    return this.open(path, proof, attemptKey(pending, `code ${digits}${newAccount ? ' new' : ''}`));
  }

  /** Signs in with the link of a mail. Rejects with `codeRefused` if it is used, too old or not for this device. */
  async signInWithLink(pending: PendingCode, link: string): Promise<SignIn> {
    const token = tokenOfLink(link);
    return this.open('/auth/magic-link/verify', { token, verifier: pending.secret }, attemptKey(pending, `code ${token}`));
  }

  /** Signs in with a password. Rejects with `passwordRefused` if the address or the password is wrong. */
  signInWithPassword(email: string, password: string): Promise<SignIn> {
    // A password may be tried again with the same result, so each attempt has a key of its own.
    return this.once(`${email} ${password}`, () => this.open('/auth/login', { email, password }, this.randomToken()));
  }

  /** Signs in with Apple. */
  signInWithApple(credential: AppleCredential): Promise<SignIn> {
    return this.open('/auth/apple', { ...credential }, tokenKey(credential.identityToken));
  }

  /**
   * Signs in with the identity token of an OpenID Connect provider.
   *
   * @param provider the provider's name in the server's policy, such as `google`.
   * @param nonce the random value whose SHA-256 is in the token.
   */
  async signInWithProvider(provider: string, identityToken: string, nonce?: string): Promise<SignIn> {
    return this.open(`/auth${pathOf(provider)}`, { identityToken, nonce }, tokenKey(identityToken));
  }

  /**
   * Signs in to an account that is scheduled for deletion, and cancels the deletion. The `restoreToken` is that of the error
   * `deletionScheduled`; it is good for ten minutes, and works once.
   */
  restore(restoreToken: string): Promise<SignIn> {
    return this.open('/auth/restore', { restoreToken }, tokenKey(restoreToken));
  }

  // Accounts with a password

  /** Registers an account. The server mails a link, whether or not the address has an account already. */
  register(email: string, password: string, options: { name?: string; locale?: string } = {}): Promise<void> {
    return this.post('/auth/register', { email, password, name: options.name, locale: options.locale });
  }

  /** Confirms a registration by the link of its mail and the password. Sign in afterwards. */
  async confirmRegistration(link: string, password: string): Promise<void> {
    return this.post('/auth/verify-email', { token: tokenOfLink(link), password });
  }

  /** Has the link of a registration sent again. */
  resendRegistration(email: string, locale?: string): Promise<void> {
    return this.post('/auth/verify-email/resend', { email, locale });
  }

  /** Has a link sent by which the user sets a new password. */
  forgotPassword(email: string, locale?: string): Promise<void> {
    return this.post('/auth/forgot-password', { email, locale });
  }

  /** Sets a new password by the link of a mail. All sessions of the user end. */
  async resetPassword(link: string, password: string): Promise<void> {
    return this.post('/auth/reset-password', { token: tokenOfLink(link), password });
  }

  // Steps

  /** Sends the request of a code by a function, and returns the pending code. */
  protected async sendTo(
    to: CodeRequest | PendingCode, send: (pending: PendingCode, body: Members, key: string) => Promise<unknown>,
  ): Promise<PendingCode> {
    const pending = 'secret' in to ? to : this.prepareCode(to);
    const channel = pending.email === undefined ? pending.channel : undefined;
    await send(pending, { ...receiverOf(pending), channel, locale: pending.locale }, attemptKey(pending, 'request'));
    return pending;
  }

  private async post(path: string, body: Members, idempotencyKey: string = this.randomToken()): Promise<void> {
    await this.api.json({ method: 'POST', path, body, idempotencyKey });
  }

  /** Sends a proof of the user's identity, and keeps the session that the server opens. */
  protected open(path: string, proof: Members, idempotencyKey: string): Promise<SignIn> {
    return this.once(idempotencyKey, async () => {
      const { deviceName, installationID } = this.configuration;
      const installation = typeof installationID === 'function' ? await installationID() : installationID;
      const body = { ...proof, deviceName };
      return this.begin(await this.api.json({ method: 'POST', path, body, idempotencyKey, installation }), idempotencyKey);
    });
  }

  /** Keeps the session that the response to a sign-in has opened, such as one that an app's own HTTP client has received. */
  adopt(response: Members): Promise<SignIn> {
    const { refreshToken } = response.tokens || {};
    const proof = refreshToken ? tokenKey(refreshToken) : this.randomToken();
    return this.once(proof, () => this.begin(response, proof));
  }

  protected async begin(response: Members, proof: string): Promise<SignIn> {
    const { api, configuration: { clock } } = this;
    const [user, tokens] = [userOf(response.user), tokensOf(response.tokens, api.byCookie)];
    if (!user || !tokens) throw new AuthError({ kind: 'notLatchkey' });
    const record = {
      ...tokens, origin: api.baseURL.text, secret: tokens.refreshToken && this.randomToken(),
      issuedAt: Math.floor(clock.wall()), userID: user.id, user, proof, isNewUser: response.isNewUser === true,
    };
    await this.engine.ask({ is: 'signedIn', record });
    if (response.newDevice === true) this.engine.report({ is: 'newDevice' });
    return { user, isNewUser: record.isNewUser, wasRestored: response.restored === true };
  }
}

/**
 * The Idempotency-Key of a request of a code, or of a sign-in by one. The same code has the same key, so that a repeat after a lost
 * response counts as one guess and opens one session.
 */
export function attemptKey(pending: Pick<PendingCode, 'secret'>, attempt: string): string {
  return base64url(hmacSHA256(utf8(attempt), utf8(pending.secret)));
}

/** The receiver of a code, as members of a request. */
export function receiverOf({ phone: phoneNumber, region: countryCode, email }: PendingCode): Members {
  return { phoneNumber, countryCode, email };
}

/** The code without the spaces and hyphens that people type. */
export const digitsOf = (code: string): string => code.replace(/[\s-]/g, '');

/** The end of the path for an OpenID Connect provider. */
export function pathOf(provider: string): string {
  if (/^[a-z\d_-]+$/.test(provider)) return `/oidc/${provider}`;
  throw new AuthError({ kind: 'invalid', field: 'provider', code: 'invalid_provider' });
}

/** The key of a request with a token that serves once: the same token has the same key. */
export const tokenKey = (identityToken: string): string => base64url(sha256(utf8(`sign-in ${identityToken}`)));

/** The token of a link, from its query. */
function tokenOfLink(link: string): string {
  const match = /[?&]token=([^&#]+)/.exec(link);
  if (!match) throw new AuthError({ kind: 'codeRefused' });
  return decodeURIComponent(match[1]);
}
