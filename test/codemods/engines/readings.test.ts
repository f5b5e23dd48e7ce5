import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { babel } from '../../../codemods/engines/babel.ts';
import { SyntaxFault, type Engine } from '../../../codemods/engines/engine.ts';
import { typescript } from '../../../codemods/engines/typescript.ts';
import { children, eachChild, walk } from '../../../codemods/syntax/link.ts';
import type { Node, SyntaxTree } from '../../../codemods/syntax/tree.ts';
import { plain } from './plain.ts';
import { programs } from './programs.ts';
import { readings } from './readings.ts';
import { sketch } from './sketch.ts';

const pathOf = (what: string, source: string): string => (what === 'JSX' || source.includes('<T,>') ? 'a.tsx' : 'a.ts');

/** An expression statement by itself is drawn as its expression. */
function drawn({ program }: SyntaxTree): string {
  const [only] = program.body;
  const inner = program.body.length === 1 && only?.kind === 'other' && only.what === 'ExpressionStatement' ? only.children : program.body;
  return inner.map(sketch).join(' ; ');
}

/** @returns undefined where the text has a fault */
function parsed(engine: Engine, path: string, text: string): SyntaxTree | undefined {
  try {
    return engine.parse(path, text);
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

/** Where a node lies outside of its parent, or a name or string is not what the text says there. */
function misplaced(text: string, tree: SyntaxTree): string[] {
  const found: string[] = [];
  const say = (node: Node): void => void found.push(`${node.kind} ${text.slice(node.start, node.end).slice(0, 40)}`);
  walk(tree.program, (node) => {
    eachChild(node, (child) => {
      if (child.start < node.start || child.end > node.end || child.start > child.end) say(child);
    });
    const own = text.slice(node.start, node.end);
    if ((node.kind === 'name' || node.kind === 'patternName') && own !== node.name && !own.includes('\\')) say(node);
    if (node.kind === 'string' && !(own.startsWith(node.quote) && own.endsWith(node.quote))) say(node);
    if (
      node.kind === 'template' &&
      node.texts.some(({ start, end }) => !'`}'.includes(text[start - 1] ?? '') || !'`$'.includes(text[end] ?? ''))
    )
      say(node);
    if (node.kind === 'member' && node.property !== undefined && text.slice(node.propertyStart, node.propertyEnd) !== node.property)
      say(node);
  });
  return found;
}

describe.each(Object.entries(readings))('%s', (what, rows) => {
  it.each(Object.entries(rows))('is read by the TypeScript engine: %s', (source, tree) => {
    expect(drawn(typescript.parse(pathOf(what, source), source))).toBe(tree);
  });

  it.each(Object.keys(rows))('is read alike by the Babel engine: %s', (source) => {
    const path = pathOf(what, source);
    expect(plain(babel.parse(path, source))).toEqual(plain(typescript.parse(path, source)));
  });
});

/** What a node is, and whether its text has what is read in a way of its own: escapes, and letters of more than one byte. */
const kindOf = (node: Node, text: string): string => {
  const isLeaf = node.kind !== 'other' && children(node).length === 0;
  const marks = isLeaf ? /\\|[^\0-\x7f]/.test(text.slice(node.start, node.end)) : '';
  return `${node.kind === 'other' ? node.what : node.kind} ${marks}`;
};

/** Which syntax stands in which, three deep. */
function shapesOf(path: string, text: string, { program }: SyntaxTree): ReadonlySet<string> {
  const shapes = new Set<string>();
  walk(program, (node) => {
    eachChild(node, (child) => {
      const outer = `${extname(path)} ${kindOf(node, text)} > ${kindOf(child, text)}`;
      shapes.add(outer);
      eachChild(child, (inner) => shapes.add(`${outer} > ${kindOf(inner, text)}`));
    });
  });
  return shapes;
}

/**
 * What there is to say of files as both engines read them: their trees, which are many times as large, are not kept. Of thousands of programs, most
 * are made of what others are made of: Babel, which takes longest, reads those that have something in them which none before them has.
 */
function compared(paths: readonly string[]) {
  const seen = new Set<string>();
  return paths.map((path) => {
    const text = readFileSync(path, 'utf8');
    const one = parsed(typescript, path, text);
    const shapes = one && shapesOf(path, text, one);
    const isNew = shapes === undefined || [...shapes].some((shape) => !seen.has(shape));
    for (const shape of shapes ?? []) seen.add(shape);
    const two = isNew ? parsed(babel, path, text) : undefined;
    const isByBoth = one !== undefined && two !== undefined;
    return { path, isNew, isByBoth, isAlike: isAlike(one, two), misplaced: one ? misplaced(text, one) : [] };
  });
}

/** Whether two trees say the same; a field that is undefined says as much as one that is missing. */
const isAlike = (one: unknown, two: unknown): boolean =>
  Object.is(one, two) ||
  (isObject(one) &&
    isObject(two) &&
    Object.keys(one).every((key) => isAlike(Reflect.get(one, key), Reflect.get(two, key))) &&
    Object.keys(two).every((key) => key in one || Reflect.get(two, key) === undefined));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

describe('both engines', () => {
  let read: ReturnType<typeof compared>;
  beforeAll(() => {
    read = compared(programs);
  });

  it('read the programs of the proxy, the fixtures and the examples alike, each with syntax in syntax that none before it has', () => {
    const byBoth = read.filter(({ isByBoth }) => isByBoth);
    expect(byBoth.length).toBeGreaterThan(read.filter(({ isNew }) => isNew).length * 0.95);
    expect(byBoth.filter(({ isAlike }) => !isAlike).map(({ path }) => path)).toEqual([]);
  });

  it('place every node within its parent, and where the text has it', () => {
    expect(read.flatMap(({ path, misplaced }) => misplaced.map((place) => `${path}: ${place}`))).toEqual([]);
  });

  it('read any mixture of statements, line ends, marks and white space alike', () => {
    const statements = Object.entries(readings)
      .filter(([what]) => what !== 'a module' && what !== 'JSX')
      .flatMap(([, rows]) => Object.keys(rows))
      .filter((source) => !source.includes('<T') && !source.startsWith("'use") && !/\b(abstract|declare)\b/.test(source));
    const between = fc.constantFrom('\n', '\r\n', '\t', ' ', '/* 😀 */', '// é\n', '/**\n * doc\n */\n');
    const statement = fc
      .tuple(fc.array(between, { maxLength: 3 }), fc.constantFrom(...statements))
      .map(([gap, source]) => `${gap.join('')}{ ${source}\n}`);
    fc.assert(
      fc.property(
        fc.constantFrom('', '\uFEFF', '#!/usr/bin/env node\n', '\uFEFF#!/usr/bin/env node\n'),
        fc.array(statement),
        (head, all) => {
          const text = head + all.join(';\n');
          const tree = parsed(typescript, 'a.ts', text);
          fc.pre(tree !== undefined);
          expect(misplaced(text, tree)).toEqual([]);
          expect(babel.parse('a.ts', text)).toEqual(tree);
        },
      ),
    );
  });
});
