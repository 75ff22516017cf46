// The parts of Node that the driver and the tests use, and that a browser does not have.
declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  stdin: unknown;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
  exit(status: number): never;
};
declare module 'node:readline' {
  export function createInterface(options: { input: unknown }): { on(event: 'line' | 'close', body: (line: string) => void): void };
}
declare module 'node:test' {
  export default function test(name: string, body: () => void | Promise<void>): void;
}
declare module 'node:assert/strict' {
  const assert: {
    equal(one: unknown, other: unknown, message?: string): void;
    deepEqual(one: unknown, other: unknown, message?: string): void;
    match(text: string, pattern: RegExp): void;
    ok(value: unknown, message?: string): asserts value;
    throws(body: () => unknown, expected?: unknown): void;
    rejects(body: Promise<unknown>, expected?: unknown): Promise<void>;
  };
  export default assert;
}
type Bytes = Uint8Array & { toString(encoding: 'hex' | 'base64url'): string };
declare const Buffer: { from(content: string | number[], encoding?: 'base64url'): Bytes };
declare module 'node:crypto' {
  interface Hash { update(content: string | Uint8Array): { digest(encoding: 'hex' | 'base64url'): string } }
  export function createHash(name: string): Hash;
  export function createHmac(name: string, key: Uint8Array): Hash;
  export function randomBytes(count: number): Bytes;
}
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function readdirSync(path: string, options?: { recursive: boolean }): string[];
}
declare module 'node:path' {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function resolve(...parts: string[]): string;
}
declare module 'react-dom/server' {
  export function renderToString(element: unknown): string;
}
