// A person with an email address and a password, and the values that the app keeps for them.
import { authApi, authEvents, tokenService } from '@/app';
import { items } from '@react-native-async-storage/async-storage';
import { mailedToken } from './mails';

export interface Person {
  email: string;
  password: string;
  name: string;
}

export const somebody = (): Person => ({
  email: `ann.${Date.now()}.${Math.floor(Math.random() * 1e9)}@example.com`,
  password: 'a long walk in the rain',
  name: 'Ann',
});

/** Registers and confirms. */
export async function registered(person: Person = somebody()): Promise<Person> {
  await authApi.public.register(person);
  await authApi.public.verifyEmail(await mailedToken(person.email, '/auth/verify-email'));
  return person;
}

export interface Tokens {
  access: string;
  refresh: string;
}

/** Tokens of a session of which the app knows nothing. */
export async function elsewhere(person: Person): Promise<Tokens> {
  return (await authApi.public.login(person)).tokens;
}

/** Makes this session the app's. */
export async function goOn(tokens: Tokens): Promise<void> {
  await tokenService.setTokens(tokens.access, tokens.refresh);
}

export async function kept(): Promise<{ access: string | null; refresh: string | null }> {
  return { access: await tokenService.getAccessToken(), refresh: await tokenService.getRefreshToken() };
}

/** Whether nothing of a session is left on the phone. */
export async function isEmpty(): Promise<boolean> {
  return !(await tokenService.isAuthenticated()) && items.size === 0;
}

export function claims(token: string): any {
  return JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
}

/** What an event was emitted with while `body` ran, each time. */
export async function emitted(name: Parameters<typeof authEvents.on>[0], body: () => Promise<unknown>): Promise<any[]> {
  const payloads: any[] = [];
  const unsubscribe = authEvents.on(name, (...payload: any[]) => void payloads.push(payload[0]));
  try {
    await body();
  } finally {
    unsubscribe();
  }
  return payloads;
}
