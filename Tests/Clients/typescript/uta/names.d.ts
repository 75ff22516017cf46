// Names that the printed screens use without importing them; `domain.ts` gives them.
type UserProfile = import('../../../../Shared/LatchkeyAuthTypeScript/uta/index.js').UserProfile;

declare var Alert: typeof import('react-native').Alert;
declare var Button: typeof import('react-native').Button;
declare var Text: typeof import('react-native').Text;
declare var TextInput: typeof import('react-native').TextInput;
declare var View: typeof import('react-native').View;
declare var useNavigation: typeof import('@react-navigation/native').useNavigation;
declare var AuthenticatedStack: () => any;
declare var LoadingSpinner: () => any;
declare var SplashScreen: () => any;
declare var UnauthenticatedStack: () => any;
declare var __DEV__: boolean;

// What of Node the test uses.
declare function setTimeout(body: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
declare function fetch(url: string, init: object): Promise<any>;
declare module 'node:http' {
  export function createServer(body: (request: any, response: any) => void): any;
}
