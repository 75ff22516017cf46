// The app's auth domain: the library, in place of what uta's document prints of it and of what it leaves out. The printed screens
// import it by the document's paths.
import axios from 'axios';
import * as reactQuery from '@tanstack/react-query';
import { useNavigation } from '@react-navigation/native';
import { Alert, Button, Text, TextInput, View } from 'react-native';
import { attachAuth } from '../../../../Shared/LatchkeyAuthTypeScript/axios/index.js';
import { createAuth } from '../../../../Shared/LatchkeyAuthTypeScript/react-native/index.js';
import { createUta } from '../../../../Shared/LatchkeyAuthTypeScript/uta/index.js';
import { start } from './server';

Object.assign(globalThis, { Alert, Button, Text, TextInput, View, useNavigation, __DEV__: true });

/** What the phone's Keychain and its storage for text have. */
export const items = new Map<string, string>();
export const texts = new Map<string, string>();

const baseURL = start();
export const publicApi = axios.create({ baseURL });
export const authenticatedApi = axios.create({ baseURL });
export const auth = createAuth({
  baseURL, random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  store: {
    get: async (key) => items.get(key) || null,
    set: async (key, value) => void items.set(key, value),
    remove: async (key) => void items.delete(key),
  },
});
attachAuth(authenticatedApi, auth);

export const {
  authApi, authEventHelpers, authEvents, authStore, tokenService, useAuthStatus, useChangePassword, useCurrentUser, useLogin, useLogout,
  useRegister, useUpdateProfile,
} = createUta({
  auth, publicApi, authenticatedApi, reactQuery,
  storage: { getItem: (key) => texts.get(key) || null, setItem: (key, text) => void texts.set(key, text) },
});
