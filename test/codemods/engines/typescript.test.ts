import { describe, expect, it } from 'vitest';
import { SyntaxFault } from '../../../codemods/engines/engine.ts';
import { typescript } from '../../../codemods/engines/typescript.ts';
import { walk } from '../../../codemods/syntax/link.ts';
import type { Node } from '../../../codemods/syntax/tree.ts';
import { sketch } from './sketch.ts';

const comments = (path: string, text: string): string[] => typescript.parse(path, text).comments.map((comment) => comment.text);

function fault(path: string, text: string): SyntaxFault {
  try {
    typescript.parse(path, text);
  } catch (error) {
    if (error instanceof SyntaxFault) return error;
    throw error;
  }
  throw new Error('it was read');
}

/** The source of each node of one kind. */
function sources(path: string, text: string, kind: Node['kind']): string[] {
  const found: string[] = [];
  walk(typescript.parse(path, text).program, (node) => {
    if (node.kind === kind) found.push(text.slice(node.start, node.end));
  });
  return found;
}

describe('the TypeScript engine', () => {
  it.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.tsx'])('reads JSX in %s', (path) => {
    expect(sources(path, '<a b={c} />', 'name')).toEqual(['c']);
  });

  it.each(['a.ts', 'a.mts', 'a.cts'])('reads type assertions in %s', (path) => {
    expect(sources(path, '<A>b', 'name')).toEqual(['b']);
  });

  it('reads JSON, with comments, as one expression', () => {
    const { program } = typescript.parse('a.json', '\uFEFF{ "a": [1, -2, null], // b\n "c": "d" }');
    expect(program.body.map(sketch)).toEqual(['object(a:(array(1 -(2) null)) c:("d"))']);
  });

  it('counts a byte order mark and a shebang in its offsets', () => {
    expect(sources('a.js', '\uFEFF#!/usr/bin/env node\r\na("é😀", b)', 'name')).toEqual(['a', 'b']);
  });

  it('waits for calls at the top level', () => {
    const { program } = typescript.parse('a.js', 'const a = await (async () => b)()');
    expect(program.body.map(sketch)).toEqual(['const(:a await(call(arrow function(b))))']);
  });

  it('takes the line ends of templates as JavaScript does, and their places as they are', () => {
    const text = 'a = `b\r\n${c}\\r\\n${d}`';
    const [template] = templates(text);
    expect(template?.texts).toEqual([
      { start: 5, end: 8, value: 'b\n' },
      { start: 12, end: 16, value: '\r\n' },
      { start: 20, end: 20, value: '' },
    ]);
  });

  it.each([
    ['additions', `a = ${Array(5000).fill("'b'").join(' + ')}`],
    ['calls', `a${'.b(c)'.repeat(5000)}`],
    ['alternatives', `a = ${Array(5000).fill('b').join(' || ')}`],
  ])('reads 5,000 %s in a row', (_what, text) => {
    const { program } = typescript.parse('a.js', text);
    let nodes = 0;
    walk(program, () => void nodes++);
    expect(nodes).toBeGreaterThan(10_000);
  });

  it('says that a text is nested too deeply', () => {
    expect(fault('a.js', '['.repeat(50_000)).message).toBe('nested too deeply');
  });

  it.each([
    ['a.ts', 'let a = ;', 8],
    ['a.ts', 'a(\n  b', 6],
    ['a.json', '{ "a": }', 7],
    ['a.ts', '\uFEFFlet a = ;', 9],
  ])('says where %s %j cannot be read', (path, text, at) => {
    expect(fault(path, text)).toMatchObject({ code: 'SYNTAX', at });
  });
});

describe('the comments', () => {
  it('are those that mention migrate-v2', () => {
    expect(comments('a.ts', '// a\n// migrate-v2-ignore: b\nc() /* migrate-v2 d */ // e')).toEqual([
      '// migrate-v2-ignore: b',
      '/* migrate-v2 d */',
    ]);
  });

  it.each([
    ['an empty block', '{ // migrate-v2\n}'],
    ['an empty call', 'a(// migrate-v2\n)'],
    ['a list', 'a(b, // migrate-v2\n c)'],
    ['a template', 'a = `${b // migrate-v2\n}`'],
    ['a type', 'type A = {\n // migrate-v2\n b: string }'],
    ['an empty class', 'class A { // migrate-v2\n}'],
    ['a declaration', 'export // migrate-v2\n default function a() {}'],
    ['JSX attributes', '<a // migrate-v2\n b />'],
    ['a JSX container', '<a>{// migrate-v2\n}</a>'],
    ['the end of the file', 'a\n// migrate-v2'],
    ['nothing else', '// migrate-v2'],
  ])('are found in %s', (_where, text) => {
    expect(comments('a.tsx', text)).toEqual(['// migrate-v2']);
  });

  it.each([
    "a = 'b // migrate-v2'",
    'a = `// migrate-v2 ${b} // migrate-v2`',
    'a = /\\/\\/ migrate-v2/',
    '<a>// migrate-v2</a>',
    '<a b="// migrate-v2" />',
    'a(migrate-v2)',
  ])('are not seen in %s', (text) => {
    expect(comments('a.tsx', text)).toEqual([]);
  });

  it('are given once, however often they mention it', () => {
    expect(comments('a.ts', '/* migrate-v2 migrate-v2 */ a /* migrate-v2 */')).toEqual(['/* migrate-v2 migrate-v2 */', '/* migrate-v2 */']);
  });
});

function templates(text: string): Extract<Node, { kind: 'template' }>[] {
  const found: Extract<Node, { kind: 'template' }>[] = [];
  walk(typescript.parse('a.ts', text).program, (node) => {
    if (node.kind === 'template') found.push(node);
  });
  return found;
}
