const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The bytes of a text in UTF-8. A lone surrogate counts as U+FFFD. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes.push(more ? (0xff00 >> more + 1) & 0xff | code >> 6 * more : code);
    for (let left = more - 1; left >= 0; left--) bytes.push(0x80 | code >> 6 * left & 0x3f);
  }
  return bytes;
}

/** Bytes in base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: ArrayLike<number>): string {
  let text = '', bits = 0, held = 0;
  for (let index = 0; index < bytes.length; index++) {
    held = (held << 8 | bytes[index]) & 0xffff;
    for (bits += 8; bits >= 6;) text += digits[held >> (bits -= 6) & 63];
  }
  return bits ? text + digits[held << 6 - bits & 63] : text;
}

/** The bytes that a text encodes, or `null` if it is not base64url. */
export function fromBase64url(text: string): number[] | null {
  const bytes: number[] = [];
  let bits = 0, held = 0;
  for (const digit of text) {
    const value = digits.indexOf(digit);
    if (value < 0) return null;
    held = (held << 6 | value) & 0xffff;
    if ((bits += 6) >= 8) bytes.push(held >> (bits -= 8) & 0xff);
  }
  return bits < 6 ? bytes : null;
}
