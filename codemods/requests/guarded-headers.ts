/**
 * Headers that code gives to requests of one address alone: `if (config.url.startsWith(BASE)) config.headers['x-api-key'] = key`. What certainly asks for
 * something else goes out without them: another service's requests without ours, and ours without those of another service.
 */
import { assignmentsOf } from '../evaluate/assignments.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { answersAround } from '../evaluate/guards.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { flat, isAbsolute, isBeforeOthers, unknownPart } from '../evaluate/text.ts';
import { asLeft } from './addresses.ts';
import { type Entry, type Frame, optionsOf, type Part, partsOf, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';

interface Given {
  readonly entry: Entry;
  /** What puts it there: a hook is a function that gets the request. */
  readonly by: Node;
}

type Address = readonly Part[];

/** Who asks: the address, and the call of a wrapper in which that is known. */
interface Asking {
  readonly ev: Evaluation;
  readonly url: Address;
  readonly frame: Frame | undefined;
  /** Where the request may be ours: which addresses have another's host. Of ours only that is certain which comes out the same when it has moved. */
  readonly isOthers?: ((address: Address) => boolean) | undefined;
  /** Whether a hook gets the whole address, and not what stands behind a base. */
  readonly isWhole?: boolean;
}

/** The headers without those that a request certainly goes without. Where none of a name is left for one of ours, what another service gets says why. */
export function withoutWithheld(asking: Asking, all: readonly Given[]): readonly Entry[] {
  const given = all.filter((each) => !isWithheld(asking, each)).map(({ entry }) => entry);
  if (asking.isOthers === undefined || given.length === all.length) return given;
  const [left, names] = [new Set(given), new Set(given.map(({ name }) => name?.toLowerCase()))];
  return all.flatMap(({ entry }) => (left.has(entry) || !names.has(entry.name?.toLowerCase()) ? entry : []));
}

function isWithheld(asking: Asking, { entry: { module, node }, by }: Given): boolean {
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
  const question = questionOf(test, module);
  if (question === undefined) return undefined;
  const { subject, sought, way } = question;
  const at = { module, frame: asking.frame };
  const isHook = isOfHook(subject, by, module);
  const addresses = isHook ? [asking.url] : textsOf(asking.ev.evaluate(subject, at));
  const wanted = textsOf(asking.ev.evaluate(sought, at));
  // The default says what a variable is for.
  const texts = wanted?.filter((each) => !flat(each).includes(unknownPart)) ?? [];
  // A hook may get an address without its base.
  if (isHook && way === 'startsWith' && !texts.every((each) => isAbsolute(flat(each)))) return undefined;
  const compare = asking.isOthers === undefined ? has : hasWhileOurs(asking.isOthers, isHook && asking.isWhole !== true);
  const answers = new Set(addresses?.flatMap((address) => texts.map((text) => compare(address, text, way))));
  const [answer] = answers;
  if (answers.size !== 1 || answer === undefined) return undefined;
  return question.isTurned ? !answer : answer;
}

type Way = 'startsWith' | 'includes' | 'hostname' | 'host' | 'origin';

interface Question {
  readonly subject: Node;
  readonly sought: Node;
  readonly way: Way;
  /** Whether it holds where the address has it not. */
  readonly isTurned: boolean;
}

/** `url.startsWith(BASE)`, `url.includes(host)`, `new URL(url).hostname === host` */
function questionOf(test: Node, module: SourceModule): Question | undefined {
  if (test.kind === 'binary') {
    const [subject, way] = partAsked(test.left, module) ?? [];
    if (subject === undefined || way === undefined || !/^[!=]==?$/.test(test.operator)) return undefined;
    return { subject, sought: test.right, way, isTurned: test.operator.startsWith('!') };
  }
  if (test.kind !== 'call' || test.callee.kind !== 'member') return undefined;
  const { object: subject, property } = test.callee;
  const [sought, more] = test.args;
  const isAsked = property === 'startsWith' || property === 'includes';
  if (!isAsked || sought === undefined || sought.kind === 'spread' || more !== undefined) return undefined;
  return { subject, sought, way: property, isTurned: false };
}

/** `new URL(url).hostname` of a whole address: what stands before a path is somebody else's to say. */
function partAsked(node: Node, { scopes }: SourceModule): [Node, Way] | undefined {
  if (node.kind !== 'member' || node.object.kind !== 'call' || !node.object.isNew) return undefined;
  const { callee, args } = node.object;
  const [url, base] = args;
  const { property } = node;
  const isUrl = callee.kind === 'name' && callee.name === 'URL' && scopes.bindingOf(callee) === undefined;
  if (!isUrl || url === undefined || url.kind === 'spread' || base !== undefined) return undefined;
  return property === 'hostname' || property === 'host' || property === 'origin' ? [url, property] : undefined;
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
function has(address: Address, text: Address, way: Way): boolean | undefined {
  const [whole, sought] = [flat(address), flat(text)];
  const [begin = ''] = whole.split(unknownPart, 1);
  if (way !== 'startsWith' && way !== 'includes') {
    const host = hostBefore.test(begin) ? URL.parse(begin)?.[way] : undefined;
    return host === undefined ? undefined : host === sought.toLowerCase();
  }
  const isAnywhere = way === 'includes';
  if (isAnywhere ? begin.includes(sought) : begin.startsWith(sought)) return true;
  const isOpen = begin !== whole && (isAnywhere ? !isBeforeOthers(begin, sought) : sought.startsWith(begin));
  return isOpen ? undefined : false;
}

const hostBefore = /^https?:\/\/[^/?#]+[/?#]/i;

/**
 * The same of a request that is ours: that its address has another's host, no edit changes, and with what moves where both stand in the same text, it begins as before.
 * Whether it begins with any other text of ours, it may be asked before it moves, and not after.
 */
const hasWhileOurs =
  (isOthers: (address: Address) => boolean, isBehindBase: boolean) =>
  (address: Address, text: Address, way: Way): boolean | undefined => {
    const whole = address.flatMap(asLeft);
    if (way === 'includes') return undefined;
    if (way === 'startsWith' && !isBehindBase && isSameBeginning(whole, text)) return true;
    const sought = way === 'startsWith' || way === 'origin' ? text : [{ text: `https://${flat(text)}/` }];
    return isOthers(sought) && has(whole, text, way) === false ? false : undefined;
  };

/** Whether an address begins by the very text that is sought. */
const isSameBeginning = (address: Address, sought: Address): boolean =>
  sought.length > 0 &&
  sought.every((part, index) => {
    const other = address[index];
    if (other === undefined || 'unknownPart' in part || 'unknownPart' in other || part.source === undefined) return false;
    const isSame = other.source?.module === part.source.module && other.source.start === part.source.start;
    return isSame && (index === sought.length - 1 ? other.text.startsWith(part.text) : other.text === part.text);
  });
