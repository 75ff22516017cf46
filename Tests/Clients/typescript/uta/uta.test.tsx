// uta's printed screens and statements on the library, with real axios, React's test renderer, and stand-ins for what only runs on
// phones. The numbers are rows of Tests/Compat/statements.md.
import assert from 'node:assert/strict';
import test from 'node:test';
import { act, create } from 'react-test-renderer';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { resets } from '@react-navigation/native';
import { alerts, Button, Text, TextInput } from 'react-native';
import { auth, authApi, authEventHelpers, authEvents, authStore, authenticatedApi, items, publicApi, texts, tokenService } from './domain';
import { useAuthStatus, useChangePassword, useCurrentUser, useLogin, useLogout, useRegister, useUpdateProfile } from './domain';
import { count, seen, server } from './server';
import { authQueryKeys } from '../../../../Shared/LatchkeyAuthTypeScript/uta/index.js';
import { App } from '@/App';
import { sanitizeError } from '@/core/shared/utils/sanitizeError';
import { LoginScreen } from '@/features/auth/screens/LoginScreen';
import { ProfileScreen } from '@/features/profile/screens/ProfileScreen';

Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  AuthenticatedStack: () => <ProfileScreen />, UnauthenticatedStack: () => <LoginScreen />,
  SplashScreen: () => <Text>splash</Text>, LoadingSpinner: () => <Text>loading</Text>,
  // React's `act` waits by a MessageChannel, which would keep Node running for ever.
  MessageChannel: class {
    port1: any = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage && this.port1.onmessage(), 0) };
  },
});

const person = { email: 'ann@example.com', password: 'a long walk in the rain' };
const pause = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));
const me = () => authApi.protected.getCurrentUser();

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds++) {
    if (await holds()) return;
    await act(() => pause(10));
  }
  assert.ok(await holds());
}

/** The payloads of an event while a function runs. */
async function emitted(name: any, body: () => Promise<unknown>): Promise<any[]> {
  const payloads: any[] = [];
  const end = authEvents.on(name, (...payload: any[]) => void payloads.push(payload[0]));
  await body();
  await pause(20);
  end();
  return payloads;
}

async function show(element: any, client = new QueryClient()): Promise<any> {
  let screen: any;
  await act(async () => void (screen = create(<QueryClientProvider client={client}>{element}</QueryClientProvider>)));
  return screen;
}

const textsOn = (screen: any): string[] => screen.root.findAllByType(Text).map((text: any) => text.children.join(''));
const press = (screen: any, title: string) =>
  act(async () => screen.root.findAllByType(Button).find((button: any) => button.props.title === title).props.onPress());
const field = (screen: any, placeholder: string): any =>
  screen.root.findAllByType(TextInput).find((each: any) => each.props.placeholder === placeholder).props;
const type = (screen: any, placeholder: string, text: string) =>
  act(async () => field(screen, placeholder).onChangeText(text));

/** Uses a hook in a component, and returns what it returned last. */
async function used(use: () => any, client: QueryClient, body: (latest: () => any) => Promise<unknown>): Promise<any> {
  let latest: any;
  const Component = () => {
    latest = use();
    return null;
  };
  const screen = await show(<Component />, client);
  await act(async () => void await body(() => latest));
  await act(async () => screen.unmount());
  return latest;
}

const mutate = (use: () => any, input?: unknown, client = new QueryClient()) =>
  used(use, client, (latest) => latest().mutateAsync(input));
const query = (use: () => any, client: QueryClient) => used(use, client, async (latest) => {
  while (latest().data === undefined) await pause(5);
});

test('T12 T24 registers by the public client; a common password is refused with its status', async () => {
  await mutate(useRegister, person);
  const error: any = await authApi.public.register({ ...person, password: 'password123' }).catch((thrown) => thrown);
  assert.deepEqual([error.isAxiosError, error.response.status, error.response.data.code], [true, 400, 'weak_password']);
});

test('T10 T45 a wrong password is axios\' own error, and sanitizeError has words for it', async () => {
  const error: any = await authApi.public.login({ ...person, password: 'wrong' }).catch((thrown) => thrown);
  assert.ok(error.isAxiosError);
  assert.equal(sanitizeError(error), 'Please log in to continue');
  assert.equal(sanitizeError({ response: { status: 403 } }), 'You don\'t have permission to perform this action');
});

