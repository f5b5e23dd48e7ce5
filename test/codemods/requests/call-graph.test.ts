/** Who calls whom is found out where it may lead to a request, and nowhere else. */
import { describe, expect, it, vi } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import type { Evaluation } from '../../../codemods/evaluate/evaluation.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { flat, unknownPart } from '../../../codemods/evaluate/values/text.ts';
import { type CallGraph, callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { requestsOf } from '../../../codemods/requests/requests.ts';
import { foreignTo } from '../../../codemods/verdict/bases/foreign-addresses.ts';

const engines = await loadEngines();

function evaluationOf(text: string): Evaluation {
  const module = sourceModule('a.ts', text, engines.parse('a.ts', text).tree);
  return createEvaluation({ modules: new Map([[module.file, module]]), resolve: () => undefined }, clientRules);
}

/** The addresses of all requests, on every way to them. */
function asked(text: string, isForeign?: CallGraph['isForeign']): string[] {
  const ev = evaluationOf(text);
  const found = { ...callGraphOf(ev), ...(isForeign && { isForeign }) };
  return found.sinks
    .flatMap((sink) =>
      requestsOf(ev, found, sink)
        .finish()
        .map(({ url }) => flat(url ?? [])),
    )
    .toSorted();
}

describe('a function that asks is found by who calls it', () => {
  it.each([
    ['a property with a name of lists', `const api = { slice: (u) => fetch(u) }; api.slice('a');`, ['a']],
    ['a method with a name of texts', `class Api { trim(u) { return fetch(u); } } new Api().trim('a');`, ['a']],
    ['a name of lists that a class has', `class List { push(u) { return fetch(u); } } const all = new List(); all.push('a');`, ['a']],
    ['a name of lists on what is no list for good', `let api = []; api = { push: (u) => fetch(u) }; api.push('a');`, ['a']],
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

it('who calls is asked where that decides the endpoint of ours, and not for the path of another service', () => {
  const isForeign = foreignTo({ v1: ['https://api.example.com'] });
  const text = `
    const ask = (url) => fetch(url);
    const ours = (id) => ask('https://api.example.com/v1/contacts/' + id);
    const others = (id) => ask('https://chat.example.net/v1/contacts/' + id);
    const accounts = (id) => ask(process.env.CHAT_URL + '/api/v1/accounts/' + id);
    const hosts = (host, id) => ask(host + '/v1/accounts/' + id);
    hosts('https://api.example.com', 'a');
    ours('a'); ours('b'); others('a'); others('b'); accounts('a'); accounts('b');
  `;
  expect(asked(text, isForeign)).toEqual([
    `${unknownPart}/api/v1/accounts/${unknownPart}`,
    'https://api.example.com/v1/accounts/a',
    'https://api.example.com/v1/contacts/a',
    'https://api.example.com/v1/contacts/b',
    `https://chat.example.net/v1/contacts/${unknownPart}`,
  ]);
});

it('a call by which thousands of requests may be made is not followed to the last of them', () => {
  const chosen = (index: number): string => Array.from({ length: 30 }, (_, other) => `c(${other}) ? '/${index}/${other}' : `).join('');
  const callers = Array.from({ length: 200 }, (_, index) => `ask(${chosen(index)}'/');`);
  expect(asked(['const ask = (u) => fetch(u);', ...callers].join('\n')).length).toBeLessThan(2_300);
});

it.each([
  ['methods of texts and lists', `export const f = (a) => a.b.trim().split('/').slice(1).reduce((x) => x, c(a));`],
  ['maps and sets in fields', `export class A { m = new Map(); get(k) { return this.m.get(k) ?? this.m.set(k, load(k)); } }`],
  [
    'globals and packages',
    `import { join } from 'node:path'; import ui from 'ui'; console.log(JSON.parse(join(a)), ui.open(Math.max(b)));`,
  ],
  ['functions for each item', `export const f = (rows) => rows.filter((row) => row.a).map((row) => row.b);`],
  ['comparisons where no mock is', `export const f = (a) => a.b === other(a) && a.c !== JSON.parse(a.d).e;`],
  ['lists in variables', `export const f = (rows) => { const all = []; for (const row of rows) all.push(row.a); return all; };`],
  ['bodies of answers', `export const f = async (answer) => (await answer.json()).data;`],
])('what can lead to no request takes no step: %s', (_, text) => {
  const ev = evaluationOf(text);
  expect(callGraphOf(ev).sinks).toEqual([]);
  expect(ev.budget.spent).toBe(0);
});

it.each([
  ['a count', `import assert from 'node:assert/strict'; assert.equal(load(key).length, 3); assert.ok(load(key));`],
  [
    'a plain value',
    `import { expect, it } from 'vitest'; it('a', () => { expect(load(key)).toEqual({ a: [1, 'b'], c: expect.any(Date) }); });`,
  ],
  ['nothing', `import { expect } from 'chai'; expect(load(key)).to.be.an('object'); expect(() => load(key)).to.throw(/a/);`],
])('what is compared with %s is not found out', (_, text) => {
  const ev = evaluationOf(`const load = (key) => [${"key + 'a', ".repeat(100)}]; ${text}`);
  callGraphOf(ev);
  expect(ev.budget.spent).toBeLessThan(50);
});

it.each([
  ['a version', `expect(load(key)).toEqual({ url: '/v1/messages' });`],
  ['the name of a key', `expect(load(key)).toMatchObject({ 'X-Api-Key': 'a' });`],
  ['a name', `expect(load(key)).toEqual(wanted);`],
  ['a pattern', `expect(load(key)).toMatch(/a/);`],
  ['a call', `expect(load(key)).toHaveBeenCalledWith('a');`],
])('what is compared with %s is', (_, text) => {
  const ev = evaluationOf(`const load = (key) => [${"key + 'a', ".repeat(100)}]; ${text}`);
  callGraphOf(ev);
  expect(ev.budget.spent).toBeGreaterThan(100);
});

it('what a function is called with is asked once, however many of the calls in it were not followed on all ways', () => {
  const askedOf = (calls: number): number => {
    const inside = Array.from({ length: calls }, (_, index) => `c.get('/${index}');`).join(' ');
    const callers = Array.from({ length: 500 }, (_, index) => `ask(${index}, { get: () => fetch('/${index}') });`);
    const ev = evaluationOf([`function ask(index, c) { ${inside} }`, ...callers].join('\n'));
    const args = vi.spyOn(ev, 'args');
    expect(callGraphOf(ev).cut).toHaveLength(calls);
    return args.mock.calls.length;
  };

  expect(askedOf(40)).toBe(askedOf(20));
});
