// The keys that the printed hooks.ts imports.
export const authQueryKeys = {
  currentUser: () => ['auth', 'currentUser'],
  status: () => ['auth', 'status'],
};
