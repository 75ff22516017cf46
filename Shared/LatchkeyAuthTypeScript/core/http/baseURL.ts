/** The server's address: `https`, or `http` on loopback and, if the app allows it, private addresses. */
export interface BaseURL {
  /** The address without a slash at its end. */
  readonly text: string;
  /** Whether anything may be sent to this server. */
  readonly isAllowed: boolean;
  /** Whether requests to a URL may have the access token: this server's, and hosts that the app has named. */
  mayKnowToken(url: string): boolean;
}

/** Parts of a URL, read strictly: every URL that another parser could read differently has no parts. */
interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
}

/** Reads a base URL. `otherHosts` may have the access token as well, over https. */
export function baseURL(url: string, otherHosts: readonly string[], allowsPrivateHTTP: boolean): BaseURL {
  const own = partsOf(url);
  const isAllowed = !!own && (own.scheme === 'https' || isLoopback(own.host) || allowsPrivateHTTP && isPrivate(own.host));
  return {
    text: url.replace(/\/$/, ''),
    isAllowed,
    mayKnowToken(target: string): boolean {
      const parts = partsOf(target);
      if (!isAllowed || !own || !parts) return false;
      const isOurs = parts.host === own.host && parts.scheme === own.scheme && parts.port === own.port;
      return isOurs || parts.scheme === 'https' && otherHosts.includes(parts.host);
    },
  };
}

function partsOf(url: string): Parts | null {
  const match = /^(https?):\/\/(\[[\da-f:]+\]|[a-z\d.-]+)(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url);
  if (!match) return null;
  const scheme = match[1].toLowerCase();
  return { scheme, host: match[2].toLowerCase(), port: match[3] || (scheme === 'https' ? '443' : '80') };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || bytes(host)[0] === 127;
}

/** Whether a host is in a private network (RFC 1918; 10.0.2.2 is the host of Android's emulator). */
function isPrivate(host: string): boolean {
  const [first, second] = bytes(host);
  return first === 10 || first === 192 && second === 168 || first === 172 && second >= 16 && second <= 31;
}

/** The bytes of an IPv4 address; none for any other host. */
function bytes(host: string): number[] {
  const found = /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split('.').map(Number) : [];
  return found.every((byte) => byte <= 255) ? found : [];
}
