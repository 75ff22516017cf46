// What the blocks of the documents use besides the library: other packages, and names of the page around them.
declare module 'axios';
declare module 'next/headers';
declare module 'next/navigation';
declare module 'expo-crypto';
declare module 'expo-secure-store';
declare module 'react-native';
declare const axios: any;
declare const auth: import('@latchkey/auth/web').PageAuth;
declare const createAuth: typeof import('@latchkey/auth/web').createAuth;
declare const pending: import('@latchkey/auth/web').PendingCode;
declare const link: string;
declare const identityToken: string;
declare const nonce: string;
declare function getUser(headers: Headers): { id: string; role: string } | null;
declare function show(...what: unknown[]): void;
declare const SignIn: any;
declare const Splash: any;
