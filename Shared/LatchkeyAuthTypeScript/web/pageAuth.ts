import { LatchkeyAuth, type AuthError, type Configuration, type SignIn, type User } from '../core/index.js';
import { base64url, utf8 } from '../core/support/bytes.js';
import { sha256 } from '../core/support/sha256.js';
import { begunOf, broughtBack, endBegun, faultOf, fromWindow, keepBegun, pathOf } from './browser.js';
import type { Begun, BrowserOptions, Brought } from './browser.js';

const digest = (text: string): string => base64url(sha256(utf8(text)));

/** The session of a web page. */
export class PageAuth extends LatchkeyAuth<Response> {
  private finishing?: Promise<SignIn | null>;

  /** @param name the name of sign-ins that are under way, and of the channel on which a window of its own tells its code. */
  constructor(configuration: Configuration<Response>, private readonly name: string) {
    super(configuration);
  }

  /**
   * Signs in at a provider's own page, such as that of `apple`, or of an entry of the policy's `oidc`.
   *
   * The page goes there, so the result never resolves; call `finishSignIn` on the page to which the provider returns. With `popup` the
   * provider has a window of its own, and the result is the sign-in.
   */
  async signInWithBrowser(provider: string, options: BrowserOptions = {}): Promise<SignIn> {
    const { popup = false, redirect = location.origin + location.pathname } = options;
    const begun: Begun = { path: pathOf(provider), verifier: this.randomToken(), popup };
    const query = `challenge=${digest(begun.verifier)}&redirect=${encodeURIComponent(redirect)}`;
    const url = `${this.api.baseURL.text}${begun.path}/authorize?${query}`;
    keepBegun(this.name, begun);
    if (!popup) location.assign(url);
    if (!popup) return new Promise(() => {});
    const brought = await fromWindow(this.name, url).finally(() => endBegun(this.name));
    return this.redeem(begun, brought);
  }

  /**
   * Finishes a sign-in if the page's address brings one back from a provider, and returns `null` if it does not. Call it at the start
   * of the page that the provider returns to, and again after an error that `isWorthRetrying`, such as `offline`.
   */
  finishSignIn(): Promise<SignIn | null> {
    return this.finishing ||= this.finish().finally(() => (this.finishing = undefined));
  }

  private async finish(): Promise<SignIn | null> {
    const brought = broughtBack();
    const begun = brought && begunOf(this.name);
    if (!begun) return null;
    const end = (): void => (endBegun(this.name), brought.forget());
    if (!begun.popup) {
      const signIn = this.redeem(begun, brought);
      await signIn.then(end, (error: AuthError) => error.isWorthRetrying || end());
      return signIn;
    }
    end();
    // The page that has opened this window signs in.
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

  /** Reads what other tabs have left: the mark of a sign-out may be over. It is no part of the public interface. */
  readonly look = (): Promise<unknown> => this.engine.read();

  /** Another tab has a changed profile. It is no part of the public interface. */
  heard(user: User): void {
    this.engine.feed({ is: 'userChanged', user });
  }
}
