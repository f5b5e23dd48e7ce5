/** Which literals of calls that are too much to follow are none of v1's for what stands there. */
import { expect, test } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { expensiveAround, isSentToOther } from '../../../codemods/escape/ledger/expensive-calls.ts';
import { suspicious } from '../../../codemods/escape/ledger/suspicious.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';

const engines = await loadEngines();
const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };
const search = 'https://api.search.example/find';

test.each([
  ['a word in a sentence', `classify({ message: 'invalid x-api-key' });`, 'none'],
  ['the line of a header', `write('x-api-key: ' + key);`, 'a call'],
  ['a command', `run('curl -H x-api-key:$KEY $URL');`, 'a call'],
  ['a header by itself', `send({ 'x-api-key': key });`, 'a call'],
  ['a header for another host', `fetch('${search}', { headers: { 'x-api-key': key } });`, 'another host'],
  ['one by a constant', `const FIND = '${search}';\nfetch(FIND, { headers: { 'x-api-key': key } });`, 'another host'],
  ['one by a variable', `let find = '${search}';\nfind = other();\nfetch(find, { headers: { 'x-api-key': key } });`, 'a call'],
  ['one of ours', `fetch('https://api.example.com/v1', { headers: { 'x-api-key': key } });`, 'a call'],
  ['one by a function of its own', `function fetch(url, init) {}\nfetch('${search}', { headers: { 'x-api-key': key } });`, 'a call'],
  ['a path that v1 has not', `request.get('/api/v1/teams', { headers: { 'x-api-key': key } });`, 'another host'],
  [
    'one by a function',
    `const teams = (id) => \`/api/v1/teams/\${id}\`;\nrequest.get(teams(id), { headers: { 'x-api-key': key } });`,
    'another host',
  ],
  ['one that may go on', `request.get('/api/v1/con' + rest, { headers: { 'x-api-key': key } });`, 'a call'],
  ['one that v1 has', `request.get('/api/v1/contacts', { headers: { 'x-api-key': key } });`, 'a call'],
  ['one without a version', `request.get('/teams', { headers: { 'x-api-key': key } });`, 'a call'],
  ['one of any host', `request.get(host + '/api/v1/teams', { headers: { 'x-api-key': key } });`, 'a call'],
  ['one in a function that is handed along', `fetch('${search}', { sign: () => post({ 'x-api-key': key }) });`, 'a call'],
])('%s', (_title, text, expected) => {
  const module = sourceModule('main.js', text, engines.parse('main.js', text).tree);
  const literal = suspicious(module).find(({ start, end }) => /x-api-key/i.test(text.slice(start, end)));
  if (literal === undefined) throw new Error('there is no such literal');
  const call = expensiveAround(literal, new Set(module.calls));
  const world = { modules: new Map([[module.file, module]]), resolve: () => undefined };
  expect(call === undefined ? 'none' : isSentToOther(literal, bases, world) ? 'another host' : 'a call').toBe(expected);
});
