import { success } from '../http/reply.js';
import type { FetchResponse } from '../ports.js';
import { text, texts, whole, type JSONValue, type Members } from '../support/json.js';
import { SessionTokens } from './tokens.js';

/** The way in which a code reaches a phone. */
export type Channel = 'sms' | 'call' | 'whatsapp';

/** The server's features and limits. A server without the document leaves every value unknown. Times are in seconds. */
export interface Discovery {
  readonly version?: string;
  readonly issuer?: string;
  /** The number of digits of a code. */
  readonly codeLength?: number;
  readonly codeLifetime?: number;
  /** The time after which another code can be requested. */
  readonly resendAfter?: number;
  /** The channels by which codes reach phones; empty if the server sends none. */
  readonly channels?: Channel[];
  /** Whether codes and links go out by mail. */
  readonly hasMail?: boolean;
  readonly hasPasswords?: boolean;
  /** The names of identity providers, such as `apple` or `google`. */
  readonly providers?: string[];
  readonly accessLifetime?: number;
  /** Whether users can have a second factor. */
  readonly hasSecondFactors?: boolean;
  /** The domain of the server's passkeys; absent if it offers none. */
  readonly passkeyDomain?: string;
  /** Whether the server keeps sessions of web pages in cookies. */
  readonly web?: 'none' | 'refreshCookie' | 'cookies';
}

/** What the server offers. */
export class DiscoveryMethods<R extends FetchResponse = FetchResponse> extends SessionTokens<R> {
  private discovered?: { document: Discovery; readAt: number };

  /** Reads what the server offers: code lengths, channels, providers. The result is kept for five minutes. */
  async discover(): Promise<Discovery> {
    const [known, now] = [this.discovered, this.configuration.clock.now()];
    if (known && now - known.readAt < 300) return known.document;
    const reply = await this.api.send({ method: 'GET', path: '/.well-known/latchkey' });
    const document = discovery(reply.status === 404 ? {} : success(reply));
    this.discovered = { document, readAt: now };
    return document;
  }
}

function discovery(json: Members): Discovery {
  const { api, codes, access } = json;
  const has = (feature: JSONValue): boolean | undefined => api && !!feature;
  return {
    version: text(json.version), issuer: text(json.issuer), codeLength: whole(codes?.length),
    codeLifetime: whole(codes?.lifetimeSeconds), resendAfter: whole(codes?.resendAfterSeconds),
    channels: texts(codes?.channels) as Channel[], hasMail: has(json.mail), hasPasswords: has(json.passwords), hasSecondFactors: has(json.mfa),
    providers: texts(json.providers), accessLifetime: whole(access?.lifetimeSeconds), passkeyDomain: text(json.passkeys?.rpID), web: text(json.web) as Discovery['web'],
  };
}
