// Where the printed ProfileScreen imports its hook from; the document prints it in the domain `auth`.
export { useUpdateProfile } from '@/core/domains/auth/hooks';
