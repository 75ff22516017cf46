// A scripted server in cookie mode, with a browser's cookie jar: `fetch` for all tabs of one browser. No script sees the jar.

interface Request { method: string; path: string; headers: Record<string, string>; body: Record<string, unknown>; credentials: string }

export class CookieServer {
  readonly seen: Request[] = [];
  /** The refresh cookie's token; absent if there is none. */
  jar?: string;
  /** Whether refresh tokens go into cookies. */
  hasCookies = true;
  /** Whether access tokens go into cookies too. */
  keepsAccess = false;
  /** The access cookie's token. */
  accessJar = '';
  /** The generation of tokens at which the user last showed who they are. */
  proved = Infinity;
  isOnline = true;
  /** If there is one, requests wait for it before they are answered. */
  freezes?: Promise<void>;
  /** The answers to the next refreshes, in place of the right ones. */
  refusals: { status: number; body: object }[] = [];
  private name = 'Betty';
  private generation = 0;
  private accessTokens = new Set<string>();
  private ended = true;

  /** Replaces the global `fetch`. */
  install(): this {
    Object.assign(globalThis, { fetch: (url: string, init: Record<string, never>) => this.fetch(url, init) });
    return this;
  }

  count(path: string): number { return this.seen.filter((request) => request.path === path).length; }

  async fetch(url: string, init: Record<string, never>): Promise<object> {
    const path = url.replace(/^https:\/\/[^/]+/, '');
    const { method = 'GET', headers: fields = {}, body = '{}', credentials } = init as unknown as Request & { body: string };
    // An app's own request has `Headers`.
    const isOwn = typeof fields.get !== 'string' && fields.get !== undefined;
    const bearer = isOwn && (fields as unknown as Headers).get('Authorization');
    const headers: Record<string, string> = isOwn ? bearer ? { Authorization: bearer } : {} : fields;
    this.seen.push({ method, path, headers, body: JSON.parse(body), credentials });
    await Promise.all([this.freezes, new Promise<void>((resolve) => setTimeout(resolve, 1))]);
    if (!this.isOnline) throw new TypeError('fetch failed');
    const { status, body: answer } = this.answer(path, JSON.parse(body), headers, credentials === 'include');
    const text = async () => JSON.stringify(answer);
    return { status, redirected: false, headers: { get: () => null }, text, clone: () => ({ text }) };
  }

  end(): void { this.ended = true; }

  private answer(
    path: string, body: Record<string, string>, headers: Record<string, string>, sendsCookies: boolean,
  ): { status: number; body: object } {
    const token = body.refreshToken || (sendsCookies ? this.jar : undefined);
    switch (path) {
      case '/auth/login': case '/auth/oidc/google/verify':
        this.ended = false;
        return { status: 200, body: { user: { id: 'usr_1', name: 'Betty' }, tokens: this.tokens(sendsCookies) } };
      case '/auth/refresh': {
        const refusal = this.refusals.shift();
        if (refusal) return refusal;
        if (!token) return refused('missing_token');
        if (this.ended || token !== `T${this.generation}`) {
          this.jar = undefined;
          return refused('invalid_refresh_token', { reason: 'signed_out' });
        }
        return { status: 200, body: this.tokens(sendsCookies) };
      }
      case '/auth/reauthenticate':
        this.proved = this.generation;
        return { status: 200, body: { success: true, refresh: true } };
      case '/api/pay':
        return this.generation > this.proved ? { status: 200, body: {} } : refused('insufficient_user_authentication');
      case '/auth/logout':
        this.ended = true;
        if (sendsCookies) this.jar = undefined;
        return { status: 200, body: { success: true } };
      default:
        const bearer = headers.Authorization ? headers.Authorization.slice(7) : sendsCookies ? this.accessJar : '';
        if (this.ended || !this.accessTokens.has(bearer)) return refused('invalid_token');
        if (path.endsWith('/authorize')) return { status: 200, body: { url: 'https://provider.example.com/' } };
        this.name = body.name || this.name;
        return { status: 200, body: { id: 'usr_1', name: this.name } };
    }
  }

  private tokens(sendsCookies: boolean): object {
    const [refreshToken, accessToken] = [`T${++this.generation}`, `A${this.generation}`];
    this.accessTokens.add(accessToken);
    if (!this.hasCookies || !sendsCookies) return { accessToken, expiresIn: 3600, refreshToken };
    this.jar = refreshToken;
    if (this.keepsAccess) {
      this.accessJar = accessToken;
      return { expiresIn: 3600 };
    }
    return { accessToken, expiresIn: 3600 };
  }
}

function refused(code: string, more: object = {}): { status: number; body: object } {
  return { status: 401, body: { code, error: code, success: false, ...more } };
}
