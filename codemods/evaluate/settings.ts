/** Configuration that is read from the environment by way of a schema, or a platform's bindings. */
import type { Node } from '../syntax/tree.ts';
import type { At } from './evaluation.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, type Value } from './values.ts';

/** How people write the names of variables. */
const variable = /^[A-Z][A-Z0-9_]*$/;

/** `env.API_URL` of what a platform hands to its functions as `env`: Workers, Pages, Hono's `c.env`. */
export function bindingIn(value: Value, name: string, node: Node, { module }: At): Value | undefined {
  if (!variable.test(name)) return undefined;
  const holder = value.type === 'method' ? value.path.at(-1) : value.type === 'unknown' ? nameOf(value.node) : undefined;
  return holder === 'env' ? { type: 'env', name, node, module } : undefined;
}

function nameOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'param') return node.target.kind === 'patternName' ? node.target.name : undefined;
  return node?.kind === 'patternName' ? node.name : undefined;
}

/** What `schema.parse(process.env)` gives: each variable, or the default that the schema has for it. */
export function parsedBy(schema: ObjectValue, given: Value | undefined): ObjectValue | undefined {
  const isEnvironment = given?.type === 'external' && given.source.replace(/^process$/, '') === '' && given.path.at(-1) === 'env';
  return isEnvironment ? variablesOf(schema) : undefined;
}

/** An object of the variables that a schema names. */
export function variablesOf(schema: ObjectValue): ObjectValue {
  return { ...schema, entries: schema.entries.map(readEntry) };
}

const readEntry = (entry: Entry): Entry => ({ ...entry, value: () => variableOr(entry) });

function variableOr({ name, node, module, value }: Entry): Value {
  const otherwise = optionsOf(value()).filter(({ type }) => type === 'text' || type === 'literal');
  return choiceOf([...(name === undefined ? [] : [{ type: 'env', name, node, module } as const]), ...otherwise]);
}
