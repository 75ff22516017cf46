// Names that printed files use without importing them; `globals.ts` and `clients.ts` give them.
type AxiosRequestConfig = import('axios').AxiosRequestConfig;
type UserProfile = import('@/core/domains/auth/types').UserProfile;

declare var BaseApiClient: typeof import('@/core/shared/api/base').BaseApiClient;
declare var PublicApiClient: typeof import('@/core/shared/api/public').PublicApiClient;
declare var AuthenticatedApiClient: typeof import('@/core/shared/api/authenticated').AuthenticatedApiClient;

declare var Alert: typeof import('react-native').Alert;
declare var Button: typeof import('react-native').Button;
declare var Text: typeof import('react-native').Text;
declare var TextInput: typeof import('react-native').TextInput;
declare var View: typeof import('react-native').View;
declare var useNavigation: typeof import('@react-navigation/native').useNavigation;

declare var AuthenticatedStack: typeof import('@/screens/stacks').AuthenticatedStack;
declare var LoadingSpinner: typeof import('@/screens/stacks').LoadingSpinner;
declare var SplashScreen: typeof import('@/screens/stacks').SplashScreen;
declare var UnauthenticatedStack: typeof import('@/screens/stacks').UnauthenticatedStack;

/** React Native's: whether this is a development build. */
declare var __DEV__: boolean;
