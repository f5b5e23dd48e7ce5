/** What may put another host where a base is kept, once all that the evaluation may cost is spent. */
import { expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { overwritesOf } from '../../../codemods/escape/calls/overwrites.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { requestSitesOf } from '../../../codemods/verdict/request-sites.ts';

const engines = await loadEngines();
const client = `
  import axios from 'axios';
  class Messages {
    constructor() { this.http = axios.create({ baseURL: 'https://api.example.com/v1', headers: { 'x-api-key': key } }); }
    message(id) { return this.http.get('/messages/' + id); }
  }
  export const message = (id) => new Messages().message(id);
`;

test.each([
  [
    'what another class writes into its own fields is nothing of ours',
    'export class Handler { constructor(key) { this.http = connect(key); } }',
    [],
  ],
  ['what is written into a parameter may be ours', 'export function aim(given, key) { given.http = connect(key); }', ['http']],
])('with nothing left to ask, %s', (_, code, expected) => {
  const [file, text] = ['client.js', `${client}\n${code}`];
  const module = sourceModule(file, text, engines.parse(file, text).tree);
  const ev = createEvaluation({ modules: new Map([[file, module]]), resolve: () => undefined }, clientRules);
  const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };
  const found = callGraphOf(ev);
  const sites = requestSitesOf(ev, found, bases);
  while (!ev.budget.isSpent({ node: module.tree.program, module })) ev.budget.charge(1_000);
  expect(sites.length).toBeGreaterThan(0);
  expect(overwritesOf(ev, found, sites, sites, bases).map(({ name }) => name)).toEqual(expected);
});
