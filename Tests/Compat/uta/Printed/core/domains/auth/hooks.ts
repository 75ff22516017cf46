// core/domains/auth/hooks.ts
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authApi } from './api';
import { authStore } from './store';
import { tokenService } from './tokenService';
import { authEvents } from './events';
import { authQueryKeys } from './queryKeys';

export function useLogin() {
  const queryClient = useQueryClient();

  return useMutation({
    mutationFn: authApi.public.login,
    onSuccess: async (data) => {
      // Store tokens
      await tokenService.setTokens(
        data.tokens.access,
        data.tokens.refresh
      );

      // Update auth store
      authStore.getState().setUser(data.user);
      authStore.getState().setAuthenticated(true);

      // Set user data in cache
      queryClient.setQueryData(
        authQueryKeys.currentUser(),
        data.user
      );

      // Emit login event
      authEvents.emit('auth:login', {
        userId: data.user.id,
        token: data.tokens.access,
      });
    },
    onError: (error) => {
      console.error('Login failed:', error);
    },
  });
}

export function useRegister() {
  return useMutation({
    mutationFn: authApi.public.register,
    onSuccess: (data) => {
      // Handle registration success
      console.log('Registration successful', data);
    },
  });
}

export function useLogout() {
  const queryClient = useQueryClient();

  return useMutation({
    mutationFn: authApi.protected.logout,
    onSuccess: async () => {
      // Clear tokens
      await tokenService.clearTokens();

      // Clear auth store
      authStore.getState().clearAuth();

      // Clear all cached data
      queryClient.clear();

      // Emit logout event
      authEvents.emit('auth:logout');
    },
  });
}

export function useCurrentUser() {
  return useQuery({
    queryKey: authQueryKeys.currentUser(),
    queryFn: authApi.protected.getCurrentUser,
    staleTime: 5 * 60 * 1000, // 5 minutes
  });
}

export function useUpdateProfile() {
  const queryClient = useQueryClient();

  return useMutation({
    mutationFn: authApi.protected.updateProfile,
    onSuccess: (updatedUser) => {
      // Update cached user data
      queryClient.setQueryData(
        authQueryKeys.currentUser(),
        updatedUser
      );

      // Update auth store
      authStore.getState().setUser(updatedUser);

      // Emit user updated event
      authEvents.emit('auth:userUpdated', { user: updatedUser });
    },
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: ({ oldPassword, newPassword }: {
      oldPassword: string;
      newPassword: string;
    }) => authApi.protected.changePassword(oldPassword, newPassword),
    onSuccess: () => {
      // Password changed successfully
      console.log('Password changed successfully');
    },
  });
}

export function useAuthStatus() {
  return useQuery({
    queryKey: authQueryKeys.status(),
    queryFn: async () => {
      const isAuthenticated = await tokenService.isAuthenticated();
      if (isAuthenticated) {
        const user = await authApi.protected.getCurrentUser();
        return { isAuthenticated: true, user };
      }
      return { isAuthenticated: false, user: null };
    },
    staleTime: Infinity, // Only refetch manually
  });
}
