import { isText, isWhole, type Members } from '../support/json.js';
import { AuthError } from '../values.js';

/** The most pages of an export. A page has up to 1,000 rows. */
export const pagesMax = 1000;

/**
 * Adds the next page to the document of an export, and returns the cursor of the page behind it, or `undefined` after the last one.
 *
 * Rows of arrays are appended to those of earlier pages; of any other member the first value counts. Throws `notLatchkey` if the page
 * does not belong to the export.
 *
 * @param cursor the cursor by which the page was requested.
 */
export function addPage(whole: Members, { nextCursor, ...page }: Members, cursor: string | undefined): string | undefined {
  const belongs = isWhole(page.version) && (whole.version ?? page.version) === page.version;
  const isLast = nextCursor === undefined || nextCursor === null;
  const leadsOn = isText(nextCursor) && nextCursor !== '' && nextCursor !== cursor;
  if (!belongs || !isLast && !leadsOn) throw new AuthError({ kind: 'notLatchkey' });
  for (const [name, value] of Object.entries(page)) {
    const known = whole[name];
    if (known === undefined) whole[name] = value;
    else if (Array.isArray(known) && Array.isArray(value)) for (const row of value) known.push(row);
  }
  return isLast ? undefined : nextCursor;
}
