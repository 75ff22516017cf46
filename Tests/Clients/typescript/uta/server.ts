// uta's API as its document prints it, in a few lines, over real HTTP.
import { createServer } from 'node:http';

interface Seen { method: string; path: string; authorization?: string; body: any }

export const seen: Seen[] = [];
export const count = (path: string): number => seen.filter((request) => request.path === path).length;

/** Access tokens that the server refuses; whether it is there; whether the session has ended; how many requests it refuses late. */
export const server = { denied: new Set<string>(), isUp: true, hasEnded: false, refusesLate: 0 };
let [generation, name, password] = [0, 'Ann', 'a long walk in the rain'];

const user = () => ({ id: 'usr_1', email: 'ann@example.com', name });
const problem = (status: number, code: string): [number, object] => [status, { status, code, error: code, success: false }];

function tokens(): object {
  generation += 1;
  const [access, refresh] = [`A${generation}`, `T${generation}`];
  return { access, refresh, accessToken: access, refreshToken: refresh, expiresIn: 1800 };
}

function answer({ method, path, authorization, body }: Seen): [number, object] {
  if (!server.isUp) return [503, {}];
  switch (`${method} ${path}`) {
    case 'POST /auth/login':
      if (body.password !== password) return problem(401, 'invalid_credentials');
      server.hasEnded = false;
      return [200, { user: user(), tokens: tokens() }];
    case 'POST /auth/register':
      return body.password === 'password123' ? problem(400, 'weak_password') : [200, { success: true }];
    case 'POST /auth/forgot-password': case 'POST /auth/reset-password': case 'POST /auth/verify-email':
      return [200, { success: true }];
    case 'POST /auth/refresh':
      return server.hasEnded || body.refreshToken !== `T${generation}` ? problem(401, 'invalid_refresh_token') : [200, tokens()];
    case 'POST /auth/logout':
      server.hasEnded = true;
      return [200, { success: true }];
  }
  if (server.refusesLate > 0) {
    server.refusesLate -= 1;
    const { now } = Date;
    Date.now = () => now() + 40_000;
    return problem(401, 'invalid_token');
  }
  const token = (authorization || '').slice(7);
  if (token !== `A${generation}` || server.hasEnded || server.denied.has(token)) return problem(401, 'invalid_token');
  switch (`${method} ${path}`) {
    case 'GET /auth/me': return [200, user()];
    case 'PATCH /auth/profile':
      name = body.name;
      return [200, user()];
    case 'POST /auth/change-password':
      if (body.oldPassword !== password) return problem(400, 'wrong_password');
      password = body.newPassword;
      return [200, { success: true }];
    case 'DELETE /auth/account':
      return body.password === password ? [200, { success: true }] : problem(400, 'wrong_password');
    default: return problem(404, 'not_found');
  }
}

/** Starts the server, and returns its address. */
export function start(): string {
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: string) => text += chunk);
    request.on('end', () => {
      const { method, url: path, headers: { authorization } } = request;
      const one = { method, path, authorization, body: text ? JSON.parse(text) : null };
      seen.push(one);
      const [status, body] = answer(one);
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(JSON.stringify(body));
    });
  });
  http.listen(0).unref();
  return `http://127.0.0.1:${http.address().port}`;
}
