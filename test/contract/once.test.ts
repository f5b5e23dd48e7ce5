import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What only the contract may write, and who may besides. */
const facts: readonly (readonly [what: string, written: RegExp, besides: RegExp])[] = [
  ['the length of a day or an hour', /\b(?:86_?400|3_?600)(?:_?000)?\b|\b24 \* 60\b|\b60 \* 60\b/, /^$/],
  ['the field of a key', /(['"`])(?:x-api-key|authorization)\1/i, /^$/],
  ['the label of a path that is no endpoint', /'unlisted'/, /^$/],
  // The sandbox is the oracle: it writes v1's errors by hand.
  ['the body of a failure', /\bsuccess: false, error\b/, /^src\/sandbox\/api\/dialects\.ts$/],
];

it.each(facts)('%s stands in the contract alone', (_what, written, besides) => {
  const files = globSync('{src,proxy,codemods}/**/*.ts').filter((file) => !file.startsWith('src/contract/') && !besides.test(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => written.test(codeIn(file)))).toEqual([]);
});

/** A file without its comments: those that fill lines of their own. */
const codeIn = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
