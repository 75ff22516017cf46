// The app's one session: created outside of components, so that neither StrictMode nor a reload of a component makes a second one.
import NetInfo from '@react-native-community/netinfo';
import { getRandomBytes } from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';
import { AppState } from 'react-native';
import { createAuth, expoStore } from '@latchkey/auth/react-native';

export const auth = createAuth({
  baseURL: process.env.EXPO_PUBLIC_API_URL || 'https://api.example.com',
  allowsPrivateHTTP: __DEV__, // For a phone in the same network as the developer's machine.
  store: expoStore(SecureStore),
  random: getRandomBytes,
  appState: AppState,
  netInfo: NetInfo,
  log: (line) => __DEV__ && console.log(line),
});
