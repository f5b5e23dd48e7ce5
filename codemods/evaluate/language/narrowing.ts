/**
 * What a text is no more behind a question about its ends: `path.startsWith('/') ? path : '/' + path`, `if (/^https?:/.test(url)) return url`. Only
 * slashes and schemes are asked about here, which are the same when what is asked has moved, and versions, which move along (`verdict/changes/version-ends.ts`).
 */
import { type Binding } from '../../syntax/scopes.ts';
import type { AssignNode, ConditionalNode, Expression, LogicalNode, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import { assignmentsOf } from '../names/assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { isLeftToDefault } from './or-default.ts';
import { isLeaving } from '../names/order.ts';
import { flat, unknownPart } from '../values/text.ts';
import { choiceOf, optionsOf, type Value } from '../values/values.ts';
import { hasVersion, versionEndIn } from '../values/version-ends.ts';

interface Question {
  readonly subject: NameNode | MemberNode;
  /** What is known of the answer for a text, in which what is not known is a NUL. */
  readonly answer: (text: string) => boolean | undefined;
}

/** A stretch in which the answer is known. */
interface Guarded extends Question {
  readonly start: number;
  readonly end: number;
  readonly holds: boolean;
  /** undefined for a property, which is only believed within one expression, and a field up to the first statement's end or call. */
  readonly binding: Binding | undefined;
  readonly isField?: boolean;
  /** What is put in the place of what had the other answer, behind the question: `if (path[0] !== '/') path = '/' + path`. */
  readonly mended?: AssignNode;
}

const known = new WeakMap<SourceModule, ReadonlyMap<string, readonly Guarded[]>>();

/** What a name or property can be at a place, of what it can be at all. */
export function narrowed(ev: Evaluation, node: NameNode | MemberNode, value: Value, at: At): Value {
  const { module } = at;
  const guards = known.get(module) ?? guardsIn(module);
  known.set(module, guards);
  const found = guards.size === 0 ? undefined : guards.get(nameOf(node, module));
  if (found === undefined) return value;
  const around = found.filter(
    (guard) => guard.start <= node.start && node.end <= guard.end && isStill(guard, node, module) && isMended(ev, guard, at),
  );
  if (around.length === 0) return value;
  const options = optionsOf(value);
  const kept = options.filter(
    (option) => option.type !== 'text' || around.every(({ answer, holds }) => answer(flat(option.parts)) !== !holds),
  );
  return kept.length === options.length ? value : choiceOf(kept);
}

/**
 * Which way a question about the ends of a text goes, where that is the same whatever the text is: `base.endsWith('/') && path.startsWith('/')`.
 * Slashes are asked of the default of what may be set, where both ways differ by no more: what is set in its place is written as that is.
 */
export function endsTest(ev: Evaluation, { test, whenTrue, whenFalse }: ConditionalNode, at: At): boolean | undefined {
  const answer = answerOf(ev, test, at, false);
  if (answer !== undefined) return answer;
  const isAlike = saysNothing(whenTrue, [test, whenFalse]) && saysNothing(whenFalse, [test, whenTrue]);
  return isAlike ? answerOf(ev, test, at, true) : undefined;
}

/** What of a name is held where a test of its ends has an answer: `if (!base.endsWith('/v1')) base += '/v1'`. */
export function heldWhere(test: Node, answer: boolean, binding: Binding, { scopes }: SourceModule, held: Value): Value {
  const [asked, holds] = test.kind === 'unary' && test.operator === '!' ? [test.argument, !answer] : [test, answer];
  const question = questionIn(asked);
  if (question?.subject.kind !== 'name' || scopes.bindingOf(question.subject) !== binding) return held;
  return choiceOf(optionsOf(held).filter((option) => option.type !== 'text' || question.answer(flat(option.parts)) !== !holds));
}

/** Whether a way has no text but a slash, and names nothing else than what stands beside it. */
function saysNothing(way: Expression, beside: readonly Expression[]): boolean {
  const known = new Set(beside.flatMap(namesIn));
  let isPlain = namesIn(way).every((name) => known.has(name));
  walk(way, (node) => {
    if (node.kind === 'string') isPlain &&= /^\/?$/.test(node.value);
    if (node.kind === 'template') isPlain &&= node.texts.every(({ value }) => /^\/?$/.test(value));
    if (node.kind === 'object' || node.kind === 'function') isPlain = false;
    return isPlain;
  });
  return isPlain;
}

function namesIn(node: Node): string[] {
  const names: string[] = [];
  walk(node, (each) => {
    if (each.kind === 'name') names.push(each.name);
    return true;
  });
  return names;
}

function answerOf(ev: Evaluation, test: Node, at: At, isByDefault: boolean): boolean | undefined {
  if (test.kind === 'unary') {
    const inner = test.operator === '!' ? answerOf(ev, test.argument, at, isByDefault) : undefined;
    return inner === undefined ? undefined : !inner;
  }
  if (test.kind === 'logical') return chainTest(ev, test, at, isByDefault);
  if (test.kind === 'name') {
    const asked = askedAs(test, at.module);
    return asked && answerOf(ev, asked, at, isByDefault);
  }
  const question = questionIn(test);
  if (question === undefined) return undefined;
  const options = optionsOf(ev.evaluate(question.subject, at));
  const written = options.filter((option) => option.type === 'text');
  const isOfSlash = question.answer('/') !== question.answer('');
  const isKnown = options.every((option) => option.type === 'text' || (isByDefault && isOfSlash && isLeftToDefault(option)));
  const answers = new Set(written.map(({ parts }) => question.answer(flat(parts))));
  const [answer] = answers;
  return isKnown && answers.size === 1 ? answer : undefined;
}

/** `const isSecure = url.protocol === 'https:'`: the question that a name has the answer of. */
function askedAs(test: NameNode, { scopes }: SourceModule): Node | undefined {
  const { owner, declaration } = scopes.bindingOf(test) ?? {};
  const isAnswer = owner?.kind === 'variable' && owner.declares === 'const' && owner.target === declaration;
  return isAnswer && owner.init?.kind !== 'name' ? owner.init : undefined;
}

/** `a && b || c`, however long, from left to right. */
function chainTest(ev: Evaluation, test: LogicalNode, at: At, isByDefault: boolean): boolean | undefined {
  const chain: LogicalNode[] = [];
  let first: Expression = test;
  for (; first.kind === 'logical'; first = first.left) chain.push(first);
  let answer = answerOf(ev, first, at, isByDefault);
  for (const { operator, right } of chain.toReversed()) {
    const decides = operator === '||';
    const other = operator === '??' ? undefined : answerOf(ev, right, at, isByDefault);
    if (answer !== decides) answer = other === decides ? decides : answer === undefined ? undefined : other;
  }
  return answer;
}

const nameOf = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

/** Whether a name is what was asked about: nothing else is put into it before, and it is no other of that name. */
function isStill({ binding, isField, start, end, mended }: Guarded, node: Node, { scopes, text }: SourceModule): boolean {
  if (node.kind !== 'name') return binding === undefined && (isField !== true || /^[^;(]*$/.test(text.slice(start, node.start)));
  if (binding === undefined || scopes.bindingOf(node) !== binding) return false;
  const { all } = assignmentsOf(binding);
  if (all.length === 0) return true;
  if (mended !== undefined) return all.length === 1;
  for (let at = node.parent; at !== undefined && at.start >= start && at.end <= end; at = at.parent)
    if (at.kind === 'function') return false;
  return all.every(({ node: each }) => each.end <= start || each.start >= end || (each.start <= node.start && node.end <= each.end));
}

/** Whether what is put in the place of what had the other answer has this one, so that nothing is left that has the other. */
function isMended(ev: Evaluation, { answer, binding, holds, mended }: Guarded, at: At): boolean {
  if (mended === undefined) return true;
  if (binding === undefined || !/^\+?=$/.test(mended.operator)) return false;
  const options = optionsOf(ev.evaluate(mended.value, at));
  // Of what is put behind it only the end is known.
  const open = mended.operator === '=' ? '' : unknownPart;
  return options.every((option) => option.type === 'text' && answer(open + flat(option.parts)) === holds);
}

/** The assignment to a name that is always made on a way. */
function assignedIn(way: Node | undefined, subject: Node): AssignNode | undefined {
  const statements = way?.kind === 'block' && way.role !== 'loop' ? way.body : way === undefined ? [] : [way];
  const found = statements.flatMap((each) => (each.kind === 'other' && each.what === 'ExpressionStatement' ? each.children : [each]));
  return found.find(
    (each): each is AssignNode =>
      each.kind === 'assign' && each.target.kind === 'name' && subject.kind === 'name' && each.target.name === subject.name,
  );
}

function guardsIn(module: SourceModule): ReadonlyMap<string, readonly Guarded[]> {
  const { program } = module.tree;
  const found: Guarded[] = [];
  const add = (test: Node, ways: readonly (readonly [Node | undefined, boolean])[], isExpression: boolean, rest?: Node): void => {
    const [asked, isNot] = test.kind === 'unary' && test.operator === '!' ? [test.argument, true] : [test, false];
    const question = asked.kind === 'logical' ? combinedIn(asked, module) : questionIn(asked);
    if (question === undefined) return;
    const { subject } = question;
    const binding = subject.kind === 'name' ? module.scopes.bindingOf(subject) : undefined;
    const isField = !isExpression && subject.kind === 'member' && subject.object.kind === 'this';
    if (binding === undefined && !isField && !(isExpression && subject.kind === 'member')) return;
    for (const [way, holds] of ways)
      if (way !== undefined) found.push({ ...question, binding, isField, start: way.start, end: way.end, holds: holds !== isNot });
    const mended = rest === undefined ? undefined : assignedIn(ways[0]?.[0], subject);
    if (rest !== undefined && mended !== undefined)
      found.push({ ...question, binding, start: rest.start, end: rest.end, holds: isNot, mended });
  };
  for (const { test, whenTrue, whenFalse } of nodesOfKind(program, 'conditional'))
    add(
      test,
      [
        [whenTrue, true],
        [whenFalse, false],
      ],
      true,
    );
  for (const node of nodesOfKind(program, 'other')) {
    const [test, then, otherwise] = node.what === 'IfStatement' ? node.children : [];
    if (test === undefined) continue;
    const rest = otherwise === undefined ? behind(node) : undefined;
    const isLeft = isLeaving(then);
    add(
      test,
      [
        [then, true],
        [otherwise ?? (isLeft ? rest : undefined), false],
      ],
      false,
      isLeft ? undefined : rest,
    );
  }
  // `while (this.base.endsWith('/')) this.base = this.base.slice(0, -1)`
  for (const { role, body } of nodesOfKind(program, 'block')) {
    const [test, then] = role === 'loop' && body.length === 2 ? body : [];
    if (test !== undefined) add(test, [[then, true]], false);
  }
  return Map.groupBy(found, ({ subject }) => nameOf(subject, module));
}

/** Questions about one text, as far as people join them. */
const maxJoined = 8;

/** `path.startsWith('http://') || path.startsWith('https://')`: questions about the same text, all joined by the same word. */
function combinedIn(test: LogicalNode, module: SourceModule): Question | undefined {
  const { operator } = test;
  const parts: Expression[] = [];
  let first: Expression = test;
  for (; first.kind === 'logical' && first.operator === operator && parts.length < maxJoined; first = first.left) parts.push(first.right);
  const questions = [first, ...parts].map(questionIn);
  const [asked] = questions;
  const isOfOne = questions.every(
    (each) => each !== undefined && asked !== undefined && nameOf(each.subject, module) === nameOf(asked.subject, module),
  );
  if (operator === '??' || asked === undefined || !isOfOne) return undefined;
  const decides = operator === '||';
  const answer = (text: string): boolean | undefined => {
    const answers = new Set(questions.map((each) => each?.answer(text)));
    return answers.has(decides) ? decides : answers.has(undefined) ? undefined : !decides;
  };
  return { subject: asked.subject, answer };
}

/** The rest of the block that a statement stands in. */
function behind(node: Node): Node | undefined {
  const { parent } = node;
  if (parent?.kind === 'program') return { ...parent, start: node.end };
  return parent?.kind === 'block' && parent.role !== 'loop' ? { ...parent, start: node.end } : undefined;
}

export function questionIn(test: Node): Question | undefined {
  if (test.kind === 'binary') return comparisonIn(test.operator, test.left, test.right);
  if (test.kind !== 'call' || test.callee.kind !== 'member' || test.args.length !== 1) return undefined;
  const version = versionEndIn(test);
  if (version !== undefined && !version.isCut && isSubject(version.subject))
    return { subject: version.subject, answer: (text) => hasVersion(version.form, text) };
  const { object, property } = test.callee;
  const [arg] = test.args;
  if (arg === undefined) return undefined;
  if (property === 'test') return isSubject(arg) ? patternIn(object, arg) : undefined;
  if (!isSubject(object) || arg.kind !== 'string' || !isAsked(arg.value)) return undefined;
  if (property === 'startsWith') return { subject: object, answer: (text) => beginsWith(text, arg.value) };
  return property === 'endsWith' ? { subject: object, answer: (text) => endsWith(text, arg.value) } : undefined;
}

/** `path[0] === '/'`, `url.protocol === 'https:'`, `url.indexOf('http') === 0`, `base.slice(-1) !== '/'`. */
function comparisonIn(operator: string, left: Expression, right: Expression): Question | undefined {
  const isNot = /^!==?$/.test(operator);
  if (!isNot && !/^===?$/.test(operator)) return undefined;
  const callee = left.kind === 'call' && left.callee.kind === 'member' ? left.callee : undefined;
  const [arg] = left.kind === 'call' ? left.args : [];
  const isAt = (at: number): boolean =>
    (arg?.kind === 'literal' && arg.value === at) ||
    (arg?.kind === 'unary' && arg.operator === '-' && arg.argument.kind === 'literal' && arg.argument.value === -at);
  const made = (subject: Node, find: (text: string) => boolean | undefined): Question | undefined => {
    const answer = (text: string): boolean | undefined => (isNot && find(text) !== undefined ? !find(text) : find(text));
    return isSubject(subject) ? { subject, answer } : undefined;
  };
  if (callee?.property === 'indexOf' && arg?.kind === 'string' && isAsked(arg.value) && right.kind === 'literal' && right.value === 0)
    return made(callee.object, (text) => beginsWith(text, arg.value));
  if (right.kind !== 'string') return undefined;
  if (/^https?:?$/.test(right.value)) return made(left, (text) => (text.includes(unknownPart) ? undefined : text === right.value));
  if (right.value !== '/') return undefined;
  if (left.kind === 'member' && left.computed?.kind === 'literal' && left.computed.value === 0)
    return made(left.object, (text) => beginsWith(text, '/'));
  if (left.kind === 'member' && isLastOf(left.computed, left.object)) return made(left.object, (text) => endsWith(text, '/'));
  if (callee === undefined) return undefined;
  if (callee.property === 'charAt' && isAt(0)) return made(callee.object, (text) => beginsWith(text, '/'));
  const isLast = (callee.property === 'slice' || callee.property === 'at') && isAt(-1);
  return isLast ? made(callee.object, (text) => endsWith(text, '/')) : undefined;
}

/** `base[base.length - 1]` */
function isLastOf(index: Node | undefined, text: Node): boolean {
  if (index?.kind !== 'binary' || index.operator !== '-' || index.left.kind !== 'member' || index.left.property !== 'length') return false;
  const isOne = index.right.kind === 'literal' && index.right.value === 1;
  return isOne && isAlike(index.left.object, text);
}

const isAlike = (one: Node, other: Node): boolean =>
  (one.kind === 'this' && other.kind === 'this') ||
  (one.kind === 'name' && other.kind === 'name' && one.name === other.name) ||
  (one.kind === 'member' &&
    other.kind === 'member' &&
    one.property !== undefined &&
    one.property === other.property &&
    isAlike(one.object, other.object));

/** `/^https?:\/\//.test(url)`: nothing in it repeats, so it costs nothing. */
function patternIn(pattern: Node, subject: NameNode | MemberNode): Question | undefined {
  if (pattern.kind !== 'literal' || typeof pattern.value !== 'object' || pattern.value === null) return undefined;
  const { pattern: source, flags } = pattern.value;
  if (!/^\^?[()?:|\\/htps]+\$?$/.test(source) || !/^i?$/.test(flags)) return undefined;
  const form = new RegExp(source, flags);
  return { subject, answer: (text) => fits(form, text) };
}

function fits(form: RegExp, text: string): boolean | undefined {
  const first = text.indexOf(unknownPart);
  if (first === -1) return form.test(text);
  if (form.source.startsWith('^') && !form.source.endsWith('$')) {
    const begin = text.slice(0, first);
    return form.test(begin) ? true : begin.length >= 'https://'.length ? false : undefined;
  }
  return undefined;
}

const isSubject = (node: Node): node is NameNode | MemberNode => node.kind === 'name' || node.kind === 'member';

const isAsked = (text: string): boolean => /^(?:\/{1,2}|https?:?\/{0,2})$/.test(text);

function beginsWith(text: string, asked: string): boolean | undefined {
  if (text.startsWith(asked)) return true;
  const first = text.indexOf(unknownPart);
  const begin = first === -1 ? text : text.slice(0, first);
  return first !== -1 && asked.startsWith(begin) ? undefined : false;
}

function endsWith(text: string, asked: string): boolean | undefined {
  if (text.endsWith(asked)) return true;
  const last = text.lastIndexOf(unknownPart);
  return last !== -1 && asked.endsWith(text.slice(last + 1)) ? undefined : false;
}
