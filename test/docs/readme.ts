/** What README.md tells people to run, and what it says they will see. */
import { openDocument } from './document.ts';

export { pattern } from './document.ts';
export const { text, fenced, documented, unasked } = openDocument('README.md');
