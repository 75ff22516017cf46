import { AuthError, LatchkeyAuth, renewSession, type SignIn } from '../core/index.js';
import { base64url, utf8 } from '../core/support/bytes.js';
import { sha256 } from '../core/support/sha256.js';

/** The session of a React Native app. */
export class NativeAuth extends LatchkeyAuth {
  /**
   * Takes over the tokens that the app has kept itself so far. Erase them once this resolves, or rejects with an error that does not
   * keep the session; after every other error call it again.
   *
   * The refresh token is renewed. The key of that request derives from the token, so a repeat after a lost response, or after the app
   * was killed, gets the same successor. While a user is signed in, nothing is taken over.
   */
  async takeOver({ refreshToken }: { refreshToken: string }): Promise<SignIn | null> {
    const state = await this.ready();
    if (state.at === 'unavailable') throw new AuthError({ kind: 'storeUnavailable', trouble: state.trouble });
    if (state.at === 'signedIn') return null;
    const proof = base64url(sha256(utf8(`take over ${refreshToken}`)));
    return this.once(proof, async () => {
      const renewal = await renewSession(this.api, { refreshToken, secret: proof });
      if (renewal.is === 'failed') throw new AuthError(renewal.fault);
      if (renewal.is === 'refused') {
        const { verdict: reason } = renewal;
        if (reason !== 'superseded' && reason !== 'inactive') throw new AuthError({ kind: 'signedOut', reason });
        throw new AuthError({ kind: reason === 'inactive' ? 'accountInactive' : 'unavailable' });
      }
      const user = await this.api.json({ method: 'GET', path: '/users/me', bearer: renewal.tokens.accessToken });
      return this.begin({ user, tokens: { ...renewal.tokens } }, proof);
    });
  }
}
