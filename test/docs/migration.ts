/** MIGRATION.md's pairs of code before and after. */
import { openDocument } from './document.ts';

export const guide = openDocument('MIGRATION.md');

export interface Pair {
  /** The heading above it. */
  readonly title: string;
  /** The file to put it into. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const files: Readonly<Record<string, string>> = { js: 'call.mjs', sh: 'call.sh', http: 'saved.http', dotenv: '.env' };

export const pairs: readonly Pair[] = [
  ...guide.text.matchAll(/^### (.+)\n\n```(\w+) before\n([^]*?)^```\n\n```\2 after\n([^]*?)^```$/gm),
].map(([, title = '', language = '', before = '', after = '']) => ({ title, file: files[language] ?? language, before, after }));
