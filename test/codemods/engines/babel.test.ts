import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { babel, fromBabel } from '../../../codemods/engines/babel.ts';
import { isNode } from '../../../codemods/engines/babel/nodes.ts';
import { SyntaxFault } from '../../../codemods/engines/engine.ts';
import { walk } from '../../../codemods/syntax/link.ts';
import { readings } from './readings.ts';
import { sketch } from './sketch.ts';

const read = (text: string): string => babel.parse('a.js', text).program.body.map(sketch).join(' ; ');

/** What Flow has and TypeScript does not, or writes differently. */
const flow: Readonly<Record<string, string>> = {
  'const a = (b: any).c': 'const(:a .c(b))',
  'const a = b as C': 'const(:a b)',
  'const a: ?HttpClient = b': 'const of HttpClient(:a b)',
  'function f(this: A, b: C.D, ...e: Array<F>): %checks { return !!b }':
    'declared function(:f param of C.D(:b) param rest of Array(:e) block(return(!(!(b)))))',
  'function f(a?: A | null = b, {c}: D) {}': 'declared function(:f param of A(:a b) param of D(objectPattern(c: shorthand(:c))) block)',
  'import typeof A from "b"': 'import type default(:A "b")',
  'import { type A, typeof B, c } from "d"': 'import A B c(:A :B :c "d")',
  'export type A = {| b: string |}': '',
  'export opaque type A: string = string': '',
  'declare var a: string; declare export function b(): void; declare module.exports: {}': '',
  'enum A {B, C}': 'enum {B, C}(:A)',
  'enum A of string {B = "c"}': 'enum {B =}(:A "c")',
  'class A { +b: C; static +d: E = 1; static #f: G = 2 }': 'declared class(:A field b of C static field d of E(1) static field #f of G(2))',
  'component A(b: string, "c-d" as e: F = 1) { return b }': 'declared function(:A param(:b) param of F(:e 1) block(return(b)))',
  'hook useA(b) { return b }': 'declared function(:useA param(:b) block(return(b)))',
  'const a = match (b) { 1 => c, _ => d }':
    'const(:a MatchExpression(b MatchExpressionCase(MatchLiteralPattern(1) c) MatchExpressionCase(MatchWildcardPattern d)))',
};

/** What only Babel's own parser reads. */
const proposals: Readonly<Record<string, string>> = {
  'const a = b |> c': 'const(:a |>(b c))',
  'a = do { b }': 'ExpressionStatement(=(a DoExpression(block(ExpressionStatement(b)))))',
  'export a from "b"': 'export default=>a("b")',
  'return a': 'return(a)',
};

describe('the Babel engine', () => {
  it.each([...Object.entries(flow), ...Object.entries(proposals)])('reads %s', (text, tree) => {
    expect(read(text)).toBe(tree);
  });

  it.each(Object.keys(flow))('places the names of %s where they stand', (text) => {
    const wrong: string[] = [];
    walk(babel.parse('a.js', text).program, (node) => {
      if ((node.kind === 'name' || node.kind === 'patternName') && text.slice(node.start, node.end) !== node.name) wrong.push(node.name);
    });
    expect(wrong).toEqual([]);
  });

  it.each(['\u2028', '\u2029', '😀', '\r\n', '\uFEFF'])('places what follows %j in strings and comments where it stands', (odd) => {
    const text = `\uFEFF#!/usr/bin/env node\n/*${odd}*/ const a: string = \`${odd}\${b}${odd}\`; // ${odd}\nc("/v1")`;
    const found: string[] = [];
    walk(babel.parse('a.js', text).program, (node) => {
      if (node.kind === 'name' || node.kind === 'string') found.push(text.slice(node.start, node.end));
    });
    expect(found).toEqual(['b', 'c', '"/v1"']);
  });

  it('keeps the comments that mention migrate-v2', () => {
    const { comments } = babel.parse('a.js', '// a\nb(/* migrate-v2 */ "// migrate-v2")');
    expect(comments).toEqual([{ start: 7, end: 23, text: '/* migrate-v2 */' }]);
  });

  it.each([
    ['a.js', 'let a: = 1', 7],
    ['a.js', 'const a: string = 1;\r\n\r\nlet 1', 28],
    ['a.ts', 'let a = ;', 8],
  ])('says where %s %j cannot be read', (path, text, at) => {
    expect(() => babel.parse(path, text)).toThrow(expect.objectContaining({ code: 'SYNTAX', at }));
  });

  it('says that a text is nested too deeply', () => {
    expect(() => babel.parse('a.js', '['.repeat(50_000))).toThrow(new SyntaxFault('nested too deeply', 0));
  });
});

describe('what another parser of jscodeshift has read', () => {
  const getParser: (name: string) => { parse(text: string): unknown } = createRequire(import.meta.url)('jscodeshift/src/getParser');
  const rows = ['a literal', 'an operator', 'an object or array', 'a pattern', 'a statement'].flatMap((what) =>
    Object.keys(readings[what] ?? {}),
  );
  // The parser that jscodeshift takes by default knows no types, and no JavaScript of the last years.
  const known = rows.filter((source) => !/: ?[A-Z?]|\?\?=|\|\|=|using|1_000n|5n|\byield\b/.test(source));

  it.each(known)('gives the same tree in ESTree form: %s', (source) => {
    const ast = getParser('babel').parse(source);
    expect(isNode(ast) && fromBabel(ast, source)).toEqual(babel.parse('a.ts', source));
  });
});
