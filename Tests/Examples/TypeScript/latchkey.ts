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
/** The network or the server is away: everything is kept, try again later. */
export class TryLater extends Error {}
/** A limit is reached (429): everything is kept, try again after so many seconds. */
export class TooMany extends TryLater {
  constructor(readonly seconds?: number) {
    super(`try again in ${seconds} s`);
  }
}
/** Any other refusal: 400 `invalid_phone`, 403 `account_inactive`, 409 `deletion_scheduled` … */
export class Refused extends Error {
  constructor(readonly status: number, readonly code?: string) {
    super(`refused with ${status} ${code}`);
  }
}

export class Latchkey {
  private rotation: Promise<Kept> | null = null;

  /**
   * `newKey` returns a random text. React Native has no `crypto.randomUUID`: pass `randomUUID` of `expo-crypto`.
   * `fetch` must be called as a function, since browsers refuse it as a method of another object.
   */
  constructor(
    private base: string,
    private store: Store,
    private newKey: () => string = () => crypto.randomUUID(),
    private send: typeof fetch = (url, init) => fetch(url, init),
  ) {}

  /** Has a code sent to the phone, e.g. +15551234567. A new `attempt` sends another message. */
  async requestCode(phoneNumber: string, attempt: string = this.newKey()): Promise<void> {
    await this.post("/auth/otp/request", { phoneNumber }, attempt);
  }

  /** Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session. */
  async signIn(phoneNumber: string, code: string, attempt: string = this.newKey()): Promise<void> {
    const answer = await this.post("/auth/otp/verify", { phoneNumber, code }, attempt).catch((error) => {
      throw error instanceof Refused && error.status === 401 ? new CodeRefused() : error;
    });
    const { accessToken, refreshToken } = answer.tokens;
    await this.store.write({ accessToken, refreshToken });
  }

  /**
   * Calls your API through the gateway, once more with new tokens if the gateway refuses the old one. A text as body is JSON
   * unless `init.headers` say otherwise.
   */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    const kept = await this.signedIn();
    const answer = await this.callOnce(path, init, kept);
    return answer.status === 401 ? this.callOnce(path, init, await this.renew(kept)) : answer;
  }

  /** Ends the session. The tokens are gone from here in any case; an error says that the server has not heard of it. */
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
      kept = { ...kept, refreshKey: this.newKey() };
      await this.store.write(kept);
    }
    try {
      const answer = await this.post("/auth/refresh", { refreshToken: kept.refreshToken }, kept.refreshKey);
      const renewed = { accessToken: answer.accessToken, refreshToken: answer.refreshToken };
      await this.store.write(renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof Refused && (error.status === 401 || error.status === 403))) throw error;
      await this.store.write(null);
      throw new SignedOut();
    }
  }

  private async signedIn(): Promise<Kept> {
    const kept = await this.store.read();
    if (!kept) throw new SignedOut();
    return kept;
  }

  private callOnce(path: string, init: RequestInit, kept: Kept): Promise<Response> {
    const headers = new Headers(init.headers);
    if (typeof init.body === "string" && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
    headers.set("Authorization", `Bearer ${kept.accessToken}`);
    return this.answer(path, { ...init, headers });
  }

  /** Sends a request of our own; any status but 200 is an error. */
  private async post(path: string, body: object, key?: string): Promise<any> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (key) headers["Idempotency-Key"] = key;
    const answer = await this.answer(path, { method: "POST", headers, body: JSON.stringify(body) });
    const json = await answer.json().catch(() => ({}));
    if (answer.status === 200) return json;
    if (answer.status === 429) throw new TooMany(json.retryAfter);
    // A 401 alone says something about the session; an outage never does.
    if (answer.status >= 500) throw new TryLater(`answered ${answer.status}`);
    throw new Refused(answer.status, json.code ?? json.error);
  }

  private async answer(path: string, init: RequestInit): Promise<Response> {
    return this.send(this.base + path, init).catch((error) => {
      throw new TryLater(String(error));
    });
  }
}
