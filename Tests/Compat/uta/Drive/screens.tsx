// The printed screens, as a test renderer shows them, and the printed storage of both platforms.
import { App, authEventHelpers, LoginScreen, ProfileScreen, tokenService } from '@/app';
import { items } from '@react-native-async-storage/async-storage';
import { resets } from '@react-navigation/native';
import { alerts, Platform } from 'react-native';
import { entries } from 'react-native-keychain';
import { elsewhere, emitted, goOn, isEmpty, Person } from './person';
import { Screen } from './phone';
import { statement } from './statements';

export async function loginScreenStatements(person: Person) {
  await statement('T32', 'LoginScreen signs in, and tells who has a wrong password', async () => {
    await tokenService.clearTokens();
    const screen = await Screen.show(<LoginScreen />);
    await screen.type('Email', person.email);
    await screen.type('Password', 'another long password');
    await screen.press('Login');
    const alert = JSON.stringify(alerts.pop());
    if (alert !== '{"title":"Login Failed","message":"Request failed with status code 401"}') return false;
    if (!(await isEmpty())) return false;
    await screen.type('Password', person.password);
    const events = await emitted('auth:login', () => screen.press('Login'));
    const isHidden = screen.fields().some((field) => field.secureTextEntry && field.value === person.password);
    await screen.close();
    return events.length === 1 && alerts.length === 0 && isHidden && (await tokenService.isAuthenticated());
  });
}

export async function profileScreenStatements(person: Person) {
  await statement('T34', 'ProfileScreen shows name and address, and changes the name', async () => {
    const screen = await Screen.show(<ProfileScreen />);
    if (!(await screen.shows(person.email)) || !(await screen.shows('Anna'))) return false;
    await screen.press('Edit Profile');
    const [done, isShown] = [alerts.pop(), await screen.shows('New Name')];
    await tokenService.clearTokens();
    await screen.press('Edit Profile');
    const failed = alerts.pop();
    await screen.close();
    return done?.message === 'Profile updated' && isShown && failed?.message === 'Failed to update profile';
  });
}

export async function appStatements(person: Person) {
  await statement('T33', 'App shows the splash, then the stack of who is signed in or not', async () => {
    await tokenService.clearTokens();
    const out = await Screen.show(<App />);
    const fields = () => out.fields().map((field) => field.placeholder).join();
    const isSignIn = await out.comesTo(() => fields() === 'Email,Password');
    await out.close();
    await goOn(await elsewhere(person));
    const signedIn = await Screen.show(<App />);
    const isSplash = signedIn.texts().join() === 'splash';
    const isProfile = await signedIn.shows(person.email);
    await signedIn.close();
    return isSignIn && isSplash && isProfile;
  });
  await statement('T1 T29 T33', 'App resets to Login at the printed helpers\' events, until it is gone', async () => {
    const login = JSON.stringify({ index: 0, routes: [{ name: 'Login' }] });
    const app = await Screen.show(<App />);
    resets.length = 0;
    authEventHelpers.notifySessionExpired();
    authEventHelpers.notifyLogout();
    authEventHelpers.notifyLogin('id', 'token');
    authEventHelpers.notifyTokenRefreshed('token');
    const isReset = resets.length === 2 && resets.every((reset) => JSON.stringify(reset) === login);
    await app.close();
    authEventHelpers.notifyLogout();
    return isReset && resets.length === 2;
  });
}

export async function storageStatements() {
  await statement('T3', 'iOS: both tokens go to one entry, so the printed storage loses the access token', async () => {
    Platform.OS = 'ios';
    await tokenService.setTokens('access', 'refresh');
    const read = [await tokenService.getAccessToken(), await tokenService.getRefreshToken()];
    const count = entries.size;
    await tokenService.clearTokens();
    Platform.OS = 'android';
    return count === 1 && read.join() === 'refresh,refresh' && entries.size === 0;
  });
  await statement('T4', 'Android: the printed storage keeps tokens in plain text', async () => {
    await tokenService.setTokens('access', 'refresh');
    const plain = [...items].join(';');
    await tokenService.clearTokens();
    return plain === '@secure_accessToken,access;@secure_refreshToken,refresh';
  });
}
