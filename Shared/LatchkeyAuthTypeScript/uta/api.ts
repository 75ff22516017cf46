import type { LatchkeyAuth } from '../core/index.js';
import type { LoginRequest, LoginResponse, RegisterRequest, RegisterResponse, UserProfile } from './types.js';

/** A client in axios' contract: `{data}`, and errors with `response.status`. */
export interface HTTPClient {
  get(url: string): Promise<Response>;
  post(url: string, body?: unknown): Promise<Response>;
  patch(url: string, body?: unknown): Promise<Response>;
}

// deno-lint-ignore no-explicit-any
type Response = { data: any };

/** The auth endpoints. What opens or ends a session goes by way of the library; all else by the app's clients. */
export interface AuthAPI {
  readonly public: {
    login(credentials: LoginRequest): Promise<LoginResponse>;
    register(userData: RegisterRequest): Promise<RegisterResponse>;
    forgotPassword(email: string): Promise<void>;
    resetPassword(token: string, password: string): Promise<void>;
    verifyEmail(token: string): Promise<void>;
  };
  readonly protected: {
    getCurrentUser(): Promise<UserProfile>;
    updateProfile(updates: Partial<UserProfile>): Promise<UserProfile>;
    changePassword(oldPassword: string, newPassword: string): Promise<void>;
    logout(): Promise<void>;
    deleteAccount(password: string): Promise<void>;
  };
}

// deno-lint-ignore no-explicit-any
export function makeAuthAPI(auth: LatchkeyAuth<any>, open: HTTPClient, authenticated: HTTPClient): AuthAPI {
  return {
    public: {
      login: async (credentials) => {
        const { data } = await open.post('/auth/login', credentials);
        await auth.adopt(data);
        return { user: data.user, tokens: { access: await auth.accessToken() } };
      },
      register: async (userData) => (await open.post('/auth/register', userData)).data,
      forgotPassword: async (email) => void await open.post('/auth/forgot-password', { email }),
      resetPassword: async (token, password) => void await open.post('/auth/reset-password', { token, password }),
      verifyEmail: async (token) => void await open.post('/auth/verify-email', { token }),
    },
    protected: {
      getCurrentUser: async () => (await authenticated.get('/auth/me')).data,
      updateProfile: async (updates) => (await authenticated.patch('/auth/profile', updates)).data,
      changePassword: async (oldPassword, newPassword) =>
        void await authenticated.post('/auth/change-password', { oldPassword, newPassword }),
      logout: async () => void await auth.signOut(),
      deleteAccount: (password) => auth.deleteAccount(password),
    },
  };
}
