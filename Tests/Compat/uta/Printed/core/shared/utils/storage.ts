// core/shared/utils/storage.ts
import AsyncStorage from '@react-native-async-storage/async-storage';
import * as Keychain from 'react-native-keychain';
import { Platform } from 'react-native';

class SecureStorage {
  private readonly KEYCHAIN_SERVICE = 'com.yourapp.secure';

  async setSecureItem(key: string, value: string): Promise<void> {
    if (Platform.OS === 'ios') {
      await Keychain.setInternetCredentials(
        this.KEYCHAIN_SERVICE,
        key,
        value
      );
    } else {
      // Android: Use encrypted shared preferences
      await AsyncStorage.setItem(`@secure_${key}`, value);
    }
  }

  async getSecureItem(key: string): Promise<string | null> {
    if (Platform.OS === 'ios') {
      const credentials = await Keychain.getInternetCredentials(
        this.KEYCHAIN_SERVICE
      );
      return credentials ? credentials.password : null;
    } else {
      return AsyncStorage.getItem(`@secure_${key}`);
    }
  }

  async removeItem(key: string): Promise<void> {
    if (Platform.OS === 'ios') {
      await Keychain.resetInternetCredentials(this.KEYCHAIN_SERVICE);
    } else {
      await AsyncStorage.removeItem(`@secure_${key}`);
    }
  }
}

export const storage = new SecureStorage();
