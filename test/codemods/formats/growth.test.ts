/** Files as large as they come, and as nobody means well: sizes that only what is linear comes through in the time of a test. */
import { expect, test } from 'vitest';
import type { TextFile } from '../../../codemods/formats/reader.ts';
import { runText } from './run.ts';

const size = 40_000;
const filled = (piece: string, length = size): string => piece.repeat(Math.floor(length / piece.length));
const numbered = (piece: (i: number) => string, length = size): string => {
  const pieces: string[] = [];
  for (let rest = length; rest > 0; rest -= pieces.at(-1)?.length ?? rest) pieces.push(piece(pieces.length));
  return pieces.join('');
};
const base = 'https://api.example.com';
const curl = `curl -H 'x-api-key: k' ${base}/v1/messages`;

const files: readonly (readonly [string, TextFile['kind'], string])[] = [
  ['a .env file of one variable, set to itself again and again', 'env', filled('A=$A$A\n')],
  ['variables that double with each other', 'env', `A0=${base}\n${numbered((i) => `A${i + 1}=$A${i}$A${i}\n`, size / 10)}`],
  ['a request with a key on each of its lines', 'http', `GET ${base}/v1/messages\n${filled('x-api-key: k\n')}`],
  ['a line of blanks', 'http', `GET ${filled(' ')}x`],
  ['a script that is one line', 'shell', filled(`${curl}; `)],
  ['a command of many addresses and keys', 'shell', `curl ${filled(`-H 'x-api-key: k' ${base}/v1/messages `, size / 2)}`],
  ['a variable that every command is given', 'shell', `B=${base}/v1\n${filled('node $B\n')}curl -H 'x-api-key: k' $B/messages\n`],
  [
    'functions of functions of functions',
    'shell',
    `f0() { echo; }\n${numbered((i) => `f${i + 1}() { ${`f${i} "$1"; `.repeat(99)}}\n`, 20_000)}f7 a; ${curl}/$1`,
  ],
  ['a line of beginnings of here-documents', 'shell', filled('<<A ')],
  ['a line of beginnings of placeholders', 'shell', `curl ${filled('${{ {{')}`],
  ['substitutions in each other', 'shell', `curl ${filled('$(', size / 5)}`],
  ['JSON, nested 10,000 deep', 'json', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  [
    'scripts beside many variables',
    'json',
    `{"env":{${numbered((i) => `"A${i}":"${base}/v1",`)}"z":1},"scripts":[${filled('"curl $A1/messages",')}1]}`,
  ],
  [
    'an object with many addresses and names of the header',
    'json',
    `{"method":"GET",${numbered((i) => `"url${i}":"${base}/v1",`)}"a":[${filled('"x-api-key",')}1]}`,
  ],
  [
    'aliases of aliases of aliases',
    'yaml',
    `a0: &a0 [x, x]\n${numbered((i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`, 4_000)}`,
  ],
  ['many aliases', 'yaml', `a: &a ${base}/v1\n${numbered((i) => `b${i}: *a\n`, size / 3)}`],
  ['a flat list', 'markdown', `${filled('- a\n')}\n    code\n`],
  ['lists in lists', 'markdown', numbered((i) => `${' '.repeat((i % 100) * 2)}- a\n`)],
  ['quotations in quotations', 'markdown', filled('>')],
  ['blocks of code', 'markdown', filled(`\`\`\`json\n{"url":"${base}/v1"}\n\`\`\`\n\n`)],
  ['scripts that nothing ends', 'markdown', filled('<script>\n')],
  ['tags that nothing ends', 'markdown', `import x from './x.js'\n\n${filled('<A {')}`],
  ['comments that nothing ends', 'markup', filled('<!--')],
  ['comments that leave each line alone', 'http', filled(`###\n# migrate-v2-ignore: a\nGET ${base}/v1/messages\nx-api-key: k\n\n`)],
];

test.each(files)('%s', (_what, kind, text) => {
  const { output, ledger } = runText(kind, text);
  expect(output.length).toBeGreaterThanOrEqual(text.length);
  expect(new Set(ledger.map(({ start }) => start)).size).toBe(ledger.length);
});
