/** The values that the app keeps between two starts: in the Keychain, under a KeyStore key, in the native part of React Native. */
export interface Kept {
  accessToken: string;
  refreshToken: string;
  /** The Idempotency-Key of a refresh that was sent and not yet answered. */
  refreshKey?: string;
}

/** A value passed to `write` must be there after the app was killed. */
export interface Store {
  read(): Promise<Kept | null>;
  write(kept: Kept | null): Promise<void>;
}

/** The code is wrong or too old. */
export class CodeRefused extends Error {}
/** The user is no longer signed in: show the sign-in page. */
export class SignedOut extends Error {}
/** The network or the server is away or asks to wait (429, 503): everything is kept, try again later. */
export class TryLater extends Error {}

export class Latchkey {
  private rotation: Promise<Kept> | null = null;

  constructor(private base: string, private store: Store, private send: typeof fetch = fetch) {}

  /** Has a code sent to the phone, e.g. +15551234567. */
  async requestCode(phoneNumber: string): Promise<void> {
    const answer = await this.post("/auth/otp/request", { phoneNumber });
    if (!answer.ok) throw new Error(`no code was sent: ${answer.status}`);
  }

  /** Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session. */
  async signIn(phoneNumber: string, code: string, attempt: string = crypto.randomUUID()): Promise<void> {
    const answer = await this.post("/auth/otp/verify", { phoneNumber, code }, attempt);
    if (!answer.ok) throw new CodeRefused();
    const { accessToken, refreshToken } = (await answer.json()).tokens;
    await this.store.write({ accessToken, refreshToken });
  }

  /** Calls your API through the gateway, once more with new tokens if the gateway refuses the old one. */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    const kept = await this.signedIn();
    const answer = await this.callOnce(path, init, kept);
    return answer.status === 401 ? this.callOnce(path, init, await this.renew(kept)) : answer;
  }

  /** Ends the session. The tokens are gone from here in any case; `TryLater` says that the server has not heard of it. */
  async signOut(): Promise<void> {
    await this.rotation?.catch(() => {});
    const kept = await this.store.read();
    await this.store.write(null);
    if (kept) await this.post("/auth/logout", { refreshToken: kept.refreshToken });
  }

  /** New tokens in place of `refused`: one refresh at a time, shared by all calls that wait for it. */
  private renew(refused: Kept): Promise<Kept> {
    this.rotation ??= this.rotate(refused).finally(() => (this.rotation = null));
    return this.rotation;
  }

  private async rotate(refused: Kept): Promise<Kept> {
    let kept = await this.signedIn();
    if (kept.accessToken !== refused.accessToken) return kept; // Another call has been faster.
    if (!kept.refreshKey) {
      // Kept before it is sent. If the answer is lost, even with the app killed meanwhile, the repeat must bear the same
      // key: it gets the same tokens, and the server does not take the second use of the old token for theft.
      kept = { ...kept, refreshKey: crypto.randomUUID() };
      await this.store.write(kept);
    }
    const answer = await this.post("/auth/refresh", { refreshToken: kept.refreshToken }, kept.refreshKey);
    if (answer.status === 401 || answer.status === 403) {
      await this.store.write(null);
      throw new SignedOut();
    }
    if (!answer.ok) throw new Error(`a refresh was answered ${answer.status}`);
    const { accessToken, refreshToken } = await answer.json();
    await this.store.write({ accessToken, refreshToken });
    return { accessToken, refreshToken };
  }

  private async signedIn(): Promise<Kept> {
    const kept = await this.store.read();
    if (!kept) throw new SignedOut();
    return kept;
  }

  private callOnce(path: string, init: RequestInit, kept: Kept): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${kept.accessToken}`);
    return this.answer(path, { ...init, headers });
  }

  private post(path: string, body: object, key?: string): Promise<Response> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (key) headers["Idempotency-Key"] = key;
    return this.answer(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** A 401 alone says something about the session; an outage never does. */
  private async answer(path: string, init: RequestInit): Promise<Response> {
    const answer = await this.send(this.base + path, init).catch((error) => {
      throw new TryLater(String(error));
    });
    if (answer.status === 429 || answer.status >= 500) throw new TryLater(`answered ${answer.status}`);
    return answer;
  }
}
