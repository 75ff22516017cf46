// The adapter accepts react-native-keychain's module as it is.
import * as Keychain from 'react-native-keychain';
import { keychainStore } from '@latchkey/auth/react-native';

export const store = keychainStore(Keychain);
