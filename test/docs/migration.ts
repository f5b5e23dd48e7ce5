/** MIGRATION.md's code: pairs of before and after, and what stays as it is. */
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

export interface Staying {
  readonly text: string;
  /** The codes of the findings that say why; none for what is not worth a word. */
  readonly findings: readonly string[];
}

export const staying: readonly Staying[] = [...guide.text.matchAll(/^```js stays ?([^\n]*)\n([^]*?)^```$/gm)].map(
  ([, codes = '', text = '']) => ({
    text,
    findings: codes.split(' ').filter(Boolean),
  }),
);
