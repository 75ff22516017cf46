// As much of the types of Expo's and React Native's modules as the example uses, by their documentation: the modules themselves only
// run on phones.
declare const __DEV__: boolean;
declare const process: { env: Record<string, string | undefined> };
declare const console: { log(line: string): void };

declare module 'react-native' {
  type Component<Props> = (props: Props) => JSX.Element;
  export const ActivityIndicator: Component<{}>;
  export const View: Component<{ children?: import('react').ReactNode }>;
  export const Text: Component<{ children?: import('react').ReactNode }>;
  export const Button: Component<{ title: string; onPress: () => unknown }>;
  export const TextInput: Component<{
    value: string; onChangeText: (text: string) => void; placeholder?: string; keyboardType?: 'phone-pad' | 'number-pad';
    autoComplete?: 'tel' | 'one-time-code'; textContentType?: 'oneTimeCode';
  }>;
  export type AppStateStatus = 'active' | 'background' | 'inactive' | 'unknown' | 'extension';
  export const AppState: {
    readonly currentState: AppStateStatus;
    addEventListener(
      type: 'change' | 'memoryWarning' | 'blur' | 'focus', listener: (state: AppStateStatus) => void,
    ): { remove: () => void };
  };
}

declare module 'expo-crypto' {
  export function getRandomBytes(byteCount: number): Uint8Array;
}

declare module 'expo-secure-store' {
  export type KeychainAccessibilityConstant = number;
  export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;
  export interface SecureStoreOptions {
    keychainService?: string; requireAuthentication?: boolean; authenticationPrompt?: string;
    keychainAccessible?: KeychainAccessibilityConstant;
  }
  export function getItemAsync(key: string, options?: SecureStoreOptions): Promise<string | null>;
  export function setItemAsync(key: string, value: string, options?: SecureStoreOptions): Promise<void>;
  export function deleteItemAsync(key: string, options?: SecureStoreOptions): Promise<void>;
}

declare module '@react-native-community/netinfo' {
  export interface NetInfoState { type: string; isConnected: boolean | null; isInternetReachable: boolean | null }
  const NetInfo: { addEventListener(listener: (state: NetInfoState) => void): () => void };
  export default NetInfo;
}

declare module 'react-native-keychain' {
  export enum ACCESSIBLE { AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 'AccessibleAfterFirstUnlockThisDeviceOnly' }
  export interface BaseOptions { service?: string }
  export interface SetOptions extends BaseOptions { accessible?: ACCESSIBLE }
  export interface UserCredentials { service: string; storage: string; username: string; password: string }
  export function getGenericPassword(options?: BaseOptions): Promise<false | UserCredentials>;
  export function setGenericPassword(
    username: string, password: string, options?: SetOptions,
  ): Promise<false | { service: string; storage: string }>;
  export function resetGenericPassword(options?: BaseOptions): Promise<boolean>;
}
