// What a run sees of the network below axios, and how it loses answers.

export interface Seen {
  method: string;
  path: string;
  authorization?: string;
  hasBody: boolean;
  status: number;
}

/** All requests that were answered so far, in their order. */
export const seen: Seen[] = [];
let losing: string | null = null;

/** The answer to the next request for this path does not arrive. */
export function loseNextAnswer(path: string): void {
  losing = path;
}

export function count(path: string): number {
  return seen.filter((request) => request.path === path).length;
}

const http = require('http');
const realRequest = http.request;
http.request = (options: any, answered: (answer: any) => void) => {
  const request = realRequest(options, (answer: any) => {
    seen.push({
      method: options.method,
      path: options.path,
      authorization: request.getHeader('Authorization'),
      hasBody: Number(request.getHeader('Content-Length') ?? 0) > 0,
      status: answer.statusCode,
    });
    if (losing !== options.path) return answered(answer);
    losing = null;
    request.emit('error', Object.assign(new Error('the answer was lost'), { code: 'ECONNRESET' }));
    request.destroy();
  });
  return request;
};

/** The status of the refusal, and its code; 0 for no answer at all. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error: any = await call.then(() => null, (thrown) => thrown);
  if (error === null) return 'none';
  return error.response ? `${error.response.status} ${error.response.data?.code}` : '0';
}
