/** The keys of cached queries. */
export const authQueryKeys = {
  currentUser: (): string[] => ['auth', 'currentUser'],
  status: (): string[] => ['auth', 'status'],
};

/** The time in milliseconds after which the current user is read again. */
export const currentUserStaleTime = 300_000;

/** The name under which the user and the flag are persisted. */
export const authStoreName = 'auth-store';
