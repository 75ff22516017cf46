// The machine's times, in seconds.

/** The time before the end of an access token at which it is renewed, unless the app says otherwise. */
export const earlyDefault = 300;

/** A token with less than this left is not given away while a newer one can be had. */
export const usable = 30;

/**
 * The time between two renewals of a session, by any process. The server's rule for late copies relies on it: a request lives for
 * 20 seconds, so no request is older than one renewal.
 */
export const spacing = 30;

/** A date that lies this far before the record's own says that the clock was set back. */
export const clockTolerance = 60;

/** The longest wait after failures, unless the server asks for more. */
const waitMax = 60;

/** The longest wait that a server can ask for. */
const retryAfterMax = 3600;

/** The time for which a sign-out is kept that the server has not confirmed: 30 days. */
export const keptMax = 2_592_000;

/** The longest delay after a return to the foreground, so that not all apps renew at the same moment. */
export const wakeMax = 3;

/**
 * The wait after failures in a row.
 *
 * @param jitter random, 0 to 1; spreads the wait by a fifth to both sides.
 */
export function waitAfter(tries: number, retryAfter: number, jitter: number): number {
  const growing = Math.min(waitMax, 2 ** Math.min(tries, 10)) * (0.8 + 0.4 * jitter);
  return Math.max(growing, Math.min(retryAfterMax, retryAfter));
}
