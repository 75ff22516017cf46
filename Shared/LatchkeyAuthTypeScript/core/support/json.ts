/** Any JSON value. */
// deno-lint-ignore no-explicit-any
export type JSONValue = any;

/** The members of a JSON object. */
export type Members = Record<string, JSONValue>;

/** The object that a text encodes, or `null` if it is no JSON object. */
export function parseObject(text: string): Members | null {
  try {
    const value: JSONValue = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** JSON text with members in the order of their names, so that equal values have equal text. Absent members are left out. */
export function sortedJSON(value: JSONValue): string {
  return JSON.stringify(value, (_, member: JSONValue) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.keys(member).sort().reduce((sorted: Members, name) => ((sorted[name] = member[name]), sorted), {})
      : member);
}

/** The value if it is a string. */
export const text = (value: JSONValue): string | undefined => typeof value === 'string' ? value : undefined;

/** The value if it is an integer. */
export const whole = (value: JSONValue): number | undefined => Number.isSafeInteger(value) ? value : undefined;
