import type { AuthError, LatchkeyAuth } from '../core/index.js';

/** The token service. The library keeps the tokens, so it reads and clears them only. */
export class TokenService {
  // deno-lint-ignore no-explicit-any
  constructor(private readonly auth: LatchkeyAuth<any>) {}

  getAccessToken(): Promise<string | null> {
    return this.auth.accessToken().catch((error: AuthError) => {
      if (error.keepsSession) throw error;
      return null;
    });
  }

  /** Always `null`: no code of the app needs the refresh token, and nothing can leak what it does not have. */
  async getRefreshToken(): Promise<string | null> {
    return null;
  }

  /** Rejects: tokens come from a sign-in. */
  async setTokens(_access: string, _refresh: string): Promise<void> {
    throw new Error('The library keeps the tokens of a sign-in itself.');
  }

  /** Signs out. */
  async clearTokens(): Promise<void> {
    await this.auth.signOut();
  }

  async isAuthenticated(): Promise<boolean> {
    return (await this.auth.ready()).at === 'signedIn';
  }
}
