// SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104). The library has no dependencies, and React Native has no `crypto`. They run a
// few times an hour on inputs of a few hundred bytes.

/** The first 32 bits of the fractional part of a root of each of the first primes: square roots and cube roots. */
function roots(count: number, exponent: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) if (primes.every((prime) => number % prime)) primes.push(number);
  return primes.map((prime) => prime ** exponent % 1 * 2 ** 32 | 0);
}

const initial = roots(8, 1 / 2);
const constants = roots(64, 1 / 3);

/** The digest of a message, 32 bytes. */
export function sha256(message: number[]): number[] {
  const words = padded(message);
  let state = initial;
  for (let start = 0; start < words.length; start += 16) state = compress(state, words.slice(start, start + 16));
  return state.flatMap((word) => [24, 16, 8, 0].map((by) => word >>> by & 0xff));
}

/** The authentication code of a message under a key, 32 bytes. */
export function hmacSHA256(message: number[], key: number[]): number[] {
  const short = key.length > 64 ? sha256(key) : key;
  // An absent byte counts as zero.
  const block = (mask: number): number[] => Array.from({ length: 64 }, (_, index) => short[index] ^ mask);
  return sha256(block(0x5c).concat(sha256(block(0x36).concat(message))));
}

/** The message as words, with a one bit, zeros and its length in bits, up to a multiple of 16 words. */
function padded(message: number[]): number[] {
  const words: number[] = [];
  message.concat(0x80).forEach((byte, index) => words[index >> 2] |= byte << 24 - index % 4 * 8);
  while (words.length % 16 !== 14) words.push(0);
  return words.concat(0, message.length * 8);
}

/** The state after a block of 16 words. */
function compress(state: number[], words: number[]): number[] {
  const last = constants.reduce(([a, b, c, d, e, f, g, h], constant, round) => {
    const first = h + mixed(e, 6, 11, rotated(e, 25)) + (e & f ^ ~e & g) + constant + words[round];
    const second = mixed(a, 2, 13, rotated(a, 22)) + (a & b ^ a & c ^ b & c);
    words.push(extension(words.slice(round)));
    return [first + second | 0, a, b, c, d + first | 0, e, f, g];
  }, state);
  return last.map((word, index) => word + state[index] | 0);
}

/** The word that follows 16 words of a block's schedule. */
const extension = (words: number[]): number =>
  words[0] + mixed(words[1], 7, 18, words[1] >>> 3) + words[9] + mixed(words[14], 17, 19, words[14] >>> 10) | 0;

const mixed = (word: number, one: number, other: number, third: number): number =>
  rotated(word, one) ^ rotated(word, other) ^ third;

const rotated = (word: number, by: number): number => word >>> by | word << 32 - by;
