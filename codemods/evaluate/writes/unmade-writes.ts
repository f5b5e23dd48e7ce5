/**
 * Writes that a call does not come to: `if (options.body && !options.method) options.method = 'POST'`, of options that have no body. What is missing in
 * an object at all, with everything that anybody may put into it, was missing when it was asked for.
 */
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import { memoOf, once } from '../../once.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { Expression, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { functionAround } from '../calls/callees.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Frame } from '../calls/frame.ts';
import { answersAround } from '../language/guards.ts';
import { isPassedOver } from '../language/passed-over.ts';
import type { Named } from '../names/named.ts';
import { presenceAnswer, type Question } from '../language/presence-checks.ts';
import type { Contents } from '../values/shape.ts';
import { isNeverThere, isWrittenIn } from '../settings/unset-settings.ts';
import { type Entry, optionsOf, type Value } from '../values/values.ts';

/** What is put into an object at a place that names it. */
export interface Written {
  readonly named: Named;
  readonly added: Contents;
}

/** @param given the object as it is without all these */
export function withoutUnmade(ev: Evaluation, given: () => Value, written: readonly Written[]): readonly Contents[] {
  // Most places only read what they name.
  const writing = written.filter(({ added: { entries, unknown } }) => entries.length + unknown.length > 0);
  const tests = new Tests(ev, once(given), writing);
  return writing.filter((each) => !isUnmade(ev, each, tests)).map(({ added }) => added);
}

function isUnmade(ev: Evaluation, { named, added }: Written, tests: Tests): boolean {
  const { node } = named;
  if (node.kind !== 'name') return false;
  if (!added.entries.every(isLeftOut))
    return (
      isLoginOrKey(added) &&
      ((isMadeHere(named) && isPassedOver(ev, node, named.at)) ||
        (isLogin(added) && answersOf(node).some(({ test, holds }) => holds && isNeverThere(ev, test, named.at))))
    );
  return answersOf(node).some((answer) => tests.answer(answer, node, named) === !answer.holds);
}

interface Answered {
  readonly own: Binding | undefined;
  readonly frame: Frame | undefined;
  readonly holds: boolean;
  readonly answer: boolean | undefined;
}

type Behind = ReturnType<typeof answersAround>[number];

/** The tests that stand before what is put into an object: each is asked once in a call, however much is put there. */
class Tests {
  readonly #ev: Evaluation;
  readonly #object: () => Value;
  /** What may be put under a name; under none what is not known. */
  readonly #put: () => ReadonlyMap<string | undefined, readonly { readonly node: Node }[]>;
  readonly #answers = new Map<Node, Answered[]>();

  constructor(ev: Evaluation, object: () => Value, written: readonly Written[]) {
    this.#ev = ev;
    this.#object = object;
    this.#put = once(() =>
      Map.groupBy(
        written.flatMap(({ named: { node }, added }) => namesIn(added).map((name) => ({ name, node }))),
        ({ name }) => name,
      ),
    );
  }

  answer({ test, holds }: Behind, name: NameNode, named: Named): boolean | undefined {
    const { module, frame } = named.at;
    const own = module.scopes.bindingOf(name);
    const all = this.#answers.get(test) ?? [];
    this.#answers.set(test, all);
    const before = all.find((each) => each.holds === holds && each.own === own && each.frame === frame);
    if (before !== undefined) return before.answer;
    const isBehind = (other: Node): boolean => answersOf(other).some((each) => each.test === test && each.holds === holds);
    const mayChange = (property: string): boolean =>
      [undefined, property].some(
        (each) =>
          this.#put()
            .get(each)
            ?.some(({ node }) => !isBehind(node)) === true,
      );
    const answer = answerOf(this.#ev, test, { own, fn: functionAround(name), named, object: this.#object, mayChange });
    all.push({ own, frame, holds, answer });
    return answer;
  }
}

/** Headers and addresses are not left out by what objects seem to have: others may have put more into these. What a call itself does not give leaves headers out. */
const isLeftOut = ({ name }: Entry): boolean =>
  name !== undefined && !/headers$|ur[il]$|host|prefix|^base|path|origin/i.test(name) && !isAuthorization(name) && !isKeyHeader(name);

const isLogin = ({ entries, unknown }: Contents): boolean =>
  unknown.length === 0 && entries.every(({ name }) => name !== undefined && isAuthorization(name));

const isLoginOrKey = ({ entries, unknown }: Contents): boolean =>
  unknown.length === 0 && entries.every(({ name }) => name !== undefined && (isAuthorization(name) || isKeyHeader(name)));

/** Whether an object is made anew in the call that writes into it. */
function isMadeHere({ node, at: { module } }: Named): boolean {
  const own = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  return own !== undefined && isKept(own) && isMadeIn(own, functionAround(node));
}

const answersOf = memoOf(answersAround);

const namesIn = ({ entries, unknown }: Contents): (string | undefined)[] => [
  ...new Set(unknown.length > 0 ? [undefined] : entries.map(({ name }) => name)),
];

interface Asked {
  /** What the name is by which the object is written, and where. */
  readonly own: Binding | undefined;
  readonly fn: Node | undefined;
  readonly named: Named;
  readonly object: () => Value;
  /** Whether something may have been put under a name before it is asked for. */
  readonly mayChange: (name: string) => boolean;
}

const answerOf = (ev: Evaluation, test: Node, asked: Asked): boolean | undefined =>
  presenceAnswer(test, (subject, question) => answered(ev, subject, asked, question));

/** What the object itself has says it for all calls that are given the same; what else a call gives, only for an object that is made anew in it. */
function answered(ev: Evaluation, subject: Expression, asked: Asked, question: Question): boolean | undefined {
  const { module } = asked.named.at;
  const root = subject.kind === 'member' ? subject.object : subject;
  const { own, fn } = asked;
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  if (own === undefined || binding === undefined || !isKept(binding) || !isKept(own)) return undefined;
  if (binding === own) return subject.kind === 'member' ? ofObject(ev, subject, asked, question) : undefined;
  if (!isMadeIn(own, fn) || (subject.kind === 'member' && subject.property === undefined)) return undefined;
  const answers = optionsOf(ev.evaluate(subject, asked.named.at)).map((value) => (isMissing(value) ? question(value) : undefined));
  return theOnly(answers);
}

function ofObject(ev: Evaluation, subject: MemberNode, { object, mayChange, named }: Asked, question: Question): boolean | undefined {
  const { property } = subject;
  if (property === undefined || mayChange(property)) return undefined;
  const answers = optionsOf(object()).flatMap((each) => {
    if (each.type !== 'object') return undefined;
    const isSure = isWrittenIn(each, property);
    return optionsOf(ev.member(each, property, subject, named.at)).map((value) =>
      isSure || isMissing(value) ? question(value) : undefined,
    );
  });
  return theOnly(answers);
}

/** What an object is seen to have may be left out in some of what it is put together of; what it has not, it never has. */
const isMissing = (value: Value): boolean => value.type === 'literal' && !value.value;

const theOnly = (answers: readonly (boolean | undefined)[]): boolean | undefined => (new Set(answers).size === 1 ? answers[0] : undefined);

const isKept = (binding: Binding): boolean =>
  (binding.owner.kind === 'param' || binding.owner.kind === 'variable') && assignmentsOf(binding).all.length === 0;

/** `const init = { … }` of the function that writes to it. */
const isMadeIn = ({ owner }: Binding, fn: Node | undefined): boolean =>
  owner.kind === 'variable' && owner.init?.kind === 'object' && fn !== undefined && functionAround(owner) === fn;
