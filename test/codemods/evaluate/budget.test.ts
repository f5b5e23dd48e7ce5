/** Code that multiplies itself comes to an end: counted in steps, as time is the machine's. */
import { describe, expect, it } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import type { Evaluation } from '../../../codemods/evaluate/evaluation.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { requestSitesOf } from '../../../codemods/verdict/request-sites.ts';

const engines = await loadEngines();
const depth = 20;

/** Functions of two parameters, each of which calls the next one twice. */
const tower = (call: (next: string, level: number) => string): string[] =>
  Array.from({ length: depth }, (_, level) => `function f${level}(a, b) { return ${call(`f${level + 1}`, level)}; }`);

const last = `function f${depth}(a, b) { return a + '/v1/messages' + b; }`;
const ask = "fetch(f0('https://api.example.com', ''), { headers: { 'x-api-key': key } });";

const programs: Record<string, readonly string[]> = {
  'text that doubles': [...tower((next) => `${next}(a, b) + ${next}(b, a)`), last, ask],
  'arguments that double': [...tower((next) => `${next}(${next}(a, b), ${next}(b, a))`), last, ask],
  'choices that double': [...tower((next) => `a ? ${next}(a, b) : ${next}(b, a)`), last, ask],
  'objects that double': [...tower((next) => `({ ...${next}(a, b), ...${next}(b, a) })`), last, 'fetch(f0(1, 2).url, f0(2, 1));'],
  'callers that double': [
    ...Array.from({ length: depth }, (_, level) => `function f${level}(a, b) { f${level + 1}(a, b); f${level + 1}(b, a); }`),
    `function f${depth}(a, b) { fetch(a + '/v1/messages' + b); }`,
    "f0('https://api.example.com', '');",
  ],
  'variables that double': [
    "const v0 = process.env.A ? 'https://api.example.com' : 'https://other.example.org';",
    ...Array.from({ length: depth }, (_, level) => `const v${level + 1} = v${level} + v${level};`),
    `fetch(v${depth});`,
  ],
  'many that ask': [...tower((next) => `${next}(a, b) + ${next}(b, a)`), last, ...Array.from({ length: 120 }, () => ask)],
};

function analysed(text: string): Evaluation {
  const module = sourceModule('hostile.js', text, engines.parse('hostile.js', text).tree);
  const ev = createEvaluation({ modules: new Map([['hostile.js', module]]), resolve: () => undefined }, clientRules);
  requestSitesOf(ev, callGraphOf(ev), { v1: ['https://api.example.com'], v2: undefined, env: new Set() });
  return ev;
}

describe('the steps of an analysis are bounded', () => {
  it.each(Object.entries(programs))('for %s', (_, lines) => {
    expect(analysed(lines.join('\n')).budget.spent).toBeLessThan(2_000_000);
  });
});
