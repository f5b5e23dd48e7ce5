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
  const title = value.type === 'CallExpression' ? titleOf(value['arguments'], source) : undefined;
  const name = title === undefined ? undefined : rootOf(value['callee']);
  if (title !== undefined && (name === 'test' || name === 'it')) yield [...groups, title].join(' > ');
  const inside = title !== undefined && name === 'describe' ? [...groups, title] : groups;
  for (const child of Object.values(value)) yield* walk(child, source, inside);
}

/** The text of a call's first argument, without its quotes; undefined where it is no text. */
function titleOf(given: unknown, source: string): string | undefined {
  const first: unknown = Array.isArray(given) ? given[0] : undefined;
  if (!isNode(first)) return undefined;
  const isText = first.type === 'TemplateLiteral' || (first.type === 'Literal' && typeof first['value'] === 'string');
  return isText ? source.slice(first.start + 1, first.end - 1) : undefined;
}

/** What a call begins with: `test` in `test('…')` and in `test.for(table)('…')`. */
function rootOf(callee: unknown): unknown {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'MemberExpression') return rootOf(callee['object']);
  return callee.type === 'CallExpression' ? rootOf(callee['callee']) : callee['name'];
}
