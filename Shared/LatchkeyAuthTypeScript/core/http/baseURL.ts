/** The server's address: `https`, or `http` on loopback and, if the app allows it, private addresses. */
export interface BaseURL {
  /** The address without a slash at its end. */
  readonly text: string;
  /** Whether anything may be sent to this server. */
  readonly isAllowed: boolean;
  /** Whether requests to a URL may have the access token: this server's, and hosts that the app has named. */
  mayKnowToken(url: string): boolean;
}

const byte = '\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const loopback = new RegExp(`^(localhost|\\[::1\\]|127(${byte}){3})$`);

/** Private networks (RFC 1918); 10.0.2.2 is the host of Android's emulator. */
const privateNetwork = new RegExp(`^(10${byte}|192\\.168|172\\.(1[6-9]|2\\d|3[01]))(${byte}){2}$`);

/** Reads a base URL. `otherHosts` may have the access token as well, over https. */
export function baseURL(url: string, otherHosts: readonly string[], allowsPrivateHTTP: boolean): BaseURL {
  const own = partsOf(url);
  const isAllowed = !!own && (own.isSecure || loopback.test(own.host) || allowsPrivateHTTP && privateNetwork.test(own.host));
  return {
    text: url.replace(/\/$/, ''),
    isAllowed,
    mayKnowToken(target: string): boolean {
      const parts = partsOf(target);
      if (!isAllowed || !own || !parts) return false;
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
