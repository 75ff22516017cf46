// What came by mail.
import { sleep } from './statements';

/** The token of the newest link to this path that an address got; waits for one that is none of `before`. */
export async function mailedToken(address: string, path: string, before: string[] = []): Promise<string> {
  for (let rounds = 0; rounds < 300; rounds += 1) {
    const messages = await (await fetch(`${process.argv[2]}/api/messages?to=${encodeURIComponent(address)}`)).json();
    const links: string[] = messages.map((message: any) => message.link ?? '');
    const tokens = links.filter((link) => link.includes(`${path}?token=`)).map((link) => link.split('token=')[1]);
    const token = tokens.find((token) => !before.includes(token));
    if (token) return token;
    await sleep(50);
  }
  throw new Error(`no mail with a link to ${path} came`);
}