test('T11 T23 T28 T31 useLogin keeps session, store and cache, and emits auth:login', async () => {
  const client = new QueryClient();
  const events = await emitted('auth:login', () => mutate(useLogin, person, client));
  assert.equal(events.length, 1);
  assert.equal(events[0].userId, 'usr_1');
  assert.equal(events[0].token, await tokenService.getAccessToken());
  assert.deepEqual(client.getQueryData(authQueryKeys.currentUser()), authStore.getState().user);
  const { state } = JSON.parse(texts.get('auth-store') || '{}');
  assert.deepEqual(Object.keys(state).sort(), ['isAuthenticated', 'user']);
  assert.equal(state.isAuthenticated, true);
});

test('T2 T3 T4 T35 the token service reads and clears; the access token is nowhere on the phone', async () => {
  const token = await tokenService.getAccessToken() as string;
  assert.ok(await tokenService.isAuthenticated());
  assert.equal(await tokenService.getRefreshToken(), null);
  await assert.rejects(tokenService.setTokens('a', 'b'));
  assert.ok(![...items.values(), ...texts.values()].join().includes(token));
  assert.equal(items.size, 1);
  assert.ok(![...texts.values()].join().includes('"T'));
});

test('T5 T6 T7 T9 T22 public requests have no bearer, protected ones do', async () => {
  await me();
  const open = seen.filter(({ path }) => /^\/auth\/(login|register)$/.test(path));
  assert.ok(open.length > 0 && open.every(({ authorization }) => authorization === undefined));
  assert.equal(seen[seen.length - 1].authorization, `Bearer ${await tokenService.getAccessToken()}`);
  await publicApi.get('/auth/me').catch(() => {});
  assert.equal(seen[seen.length - 1].authorization, undefined);
});

test('T7 another host gets no bearer', async () => {
  await authenticatedApi.get('http://localhost:1/x').catch((error: any) => {
    assert.equal(error.config.headers.Authorization, undefined);
  });
});

test('T8 T30 three requests share one renewal after a 401, each is sent again, and auth:tokenRefreshed tells', async () => {
  const old = await tokenService.getAccessToken() as string;
  server.denied.add(old);
  const before = count('/auth/refresh');
  const events = await emitted('auth:tokenRefreshed', async () => {
    const users = await Promise.all([me(), me(), me()]);
    assert.ok(users.every((user) => user.email === person.email));
  });
  assert.equal(count('/auth/refresh'), before + 1);
  assert.deepEqual(events, [{ accessToken: await tokenService.getAccessToken() }]);
});

test('T8 a token this new is not renewed again: the 401 is axios\' error', async () => {
  server.denied.add(await tokenService.getAccessToken() as string);
  const before = count('/auth/refresh');
  const error: any = await me().catch((thrown) => thrown);
  assert.equal(error.response.status, 401);
  assert.equal(count('/auth/refresh'), before);
  server.denied.clear();
});

test('T8 a request is sent again once, however late its second 401 comes', async () => {
  const [before, now] = [count('/auth/me'), Date.now];
  server.refusesLate = 4;
  const error: any = await me().catch((thrown) => thrown);
  assert.equal(error.response.status, 401);
  assert.equal(count('/auth/me'), before + 2);
  server.refusesLate = 0;
  Date.now = now;
});

test('T26 T56 useCurrentUser is good for five minutes, useAuthStatus until it is asked again', async () => {
  const [client, now, before] = [new QueryClient(), Date.now, count('/auth/me')];
  const user = await query(useCurrentUser, client);
  assert.equal(user.data.email, person.email);
  Date.now = () => now() + 299_000;
  await query(useCurrentUser, client);
  assert.equal(count('/auth/me'), before + 1);
  Date.now = () => now() + 301_000;
  await query(useCurrentUser, client);
  Date.now = now;
  await until(() => count('/auth/me') === before + 2);
  const status = await query(useAuthStatus, new QueryClient());
  assert.ok(status.data.isAuthenticated && status.data.user.email === person.email);
});

test('T17 T27 useUpdateProfile changes cache and store, and emits auth:userUpdated', async () => {
  const client = new QueryClient();
  const events = await emitted('auth:userUpdated', () => mutate(useUpdateProfile, { name: 'Anna' }, client));
  assert.equal(events.length, 1);
  assert.equal(events[0].user.name, 'Anna');
  assert.equal((client.getQueryData(authQueryKeys.currentUser()) as any).name, 'Anna');
  assert.equal(authStore.getState().user!.name, 'Anna');
});

