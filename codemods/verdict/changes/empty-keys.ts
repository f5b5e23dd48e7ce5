/**
 * Keys that may be missing where they are put among headers: `{ 'x-api-key': options.key }`. As `Bearer ${options.key}` the header is never empty, and what asks
 * whether it is, `if (!headers['x-api-key']) throw …`, would go on without a key. Such a question stays as it is, and the headers with it.
 */
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { answersAround } from '../../evaluate/language/guards.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { memo } from '../../once.ts';
import { isNull } from '../../syntax/defaults.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { keyOf } from './groups.ts';
import { mentionsIn, receiverOf } from '../key-mentions.ts';
import type { RequestSite } from '../request-sites.ts';
import { type Change, isNameChange } from './spans.ts';

interface Placed {
  readonly node: Node;
  readonly module: SourceModule;
}

/** @returns the sites, without the questions that a Bearer token would answer otherwise among what they change */
export function withoutFilledQuestions(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  const mentions = memo((module: SourceModule) => mentionsIn(module));
  const placeOf = memo(({ module, start, end }: Change): Placed | undefined => {
    const mention = isScript(module) ? mentions(module).find((each) => each.start <= start && end <= each.end) : undefined;
    return mention && isScript(module) ? { node: mention.node, module } : undefined;
  });
  const kept = new Set<string>();
  for (const { changes } of sites) {
    const names = changes.filter(isNameChange);
    const questions = names.filter((change) => [isValueTest, asksClient].some((asks) => asks(placeOf(change)?.node)));
    for (const question of questions.filter((each) => !kept.has(keyOf(each)))) {
      const asked = placeOf(question);
      const mayFill = (change: Change): boolean => {
        const put = placeOf(change);
        return asked !== undefined && put !== undefined && mayBecomeFull(ev, asked, put);
      };
      if (names.some(mayFill)) kept.add(keyOf(question));
    }
  }
  if (kept.size === 0) return sites;
  return sites.map((site) => ({ ...site, changes: site.changes.filter((change) => !kept.has(keyOf(change))) }));
}

/** Whether a question for the key's value may be answered otherwise once what is put there is a Bearer token. */
function mayBecomeFull(ev: Evaluation, asked: Placed, { node, module }: Placed): boolean {
  const put = putUnder(node);
  return put !== undefined && !isPutBehind(asked, put) && mayBeMissing(ev, put, module);
}

/** Whether what is put there as the key may be nothing, or an empty text. */
export const mayBeMissing = (ev: Evaluation, put: Expression, module: SourceModule): boolean =>
  !isFull(ev, put, module) && !isGiven(put, module) && !isBehindItself(put, module);

/** `config.headers.has('x-api-key')`: clients leave out what is undefined. */
function asksClient(name: Node | undefined): boolean {
  const callee = name?.parent?.kind === 'call' ? name.parent.callee : undefined;
  const headers = callee?.kind === 'member' && callee.property === 'has' ? callee.object : undefined;
  return headers?.kind === 'member' && headers.property === 'headers' && headers.object.kind === 'name';
}

/** What a key is put as: `{ 'x-api-key': key }`, `headers['x-api-key'] = key`, `headers.set('x-api-key', key)`, `['x-api-key', key]`. */
function putUnder(name: Node): Expression | undefined {
  const { parent } = name;
  if (name.kind === 'property') return name.value;
  if (parent?.kind === 'member')
    return parent.parent?.kind === 'assign' && parent.parent.target === parent ? parent.parent.value : undefined;
  const [first, second] = parent?.kind === 'call' ? parent.args : parent?.kind === 'array' ? parent.elements : [];
  return first === name && second?.kind !== 'spread' ? second : undefined;
}

/** What is put there behind the question, `if (!headers['x-api-key']) headers['x-api-key'] = key`, answers none, unless the headers are still there the next time. */
function isPutBehind({ node, module: { scopes } }: Placed, put: Node): boolean {
  const around = functionAround(node);
  if (around !== functionAround(put) || put.start < node.start) return false;
  let root = receiverOf(node);
  while (root?.kind === 'member') root = root.object;
  const made = root?.kind === 'name' ? scopes.bindingOf(root)?.declaration : undefined;
  return around === undefined || (made !== undefined && around.start <= made.start && made.end <= around.end);
}

/** A text, or something with a text in its place where it is missing. */
function isFull(ev: Evaluation, put: Expression, module: SourceModule): boolean {
  if (put.kind === 'logical' && put.operator !== '&&') return isFull(ev, put.right, module);
  const value = ev.budget.question({ node: put, module }, () => ev.evaluate(put, { module, frame: undefined })).value;
  return optionsOf(value).every((each) => each.type === 'text' && plainText(each) !== '');
}

/** What a function is told to set, which by its type is always there: `signIn(key: string)`. */
function isGiven(put: Expression, { scopes, text }: SourceModule): boolean {
  const isSet = put.parent?.kind === 'assign' || put.parent?.kind === 'call';
  const owner = isSet && put.kind === 'name' ? scopes.bindingOf(put)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent === functionAround(put) && /^\w+: string$/.test(text.slice(owner.start, owner.end));
}

/** `if (key) headers['x-api-key'] = key`, `if (!key) throw …` before it. */
function isBehindItself(put: Expression, { text }: SourceModule): boolean {
  const said = text.slice(put.start, put.end);
  const isThere = (test: Node, holds: boolean): boolean => {
    if (test.kind === 'unary' && test.operator === '!') return isThere(test.argument, !holds);
    if (test.kind === 'logical' && test.operator !== '??')
      return (test.operator === '&&') === holds && [test.left, test.right].some((each) => isThere(each, holds));
    if (test.kind === 'binary' && test.operator === (holds ? '!=' : '==') && isNull(test.right)) return isThere(test.left, true);
    return holds && text.slice(test.start, test.end) === said;
  };
  return answersAround(put).some(({ test, holds }) => isThere(test, holds));
}

/** A question that asks for the key itself, which may be missing under its name: `if (!headers['x-api-key'])`, `headers.get('x-api-key') === null`. */
export function isValueTest(name: Node | undefined): boolean {
  const parent = name?.parent;
  if (parent?.kind === 'call') return parent.callee.kind === 'member' && parent.callee.property === 'get' && isTested(parent);
  return parent?.kind === 'member' && isTested(parent);
}

/** Whether nothing is done with a value but to ask whether it is there. */
export function isTested(node: Expression): boolean {
  const { parent } = node;
  if (parent?.kind === 'unary') return parent.operator === '!';
  if (parent?.kind === 'binary') return /^[!=]==?$/.test(parent.operator) && isNull(parent.left === node ? parent.right : parent.left);
  if (parent?.kind === 'conditional') return parent.test === node;
  if (parent?.kind === 'call') return parent.callee.kind === 'name' && parent.callee.name === 'Boolean';
  return parent?.kind === 'other' && parent.what === 'IfStatement';
}
