/** What is called by a name that many functions have is found out once for each place, and not for each of them. */
import { expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { Spoken } from '../../../codemods/evaluate/calls/spoken.ts';
import { nodesOfKind } from '../../../codemods/syntax/link.ts';

const engines = await loadEngines();
const count = 30;
const lines = Array.from({ length: count }, (_, index) => `export const o${index} = { ask() {} };\ngiven.ask(${index});`);
const text = lines.join('\n');
const module = sourceModule('main.js', text, engines.parse('main.js', text).tree);
const ev = createEvaluation({ modules: new Map([[module.file, module]]), resolve: () => undefined }, clientRules);
const functions = nodesOfKind(module.tree.program, 'function');
const places = module.calls.map((node, index) => ({ node, module, index }));

test.for([
  { isFinal: true, asked: count },
  { isFinal: false, asked: count * count },
])('a place is asked again only where it is not known for good: $isFinal', ({ isFinal, asked }) => {
  let times = 0;
  const spoken = new Spoken(ev, places, {
    expressionAt: ({ node }) => node.callee,
    meantAt: ({ index }) => {
      times++;
      return { functions: new Set(functions.slice(index, index + 1)), isFinal };
    },
  });
  const found = functions.map((fn) => [...spoken.of(fn)].map(({ index }) => index));
  expect(found).toEqual(functions.map((_, index) => [index]));
  expect(times).toBe(asked);
});

test.for([
  { how: 'and is only called there', own: 'ask();', asked: 0 },
  { how: 'and is exported under another name', own: 'ask(); export { ask as send };', asked: count },
  { how: 'and is handed on', own: 'ask(); given.push(ask);', asked: count },
  { how: 'and is written to', own: 'ask(); ask = given.ask;', asked: count },
  { how: 'and is asked for what it is given', own: 'ask(); ask.call(given);', asked: count },
])('of a function that its file declares $how, $asked places that go by its name are asked', ({ own, asked }) => {
  const file = sourceModule('own.js', '', engines.parse('own.js', `import { given } from './main.js';\nfunction ask() {}\n${own}`).tree);
  const [fn] = nodesOfKind(file.tree.program, 'function');
  let times = 0;
  const spoken = new Spoken(ev, places, {
    expressionAt: ({ node }) => node.callee,
    meantAt: () => {
      times++;
      return { functions: new Set(), isFinal: false };
    },
  });
  expect(fn === undefined ? undefined : [...spoken.of(fn)]).toEqual([]);
  expect(times).toBe(asked);
});
