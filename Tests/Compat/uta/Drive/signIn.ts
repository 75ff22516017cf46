// Registration, confirmation and login.
import { authApi, authQueryKeys, authStore, sanitizeError, tokenService, useLogin, useRegister } from '@/app';
import { QueryClient } from '@tanstack/react-query';
import { localStorage } from 'zustand/middleware';
import { mailedToken } from './mails';
import { refusal, seen } from './network';
import { claims, emitted, goOn, kept, Person } from './person';
import { mutated } from './phone';
import { logged, statement } from './statements';

export async function registrationStatements(person: Person) {
  await statement('T12 T24', 'useRegister registers, and says so', async () => {
    const answer = await mutated(useRegister, person);
    return answer.success && logged.some((words) => words[0] === 'Registration successful');
  });
  await statement('T9 T12', 'the printed password123 is refused', async () => {
    const weak = authApi.public.register({ ...person, email: `b.${person.email}`, password: 'password123' });
    return (await refusal(weak)) === '400 weak_password';
  });
  await statement('T15', 'the token of the mail confirms the address, and only then a login works', async () => {
    const token = await mailedToken(person.email, '/auth/verify-email');
    if ((await refusal(authApi.public.login(person))) !== '401 invalid_credentials') return false;
    const forged = token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    if ((await refusal(authApi.public.verifyEmail(forged))) !== '400 invalid_link') return false;
    await authApi.public.verifyEmail(token);
    return (await refusal(authApi.public.verifyEmail(token))) === '400 invalid_link';
  });
}

export async function loginStatements(person: Person) {
  const client = new QueryClient();
  await statement('T11 T21 T23 T31', 'useLogin keeps tokens, store and cache, and emits auth:login', async () => {
    let answer = await authApi.public.login(person);
    const events = await emitted('auth:login', async () => {
      answer = await mutated(useLogin, person, client);
    });
    const { user, tokens } = answer;
    const cached = client.getQueryData(authQueryKeys.currentUser());
    return user.email === person.email && user.name === person.name && user.id === claims(tokens.access).sub
      && JSON.stringify(await kept()) === JSON.stringify({ access: tokens.access, refresh: tokens.refresh })
      && authStore.getState().user === user && authStore.getState().isAuthenticated && cached === user
      && events.length === 1 && events[0].userId === user.id && events[0].token === tokens.access;
  });
  await statement('T2', 'the five functions of the token service', async () => {
    const tokens = await kept();
    if (!(await tokenService.isAuthenticated()) || !tokens.access || !tokens.refresh) return false;
    await tokenService.clearTokens();
    const isOut = !(await tokenService.isAuthenticated()) && (await tokenService.getRefreshToken()) === null;
    await goOn({ access: tokens.access, refresh: tokens.refresh });
    return isOut && (await tokenService.isAuthenticated());
  });
  await statement('T28', 'of the store the user and the flag alone are persisted', async () => {
    const { state } = JSON.parse(localStorage.get('auth-store') ?? '{}');
    return Object.keys(state).sort().join() === 'isAuthenticated,user' && state.user.email === person.email
      && !JSON.stringify(state).includes((await kept()).access!);
  });
  await statement('T39', 'an access token lives for half an hour', async () => {
    const { exp, iat } = claims((await kept()).access!);
    return exp - iat === 1800;
  });
}

export async function clientStatements(person: Person) {
  await statement('T5 T6 T22', 'public endpoints are asked without a bearer', async () => {
    const open = seen.filter((request) => /^\/auth\/(login|register|verify-email)$/.test(request.path));
    return open.length > 0 && open.every((request) => request.authorization === undefined);
  });
  await statement('T7 T9 T22', 'protected endpoints are asked with the bearer', async () => {
    await authApi.protected.getCurrentUser();
    return seen[seen.length - 1].authorization === `Bearer ${(await kept()).access}`;
  });
  await statement('T10 T45', 'axios\' error has the status, and sanitizeError words for it', async () => {
    const wrong = authApi.public.login({ ...person, password: 'another long password' });
    const error: any = await wrong.then(() => null, (thrown) => thrown);
    if (!error.isAxiosError || sanitizeError(error) !== 'Please log in to continue') return false;
    const forbidden = sanitizeError({ response: { status: 403 } });
    if (forbidden !== 'You don\'t have permission to perform this action') return false;
    const development = sanitizeError(new Error('a detail'));
    Object.assign(globalThis, { __DEV__: false });
    const production = sanitizeError(new Error('a detail'));
    Object.assign(globalThis, { __DEV__: true });
    return development === 'a detail' && production === 'Something went wrong. Please try again.';
  });
}
