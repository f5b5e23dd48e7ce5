/**
 * Places that take the whole environment, for something that is not followed or by names that the program makes: `camelcaseKeys(process.env)`,
 * `process.env[`${name}_URL`]`. Each of our variables may be read there, whoever else is seen to read it by its name.
 */
import type { Place } from '../../evaluate/budget.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import { isEnvironment } from '../../evaluate/settings/environments.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';
import { valuesAt as passedValues } from '../flow/functions/passed-values.ts';
import { escaped } from '../../find/words/literals.ts';
import { isDataFile } from '../../find/kinds.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, MemberNode, Node } from '../../syntax/tree.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { VariableUse } from '../../uses-between-components.ts';

/** @param names the variables that are asked about */
export function variablesTakenIn(ev: Evaluation, { callers }: Pick<CallGraph, 'callers'>, names: ReadonlySet<string>): VariableUse[] {
  if (names.size === 0) return [];
  return [...ev.world.modules.values()].flatMap((module) => {
    if (isDataFile.test(module.file)) return [];
    const taking = [...(environment.test(module.text) ? takingIn(ev, callers, module) : []), ...fillingIn(ev, module)];
    return taking.flatMap(({ node: { start, end }, by }) =>
      [...names].flatMap((name) =>
        by.test(name)
          ? { file: module.file, start, end, ...module.position(start), name, group: undefined, needsValue: true as const }
          : [],
      ),
    );
  });
}

const environment = /\b(?:process|import\.meta|Bun)\??\.env\b|\bDeno\.env\b|\benv\b[^;]*\bprocess\b/;

interface Taking {
  readonly node: Node;
  /** The names that may be asked for. */
  readonly by: RegExp;
}

function takingIn(ev: Evaluation, callers: CallGraph['callers'], module: SourceModule): Taking[] {
  const isWhole = (node: Node): boolean => mayBeWhole(node) && valuesAt(ev, { node, module }).some((value) => isTheEnvironment(ev, value));
  const given = module.calls.flatMap((call): Taking[] => {
    const isGiven = !isStatement(call) && !isCounted(call) && call.args.some((arg) => wholesIn(arg).some(isWhole));
    return isGiven && isLost(ev, { node: outcomeOf(call), module }) ? [{ node: call, by: /^/ }] : [];
  });
  const made = nodesOfKind(module.tree.program, 'member').flatMap((node): Taking[] => {
    const by = isWhole(node.object) ? namesMade(ev, callers, node, module) : undefined;
    return by === undefined ? [] : [{ node, by }];
  });
  return [...given, ...made];
}

/** Where a library fills options from the environment. */
const fillingIn = ({ rules }: Evaluation, { text, calls }: SourceModule): Taking[] =>
  combined(rules)
    .fillsFrom.filter(({ by }) => by.test(text))
    .flatMap(({ prefix }) =>
      calls.flatMap((node) => {
        const begin = prefix(node);
        return begin === undefined ? [] : [{ node, by: new RegExp(`^${escaped(begin)}`) }];
      }),
    );

const isStatement = ({ parent }: Node): boolean => parent?.kind === 'other' && parent.what === 'ExpressionStatement';

/** `Object.keys(process.env).length`, `Object.keys(process.env).includes('CI')`: that asks what there is, and reads none. */
const isCounted = ({ parent }: Node): boolean =>
  parent?.kind === 'member' && (parent.property === 'length' || parent.property === 'includes');

const isTheEnvironment = (ev: Evaluation, value: Value): boolean => value.type === 'external' && isEnvironment(ev, value);

/** Most arguments need no evaluation: texts, functions, properties of other names. */
const mayBeWhole = (node: Node): boolean =>
  (node.kind === 'member' && node.property === 'env') || node.kind === 'name' || node.kind === 'call';

/** An argument, and what is spread into it: what stands under a name of its own, `{ env: process.env }`, is for a program that is started. */
function wholesIn(arg: Node): Node[] {
  if (arg.kind === 'object') return arg.properties.flatMap((each) => (each.kind === 'spread' ? [each.argument] : []));
  return [arg.kind === 'spread' ? arg.argument : arg];
}

const valuesAt = (ev: Evaluation, { node, module }: Place): readonly Value[] =>
  ev.budget.question({ node, module }, () => optionsOf(ev.evaluate(node, { module, frame: undefined }))).value;

/** What is made of what a call gives: `Object.entries(process.env).reduce(…)`. */
function outcomeOf(call: CallNode): CallNode {
  const { parent } = call;
  const next = parent?.kind === 'member' && parent.object === call ? parent.parent : undefined;
  return next?.kind === 'call' && next.callee === parent ? outcomeOf(next) : call;
}

/** Whether nothing is known of what a call gives: a list of all there is may be made into anything. */
const isLost = (ev: Evaluation, place: Place & { readonly node: CallNode }): boolean =>
  valuesAt(ev, place).every(({ type }) => type === 'unknown' || type === 'external' || type === 'method' || type === 'list');

/** Of `process.env[…]` what is asked for; a name that callers give is seen where they give it, and what is made of that is made here. */
function namesMade(ev: Evaluation, callers: CallGraph['callers'], { computed }: MemberNode, module: SourceModule): RegExp | undefined {
  if (computed === undefined || computed.kind === 'string') return undefined;
  const place = { node: computed, module };
  const own = valuesAt(ev, place);
  const isMadeOfGiven = makingOf(computed, module).kind === 'call' && own.some(({ type }) => type === 'param');
  const names = isMadeOfGiven ? ev.budget.question(place, () => passedValues(ev, callers, place)).value : own;
  const open = names.filter(
    (value) =>
      value.type === 'unknown' ||
      (value.type === 'param' && isMadeOfGiven && names.every(({ type }) => type === 'param')) ||
      (value.type === 'text' && value.parts.some((part) => 'unknownPart' in part)),
  );
  const patterns = open.map((value) =>
    value.type === 'text'
      ? partsOf(value)
          .map((part) => ('text' in part ? escaped(part.text) : '.*'))
          .join('')
      : '.*',
  );
  return patterns.length === 0 ? undefined : new RegExp(`^(?:${patterns.join('|')})$`);
}

/** What a name stands for that is made right there: `const key = name.toUpperCase()`. */
function makingOf(node: Node, { scopes }: SourceModule): Node {
  const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
  return owner?.kind === 'variable' && owner.init !== undefined ? owner.init : node;
}
