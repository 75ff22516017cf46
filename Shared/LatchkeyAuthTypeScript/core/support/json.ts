/** Any JSON value. */
// deno-lint-ignore no-explicit-any
export type JSONValue = any;

/** The members of a JSON object. */
export type Members = Record<string, JSONValue>;

/** The object that a text encodes, or `null` if it is no JSON object. */
export function parseObject(text: string): Members | null {
  try {
    const value: JSONValue = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is a JSON object. */
const isObject = (value: JSONValue): boolean => !!value && typeof value === 'object' && !Array.isArray(value);

/** Whether a value is a string. */
export const isText = (value: JSONValue): value is string => typeof value === 'string';

/** Whether a value is an integer. */
export const isWhole = (value: JSONValue): value is number => Number.isSafeInteger(value);

/** Whether a value is an integer that is not negative. */
export const isCount = (value: JSONValue): value is number => isWhole(value) && value >= 0;

/** The value if it is a string. */
export const text = (value: JSONValue): string | undefined => isText(value) ? value : undefined;

/** The strings of an array. */
export const texts = (value: JSONValue): string[] | undefined => Array.isArray(value) ? value.filter(isText) : undefined;

/** The value if it is an integer. */
export const whole = (value: JSONValue): number | undefined => isWhole(value) ? value : undefined;
