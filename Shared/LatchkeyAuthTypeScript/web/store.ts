import { AuthError, compareVersions, parseObject, parseVersion, renewSession, StoreFailure } from '../core/index.js';
import type { apiOf, Fault, Members, SessionStore, StoreVersion, User } from '../core/index.js';
import { pause as wait } from './alone.js';

/** What a store of a page works with. */
export interface PageStoreOptions {
  readonly api: ReturnType<typeof apiOf>;
  /** The name of the session: pages with the same name share it. */
  readonly name: string;
  /** The time in seconds on a clock that cannot be set. */
  readonly now: () => number;
  /** Called when another tab has changed what the store has. */
  readonly changed: () => void;
  /** Called when the user has signed out in another tab whose session is not this one's. */
  readonly signedOutElsewhere: (userID: string) => void;
  /** Called when another tab has changed the profile. */
  readonly userChanged: (user: User) => void;
}

/** The time in seconds between two attempts to find a session without a hint, after a failure. */
const pause = 5;

/**
 * The session of a page. Nothing that a script can read outlives the page, but a hint without secrets.
 *
 * By cookie, all tabs have one session: they tell each other its access tokens and its end. Without cookies, each page has a session
 * of its own, and the tabs tell each other only that the user has signed out.
 */
export class PageStore implements SessionStore {
  private item: string | null = null;
  private notBefore = -Infinity;
  /** Whether the server has said that there is no session. Only a sign-in changes that, and every tab hears of it. */
  private isKnownEmpty = false;
  private readonly channel?: BroadcastChannel;

  constructor(private readonly options: PageStoreOptions) {
    try {
      this.channel = new BroadcastChannel(options.name);
      this.channel.onmessage = ({ data }) => this.received(data);
    } catch {
      // A browser without it, or one that keeps nothing for this page: the tabs know nothing of each other.
    }
  }

  async load(): Promise<string | null> {
    const held = this.held();
    if (held !== null || !this.options.api.byCookie || this.isKnownEmpty) return held;
    const found = await this.findSession();
    if (found !== null && this.held() === null) this.keep(found);
    return this.held();
  }

  async keepNewer(item: string, version: StoreVersion): Promise<string | null> {
    const held = this.held();
    const present = held === null ? null : parseVersion(held);
    if (present && compareVersions(present, version) >= 0) return held;
    const before = parseObject(this.item || '');
    this.keep(item);
    this.tell(item, before);
    return null;
  }

  /** The version of what this page knows. */
  version(): StoreVersion | null {
    const held = this.held();
    return held === null ? null : parseVersion(held);
  }

  /** The tokens that another tab has received since this page had a version, as the server's response to a renewal. */
  renewedSince(version: StoreVersion): Response | undefined {
    const [present, { accessToken = '', issuedAt, expiresIn }] = [this.version(), parseObject(this.item || '') || {}];
    const left = Math.floor(issuedAt + expiresIn - Date.now() / 1000);
    const isRenewal = present && present.epoch === version.epoch && present.generation > version.generation && left > 0;
    return isRenewal ? new Response(JSON.stringify({ accessToken, expiresIn: left })) : undefined;
  }

  /** Waits until this page has more than a version, and has told the other tabs. */
  async newerThan(version: StoreVersion): Promise<void> {
    const isOld = (): boolean => compareVersions(this.version() || version, version) <= 0;
    for (let rounds = 0; rounds < 20 && isOld(); rounds++) await wait(10);
  }

  /** Tells the other tabs of a changed profile. */
  tellUser(user: User): void {
    if (this.options.api.byCookie) this.post({ user });
  }

  /** Leaves the other tabs. */
  close(): void {
    if (this.channel) this.channel.close();
  }

  // The item of this page, or what the hint says if another page has gone on.

  private held(): string | null {
    const hint = this.options.api.byCookie ? this.hint() : null;
    const own = this.item === null ? null : parseVersion(this.item);
    return hint && (!own || own.epoch < hint.epoch) ? this.itemOf(hint) : this.item;
  }

  private keep(item: string): void {
    this.item = item;
    const { epoch, userID, signedOut, refreshToken, unconfirmed } = parseObject(item) || {};
    if (this.options.api.byCookie && !refreshToken) this.setHint({ v: 1, epoch, userID, signedOut, unconfirmed });
  }

  /** The item that a hint stands for: a session without an access token, so that the first call renews it by its cookie. */
  private itemOf({ epoch, userID, signedOut, unconfirmed }: Members): string {
    if (typeof userID !== 'string') return JSON.stringify({ v: 1, epoch, generation: 0, signedOut: signedOut || 'ended', unconfirmed });
    const origin = this.options.api.baseURL.text;
    return JSON.stringify({
      v: 1, epoch, generation: 1, origin, userID, secret: '', refreshToken: '', issuedAt: 0, expiresIn: 1,
    });
  }

  private hint(): Members | null {
    try {
      const hint = parseObject(localStorage.getItem(this.options.name) || '');
      return hint && Number.isSafeInteger(hint.epoch) && hint.epoch > 0 ? hint : null;
    } catch {
      return null; // A browser that keeps nothing for this page.
    }
  }

  private setHint(hint: Members): void {
    try {
      localStorage.setItem(this.options.name, JSON.stringify(hint));
    } catch {
      // The session is found without it, by one request.
    }
  }

  /** Looks for a session without a hint: browsers delete hints after some days, and cookies later. */
  private async findSession(): Promise<string | null> {
    const { api, now } = this.options;
    if (now() < this.notBefore) throw new StoreFailure('unreadable');
    const renewal = await renewSession(api, { refreshToken: '', secret: '' });
    this.isKnownEmpty = renewal.is === 'refused';
    if (renewal.is === 'refused') return null;
    if (renewal.is === 'failed') return this.nothingUnless(renewal.fault);
    const { accessToken, expiresIn } = renewal.tokens;
    try {
      const user = await api.json({ method: 'GET', path: '/users/me', bearer: accessToken });
      return JSON.stringify({
        v: 1, epoch: 1, generation: 2, origin: api.baseURL.text, secret: '', refreshToken: '', accessToken,
        issuedAt: Math.floor(Date.now() / 1000), expiresIn, userID: user.id, user,
      });
    } catch (error) {
      return this.nothingUnless(error as AuthError);
    }
  }

  /** No session, unless the failure may be over soon: then nothing is known. */
  private nothingUnless(fault: Fault): null {
    if (!['offline', 'timedOut', 'unavailable', 'rateLimited'].includes(fault.kind)) return null;
    this.notBefore = this.options.now() + Math.max(pause, fault.retryAfter || 0);
    throw new StoreFailure('unreadable');
  }

  // Tabs

  private tell(item: string, before: Members | null): void {
    const { refreshToken, signedOut } = parseObject(item) || {};
    // A refresh token that is no cookie stays in this page.
    if (refreshToken || before && before.refreshToken) {
      if (signedOut === 'asked' && before) this.post({ signedOut: before.userID });
    } else {
      this.post({ item });
    }
  }

  private post(message: Members): void {
    try {
      if (this.channel) this.channel.postMessage(message);
    } catch {
      // The page is about to go, or the browser allows no messages.
    }
  }

  private received({ item, signedOut, user }: Members): void {
    if (user) return this.options.userChanged(user);
    if (typeof signedOut === 'string') return this.options.signedOutElsewhere(signedOut);
    const [news, own] = [parseVersion(String(item)), this.item === null ? null : parseVersion(this.item)];
    if (!this.options.api.byCookie || !news || own && compareVersions(news, own) <= 0) return;
    this.item = item;
    this.options.changed();
  }
}
