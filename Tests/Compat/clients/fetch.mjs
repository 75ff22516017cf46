// Sends one request by Node's fetch: METHOD URL TOKEN TYPE FILE; prints the status and the body.
import { readFileSync } from 'node:fs';
const [method, url, token, type, file] = process.argv.slice(2);
const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(type && { 'content-type': type }) };
const response = await fetch(url, { method, headers, body: file ? readFileSync(file) : undefined });
console.log(response.status);
console.log(await response.text());
