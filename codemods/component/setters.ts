/** Functions that put what they are given into what stands beside them in their file: whoever calls them says what that holds, as `init(url)` and `register(tool)` do. */
import { escaped } from '../find/literals.ts';
import { mentionsAny, walk } from '../syntax/link.ts';
import { namesIn } from '../syntax/scopes.ts';
import { filling } from '../syntax/item-methods.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import type { Outline, Unit } from './outline.ts';

/** Whether a function beside it puts what it is given into what a statement declares: then all who use either matter. */
export const isSet = ({ mentioning }: Outline, unit: Unit): boolean =>
  !unit.isCode() &&
  unit.names.some((name) => {
    const others = mentioning(name).filter((other) => other !== unit);
    if (others.length === 0) return false;
    // Most only read it. Made once for all who mention it.
    const writes = new RegExp(
      `(?<![\\w$.])${escaped(name)}(?:\\.[\\w$]+|\\[[^\\]\\n]*\\])*(?:\\s*(?:\\?\\?|\\|\\|)?=(?![=>])|\\s*[?!]?\\.(?:${[...filling].join('|')})\\b)`,
    );
    return others.some((other) => writes.test(other.text) && putsInto(other, name));
  });

function putsInto({ node }: Unit, name: string): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'function' && givesTo(each, name);
    return !found;
  });
  return found;
}

function givesTo(fn: FunctionNode, name: string): boolean {
  const given = new Set(fn.params.flatMap(({ target }) => namesIn(target)).map((each) => each.name));
  let found = false;
  if (given.size > 0)
    walk(fn, (each) => {
      if (each.kind === 'assign') found ||= rootOf(each.target) === name && mentionsAny(each.value, given);
      else if (isFilling(each)) found ||= rootOf(each.callee) === name && each.args.some((arg) => mentionsAny(arg, given));
      return !found;
    });
  return found;
}

const isFilling = (node: Node): node is CallNode =>
  node.kind === 'call' && node.callee.kind === 'member' && filling.has(node.callee.property ?? '');

function rootOf(target: Node): string | undefined {
  let at = target;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at.name : undefined;
}
