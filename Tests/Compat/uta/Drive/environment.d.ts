// What of Node the drive uses.
declare const process: { argv: string[]; env: Record<string, string | undefined>; exit(status: number): never };
declare const require: (name: string) => any;
declare const console: { log(...words: unknown[]): void; error(...words: unknown[]): void };
declare function setTimeout(body: () => void, milliseconds: number): unknown;
declare function fetch(url: string): Promise<{ status: number; json(): Promise<any> }>;
declare function atob(text: string): string;
