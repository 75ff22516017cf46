const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The bytes of a text in UTF-8. A lone surrogate counts as U+FFFD. */
export function utf8(text: string): number[] {
  const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
  return (escaped.match(/%..|./g) || []).map((each) => each[1] ? parseInt(each.slice(1), 16) : each.charCodeAt(0));
}

/** Bytes in base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: Iterable<number>): string {
  const groups = bitsOf(bytes, 8).match(/.{1,6}/g) || [];
  return groups.map((group) => digits[parseInt(group.padEnd(6, '0'), 2)]).join('');
}

/** The bytes that a text in base64url encodes. */
export function fromBase64url(text: string): number[] {
  const values = Array.from(text, (digit) => digits.indexOf(digit));
  return (bitsOf(values, 6).match(/.{8}/g) || []).map((byte) => parseInt(byte, 2));
}

/** The bits of numbers, one after the other, as text. */
const bitsOf = (numbers: Iterable<number>, size: number): string =>
  Array.from(numbers, (number) => number.toString(2).padStart(size, '0')).join('');
