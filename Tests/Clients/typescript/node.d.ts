// The parts of Node that the driver and the tests use.
declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  stdin: unknown;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
  exit(status: number): never;
};
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
declare function fetch(url: string, init: object): Promise<{
  status: number; redirected: boolean; headers: { get(name: string): string | null }; text(): Promise<string>;
}>;
declare function setTimeout(body: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare class AbortController {
  readonly signal: { aborted: boolean; addEventListener(t: 'abort', f: () => void): void; removeEventListener(t: 'abort', f: () => void): void };
  abort(): void;
}

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
    ok(value: unknown, message?: string): asserts value;
    throws(body: () => unknown, expected?: unknown): void;
    rejects(body: Promise<unknown>, expected?: unknown): Promise<void>;
  };
  export default assert;
}
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function readdirSync(path: string): string[];
}
