/** Functions that put what they are given into what stands beside them in their file: whoever calls them says what that holds, as `init(url)` does. */
import { escaped } from '../find/literals.ts';
import { mentionsAny, walk } from '../syntax/link.ts';
import { namesIn } from '../syntax/scopes.ts';
import type { AssignNode, FunctionNode, Node } from '../syntax/tree.ts';
import type { Outline, Unit } from './outline.ts';

/** Whether a function beside it puts what it is given into what a statement declares: then all who use either matter. */
export const isSet = ({ mentioning }: Outline, unit: Unit): boolean =>
  !unit.isCode() &&
  unit.names.some((name) => {
    const others = mentioning(name).filter((other) => other !== unit);
    if (others.length === 0) return false;
    // Most only read it. Made once for all who mention it.
    const writes = new RegExp(`(?<![\\w$.])${escaped(name)}(?:\\.[\\w$]+|\\[[^\\]\\n]*\\])*\\s*(?:\\?\\?|\\|\\|)?=(?![=>])`);
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
      found ||= each.kind === 'assign' && rootOf(each) === name && mentionsAny(each.value, given);
      return !found;
    });
  return found;
}

function rootOf({ target }: AssignNode): string | undefined {
  let at: Node = target;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at.name : undefined;
}