test('T18 T24 useChangePassword asks for the old one', async () => {
  const error: any = await authApi.protected.changePassword('wrong', 'x').catch((thrown) => thrown);
  assert.equal(error.response.data.code, 'wrong_password');
  await mutate(useChangePassword, { oldPassword: person.password, newPassword: 'a short walk in the sun' });
  person.password = 'a short walk in the sun';
});

test('T34 the printed ProfileScreen shows name and address, and changes the name', async () => {
  const screen = await show(<ProfileScreen />);
  await until(() => textsOn(screen).includes('Anna') && textsOn(screen).includes(person.email));
  await press(screen, 'Edit Profile');
  await until(() => textsOn(screen).includes('New Name'));
  assert.equal(alerts.pop()!.message, 'Profile updated');
  await act(async () => screen.unmount());
});

test('T8 T58 an outage ends nothing', async () => {
  server.denied.add(await tokenService.getAccessToken() as string);
  server.isUp = false;
  const events = await emitted('auth:sessionExpired', async () => assert.ok(await me().catch(() => true)));
  assert.deepEqual(events, []);
  assert.ok(await tokenService.isAuthenticated());
  server.isUp = true;
  server.denied.clear();
  await me();
});

test('T25 T31 useLogout clears session, store and cache, and emits auth:logout', async () => {
  const client = new QueryClient();
  client.setQueryData(authQueryKeys.currentUser(), {});
  const events = await emitted('auth:logout', () => mutate(useLogout, undefined, client));
  assert.equal(events.length, 1);
  const { user, isAuthenticated, isLoading } = authStore.getState();
  assert.deepEqual([user, isAuthenticated, isLoading], [null, false, false]);
  assert.equal(client.getQueryData(authQueryKeys.currentUser()), undefined);
  assert.equal(await tokenService.getAccessToken(), null);
  assert.ok(![...items.values()].join().includes('refreshToken'));
  const error: any = await me().catch((thrown) => thrown);
  assert.equal(error.response.status, 401);
});

test('T32 the printed LoginScreen signs in, and tells who has a wrong password', async () => {
  const screen = await show(<LoginScreen />);
  await type(screen, 'Email', person.email);
  await type(screen, 'Password', 'another long password');
  await press(screen, 'Login');
  assert.deepEqual(alerts.pop(), { title: 'Login Failed', message: 'Request failed with status code 401' });
  await type(screen, 'Password', person.password);
  await press(screen, 'Login');
  assert.ok(await tokenService.isAuthenticated());
  await act(async () => screen.unmount());
});

test('T8 T30 T51 a session that the server has ended is told once, and the request is a 401', async () => {
  server.hasEnded = true;
  const events = await emitted('auth:sessionExpired', async () => {
    const error: any = await me().catch((thrown) => thrown);
    assert.equal(error.response.status, 401);
  });
  assert.equal(events.length, 1);
  assert.ok(!await tokenService.isAuthenticated());
});

test('T1 T29 T33 the printed App shows the right stack, and resets to Login at the events', async () => {
  const out = await show(<App />);
  await until(() => out.root.findAllByType(TextInput).length === 2);
  await act(async () => out.unmount());
  await mutate(useLogin, person);
  const app = await show(<App />);
  // On a slow machine the session has been read by now, and the profile is on its way.
  assert.ok(['splash', 'loading'].includes(textsOn(app).join()));
  await until(() => textsOn(app).includes(person.email));
  resets.length = 0;
  authEventHelpers.notifySessionExpired();
  await act(async () => void await auth.signOut());
  assert.equal(JSON.stringify(resets), JSON.stringify([1, 2].map(() => ({ index: 0, routes: [{ name: 'Login' }] }))));
  await act(async () => app.unmount());
  authEventHelpers.notifyLogout();
  assert.equal(resets.length, 2);
});

test('T20 an account is deleted with its password', async () => {
  await mutate(useLogin, person);
  const error: any = await authApi.protected.deleteAccount('wrong').catch((thrown) => thrown);
  assert.equal(error.kind, 'passwordRefused');
  await authApi.protected.deleteAccount(person.password);
  assert.ok(!await tokenService.isAuthenticated());
});
