/** Who calls whom is found out where it may lead to a request, and nowhere else. */
import { describe, expect, it } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import type { Evaluation } from '../../../codemods/evaluate/evaluation.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { flat } from '../../../codemods/evaluate/text.ts';
import { callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { requestsOf } from '../../../codemods/requests/requests.ts';

const engines = await loadEngines();

function evaluationOf(text: string): Evaluation {
  const module = sourceModule('a.ts', text, engines.parse('a.ts', text).tree);
  return createEvaluation({ modules: new Map([[module.file, module]]), resolve: () => undefined }, clientRules);
}

/** The addresses of all requests, on every way to them. */
function asked(text: string): string[] {
  const ev = evaluationOf(text);
  const found = callGraphOf(ev);
  return found.sinks.flatMap((sink) => requestsOf(ev, found, sink).map(({ url }) => flat(url ?? []))).toSorted();
}

describe('a function that asks is found by who calls it', () => {
  it.each([
    ['a property with a name of lists', `const api = { slice: (u) => fetch(u) }; api.slice('a');`, ['a']],
    ['a method with a name of texts', `class Api { trim(u) { return fetch(u); } } new Api().trim('a');`, ['a']],
    ['a name of maps that is written', `const api = new Map(); api.get = (u) => fetch(u); api.get('a');`, ['a']],
    [
      'a field that is written otherwise',
      `class A { m = new Map(); constructor(x) { this.m = { get: (u) => fetch(u) }; } go() { this.m.get('a'); } }`,
      ['a'],
    ],
    [
      'a name that is computed',
      `const api = {}; for (const name of ['reduce', 'sort']) api[name] = (u) => fetch(u); api.sort('a');`,
      ['a'],
    ],
    ['items of a list', `['a', 'b'].forEach((u) => { fetch(u); });`, ['a', 'b']],
    ['a named function for each item', `const ask = (u) => fetch(u); ['a'].map(ask); ask('b');`, ['a', 'b']],
    ['what a promise gives', `import('axios').then((axios) => axios.get('a'));`, ['a']],
  ])('%s', (_, text, urls) => {
    expect(asked(text)).toEqual(urls);
  });
});

it.each([
  ['methods of texts and lists', `export const f = (a) => a.b.trim().split('/').slice(1).reduce((x) => x, c(a));`],
  ['maps and sets in fields', `export class A { m = new Map(); get(k) { return this.m.get(k) ?? this.m.set(k, load(k)); } }`],
  [
    'globals and packages',
    `import { join } from 'node:path'; import ui from 'ui'; console.log(JSON.parse(join(a)), ui.open(Math.max(b)));`,
  ],
  ['functions for each item', `export const f = (rows) => rows.filter((row) => row.a).map((row) => row.b);`],
  ['bodies of answers', `export const f = async (answer) => (await answer.json()).data;`],
])('what can lead to no request takes no step: %s', (_, text) => {
  const ev = evaluationOf(text);
  expect(callGraphOf(ev).sinks).toEqual([]);
  expect(ev.budget.spent).toBe(0);
});
