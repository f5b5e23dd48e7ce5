/** Versions by themselves, where a test takes the path of a request apart: `const [, version] = req.url.split('/')`, `/^\/(?<version>v1)\//.exec(req.url)`. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { item, leavesOf, type Read } from '../../evaluate/values/leaves.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Expression, Node, StringNode } from '../../syntax/tree.ts';

interface Segment {
  readonly node: StringNode;
  /** The paths that are taken apart. */
  readonly of: readonly Expression[];
}

const version = 'v1';

/**
 * @param actualOf what a test compares with an expectation, with the part of it that a place stands in
 * @returns versions that are compared with a segment
 */
export function segmentsIn(ev: Evaluation, module: SourceModule, actualOf: (node: Node) => readonly [Node, Node] | readonly []): Segment[] {
  return module.texts.flatMap((node): Segment[] => {
    if (node.kind !== 'string' || node.value !== version) return [];
    const [actual, expected] = comparedWith(node) ?? actualOf(node);
    if (actual === undefined || expected === undefined) return [];
    const of = leavesOf({ node: actual, module, path: pathTo(node, expected) }, ev).flatMap(pathsIn);
    return of.length === 0 ? [] : [{ node, of }];
  });
}

/** `version !== 'v1'`, `switch (version) { case 'v1': … }` */
function comparedWith(node: Node): readonly [Node, Node] | undefined {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator)) return [parent.left === node ? parent.right : parent.left, node];
  const [asked] = parent?.kind === 'other' && parent.what === 'CaseClause' && parent.parent?.kind === 'block' ? parent.parent.body : [];
  return asked && [asked, node];
}

/** The names that lead to a place from the whole of what is expected, and to that: `toHaveProperty('version', 'v1')`. */
function pathTo(node: Node, whole: Node): string[] {
  const path: string[] = [];
  const { parent: call } = whole;
  const [named] = call?.kind === 'call' && call.callee.kind === 'member' && /property$/i.test(call.callee.property ?? '') ? call.args : [];
  if (named?.kind === 'string') path.push(...named.value.split('.'));
  const start = path.length;
  for (let at = node; at !== whole && at.parent !== undefined; at = at.parent) {
    if (at.parent.kind === 'property') path.splice(start, 0, at.parent.name ?? '');
    else if (at.parent.kind === 'array') path.splice(start, 0, item);
  }
  return path;
}

/** What a segment is of: `url.split('/')[1]`, `/…/.exec(url).groups.version`, `url.match(/…/)[1]`. */
function pathsIn({ node }: Read): Expression[] {
  if (node.kind !== 'call' || node.callee.kind !== 'member') return [];
  const { object, property = '' } = node.callee;
  const [first] = node.args;
  if (first === undefined || first.kind === 'spread') return [];
  if (property === 'split') return first.kind === 'string' && first.value === '/' ? [object] : [];
  return property === 'exec' ? [first] : property === 'match' ? [object] : [];
}
