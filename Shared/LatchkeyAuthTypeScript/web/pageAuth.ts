import { AuthError, LatchkeyAuth } from '../core/index.js';
import type { Configuration, PasskeyChoice, Signal, SignIn, User } from '../core/index.js';
import { base64url, utf8 } from '../core/support/bytes.js';
import { sha256 } from '../core/support/sha256.js';
import { begunOf, broughtBack, endBegun, faultOf, fromWindow, keepBegun, pathOf } from './browser.js';
import type { Begun, BrowserOptions, Brought } from './browser.js';

const digest = (text: string): string => base64url(sha256(utf8(text)));

/** The session of a web page. */
export class PageAuth extends LatchkeyAuth<Response> {
  private finishing?: Promise<SignIn | null>;
  private changing?: Promise<boolean>;

  /** @param name the name of sign-ins that are under way, and of the channel on which a window of its own tells its code. */
  constructor(configuration: Configuration<Response>, private readonly name: string) {
    super(configuration);
  }

  /**
   * Signs in with a passkey.
   *
   * With `conditional` the browser offers passkeys in the suggestions of a field that has `autocomplete="username webauthn"`. Call it
   * when the form is shown, with a signal that is aborted when the form goes. The result waits until the user chooses a passkey, and
   * rejects with `cancelled` when the user asks for the sheet instead, and with `methodNotOffered` if the browser has no such thing.
   */
  override async signInWithPasskey(options: PasskeyChoice = {}): Promise<SignIn> {
    if (!options.conditional) return super.signInWithPasskey(options);
    for (;;) {
      const signIn = await this.signInFromField(options.signal);
      if (signIn) return signIn;
    }
  }

  /** Waits for a sign-in from a field, but not longer than the server's challenge is good for. */
  private async signInFromField(signal?: Signal): Promise<SignIn | undefined> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    let isOld = false;
    // A challenge is good for five minutes. The user needs some time at the sheet.
    const timer = setTimeout(() => (isOld = true, stop()), 240_000);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      return await super.signInWithPasskey({ conditional: true, signal: controller.signal });
    } catch (error) {
      if (isOld && (error as AuthError).kind === 'cancelled') return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * Signs in at a provider's own page, such as that of `apple`, or of an entry of the policy's `oidc`.
   *
   * The page goes there, so the result never resolves; call `finishSignIn` on the page to which the provider returns. With `popup` the
   * provider has a window of its own, and the result is the sign-in.
   */
  signInWithBrowser(provider: string, options: BrowserOptions = {}): Promise<SignIn> {
    return this.visit(provider, undefined, options, (begun, brought) => this.redeem(begun, brought));
  }

  /**
   * Adds an account at a provider at its own page, in place of the one that the user had there. Without `popup` call `finishChange` on
   * the page to which the provider returns.
   */
  addWithBrowser(provider: string, options: BrowserOptions = {}): Promise<void> {
    return this.visit(provider, '/users/me/identities', options, (begun, brought) => this.redeemChange(begun, brought));
  }

  /** Shows again who the user is at a provider's own page, as `addWithBrowser` does. */
  reauthenticateWithBrowser(provider: string, options: BrowserOptions = {}): Promise<void> {
    return this.visit(provider, '/auth/reauthenticate', options, (begun, brought) => this.redeemChange(begun, brought));
  }

  private async visit<Result>(
    provider: string, use: Begun['use'], { popup = false, redirect = location.origin + location.pathname }: BrowserOptions,
    redeem: (begun: Begun, brought: Brought) => Promise<Result>,
  ): Promise<Result> {
    const begun: Begun = { path: pathOf(provider), verifier: this.randomToken(), popup, use };
    if (popup) {
      keepBegun(this.name, begun);
      return redeem(begun, await fromWindow(this.name, this.pageOf(begun, redirect)).finally(() => endBegun(this.name)));
    }
    const page = this.pageOf(begun, redirect);
    const url = typeof page === 'string' ? page : await page;
    keepBegun(this.name, begun);
    location.assign(url);
    return new Promise(() => {});
  }

  /** The provider's page: a path of the server that leads there, or for a change the URL that the server returns. */
  private pageOf({ path, verifier, use }: Begun, redirect: string): string | Promise<string> {
    const challenge = digest(verifier);
    if (!use) return `${this.api.baseURL.text}${path}/authorize?challenge=${challenge}&redirect=${encodeURIComponent(redirect)}`;
    const call = { method: 'POST', path: `${path.replace('/auth', use)}/authorize`, body: { challenge, redirect } };
    return this.authorized(call).then(({ url }) => {
      if (typeof url !== 'string') throw new AuthError({ kind: 'notLatchkey' });
      return url;
    });
  }

  /**
   * Finishes a sign-in if the page's address brings one back from a provider, and returns `null` if it does not. Call it at the start
   * of the page that the provider returns to, and again after an error that `isWorthRetrying`, such as `offline`.
   */
  finishSignIn(): Promise<SignIn | null> {
    return this.finishing ||= this.finish(false, (begun, brought) => this.redeem(begun, brought))
      .finally(() => (this.finishing = undefined));
  }

  /**
   * Finishes what `addWithBrowser` or `reauthenticateWithBrowser` has begun, and returns `false` if the page's address brings nothing
   * back from there. Call it as `finishSignIn`, once the session is known.
   */
  finishChange(): Promise<boolean> {
    return this.changing ||= this.finish(true, (begun, brought) => this.redeemChange(begun, brought).then(() => true))
      .then((isChanged) => isChanged || false).finally(() => (this.changing = undefined));
  }

  private async finish<Result>(
    isChange: boolean, redeem: (begun: Begun, brought: Brought) => Promise<Result>,
  ): Promise<Result | null> {
    const brought = broughtBack();
    const begun = brought && begunOf(this.name);
    if (!begun || !begun.popup && !!begun.use !== isChange) return null;
    const end = (): void => (endBegun(this.name), brought.forget());
    if (!begun.popup) {
      const result = redeem(begun, brought);
      await result.then(end, (error: AuthError) => error.isWorthRetrying || end());
      return result;
    }
    end();
    // The page that has opened this window goes on.
    const channel = new BroadcastChannel(this.name);
    channel.postMessage({ code: brought.code, error: brought.error });
    channel.close();
    close();
    return null;
  }

  private async redeem({ path, verifier }: Begun, brought: Brought): Promise<SignIn> {
    if (!brought.code) throw faultOf(brought);
    return this.open(`${path}/verify`, { code: brought.code, verifier }, digest(`browser ${brought.code} ${verifier}`));
  }

  private async redeemChange({ path, verifier, use }: Begun, { code, error }: Brought): Promise<void> {
    if (!code) throw faultOf({ error });
    if (use === '/auth/reauthenticate') {
      return this.reauthenticate({ provider: path.replace(/.*\//, ''), code, verifier });
    }
    return this.changeIdentity(path.replace('/auth', '/users/me/identities'), { code, verifier }, digest(`browser ${code} ${verifier}`));
  }

  /** Reads what other tabs have left: the mark of a sign-out may be over. It is no part of the public interface. */
  readonly look = (): Promise<unknown> => this.engine.read();

  /** Another tab has a changed profile. It is no part of the public interface. */
  heard(user: User): void {
    this.engine.feed({ is: 'userChanged', user });
  }
}
