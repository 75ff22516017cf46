import type { AuthError, LatchkeyAuth } from '../core/index.js';

/** The token service. The library keeps the tokens, so it reads and clears them only. */
export interface TokenService {
  getAccessToken(): Promise<string | null>;
  /** Always `null`: no code of the app needs the refresh token, and nothing can leak what it does not have. */
  getRefreshToken(): Promise<string | null>;
  /** Rejects: tokens come from a sign-in. */
  setTokens(access: string, refresh: string): Promise<void>;
  /** Signs out. */
  clearTokens(): Promise<void>;
  isAuthenticated(): Promise<boolean>;
}

// deno-lint-ignore no-explicit-any
export function makeTokenService(auth: LatchkeyAuth<any>): TokenService {
  return {
    getAccessToken: () => auth.accessToken().catch((error: AuthError) => {
      if (error.keepsSession) throw error;
      return null;
    }),
    getRefreshToken: async () => null,
    setTokens: async () => {
      throw new Error('The library keeps the tokens of a sign-in itself.');
    },
    clearTokens: () => auth.signOut(),
    isAuthenticated: async () => (await auth.ready()).at === 'signedIn',
  };
}
