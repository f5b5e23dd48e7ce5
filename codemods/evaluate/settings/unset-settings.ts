/**
 * Ways to log in that nobody takes: `if (typeof config.TOKEN === 'string')`, `if (config.TOKEN)`, of an object of the program that says `TOKEN: undefined`, and in
 * which nobody puts anything else there. Generated clients have a branch for each.
 */
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { memo, memoOf } from '../../once.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { isNamed } from '../writes/copies.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { looseWritesIn } from '../writes/loose-writes.ts';
import type { SourceModule } from '../module.ts';
import { isNullish } from '../language/or-default.ts';
import type { World } from '../program.ts';
import { textBySyntax } from '../names/syntax-constants.ts';
import { type FunctionValue, type ObjectValue, optionsOf } from '../values/values.ts';
import { writtenPlaces } from '../writes/written-places.ts';

/** Whether what a test asks for is such a setting. */
export function isNeverThere(ev: Evaluation, test: Node, at: At): boolean {
  if (test.kind === 'logical') return test.operator === '&&' && [test.left, test.right].some((side) => isNeverThere(ev, side, at));
  const subject = settingOf(ev, textAskedFor(ev, test, at) ?? test, at);
  if (subject?.property === undefined) return false;
  const { object, property } = subject;
  if (!isSettingOfGenerated.test(property) || !neverPut(ev.world)(property)) return false;
  const owners = optionsOf(ev.evaluate(object, at));
  return (
    owners.length > 0 &&
    owners.every((owner) => {
      const isOpen = owner.type !== 'object' || owner.unknown.length > 0 || owner.entries.some(({ name }) => name === undefined);
      return !isOpen && isWrittenIn(owner, property) && optionsOf(ev.member(owner, property, subject, at)).every(isNullish);
    })
  );
}

/** Whether an object says by itself what it has under a name, whatever else is put into it. */
export function isWrittenIn({ node, entries }: ObjectValue, name: string): boolean {
  const last = entries.findLast((entry) => entry.name === undefined || entry.name === name);
  return last?.name === name && last.node.parent === node && last.isBack !== true && (last.hiddenBy ?? []).length === 0;
}

/** A session's `token` is filled by whoever has the session, in files that say nothing of requests. */
const isSettingOfGenerated = /^[A-Z][A-Z\d_]*$/;

/**
 * Whether nothing puts anything under a name into whatever object: by which names one goes – out of a module that is loaded later, a registry, an event –
 * cannot always be followed.
 */
const neverPut = memoOf((world: World) =>
  memo((name: string): boolean => {
    const isIt = (property: string | Expression | undefined, module: SourceModule): boolean =>
      (typeof property === 'object' ? textBySyntax(property, module, world) : property) === name;
    return (
      !looseWritesIn(world).isOpen &&
      [...world.modules.values()].every((module) =>
        writtenPlaces(module).every(({ property, value, how }) => {
          const copied = how === 'copied' && value?.kind === 'object' ? value.properties : [];
          return !isIt(property, module) && copied.every((each) => each.kind === 'property' && !isIt(each.name ?? each.computed, module));
        }),
      )
    );
  }),
);

/** `x` in `typeof x === 'string'` and `isString(x)`, where that is asked for something that is there. */
function textAskedFor(ev: Evaluation, test: Node, at: At): Expression | undefined {
  if (test.kind === 'binary') {
    if (!/^===?$/.test(test.operator) || test.right.kind !== 'string') return undefined;
    const isThere = test.right.value === 'string' || test.right.value === 'function';
    return isThere && test.left.kind === 'unary' && test.left.operator === 'typeof' ? test.left.argument : undefined;
  }
  if (test.kind !== 'call') return undefined;
  const functions = functionsOf(ev, test, at);
  return functions.length > 0 && functions.every((fn) => asksForText(ev, fn)) ? onlyArgument(test) : undefined;
}

/** `value => typeof value === 'string' && value !== ''` */
function asksForText(ev: Evaluation, { node, module, frame }: FunctionValue): boolean {
  const [param, more] = node.params;
  const [answer, another] = answersOf(node);
  if (param?.target.kind !== 'patternName' || more !== undefined || answer === undefined || another !== undefined) return false;
  const first = answer.kind === 'logical' && answer.operator === '&&' ? answer.left : answer;
  const asked = textAskedFor(ev, first, { module, frame });
  return asked?.kind === 'name' && module.scopes.bindingOf(asked)?.declaration === param.target;
}

/** `config.TOKEN`, or what a name has of it: `const token = await resolve(options, config.TOKEN)`. */
function settingOf(ev: Evaluation, asked: Node, at: At): MemberNode | undefined {
  if (asked.kind === 'member') return asked;
  const init = asked.kind === 'name' ? initOf(asked, at.module) : undefined;
  const given = init?.kind === 'await' ? init.argument : init;
  if (given?.kind !== 'call') return undefined;
  const functions = functionsOf(ev, given, at);
  const back = given.args.filter((_, index) => functions.every((fn) => givesBack(fn, index)));
  return functions.length > 0 && back.length === 1 && back[0]?.kind === 'member' ? back[0] : undefined;
}

/** What a constant is declared as, be it one of several: `const [token] = await Promise.all([…])`. */
function initOf(name: NameNode, { scopes }: SourceModule): Expression | undefined {
  const binding = scopes.bindingOf(name);
  if (binding?.owner.kind !== 'variable' || assignmentsOf(binding).all.length > 0) return undefined;
  const { init, target } = binding.owner;
  if (target === binding.declaration) return init;
  const all =
    init?.kind === 'await' && init.argument.kind === 'call' && isNamed(init.argument, 'Promise', 'all') ? init.argument : undefined;
  const list = all && onlyArgument(all);
  const index = target.kind === 'arrayPattern' ? target.elements.findIndex((each) => each?.target === binding.declaration) : -1;
  return list?.kind === 'array' && list.elements.every((item) => item?.kind !== 'spread') ? list.elements[index] : undefined;
}

/** Whether a function gives back a parameter, or what that gives as a function, and nothing else. */
function givesBack({ node, module }: FunctionValue, index: number): boolean {
  const param = node.params[index];
  const answers = answersOf(node);
  if (param?.target.kind !== 'patternName' || param.default !== undefined || param.isRest) return false;
  return (
    answers.length > 0 &&
    answers.every((answer) => {
      const given = answer.kind === 'call' ? answer.callee : answer;
      return given.kind === 'name' && module.scopes.bindingOf(given)?.declaration === param.target;
    })
  );
}

function answersOf({ body }: FunctionNode): readonly Node[] {
  if (body?.kind !== 'block') return body === undefined ? [] : [body];
  const found: Node[] = [];
  walk(body, (node) => {
    if (node.kind === 'return' && node.argument !== undefined) found.push(node.argument);
    return node.kind !== 'function' && node.kind !== 'class';
  });
  return found;
}

const onlyArgument = ({ args: [given, more] }: CallNode): Expression | undefined =>
  given === undefined || given.kind === 'spread' || more !== undefined ? undefined : given;

/** The functions of the project that a call is of; none where it may be of others. */
function functionsOf(ev: Evaluation, { callee }: CallNode, at: At): readonly FunctionValue[] {
  const callees = optionsOf(ev.evaluate(callee, at));
  const functions = callees.filter((each) => each.type === 'function');
  return functions.length === callees.length ? functions : [];
}
