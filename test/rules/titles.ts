/** Reads the titles of the tests in a file, as they stand in its source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';
import { projectRoot } from '../helpers/build.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const titles = new Map<string, readonly string[]>();

/**
 * The titles of a file's tests, each behind those of the groups around it: `group > title`.
 * @param file its path in the repository
 */
export function titlesIn(file: string): readonly string[] {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const found = titlesOf(readFileSync(join(projectRoot, file), 'utf8'));
  titles.set(file, found);
  return found;
}

export function titlesOf(source: string): string[] {
  return [...walk(parseAst(source, { lang: 'ts' }), source, [])];
}

function* walk(value: unknown, source: string, groups: readonly string[]): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* walk(one, source, groups);
  if (!isNode(value)) return;
  const given = value.type === 'CallExpression' && Array.isArray(value['arguments']) ? value['arguments'] : [];
  const title = titleOf(given, source);
  const [name, ...modifiers] = value.type === 'CallExpression' ? namesOf(value['callee']) : [];
  const isTest = name === 'test' || name === 'it';
  const isGroup = name === 'describe';
  if ((isTest || isGroup) && provesNothing([...modifiers, ...optionsOf(given)])) return;
  // Without a body, it is still to be written.
  if (isTest && title !== undefined && given.length > 1) yield [...groups, title].join(' > ');
  const inside = title !== undefined && isGroup ? [...groups, title] : groups;
  for (const child of Object.values(value)) yield* walk(child, source, inside);
}

/** Whether a test or a group is one that does not run, of which others do not run, or that passes where it fails. */
const provesNothing = (modifiers: readonly unknown[]): boolean =>
  ['skip', 'todo', 'only', 'fails'].some((modifier) => modifiers.includes(modifier));

/** The names of the options of a call, which may stand beside its title. */
function optionsOf([, options]: readonly unknown[]): unknown[] {
  if (!isNode(options) || !Array.isArray(options['properties'])) return [];
  return options['properties'].flatMap((property: unknown) => (isNode(property) ? textOf(property['key']) : []));
}

/** A name, written bare or as a text. */
const textOf = (node: unknown): unknown => (isNode(node) ? (node['name'] ?? node['value']) : undefined);

/** The text of a call's first argument, without its quotes; undefined where it is no text. */
function titleOf([first]: readonly unknown[], source: string): string | undefined {
  if (!isNode(first)) return undefined;
  const isText = first.type === 'TemplateLiteral' || (first.type === 'Literal' && typeof first['value'] === 'string');
  return isText ? source.slice(first.start + 1, first.end - 1) : undefined;
}

/** What a call begins with and what it is modified by: `test` and `for` in `test.for(table)('…')`. */
function namesOf(callee: unknown): unknown[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'MemberExpression') return [...namesOf(callee['object']), textOf(callee['property'])];
  return callee.type === 'CallExpression' ? namesOf(callee['callee']) : [callee['name']];
}
