// Refreshes, what they survive, and what ends a session.
import { authApi, authQueryKeys, authStore, tokenService, useLogout } from '@/app';
import { QueryClient } from '@tanstack/react-query';
import { count, loseNextAnswer, refusal, seen } from './network';
import { elsewhere, emitted, goOn, isEmpty, kept, Person } from './person';
import { mutated } from './phone';
import { statement } from './statements';

/** Makes the gateway refuse the access token, as it does when its time is over. */
async function spoilAccess(): Promise<void> {
  await tokenService.setTokens('spoiled', (await kept()).refresh!);
}

const me = () => authApi.protected.getCurrentUser();

export async function refreshStatements() {
  await statement('T8 T30', 'after a 401 three requests share one refresh, and each is sent again', async () => {
    const [old, before] = [await kept(), count('/auth/refresh')];
    await spoilAccess();
    const events = await emitted('auth:tokenRefreshed', async () => {
      const users = await Promise.all([me(), me(), me()]);
      if (users.some((user) => !user.email)) throw new Error('no user');
    });
    const now = await kept();
    return count('/auth/refresh') === before + 1 && now.refresh !== old.refresh && now.access !== old.access
      && events.length === 1 && events[0].accessToken === now.access
      && (await me()).email !== undefined && count('/auth/refresh') === before + 1;
  });
  await statement('T52', 'a refresh whose answer is lost signs nobody out, and the next call goes on', async () => {
    await spoilAccess();
    loseNextAnswer('/auth/refresh');
    const lost = await refusal(me());
    return lost === '0' && (await kept()).refresh !== null && (await me()).email !== undefined;
  });
}

export async function breachStatements(person: Person) {
  await statement('T30 T51', 'a stolen refresh token that is used ends the session, and the app says so', async () => {
    const stolen = await elsewhere(person);
    await goOn(stolen);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await spoilAccess();
      await me();
    }
    const owner = await kept();
    await goOn(stolen);
    await spoilAccess();
    await refusal(me());
    await goOn({ access: owner.access!, refresh: owner.refresh! });
    await spoilAccess();
    const events = await emitted('auth:sessionExpired', async () => {
      if ((await refusal(me())) !== '401 invalid_refresh_token') throw new Error('the session goes on');
    });
    return events.length === 1 && (await isEmpty());
  });
}

export async function logoutStatements(person: Person) {
  await statement('T19 T25 T31', 'useLogout sends the bearer alone, and clears tokens, store and cache', async () => {
    const [client, tokens] = [new QueryClient(), await elsewhere(person)];
    await goOn(tokens);
    client.setQueryData(authQueryKeys.currentUser(), await me());
    const events = await emitted('auth:logout', () => mutated(useLogout, undefined, client));
    const { path, hasBody, authorization } = seen[seen.length - 1];
    if (path !== '/auth/logout' || hasBody || authorization !== `Bearer ${tokens.access}`) return false;
    const { user, isAuthenticated, isLoading } = authStore.getState();
    const cached = client.getQueryData(authQueryKeys.currentUser());
    const isCleared = (await isEmpty()) && user === null && !isAuthenticated && !isLoading && cached === undefined;
    if (!isCleared || events.length !== 1) return false;
    await goOn(tokens);
    return (await refusal(me())) === '401 invalid_refresh_token' && (await isEmpty());
  });
}
