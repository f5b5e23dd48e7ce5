/** Finds the same strings with ast-grep and prints in how many files there are some. It only looks: nothing is planned or proven. */
import { findInFiles, Lang } from '@ast-grep/napi';

const rule = {
  any: [
    { kind: 'string_fragment', regex: '(^|/)v1/' },
    { kind: 'string_fragment', regex: '^x-api-key$' },
  ],
};
const languageGlobs = ['*.ts', '*.tsx', '*.js', '*.jsx'];

let seen = 0;
let finished;
const allSeen = new Promise((resolve) => (finished = resolve));
let expected = Number.NaN;

// The promise may come before the last of the calls back.
expected = await findInFiles(Lang.Tsx, { paths: ['.'], matcher: { rule }, languageGlobs }, (error, nodes) => {
  if (error) throw error;
  if (nodes.length > 0) seen += 1;
  if (seen === expected) finished();
});
if (seen < expected) await allSeen;
console.log(seen);
