// What only time shows, by a clock that is moved for the whole Latchkey: its file is COMPAT_CLOCK.
import { authApi } from '@/app';
import { count, refusal } from './network';
import { elsewhere, emitted, goOn, isEmpty, kept, Person, registered } from './person';
import { sleep, statement } from './statements';

const hour = 3600;
const day = 24 * hour;

/** Lets it be so many seconds after the run's beginning. */
async function moveTo(seconds: number): Promise<void> {
  const fs = require('fs');
  const file = process.env.COMPAT_CLOCK!;
  // Replaced as a whole: it is read at any time.
  fs.writeFileSync(`${file}.new`, `+${seconds}`);
  fs.renameSync(`${file}.new`, file);
  await sleep(3000);
}

/** How many refreshes a call needs that works. */
async function refreshesOfACall(): Promise<number> {
  const before = count('/auth/refresh');
  await authApi.protected.getCurrentUser();
  return count('/auth/refresh') - before;
}

async function isSignedOut(): Promise<boolean> {
  const events = await emitted('auth:sessionExpired', async () => {
    if ((await refusal(authApi.protected.getCurrentUser())) !== '401 invalid_refresh_token') throw new Error('it goes on');
  });
  return events.length === 1 && (await isEmpty());
}

export async function expiryStatements() {
  const person: Person = await registered();
  await goOn(await elsewhere(person));
  await statement('T8 T39', 'an access token is good for half an hour, and then refreshed by itself', async () => {
    await moveTo(1700);
    if ((await refreshesOfACall()) !== 0) return false;
    await moveTo(1900);
    const old = await kept();
    return (await refreshesOfACall()) === 1 && (await kept()).refresh !== old.refresh && (await refreshesOfACall()) === 0;
  });
  await statement('T40', 'a session that is used within each week lives for thirty days', async () => {
    for (const time of [6 * day, 12 * day, 18 * day, 24 * day, 30 * day - hour]) {
      await moveTo(time);
      if ((await refreshesOfACall()) !== 1) return false;
    }
    await moveTo(30 * day + hour);
    return isSignedOut();
  });
  await statement('T40 T41', 'a session that is not used for a week has ended', async () => {
    const beginning = 30 * day + hour;
    await goOn(await elsewhere(person));
    await moveTo(beginning + 7 * day - hour);
    if ((await refreshesOfACall()) !== 1) return false;
    await moveTo(beginning + 14 * day);
    return isSignedOut();
  });
}
