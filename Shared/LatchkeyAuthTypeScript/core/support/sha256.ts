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
  const state = initial.slice();
  const padded = pad(message);
  for (let start = 0; start < padded.length; start += 64) compress(state, padded, start);
  return ([] as number[]).concat(...state.map(bytesOf));
}

/** The authentication code of a message under a key, 32 bytes. */
export function hmacSHA256(message: number[], key: number[]): number[] {
  const short = key.length > 64 ? sha256(key) : key;
  const block = Array.from({ length: 64 }, (_, index) => short[index] || 0);
  const inner = sha256(block.map((byte) => byte ^ 0x36).concat(message));
  return sha256(block.map((byte) => byte ^ 0x5c).concat(inner));
}

/** The message with a one bit, zeros and its length in bits, up to a multiple of 64 bytes. */
function pad(message: number[]): number[] {
  const padded = message.concat(0x80);
  while (padded.length % 64 !== 56) padded.push(0);
  const bits = message.length * 8;
  return padded.concat(bytesOf(bits / 2 ** 32 | 0), bytesOf(bits | 0));
}

function compress(state: number[], block: number[], start: number): void {
  const words: number[] = [];
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round++) {
    const at = start + 4 * round;
    words.push(round < 16 ? block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3] : extended(words));
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = h + sum1 + (e & f ^ ~e & g) + constants[round] + words[round] | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = sum0 + (a & b ^ a & c ^ b & c) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, d + first | 0, c, b, a, first + second | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => state[index] = state[index] + value | 0);
}

/** The next word of a block's schedule. */
function extended(words: number[]): number {
  const [x, y] = [words[words.length - 15], words[words.length - 2]];
  const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ x >>> 3;
  const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ y >>> 10;
  return words[words.length - 16] + sigma0 + words[words.length - 7] + sigma1 | 0;
}

const rotate = (word: number, by: number): number => word >>> by | word << 32 - by;

const bytesOf = (word: number): number[] => [24, 16, 8, 0].map((by) => word >>> by & 0xff);
