import type { AuthAPI } from './api.js';
import { authQueryKeys, currentUserStaleTime } from './constants.js';
import type { AuthEvents, EventEmitter } from './events.js';
import type { AuthStore } from './store.js';
import type { TokenService } from './tokenService.js';
import type { LoginRequest, LoginResponse, RegisterRequest, RegisterResponse, UserProfile } from './types.js';

/** The cache of React Query, as far as the hooks use it. */
export interface QueryCache {
  setQueryData(key: string[], data: unknown): unknown;
  clear(): void;
}

/** A mutation of React Query. */
export interface Mutation<Data, Input> {
  mutateAsync(input: Input): Promise<Data>;
  isLoading?: boolean;
  // deno-lint-ignore no-explicit-any
  [member: string]: any;
}

/** A query of React Query. */
export interface Query<Data> {
  data: Data | undefined;
  isLoading: boolean;
  // deno-lint-ignore no-explicit-any
  [member: string]: any;
}

/** The functions of `@tanstack/react-query` that the hooks use. */
export interface ReactQuery {
  // deno-lint-ignore no-explicit-any
  useMutation(options: any): any;
  // deno-lint-ignore no-explicit-any
  useQuery(options: any): any;
  useQueryClient(): QueryCache;
}

/** Whether the user is signed in, and who they are. */
export interface AuthStatus {
  isAuthenticated: boolean;
  user: UserProfile | null;
}

export interface AuthHooks {
  useLogin(): Mutation<LoginResponse, LoginRequest>;
  useRegister(): Mutation<RegisterResponse, RegisterRequest>;
  useLogout(): Mutation<void, void>;
  useCurrentUser(): Query<UserProfile>;
  useUpdateProfile(): Mutation<UserProfile, Partial<UserProfile>>;
  useChangePassword(): Mutation<void, { oldPassword: string; newPassword: string }>;
  useAuthStatus(): Query<AuthStatus>;
}

/** Creates the hooks. The session, the store and the other events follow from the library's events. */
export function makeHooks(
  query: ReactQuery, api: AuthAPI, store: AuthStore, events: EventEmitter<AuthEvents>, tokens: TokenService,
): AuthHooks {
  const { useMutation, useQuery, useQueryClient } = query;
  return {
    useLogin() {
      const cache = useQueryClient();
      return useMutation({
        mutationFn: api.public.login,
        onSuccess: ({ user, tokens }: LoginResponse) => {
          store.setState({ user, isAuthenticated: true, isLoading: false });
          cache.setQueryData(authQueryKeys.currentUser(), user);
          events.emit('auth:login', { userId: user.id, token: tokens.access });
        },
      });
    },
    useRegister: () => useMutation({ mutationFn: api.public.register }),
    useLogout() {
      const cache = useQueryClient();
      return useMutation({ mutationFn: api.protected.logout, onSuccess: () => cache.clear() });
    },
    useCurrentUser: () => useQuery({
      queryKey: authQueryKeys.currentUser(), queryFn: api.protected.getCurrentUser, staleTime: currentUserStaleTime,
    }),
    useUpdateProfile() {
      const cache = useQueryClient();
      return useMutation({
        mutationFn: api.protected.updateProfile,
        onSuccess: (user: UserProfile) => {
          cache.setQueryData(authQueryKeys.currentUser(), user);
          store.getState().setUser(user);
          events.emit('auth:userUpdated', { user });
        },
      });
    },
    useChangePassword: () => useMutation({
      mutationFn: ({ oldPassword, newPassword }: { oldPassword: string; newPassword: string }) =>
        api.protected.changePassword(oldPassword, newPassword),
    }),
    useAuthStatus: () => useQuery({
      queryKey: authQueryKeys.status(), staleTime: Infinity,
      queryFn: async () => {
        const isAuthenticated = await tokens.isAuthenticated();
        return { isAuthenticated, user: isAuthenticated ? await api.protected.getCurrentUser() : null };
      },
    }),
  };
}
