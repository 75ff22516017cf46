import type { FetchResponse } from '../ports.js';
import { isText, isWhole, text, type JSONValue, type Members } from '../support/json.js';
import { AuthError, type AttributeValue, type User } from '../values.js';
import { addPage, pagesMax } from './export.js';
import { segment } from './identities.js';
import { SecondFactorMethods } from './secondFactor.js';

/** One of the user's sessions, for a screen that lists where they are signed in. */
export interface SessionInfo {
  readonly id: string;
  /** The name that the device gave itself, or else a description of its software. */
  readonly deviceName?: string;
  /** The time of the sign-in in Unix seconds. */
  readonly createdAt: number;
  /** The time of the last renewal, or of the sign-in, in Unix seconds. */
  readonly lastUsedAt: number;
  /** Whether it is the session of this app. */
  readonly isCurrent: boolean;
}

/**
 * A user's session with a Latchkey server.
 *
 * Create one at the start of the app and keep it. What is known is there at once, and `accessToken` sends nothing while the token is
 * fresh. Several processes may use the same store; they need no lock: a renewal that two of them send is the same request, and the
 * newest tokens win.
 */
export class LatchkeyAuth<R extends FetchResponse = FetchResponse> extends SecondFactorMethods<R> {
  /** Changes members of the profile; `null` removes one. Phone number and email address are identities. */
  async update(attributes: Record<string, AttributeValue | null>): Promise<User> {
    return this.keep(await this.authorized({ method: 'PATCH', path: '/users/me', body: attributes }));
  }

  /**
   * Changes the password. Where the server's policy says so, all sessions end, this one included. Rejects with `passwordRefused` if
   * the old password is wrong.
   */
  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    const body = { oldPassword, newPassword };
    await this.authorized({ method: 'POST', path: '/auth/change-password', body, idempotencyKey: this.randomToken() });
  }

  /**
   * Deletes the account, or schedules its deletion, as the server's policy says. The user is signed out.
   *
   * @param password the user's password, to be checked by the server; absent if they have none.
   */
  async deleteAccount(password?: string): Promise<void> {
    const call = password === undefined ? { path: '/users/me' } : { path: '/auth/account', body: { password } };
    await this.authorized({ method: 'DELETE', ...call });
    this.engine.feed({ is: 'over', reason: 'deleted' });
  }

  /**
   * Reads everything that the server stores about the user, and returns it as one JSON document. It needs a recent sign-in or
   * reauthentication, and the server allows a few exports a day. After an error nothing is returned; another call begins anew.
   */
  async exportData(): Promise<string> {
    const route = '/users/me/export';
    await this.accessToken();
    const epoch = this.engine.record()?.version.epoch;
    const whole: Members = {};
    let cursor: string | undefined;
    for (let count = 0; count < pagesMax; count++) {
      const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const page = await this.authorized({ method: 'GET', path: route + query, route });
      // Another user may have signed in meanwhile.
      if (this.engine.record()?.version.epoch !== epoch) throw this.sessionIsOver();
      cursor = addPage(whole, page, cursor);
      if (cursor === undefined) return JSON.stringify(whole);
    }
    throw new AuthError({ kind: 'notLatchkey' });
  }

  /** Lists where the user is signed in, newest first. */
  async sessions(): Promise<SessionInfo[]> {
    const { sessions } = await this.authorized({ method: 'GET', path: '/sessions' });
    if (!Array.isArray(sessions)) throw new AuthError({ kind: 'notLatchkey' });
    return sessions.filter(isSession).map(({ id, deviceName, createdAt, lastUsedAt, current }) =>
      ({ id, deviceName: text(deviceName), createdAt, lastUsedAt, isCurrent: current === true }));
  }

  /** Ends a session of the user. Use `signOut` for the session of this app. */
  async endSession(id: string): Promise<void> {
    await this.authorized({ method: 'DELETE', path: `/sessions/${segment(id)}`, route: '/sessions/{id}' });
  }
}

const isSession = (json: JSONValue): boolean =>
  isText(json?.id) && isWhole(json.createdAt) && isWhole(json.lastUsedAt);
