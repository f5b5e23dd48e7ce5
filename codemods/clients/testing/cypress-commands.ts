/** Commands of a project's own for Cypress: `Cypress.Commands.add('api', (method, path) => cy.request({ … }))`, `cy.api('GET', '/contacts')`: https://docs.cypress.io/api/cypress-api/custom-commands. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { unknown } from '../../evaluate/values/values.ts';
import type { Expression, SpreadNode } from '../../syntax/tree.ts';
import { isCallOf, named } from '../names.ts';

const space = 'cypress';
const adding = { method: /^add$/, on: /^Commands$/ };
const where = /\bCypress\.Commands\.add/;

/** One that goes on from another is given what that found before its arguments. */
function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'call') return [];
  const [key, value, more] = node.args;
  // What overwrites one is given that before its arguments, too.
  if (isCallOf(node, { ...adding, method: /^overwrite$/ })) return isGiven(key) ? [{ space, key, node, value: nobodyKnows }] : [];
  if (isCallOf(node, adding)) return isGiven(key) && isGiven(value) && more === undefined ? [{ space, key, node: value }] : [];
  if (!isCallOf(node, { ...adding, method: /^addAll$/ }) || key?.kind !== 'object' || value !== undefined) return [];
  return key.properties.flatMap((each) =>
    each.kind === 'property' && each.name !== undefined ? { space, key: each.name, node: each.value } : [],
  );
}

const nobodyKnows: Put['value'] = (_ev, { module }) => unknown(undefined, module);

const isGiven = (arg: Expression | SpreadNode | undefined): arg is Expression => arg !== undefined && arg.kind !== 'spread';

/** Those that ask by what a file adds. */
function askers(text: string): RegExp | undefined {
  const names = Array.from(text.matchAll(/\bCommands\.add\(\s*(['"`])(\w+)\1/g), ([, , name]) => name);
  const all = Array.from(text.matchAll(/\bCommands\.addAll\(\s*\{([^]*)/g), ([, body = '']) =>
    Array.from(body.matchAll(/^\s*(?:async\s+)?(\w+)\s*[(:,]/gm), ([, name]) => name),
  ).flat();
  const known = new Set([...names, ...all]);
  return known.size === 0 ? undefined : new RegExp(String.raw`\bcy\s*\.(?:${[...known].join('|')})\(`);
}

export const cypressCommands: ClientRule = {
  name: 'cypress commands',
  title: 'Cypress',
  isForTests: true,
  carries: [{ ...named({ where, space, reads: /^cy$/ }), global: 'cy', puts }],
  ambient: { mark: where, reached: askers },
};
