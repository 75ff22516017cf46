// A line for each statement: `ok ID: words` or `not so ID: words`.

const print = console.log;

/** What the app logged: it prints whole errors, and these hold passwords. */
export const logged: unknown[][] = [];
console.log = console.error = (...words) => void logged.push(words);

/** Ends the run with 1 at once if this does not hold: what comes after builds on it. */
export async function statement(ids: string, words: string, holds: () => Promise<boolean>): Promise<void> {
  let [isSo, why] = [false, ''];
  try {
    isSo = await holds();
  } catch (error) {
    why = ` (${error})`;
  }
  for (const id of ids.split(' ')) print(`${isSo ? 'ok' : 'not so'} ${id}: ${words}${why}`);
  if (!isSo) process.exit(1);
}

export async function sleep(milliseconds: number): Promise<void> {
  await new Promise<void>((done) => setTimeout(done, milliseconds));
}

/** Waits until this is true. */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let rounds = 0; !(await isSo()); rounds += 1) {
    if (rounds === 500) throw new Error(`never: ${what}`);
    await sleep(20);
  }
}
