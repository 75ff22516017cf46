// What a run sees of the network, and how it spoils answers.

declare const process: { argv: string[]; env: Record<string, string | undefined>; exit(status: number): void };
declare const require: (name: string) => any;

interface Seen {
  path: string;
  method: string;
  headers: Headers;
  status: number;
}

/** All requests so far, in their order. */
const seen: Seen[] = [];

const refreshPath = '/auth/token/refresh';
const gateway = process.argv[2];
const realFetch = globalThis.fetch;

/** Called before a request is sent. */
let beforeRequest: (path: string, headers: Headers) => void = () => {};

/** With COMPAT_SPOIL that word is misspelled in every answer: the run must then say `not so`. */
globalThis.fetch = async (url, options = {}) => {
  const path = String(url).slice(gateway.length);
  const headers = new Headers(options.headers);
  beforeRequest(path, headers);
  const answer = await realFetch(url, options);
  seen.push({ path, method: options.method ?? 'GET', headers, status: answer.status });
  const word = process.env.COMPAT_SPOIL;
  if (!word) return answer;
  const text = (await answer.text()).replace(new RegExp(`"${word}"`, 'g'), `"${word}_"`);
  return new Response(text, { status: answer.status, headers: answer.headers });
};

function refreshes(): number {
  return seen.filter((request) => request.path === refreshPath).length;
}

/** The error code of a refusal with this status, else what came instead. */
async function refusal(response: Response, status: number): Promise<string> {
  const data = await response.json();
  const members = Object.keys(data).sort().join();
  if (response.status !== status || members !== 'error,message') return `${response.status} ${JSON.stringify(data)}`;
  return data.error;
}

function refresh(token: string): Promise<Response> {
  return fetch(gateway + refreshPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: token }),
  });
}
