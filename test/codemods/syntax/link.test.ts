import { describe, expect, it } from 'vitest';
import { typescript } from '../../../codemods/engines/typescript.ts';
import { children, link, walk } from '../../../codemods/syntax/link.ts';
import type { Expression, Node, ProgramNode } from '../../../codemods/syntax/tree.ts';
import { plain } from '../engines/plain.ts';
import { readings } from '../engines/readings.ts';

const sources = Object.values(readings).flatMap((rows) => Object.keys(rows));

const parse = (source: string): ProgramNode => {
  try {
    return typescript.parse('a.ts', source).program;
  } catch {
    return typescript.parse('a.tsx', source).program;
  }
};

function all(program: ProgramNode): Node[] {
  const nodes: Node[] = [];
  walk(program, (node) => void nodes.push(node));
  return nodes;
}

function isWithin(node: Node, outer: Node): boolean {
  return children(outer).some((child) => child === node || isWithin(node, child));
}

/** How many objects in a tree have a kind, whatever field holds them. */
function everything(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + everything(inner), 'kind' in value ? 1 : 0);
}

describe('children', () => {
  it.each(sources)('leave nothing out of %s', (source) => {
    const program = parse(source);
    expect(new Set(all(program)).size).toBe(everything(plain(program)));
  });

  it.each(sources)('come in source order in %s', (source) => {
    for (const node of all(parse(source))) {
      const starts = children(node).map((child) => child.start);
      expect(starts).toEqual(starts.toSorted((one, two) => one - two));
    }
  });
});

describe('link', () => {
  it.each(sources)('gives every node of %s its parent', (source) => {
    const program = parse(source);
    link(program);
    expect(program.parent).toBeUndefined();
    for (const node of all(program)) expect(children(node).every((child) => child.parent === node)).toBe(true);
  });
});

describe('walk', () => {
  it('visits parents before children, in source order', () => {
    const names = all(parse('a(b, c.d[e])')).flatMap((node) => (node.kind === 'name' ? [node.name] : [node.kind]));
    expect(names).toEqual(['program', 'other', 'call', 'a', 'b', 'member', 'member', 'c', 'e']);
  });

  it('leaves out what is below a node for which the visitor says false', () => {
    const seen: string[] = [];
    walk(parse('a(b); c'), (node) => {
      seen.push(node.kind === 'name' ? node.name : node.kind);
      return node.kind !== 'call';
    });
    expect(seen).toEqual(['program', 'other', 'call', 'other', 'c']);
  });

  it('goes on behind what one visitor left out, however often a program is walked', () => {
    const program = parse('function f() { a(b); }\nc(d);');
    const whole = all(program);
    for (const left of whole) {
      const below = new Set(whole.filter((node) => isWithin(node, left)));
      const seen: Node[] = [];
      walk(program, (node) => {
        seen.push(node);
        return node !== left;
      });
      expect(seen).toEqual(whole.filter((node) => !below.has(node)));
    }
  });

  it('goes as deep as the tree', () => {
    let deep: Expression = { kind: 'name', name: 'a', start: 0, end: 1 };
    for (let depth = 0; depth < 100_000; depth++) deep = { kind: 'await', argument: deep, start: 0, end: 1 };
    const program: ProgramNode = { kind: 'program', body: [deep], start: 0, end: 1 };
    link(program);
    expect(all(program)).toHaveLength(100_002);
  });
});
