/**
 * Headers that code gives to requests of one address alone: `if (config.url.startsWith(BASE)) config.headers['x-api-key'] = key`. What certainly asks for
 * something else goes out without them.
 */
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { answersAround } from '../evaluate/language/guards.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { flat, isAbsolute, isBeforeOthers, unknownPart } from '../evaluate/values/text.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { type Entry, optionsOf, type Part, partsOf, type Value } from '../evaluate/values/values.ts';
import type { Node } from '../syntax/tree.ts';

export interface Given {
  readonly entry: Entry;
  /** What puts it there: a hook is a function that gets the request. */
  readonly by: Node;
}

type Address = readonly Part[];

/** Who asks: the address, and the call of a wrapper in which that is known. */
export interface Asking {
  readonly ev: Evaluation;
  readonly url: Address;
  readonly frame: Frame | undefined;
}

/** Whether a request certainly goes without a header. */
export function isWithheld(asking: Asking, { entry: { module, node }, by }: Given): boolean {
  return isScript(module) && answersAround(node).some(({ test, holds }) => answerOf(asking, test, by, module) === !holds);
}

/** Whether a call is certainly not come to: `if (!url.startsWith(BASE)) return fetch(url)`. */
export const isPassedBy = (asking: Asking, call: Node, module: SourceModule): boolean =>
  answersAround(call).some(({ test, holds }) => answerOf(asking, test, call, module) === !holds);

/** Whether a test about the address holds for it; undefined where it is another test, or it is not known. */
function answerOf(asking: Asking, test: Node, by: Node, module: SourceModule): boolean | undefined {
  if (test.kind === 'unary' && test.operator === '!') {
    const inner = answerOf(asking, test.argument, by, module);
    return inner === undefined ? undefined : !inner;
  }
  if (test.kind === 'name') {
    const binding = module.scopes.bindingOf(test);
    const owner = binding !== undefined && assignmentsOf(binding).all.length === 0 ? binding.owner : undefined;
    const init = owner?.kind === 'variable' && owner.target.kind === 'patternName' ? owner.init : undefined;
    return init && answerOf(asking, init, by, module);
  }
  if (test.kind === 'logical' && test.operator === '&&')
    return [test.left, test.right].some((each) => answerOf(asking, each, by, module) === false) ? false : undefined;
  if (test.kind !== 'call' || test.callee.kind !== 'member') return undefined;
  const { object, property = '' } = test.callee;
  const [sought, more] = test.args;
  if (sought === undefined || sought.kind === 'spread' || more !== undefined || !/^(?:startsWith|includes)$/.test(property))
    return undefined;
  const at = { module, frame: asking.frame };
  const isHook = isOfHook(object, by, module);
  const addresses = isHook ? [asking.url] : textsOf(asking.ev.evaluate(object, at));
  const wanted = textsOf(asking.ev.evaluate(sought, at));
  // The default says what a variable is for.
  const texts = wanted?.filter((each) => !flat(each).includes(unknownPart)) ?? [];
  // A hook may get an address without its base.
  if (isHook && property === 'startsWith' && !texts.every((each) => isAbsolute(flat(each)))) return undefined;
  const answers = new Set(addresses?.flatMap((address) => texts.map((text) => has(address, text, property === 'includes'))));
  const [answer] = answers;
  return answers.size === 1 ? answer : undefined;
}

const textsOf = (value: Value): readonly Address[] | undefined =>
  optionsOf(value).every(({ type }) => type === 'text' || type === 'env') ? optionsOf(value).map(partsOf) : undefined;

/** `config.url`, of what a hook is given. */
function isOfHook(node: Node, by: Node, { scopes }: SourceModule): boolean {
  if (node.kind !== 'member' || node.object.kind !== 'name' || !/^ur[il]$/.test(node.property ?? '')) return false;
  const binding = scopes.bindingOf(node.object);
  return binding?.owner.kind === 'param' && binding.owner.parent === by && assignmentsOf(binding).all.length === 0;
}

/** Whether an address has a text, as far as it is known. */
function has(address: Address, text: Address, isAnywhere: boolean): boolean | undefined {
  const [whole, sought] = [flat(address), flat(text)];
  const [begin = ''] = whole.split(unknownPart, 1);
  if (isAnywhere ? begin.includes(sought) : begin.startsWith(sought)) return true;
  const isOpen = begin !== whole && (isAnywhere ? !isBeforeOthers(begin, sought) : sought.startsWith(begin));
  return isOpen ? undefined : false;
}
