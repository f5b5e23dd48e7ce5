/** Texts of a script that people read, and nothing compares: comments, and what tests are called. */
import { openingOfTitle } from '../clients/testing/declared-tests.ts';
import { isComment } from '../syntax/comments.ts';

/** Whether a place stands in a comment, or in what a test is called: `it('tells GET /v1/contacts', …)`. */
export function isOnlyRead(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return isBehindComment(line) || title.test(line.slice(-maxTitle));
}

/** Slashes in a text, `'https://api.example.com/v1//'`, begin none. */
function isBehindComment(line: string): boolean {
  const code = line.replaceAll(/(["'`])(?:(?!\1).)*\1/g, '');
  return isComment(code, code.length);
}

const title = new RegExp(`${openingOfTitle}(["'\`])(?:(?!\\1).)*$`);
const maxTitle = 200;
