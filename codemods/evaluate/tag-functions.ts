/** Tags of the project's own that put a text together as a template does, with each value encoded: ``path`/v1/contacts/${id}` `` of SDKs that are generated. */
import type { Expression, FunctionNode, Node, ParamNode } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';
import { operands } from './operators.ts';
import { returnsOf } from './returns.ts';

/** Whether all that a tag gives are the texts that it is given, in order, with something between them, and nothing else is made of these. */
export function isJoiningTag(fn: FunctionNode, module: SourceModule): boolean {
  const { scopes, text } = module;
  const [texts, values] = fn.params;
  const references = texts && readsOf(texts, module);
  if (references === undefined || values?.isRest !== true || fn.params.length > 2 || /v1/i.test(text.slice(fn.start, fn.end))) return false;
  const isTexts = (node: Node): boolean => references.includes(node);
  const isJoined = (node: Expression): boolean => {
    const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
    if (binding?.owner.kind !== 'variable') return isFold(node, isTexts, module) || isFirst(node, isTexts);
    const { declares, init } = binding.owner;
    return declares === 'const' && init !== undefined && isFold(init, isTexts, module) && binding.references.every(isLookedAt);
  };
  const returns = returnsOf(fn);
  return returns.some((each) => !isFirst(each, isTexts)) && returns.every(isJoined) && references.every(isTakenApart);
}

/** Where a parameter is read, if it is a name. */
const readsOf = ({ target }: ParamNode, { scopes }: SourceModule): readonly Node[] | undefined =>
  target.kind === 'patternName' ? (scopes.declaredBy(target)?.references ?? []) : undefined;

/** `texts.reduce(…)`, `texts.length`, `texts[0]` */
const isTakenApart = (node: Node): boolean =>
  isMemberOf(node, /^(?:reduce|length)$/) || (node.parent?.kind === 'member' && isZero(node.parent.computed));

const isFirst = (node: Node, isTexts: (node: Node) => boolean): boolean =>
  node.kind === 'member' && isTexts(node.object) && isZero(node.computed);

const isZero = (node: Node | undefined): boolean => node?.kind === 'literal' && node.value === 0;

/** What is given back, only asked whether it is a path, or said of what is none: `path.split(/[?#]/, 1)`, `dots.test(path)`. */
const isLookedAt = (node: Node): boolean =>
  node.parent?.kind === 'return' || isTested(node.parent) || isMemberOf(node, /^split$/) || isThrown(node);

/** `return before + text + encode(value)` */
function isGivenBack(node: Node): boolean {
  let at = node;
  while (at.parent?.kind === 'concat') at = at.parent;
  return at !== node && (at.parent?.kind === 'return' || (at.parent?.kind === 'function' && at.parent.body === at));
}

const isMemberOf = (node: Node, name: RegExp): boolean =>
  node.parent?.kind === 'member' && node.parent.object === node && name.test(node.parent.property ?? '');

function isThrown(node: Node): boolean {
  for (let at = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent)
    if (at.kind === 'other' && at.what === 'ThrowStatement') return true;
  return false;
}

const isTested = (call: Node | undefined): boolean =>
  call?.kind === 'call' && call.callee.kind === 'member' && call.callee.property === 'test';

/** `texts.reduce((before, text, index) => before + text + (index === values.length ? '' : encode(values[index])), '')` */
function isFold(node: Node, isTexts: (node: Node) => boolean, module: SourceModule): boolean {
  if (node.kind !== 'call' || node.callee.kind !== 'member' || node.callee.property !== 'reduce' || !isTexts(node.callee.object))
    return false;
  const [fn, start] = node.args;
  if (fn?.kind !== 'function' || start?.kind !== 'string' || start.value !== '') return false;
  const [before, text] = fn.params.map((param) => readsOf(param, module) ?? []);
  const returns = returnsOf(fn);
  const isEach = (each: Expression): boolean => {
    const [first, second, ...between] = each.kind === 'concat' ? operands(each) : [];
    return (
      first !== undefined &&
      second !== undefined &&
      before?.includes(first) === true &&
      text?.includes(second) === true &&
      between.length <= 1
    );
  };
  return (
    returns.length > 0 &&
    returns.every(isEach) &&
    [...(before ?? []), ...(text ?? [])].every((read) => isGivenBack(read) || isTested(read.parent) || isMemberOf(read, /^length$/))
  );
}
