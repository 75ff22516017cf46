// Runs client.ts against a Latchkey with the policy aarokya in UAT: node drive.js GATEWAY. Prints a line for each statement,
// `ok ID: words` or `not so ID: words`, and ends with 0 if all hold.

let failures = 0;

async function statement(ids: string, words: string, holds: () => Promise<boolean>): Promise<void> {
  let [isSo, why] = [false, ''];
  try {
    isSo = await holds();
  } catch (error) {
    why = ` (${error})`;
  }
  if (!isSo) failures += 1;
  for (const id of ids.split(' ')) console.log(`${isSo ? 'ok' : 'not so'} ${id}: ${words}${why}`);
}

/** In UAT the code is always the same. */
const code = '123456';
const phone = '98' + String(Math.floor(Math.random() * 1e8)).padStart(8, '0');

async function signIn(): Promise<boolean> {
  const triggered = await triggerOTP(phone);
  if (triggered.status !== 200) throw new Error(`trigger: ${triggered.status}`);
  return verifyOTP(phone, code);
}

/** Runs `body` when the phone's clock stands so many seconds before the access token's end. */
async function secondsBeforeExpiry<Value>(seconds: number, body: () => Promise<Value>): Promise<Value> {
  const now = Date.now;
  const then = (tokenStore!.accessTokenExpiresAt - seconds) * 1000;
  Date.now = () => then;
  try {
    return await body();
  } finally {
    Date.now = now;
  }
}

function claims(token: string): any {
  return JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
}

async function signInStatements() {
  await statement('A5 A8', 'the code of UAT signs a new user in', async () => (await signIn()) === true);
  await statement('A15', 'access_token_expires_at is the token\'s exp, in Unix seconds', async () => {
    const { accessToken, accessTokenExpiresAt } = tokenStore!;
    return Number.isInteger(accessTokenExpiresAt) && claims(accessToken).exp === accessTokenExpiresAt;
  });
  await statement('A10 A44', 'apiCall sends the bearer and JSON, and the profile comes', async () => {
    const profile = await (await apiCall('/user/profile')).json();
    const echo = await apiCall('/api/echo', { method: 'POST', body: '{"a":1}' });
    const sent = seen[seen.length - 1].headers;
    return profile.phone_number === '+91' + phone && (await echo.json()).a === 1
      && sent.get('Authorization') === `Bearer ${tokenStore!.accessToken}`
      && sent.get('Content-Type') === 'application/json';
  });
  await statement('A38', 'the web\'s store keeps the access token in memory alone', async () => {
    const web = require('./web.js');
    const before = web.getAccessToken();
    web.setAccessToken(tokenStore!.accessToken);
    return before === null && web.getAccessToken() === tokenStore!.accessToken;
  });
}

async function refreshStatements() {
  await statement('A40', 'a refresh comes five minutes before the end, and no sooner', async () => {
    const [old, before] = [tokenStore!, refreshes()];
    const early = await secondsBeforeExpiry(301, getValidAccessToken);
    if (early !== old.accessToken || refreshes() !== before) return false;
    const late = await secondsBeforeExpiry(299, getValidAccessToken);
    return late !== old.accessToken && refreshes() === before + 1 && (await apiCall('/user/profile')).status === 200;
  });
  await statement('A14 A41', 'three calls at once share one refresh and its tokens', async () => {
    const before = refreshes();
    const calls = [1, 2, 3].map(() => apiCall('/user/profile'));
    if ((await Promise.all(calls)).some((answer) => answer.status !== 200) || refreshes() !== before) return false;
    const tokens = await secondsBeforeExpiry(0, () => Promise.all([1, 2, 3].map(getValidAccessToken)));
    return refreshes() === before + 1 && tokens.every((token) => token === tokenStore!.accessToken);
  });
  await statement('A43', 'both tokens are replaced at once, and saved before either is used', async () => {
    const old = tokenStore!;
    const used: boolean[] = [];
    beforeRequest = (path, headers) => {
      if (path !== refreshPath) used.push(headers.get('Authorization') === `Bearer ${keychain?.accessToken}`);
    };
    await secondsBeforeExpiry(10, () => apiCall('/user/profile'));
    beforeRequest = () => {};
    const isNew = keychain!.accessToken !== old.accessToken && keychain!.refreshToken !== old.refreshToken;
    return isNew && used.join() === 'true' && JSON.stringify(keychain) === JSON.stringify(tokenStore);
  });
}

async function doubleUseStatements() {
  let outcomes: PromiseSettledResult<TokenStore>[] = [];
  await statement('A19 A20', 'without the mutex two refreshes use one token, and the second is refused', async () => {
    outcomes = await Promise.allSettled([refreshTokens(), refreshTokens()]);
    const statuses = seen.slice(-2).map((request) => request.status).sort();
    return statuses.join() === '200,401' && outcomes.filter((outcome) => outcome.status === 'fulfilled').length === 1;
  });
  await statement('A42', 'a refresh that fails clears the tokens and leads to the sign-in page', async () => {
    const session = await getValidAccessToken().catch((error: Error) => error.message);
    return loginPages === 1 && tokenStore === null && session === 'Not authenticated';
  });
  await statement('A20 A21', 'the winner\'s tokens are refused too, and a new code signs in again', async () => {
    const winner = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))[0];
    if ((await refusal(await refresh(winner.refreshToken), 401)) !== 'INVALID_TOKEN') return false;
    return (await signIn()) === false && (await apiCall('/user/profile')).status === 200;
  });
}

async function logoutStatements() {
  await statement('A22 A23', 'logout takes the bearer alone and ends the session', async () => {
    const old = tokenStore!;
    const answer = await logout();
    if (answer.status !== 200 || (await answer.text()) !== '{"success":true}') return false;
    await new Promise((done) => setTimeout(done, 100));
    const options = { headers: { Authorization: `Bearer ${old.accessToken}` } };
    const [profile, refreshed] = [await fetch(gateway + '/user/profile', options), await refresh(old.refreshToken)];
    return (await refusal(profile, 401)) === 'INVALID_TOKEN' && (await refusal(refreshed, 401)) === 'INVALID_TOKEN';
  });
}

signInStatements().then(refreshStatements).then(doubleUseStatements).then(logoutStatements).then(
  () => process.exit(failures === 0 ? 0 : 1),
  (error) => {
    console.log(`not so A1: the run ends early (${error})`);
    process.exit(1);
  });
