/** The server's address: `https`, or `http` on loopback and, if the app allows it, private addresses. */
export interface BaseURL {
  /** The address without a slash at its end. */
  readonly text: string;
  /** Whether anything may be sent to this server. */
  readonly isAllowed: boolean;
  /** Whether requests to a URL may have the access token: this server's, and hosts that the app has named. */
  mayKnowToken(url: string): boolean;
}

/** Reads a base URL. `otherHosts` may have the access token as well, over https. */
export function baseURL(url: string, otherHosts: readonly string[], allowsPrivateHTTP: boolean): BaseURL {
  const own = partsOf(url);
  const isAllowed = own !== null && (own.isSecure || isNear(own.host, allowsPrivateHTTP));
  return {
    text: url.replace(/\/$/, ''),
    isAllowed,
    mayKnowToken(target: string): boolean {
      const parts = partsOf(target);
      if (!isAllowed || !parts) return false;
      return parts.origin === own.origin || parts.isSecure && otherHosts.includes(parts.host);
    },
  };
}

/** The parts of a URL, or `null` for every URL that another parser could read differently. */
function partsOf(url: string): { origin: string; host: string; isSecure: boolean } | null {
  const match = /^http(s?):\/\/(\[[\da-f:]+\]|[a-z\d.-]+)(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url);
  if (!match) return null;
  const [isSecure, host] = [!!match[1], match[2].toLowerCase()];
  return { origin: `${isSecure} ${host} ${match[3] || (isSecure ? 443 : 80)}`, host, isSecure };
}

/** Whether a host is this device or, if such hosts count, in a private network (RFC 1918), as Android's emulator is in 10.0.2.2. */
function isNear(host: string, orPrivate: boolean): boolean {
  const bytes = host.split('.');
  // A number with more digits than it needs is octal for some parsers.
  const isIPv4 = bytes.length === 4 && bytes.every((byte) => byte === String(Number(byte) & 0xff));
  const isPrivate = orPrivate && /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
  return ['localhost', '[::1]'].includes(host) || isIPv4 && (bytes[0] === '127' || isPrivate);
}
