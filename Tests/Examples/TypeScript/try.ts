// Runs latchkey.ts against a stack: node try.js GATEWAY INBOX. Ends with 0 if all went as the page says.
import { CodeRefused, Kept, Latchkey, Refused, SignedOut, TooMany, TryLater } from "./latchkey";

declare const process: { argv: string[]; exit(status: number): void };
declare const require: (name: string) => any;
const { randomUUID } = require("crypto");

// As in browsers, where `fetch` is no method of another object.
const platform = globalThis.fetch;
globalThis.fetch = function (this: unknown, url: any, init?: any) {
  if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
  return platform(url, init);
} as typeof fetch;
// As in React Native, which has no `crypto`; Node 18 has none either.
Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });

function check(holds: boolean, what: string) {
  if (!holds) throw new Error("not so: " + what);
  console.log("ok: " + what);
}

async function thrown(body: Promise<unknown>): Promise<unknown> {
  return body.then(() => undefined, (error) => error);
}

async function main(gateway: string, inbox: string) {
  let kept: Kept | null = null;
  const store = { read: async () => kept, write: async (tokens: Kept | null) => { kept = tokens; } };
  // What becomes of the next refreshes: lost answers, or an answer of ours instead of the gateway's.
  let refreshes = 0;
  let loses = 0;
  let outage: Response | null = null;
  const send: typeof fetch = async (url, init) => {
    if (!String(url).endsWith("/auth/refresh")) return fetch(url, init);
    refreshes += 1;
    if (outage) return outage.clone();
    const answer = await fetch(url, init);
    if (loses-- > 0) throw new TypeError("the answer was lost");
    return answer;
  };
  const start = () => new Latchkey(gateway, store, randomUUID, send);
  const spoil = () => { kept = { ...kept!, accessToken: "old" }; };
  const app = start();

  const phone = "+1555" + (2000000 + Math.floor(Math.random() * 7999999));
  await app.requestCode(phone);
  const messages: any = await (await fetch(`${inbox}/api/messages?to=${encodeURIComponent(phone)}`)).json();
  const { code } = messages[0];
  const wrong = code === "111111" ? "222222" : "111111";
  check((await thrown(app.signIn(phone, wrong))) instanceof CodeRefused, "a wrong code is refused");
  await app.signIn(phone, code, "attempt-1");
  const first = kept!;
  await app.signIn(phone, code, "attempt-1");
  check(kept!.refreshToken === first.refreshToken, "a repeated sign-in is the same session");
  check((await app.call("/api/hello")).status === 200, "the API is served");
  check((await new Latchkey(gateway, store, randomUUID).call("/api/hello")).status === 200, "by the platform's own fetch");

  const patched = await app.call("/users/me", { method: "PATCH", body: JSON.stringify({ name: "Betty" }) });
  check(patched.status === 200 && (await patched.json()).name === "Betty", "a body is JSON");
  const text = await app.call("/api/echo", { method: "POST", body: "a", headers: { "Content-Type": "text/plain" } });
  check(text.headers.get("Content-Type") === "text/plain", "unless the caller's headers say otherwise");

  const refused: any = await thrown(app.requestCode("12"));
  check(refused instanceof Refused && refused.status === 400 && refused.code === "invalid_phone", "a number that cannot be");
  let limited: any;
  for (let i = 0; i < 20 && !(limited instanceof TooMany); i += 1) limited = await thrown(app.requestCode(phone));
  check(limited instanceof TooMany && limited.seconds! > 0, "a limit says how long it lasts");

  spoil();
  const answers = await Promise.all([app.call("/api/hello"), app.call("/api/hello"), app.call("/api/hello")]);
  check(answers.every((answer) => answer.status === 200) && refreshes === 1, "three calls share one refresh");

  spoil();
  loses = 1;
  check((await thrown(app.call("/api/hello"))) instanceof TryLater, "a lost answer is no sign-out");
  const key = kept!.refreshKey;
  check(!!key, "the key was kept before the refresh was sent");
  check((await start().call("/api/hello")).status === 200, "the app, started again, goes on with that key");
  check(!kept!.refreshKey, "the key is gone with the answer");

  spoil();
  outage = new Response("{}", { status: 503 });
  check((await thrown(app.call("/api/hello"))) instanceof TryLater && kept !== null, "503 never signs out");
  outage = null;
  check((await app.call("/api/hello")).status === 200, "after the outage all goes on");

  const last = kept!;
  await app.signOut();
  check((await thrown(app.call("/api/hello"))) instanceof SignedOut && kept === null, "signed out here");
  kept = last;
  check((await thrown(app.call("/api/hello"))) instanceof SignedOut && kept === null, "and at the gateway, for copies too");
}

main(process.argv[2], process.argv[3]).then(() => process.exit(0), (error) => {
  console.log(String(error));
  process.exit(1);
});
