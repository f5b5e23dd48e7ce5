/** Functions that put what they are given into what stands beside them in their file: whoever calls them says what that holds, as `init(url)` and `register(tool)` do. */
import { escaped } from '../../find/words/literals.ts';
import { mentionsAny, walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import { filling, perItem } from '../../syntax/item-methods.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import type { Outline, Unit } from './outline.ts';

/** Whether a function beside it puts what it is given into what a statement declares: then all who use either matter. */
export const isSet = ({ mentioning, module }: Outline, unit: Unit): boolean =>
  !unit.isCode() &&
  !isWeak.test(unit.text) &&
  unit.names.some((name) => {
    const others = mentioning(name).filter((other) => other !== unit);
    if (others.length === 0) return false;
    // Most only read it. Made once for all who mention it.
    const writes = new RegExp(
      `(?<![\\w$.])${escaped(name)}(?:\\.[\\w$]+|\\[[^\\]\\n]*\\])*(?:\\s*(?:\\?\\?|\\|\\|)?=(?![=>])|\\s*[?!]?\\.(?:${[...filling].join('|')})\\b)`,
    );
    return others.some((other) => writes.test(other.text) && putsInto(other, name, module.text));
  });

function putsInto({ node }: Unit, name: string, text: string): boolean {
  let found = false;
  // What a promise or an event gives is given by nobody who calls: `.then((answer) => cache.set(key, answer))`.
  const answered = new Set<Node>();
  walk(node, (each) => {
    if (each.kind === 'call' && !perItem.has(methodOf(each) ?? '')) for (const arg of each.args) answered.add(arg);
    found ||= each.kind === 'function' && givesTo(each, name, text, answered.has(each));
    return !found;
  });
  return found;
}

const namesOfParams = (params: FunctionNode['params']): ReadonlySet<string> =>
  new Set(params.flatMap(({ target }) => namesIn(target)).map((each) => each.name));

function givesTo(fn: FunctionNode, name: string, text: string, isAnswered: boolean): boolean {
  const given = namesOfParams(fn.params);
  const plain = namesOfParams(fn.params.filter(({ start, end }) => isPlain.test(text.slice(start, end))));
  let found = false;
  if (given.size > 0)
    walk(fn, (each) => {
      if (each.kind === 'assign') found ||= rootOf(each.target) === name && mentionsAny(each.value, given);
      else if (!isAnswered && isFilling(each))
        found ||= rootOf(each.callee) === name && itemsOf(each).some((item) => isGivenWhole(item, given, plain));
      return !found;
    });
  return found;
}

/** Nobody goes through these, and who has a key has more than what stands here says. */
const isWeak = /=\s*new Weak(?:Map|Set)\b/;

/** `reason: string`, `most?: number` */
const isPlain = /:\s*(?:string|number|boolean)(?:\s*\|\s*(?:undefined|null))?\s*(?:=|$)/;

const methodOf = ({ callee }: CallNode): string | undefined => (callee.kind === 'member' ? callee.property : undefined);

const isFilling = (node: Node): node is CallNode => node.kind === 'call' && filling.has(methodOf(node) ?? '');

/** What is put in, under whatever name: `tools.push(tool)`, `handlers.set(name, handler)`. */
const itemsOf = (call: CallNode): CallNode['args'] => (methodOf(call) === 'set' && call.args.length > 1 ? call.args.slice(1) : call.args);

/** Whether it is what was given, as it is or in a row: `{ name, handler }`. What a function makes of it is its own, as caches and queues of what runs have it. */
function isGivenWhole(item: Node, given: ReadonlySet<string>, plain: ReadonlySet<string>): boolean {
  if (item.kind === 'spread') return isGivenWhole(item.argument, given, plain);
  if (item.kind !== 'object') return item.kind === 'name' && given.has(item.name);
  return item.properties.some((each) => {
    const value = each.kind === 'spread' ? each.argument : each.kind === 'property' ? each.value : undefined;
    return value?.kind === 'name' && given.has(value.name) && !plain.has(value.name);
  });
}

function rootOf(target: Node): string | undefined {
  let at = target;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at.name : undefined;
}
