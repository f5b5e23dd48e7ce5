import { plain } from '../../text/escape.ts';

/** What a spreadsheet takes for the beginning of a formula, also in the wide forms of East Asia. */
const formula = /^\s*[=+\-@＝＋－＠]/;

/**
 * Somebody's text as a cell (RFC 4180 §2): no formula to a spreadsheet, which an apostrophe before it prevents, and on one line, with
 * nothing in it that a terminal obeys.
 */
export function csvText(text: string): string {
  const shown = plain(text);
  const harmless = formula.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
