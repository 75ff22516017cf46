// Profile, passwords and the end of the account.
import { authApi, authQueryKeys, authStore, publicApi } from '@/app';
import { useAuthStatus, useChangePassword, useCurrentUser, useUpdateProfile } from '@/app';
import { QueryClient } from '@tanstack/react-query';
import { mailedToken } from './mails';
import { count, refusal } from './network';
import { elsewhere, emitted, goOn, kept, Person } from './person';
import { mutated, queried } from './phone';
import { eventually, logged, sleep, statement } from './statements';

/** Runs `body` when the phone's clock stands so many seconds ahead. */
async function later<Value>(seconds: number, body: () => Promise<Value>): Promise<Value> {
  const now = Date.now;
  Date.now = () => now() + seconds * 1000;
  try {
    return await body();
  } finally {
    Date.now = now;
  }
}

export async function profileStatements(person: Person) {
  const client = new QueryClient();
  await statement('T16 T26', 'useCurrentUser asks again after five minutes, and no sooner', async () => {
    const before = count('/auth/me');
    const user = await queried(useCurrentUser, client);
    await later(299, () => queried(useCurrentUser, client));
    if (count('/auth/me') !== before + 1 || user.email !== person.email || user.name !== person.name) return false;
    await later(301, () => queried(useCurrentUser, client));
    await eventually('another request', () => count('/auth/me') > before + 1);
    return count('/auth/me') === before + 2 && user.id === authStore.getState().user?.id;
  });
  await statement('T26 T56', 'useAuthStatus asks once', async () => {
    const before = count('/auth/me');
    const status = await queried(useAuthStatus, client);
    await later(1e9, () => queried(useAuthStatus, client));
    return status.isAuthenticated && status.user?.email === person.email && count('/auth/me') === before + 1;
  });
  await statement('T17 T27', 'useUpdateProfile changes cache and store, and emits auth:userUpdated', async () => {
    const { id, email } = await authApi.protected.getCurrentUser();
    const events = await emitted('auth:userUpdated', async () => {
      await mutated(useUpdateProfile, { id, email, name: 'Anna' }, client);
    });
    const cached: any = client.getQueryData(authQueryKeys.currentUser());
    const users = [cached, authStore.getState().user, events[0].user];
    return users.every((user) => user.name === 'Anna' && user.id === id && user.email === email) && events.length === 1
      && (await authApi.protected.getCurrentUser()).name === 'Anna';
  });
  await statement('T17', 'another id or another address is refused', async () => {
    const changes = [{ id: 'another' }, { email: `c.${person.email}` }];
    const answers = await Promise.all(changes.map((change) => refusal(authApi.protected.updateProfile(change))));
    return answers.join() === '400 not_assignable,400 not_assignable'
      && (await authApi.protected.getCurrentUser()).email === person.email;
  });
}

export async function passwordStatements(person: Person) {
  await statement('T18 T24 T43', 'useChangePassword asks for the old one and ends the other sessions alone', async () => {
    const [other, newPassword] = [await elsewhere(person), 'a short walk in the sun'];
    const wrong = authApi.protected.changePassword('another long password', newPassword);
    if ((await refusal(wrong)) !== '400 wrong_password') return false;
    await mutated(useChangePassword, { oldPassword: person.password, newPassword });
    person.password = newPassword;
    if (!logged.some((words) => words[0] === 'Password changed successfully')) return false;
    await sleep(100);
    const own = await kept();
    if ((await authApi.protected.getCurrentUser()).email !== person.email) return false;
    await goOn(other);
    const ended = await refusal(authApi.protected.getCurrentUser());
    await goOn({ access: own.access!, refresh: own.refresh! });
    return ended === '401 invalid_refresh_token';
  });
  await statement('T13 T14', 'a forgotten password is set anew by the mail, and all sessions end', async () => {
    await authApi.public.forgotPassword(`nobody.${person.email}`);
    await authApi.public.forgotPassword(person.email);
    const token = await mailedToken(person.email, '/auth/reset-password');
    await authApi.public.resetPassword(token, 'a third walk in the fog');
    const old = await refusal(authApi.public.login(person));
    person.password = 'a third walk in the fog';
    await sleep(100);
    const ended = await refusal(authApi.protected.getCurrentUser());
    const spent = await refusal(authApi.public.resetPassword(token, 'a fourth walk in the snow'));
    const answers = [old, ended, spent].join();
    if (answers !== '401 invalid_credentials,401 invalid_refresh_token,400 invalid_link') return false;
    await goOn(await elsewhere(person));
    return (await authApi.protected.getCurrentUser()).email === person.email;
  });
}

export async function deletionStatements(person: Person) {
  await statement('T20 T43', 'deleteAccount asks for the password, and ends the account', async () => {
    await goOn(await elsewhere(person));
    if ((await refusal(authApi.protected.deleteAccount('another long password'))) !== '400 wrong_password') return false;
    await authApi.protected.deleteAccount(person.password);
    await sleep(100);
    if (!/^40[13] /.test(await refusal(authApi.protected.getCurrentUser()))) return false;
    // Who comes back within the days of grace has it again.
    const { data } = await publicApi.post('/auth/login', person);
    return data.restored === true;
  });
}
