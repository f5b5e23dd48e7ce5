/** Conditions on a request's URL in code that is run for every request: `if (!req.url.startsWith(BASE)) return next(req);`. */
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { flat, unknownPart, isAbsolute } from '../evaluate/text.ts';
import { optionsOf, partsOf, type Value } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, Node } from '../syntax/tree.ts';

export interface Guard {
  /** Whether a request with such a URL certainly does not come past it. */
  excludes(url: Value | undefined): boolean;
  /** What URLs have to begin with to come past it. */
  readonly prefixes: readonly Value[];
}

/** The condition under which a call in such code is reached; undefined where it is none on the beginning of the URL. */
export function guardOf(ev: Evaluation, { node, ...at }: At & { readonly node: Node }): Guard | undefined {
  const fn = functionAround(node);
  const test = fn === undefined ? undefined : testIn(fn);
  const prefix = test?.args[0];
  if (test === undefined || prefix === undefined) return undefined;
  if (!decides(test, isInside(test, node))) return undefined;
  const value = ev.evaluate(prefix, at);
  const texts = optionsOf(value).map((option) => flat(partsOf(option)));
  if (texts.some((text) => text === '' || text.includes(unknownPart))) return undefined;
  // A path with the version would have to move too, and has no base of its own: the guard counts as one that lets nothing pass.
  if (texts.some((text) => !isAbsolute(text) && /\/v\d/.test(text))) return { excludes: () => true, prefixes: [] };
  const isAllowed = isInside(test, node) !== isNegated(test);
  const isAnywhere = test.callee.kind === 'member' && test.callee.property === 'includes';
  const holds = (url: string): boolean => texts.some((text) => (isAnywhere ? url.includes(text) : url.startsWith(text)));
  return {
    excludes: (url) => url !== undefined && optionsOf(url).every((option) => holds(flat(partsOf(option))) !== isAllowed),
    prefixes: isAllowed ? [value] : [],
  };
}

function functionAround(node: Node): Node | undefined {
  let at = node.parent;
  while (
    at !== undefined &&
    !(at.kind === 'function' && (at.parent?.kind === 'classMember' || at.parent?.kind === 'variable' || at.isDeclaration))
  )
    at = at.parent;
  return at;
}

/** The only question about what a URL holds in a function. */
function testIn(fn: Node): CallNode | undefined {
  const found: CallNode[] = [];
  walk(fn, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member' || !['startsWith', 'includes'].includes(node.callee.property ?? '')) return;
    if (node.callee.object.kind === 'member' && node.callee.object.property?.startsWith('url') === true) found.push(node);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a condition hangs on the test alone: with `test || other` more comes past it, and with `if (!test && other) return` as well. */
function decides(test: CallNode, isInside: boolean): boolean {
  const start = isNegated(test) ? test.parent : test;
  for (let at = start?.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'unary') return false;
    if (at.kind !== 'logical') return true;
    if (at.operator !== (isInside ? '&&' : '||')) return false;
  }
  return true;
}

const isNegated = ({ parent }: CallNode): boolean => parent?.kind === 'unary' && parent.operator === '!';

/** Whether a node is reached where the test of a condition holds, and not after it. */
function isInside(test: Node, node: Node): boolean {
  let around = test.parent;
  let at: Node = test;
  while (around !== undefined && around.kind !== 'conditional' && !(around.kind === 'other' && around.what === 'IfStatement')) {
    if (around.kind === 'function') return false;
    [at, around] = [around, around.parent];
  }
  const whenTrue =
    around?.kind === 'conditional'
      ? around.whenTrue
      : around?.kind === 'other'
        ? around.children[around.children.indexOf(at) + 1]
        : undefined;
  return whenTrue !== undefined && whenTrue.start <= node.start && node.end <= whenTrue.end;
}
