// What the printed client calls and the document does not print: sign-in, storage, sign-out.

/** Stands for the Keychain: what was saved last, and nothing after a sign-out. */
let keychain: TokenStore | null = null;
/** How often the user was sent to the sign-in page. */
let loginPages = 0;

async function saveTokensToKeychain(store: TokenStore): Promise<void> {
  // A real Keychain takes its time.
  await new Promise((done) => setTimeout(done, 5));
  keychain = { ...store };
}

/** "On refresh failure, clear all tokens and redirect to login". */
function navigateToLogin(): void {
  keychain = null;
  loginPages += 1;
}

/** Step 1. */
function triggerOTP(phone: string): Promise<Response> {
  return fetch('https://api.aarokya.in/auth/otp/trigger', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ phone }),
  });
}

/** Step 2; whether the user is new. */
async function verifyOTP(phone: string, otp: string): Promise<boolean> {
  const response = await fetch('https://api.aarokya.in/auth/otp/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ phone, otp }),
  });
  const data = await response.json();
  if (!response.ok) throw new Error(data.error);
  tokenStore = {
    accessToken: data.access_token,
    refreshToken: data.refresh_token,
    accessTokenExpiresAt: data.access_token_expires_at,
  };
  await saveTokensToKeychain(tokenStore);
  return data.is_new_user;
}

/** "Session hygiene": ends the session, and clears memory and storage. */
async function logout(): Promise<Response> {
  const response = await apiCall('/auth/logout', { method: 'POST' });
  tokenStore = null;
  keychain = null;
  return response;
}
