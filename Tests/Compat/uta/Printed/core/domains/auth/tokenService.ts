// core/domains/auth/tokenService.ts
import { storage } from '@/core/shared/utils/storage';

export interface TokenService {
  getAccessToken: () => Promise<string | null>;
  getRefreshToken: () => Promise<string | null>;
  setTokens: (access: string, refresh: string) => Promise<void>;
  clearTokens: () => Promise<void>;
  isAuthenticated: () => Promise<boolean>;
}

export const tokenService: TokenService = {
  async getAccessToken() {
    return storage.getSecureItem('accessToken');
  },

  async getRefreshToken() {
    return storage.getSecureItem('refreshToken');
  },

  async setTokens(access: string, refresh: string) {
    await Promise.all([
      storage.setSecureItem('accessToken', access),
      storage.setSecureItem('refreshToken', refresh),
    ]);
  },

  async clearTokens() {
    await Promise.all([
      storage.removeItem('accessToken'),
      storage.removeItem('refreshToken'),
    ]);
  },

  async isAuthenticated() {
    const token = await this.getAccessToken();
    return !!token;
  },
};
