// The app as the drive sees it: everything that has to be there before the printed files are read, then these.
import './clients';
import * as screens from '@/screens/stacks';

Object.assign(globalThis, screens);

export * from '@/core/domains/auth';
export { authQueryKeys } from '@/core/domains/auth/queryKeys';
export { authenticatedApi, publicApi } from '@/core/shared/api/client';
export { sanitizeError } from '@/core/shared/utils/sanitizeError';
export { App } from '@/App';
export { LoginScreen } from '@/features/auth/screens/LoginScreen';
export { ProfileScreen } from '@/features/profile/screens/ProfileScreen';
