// core/domains/auth/events.ts
import { EventEmitter } from '@/core/shared/utils/events';

export type AuthEvents = {
  'auth:login': { userId: string; token: string };
  'auth:logout': void;
  'auth:sessionExpired': void;
  'auth:tokenRefreshed': { accessToken: string };
  'auth:userUpdated': { user: UserProfile };
};

export const authEvents = new EventEmitter<AuthEvents>();

// Helper functions for common events
export const authEventHelpers = {
  notifyLogin: (userId: string, token: string) => {
    authEvents.emit('auth:login', { userId, token });
  },

  notifyLogout: () => {
    authEvents.emit('auth:logout');
  },

  notifySessionExpired: () => {
    authEvents.emit('auth:sessionExpired');
  },

  notifyTokenRefreshed: (accessToken: string) => {
    authEvents.emit('auth:tokenRefreshed', { accessToken });
  },
};
