// core/domains/auth/api.ts
import { publicApi, authenticatedApi } from '@/core/shared/api/client';
import type {
  LoginRequest,
  LoginResponse,
  RegisterRequest,
  RegisterResponse,
  UserProfile,
} from './types';

class AuthApi {
  // Public endpoints - no authentication required
  public readonly public = {
    login: async (credentials: LoginRequest): Promise<LoginResponse> => {
      const { data } = await publicApi.post('/auth/login', credentials);
      return data;
    },

    register: async (userData: RegisterRequest): Promise<RegisterResponse> => {
      const { data } = await publicApi.post('/auth/register', userData);
      return data;
    },

    forgotPassword: async (email: string): Promise<void> => {
      await publicApi.post('/auth/forgot-password', { email });
    },

    resetPassword: async (token: string, password: string): Promise<void> => {
      await publicApi.post('/auth/reset-password', { token, password });
    },

    verifyEmail: async (token: string): Promise<void> => {
      await publicApi.post('/auth/verify-email', { token });
    },
  };

  // Protected endpoints - require authentication
  public readonly protected = {
    getCurrentUser: async (): Promise<UserProfile> => {
      const { data } = await authenticatedApi.get('/auth/me');
      return data;
    },

    updateProfile: async (updates: Partial<UserProfile>): Promise<UserProfile> => {
      const { data } = await authenticatedApi.patch('/auth/profile', updates);
      return data;
    },

    changePassword: async (oldPassword: string, newPassword: string): Promise<void> => {
      await authenticatedApi.post('/auth/change-password', {
        oldPassword,
        newPassword,
      });
    },

    logout: async (): Promise<void> => {
      await authenticatedApi.post('/auth/logout');
    },

    deleteAccount: async (password: string): Promise<void> => {
      await authenticatedApi.delete('/auth/account', {
        data: { password },
      });
    },
  };
}

export const authApi = new AuthApi();
