/**
 * Keys that may be missing where they are put among headers: `{ 'x-api-key': options.key }`. As `Bearer ${options.key}` the header is never empty, and what asks
 * whether it is, `if (!headers['x-api-key']) throw …`, would go on without a key.
 */
import { functionAround } from '../evaluate/callees.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { answersAround } from '../evaluate/guards.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { optionsOf, plainText } from '../evaluate/values.ts';
import { isNull } from '../syntax/defaults.ts';
import type { Expression, Node } from '../syntax/tree.ts';

/** Whether a question for the key's value, `asked`, may be answered otherwise once what is put there is a Bearer token. */
export function mayBecomeFull(ev: Evaluation, asked: Node, put: Expression | undefined, module: SourceText): boolean {
  if (put === undefined || !isValueTest(asked) || !isScript(module)) return false;
  const around = functionAround(put);
  // What is put behind the question, answers none: `if (!headers['x-api-key']) headers['x-api-key'] = key`.
  if (around === functionAround(asked) && put.start > asked.start) return false;
  return !isFull(ev, put, module) && !isGiven(put, module) && !isBehindItself(put, module);
}

/** What a key is put as: `{ 'x-api-key': key }`, `headers['x-api-key'] = key`, `headers.set('x-api-key', key)`, `['x-api-key', key]`. */
export function putUnder(name: Node): Expression | undefined {
  const { parent } = name;
  if (name.kind === 'property') return name.value;
  if (parent?.kind === 'member')
    return parent.parent?.kind === 'assign' && parent.parent.target === parent ? parent.parent.value : undefined;
  const [first, second] = parent?.kind === 'call' ? parent.args : parent?.kind === 'array' ? parent.elements : [];
  return first === name && second?.kind !== 'spread' ? second : undefined;
}

/** A text, or something with a text in its place where it is missing. */
function isFull(ev: Evaluation, put: Expression, module: SourceModule): boolean {
  if (put.kind === 'logical' && put.operator !== '&&') return isFull(ev, put.right, module);
  const value = ev.budget.question({ node: put, module }, () => ev.evaluate(put, { module, frame: undefined })).value;
  return optionsOf(value).every((each) => each.type === 'text' && plainText(each) !== '');
}

/** What a function is told to set: `signIn(key)`. */
function isGiven(put: Expression, { scopes }: SourceModule): boolean {
  const isSet = put.parent?.kind === 'assign' || put.parent?.kind === 'call';
  const owner = isSet && put.kind === 'name' ? scopes.bindingOf(put)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent === functionAround(put);
}

/** `if (key) headers['x-api-key'] = key`, `if (!key) throw …` before it. */
function isBehindItself(put: Expression, { text }: SourceModule): boolean {
  const said = text.slice(put.start, put.end);
  return answersAround(put).some(({ test }) => text.slice(test.start, test.end).includes(said));
}

/** A question that asks for the key itself, which may be missing under its name: `if (!headers['x-api-key'])`, `headers.get('x-api-key') === null`. */
export function isValueTest({ parent }: Node): boolean {
  if (parent?.kind === 'call') return parent.callee.kind === 'member' && parent.callee.property === 'get' && isTested(parent);
  return parent?.kind === 'member' && isTested(parent);
}

/** Whether nothing is done with a value but to ask whether it is there. */
function isTested(node: Expression): boolean {
  const { parent } = node;
  if (parent?.kind === 'unary') return parent.operator === '!';
  if (parent?.kind === 'binary') return /^[!=]==?$/.test(parent.operator) && isNull(parent.left === node ? parent.right : parent.left);
  if (parent?.kind === 'conditional') return parent.test === node;
  if (parent?.kind === 'call') return parent.callee.kind === 'name' && parent.callee.name === 'Boolean';
  return parent?.kind === 'other' && parent.what === 'IfStatement';
}
