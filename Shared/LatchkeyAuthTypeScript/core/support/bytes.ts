const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The bytes of a text in UTF-8. A lone surrogate counts as U+FFFD. */
export function utf8(text: string): number[] {
  const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
  return (escaped.match(/%..|./g) || []).map((each) => each[1] ? parseInt(each.slice(1), 16) : each.charCodeAt(0));
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
