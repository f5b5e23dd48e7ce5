/**
 * What a schema demands of a setting: `version: z.literal('v1')`, `url: z.string().endsWith('/v1')`. A program whose settings no longer fit does not start, so
 * that what is demanded moves along, or holds what it is demanded of.
 */
import type { CallNode, Node } from '../../syntax/tree.ts';
import { walk } from '../../syntax/link.ts';
import { standsFor } from '../names/aliases.ts';
import type { Place } from '../budget.ts';
import type { Evaluation } from '../evaluation.ts';
import { isScript, type SourceModule } from '../module.ts';
import { type IsSettled, limiting, nameOf, namedDemands, ofV1, rootOf, textsIn, whereV1 } from './schema-names.ts';
import { flat, literalText } from '../values/text.ts';
import { choiceOf, type Entry, optionsOf, plainText, type TextValue, unknown, type Value } from '../values/values.ts';

/** How they call what looks at it: the first argument says by what, the second what to say if it does not fit. */
const testing = /^(?:regex|pattern|matches|endsWith|startsWith|includes|refine|superRefine|check|custom|test)$/;
/** How they call texts of which it must not be one. */
const refusing = /^(?:exclude|invalid|disallow|not|notOneOf)$/;
const ofV2 = /(?<![\w-])v2(?![\w-])/i;
/** How they call what is done with a schema in the end. */
const parsing = /^(?:safeP|p)arse(?:Async)?$|^validate(?:Sync|Async)?$|^(?:cast|attempt)$/;

interface Demands {
  readonly allowed: readonly TextValue[];
  /** What it is looked at by that says v1. */
  readonly tests: readonly Place[];
  /** The texts of v1 that others are held against, too. */
  readonly shared: readonly Place[];
  /** What the schema goes by under a name that says v1, or that nobody can read. */
  readonly named: readonly Place[];
}

/**
 * @param inSchema what a schema has under the name of a setting
 * @returns the setting as it gets past that: as the text that is demanded, too, which moves with it; unknown where something else than the same text looks at
 *   it, or where other settings and bodies are held against the same schema
 */
export function passed(ev: Evaluation, { valueNode, module }: Entry, value: Value): Value {
  if (valueNode === undefined || !isScript(module) || !saysV1InText(value)) return value;
  const demands = demandsOf(ev, { node: valueNode, module }, () => false);
  return choiceOf(optionsOf(value).map((option) => meeting(option, demands)));
}

/** @returns a default that the schema itself has: the texts of which it has to be one are settled with it (`verdict/bases/choices.ts`) */
export function passedAsDefault(ev: Evaluation, { valueNode, module }: Entry, value: Value): Value {
  if (valueNode === undefined || !isScript(module) || !saysV1InText(value)) return value;
  const { tests, named } = demandsOf(ev, { node: valueNode, module }, isSettledWithDefault);
  return choiceOf(optionsOf(value).map((option) => meeting(option, { allowed: [], tests, shared: [], named })));
}

/** Most settings are no text of v1, and ask nothing of their schema. */
const saysV1InText = (value: Value): boolean =>
  optionsOf(value).some((option) =>
    option.type === 'env'
      ? option.otherwise !== undefined && saysV1InText(option.otherwise)
      : option.type === 'text' && ofV1.test(flat(option.parts)),
  );

/** A list of the same file, and texts in what is continued, `version.default('v1')`: these change with the default, or hold it. */
const isSettledWithDefault: IsSettled = ({ node, module }, from, isSchema) =>
  isSchema ? allowsV1(node) : module === from && node.kind === 'variable' && node.declares === 'const' && node.init?.kind === 'array';

function allowsV1(schema: Node): boolean {
  let allows = false;
  walk(schema, (node) => {
    allows ||= node.kind === 'call' && limiting.test(nameOf(node)) && textsIn(node).some(({ value }) => ofV1.test(value));
  });
  return allows;
}

function meeting(option: Value, demands: Demands): Value {
  if (option.type === 'env') {
    const { otherwise } = option;
    const met = otherwise && meeting(otherwise, demands);
    if (met === undefined || met === otherwise) return option;
    return met.type === 'choice' ? choiceOf([option, ...optionsOf(met)]) : met;
  }
  if (option.type !== 'text' || !ofV1.test(flat(option.parts))) return option;
  const text = plainText(option);
  if (isSettled(demands.allowed, text)) return option;
  const [open] = [...demands.tests, ...demands.shared, ...demands.named.filter((place) => !isTextOf(option, place))];
  return open === undefined
    ? choiceOf([option, ...demands.allowed.filter((each) => plainText(each) === text)])
    : unknown(open.node, open.module);
}

/** Whether a setting is the only text of v1 that stands at a place: it changes there, too. */
const isTextOf = ({ parts }: TextValue, { node, module }: Place): boolean =>
  node.kind !== 'program' &&
  [...module.text.slice(node.start, node.end).matchAll(new RegExp(ofV1, 'gi'))].length === 1 &&
  parts.every((part) => !('text' in part) || !ofV1.test(part.text) || (part.source?.module === module && isWithin(part.source.node, node)));

const isWithin = (inner: Node, outer: Node): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** Whether what it becomes is allowed already. */
const isSettled = (allowed: readonly Value[], text: string | undefined): boolean =>
  allowed.some((each) => plainText(each) === text?.replace(/(?<![\w-])v1(?![\w-])/, 'v2') && plainText(each) !== text);

function demandsOf(ev: Evaluation, place: Place, isSettledBeside: IsSettled): Demands {
  const allowed: TextValue[] = [];
  const tests: Place[] = [];
  const shared: Place[] = [];
  const { node: schema, module } = (place.node.kind === 'name' ? standsFor(ev.world, place.node, place.module) : undefined) ?? place;
  walk(schema, (node) => {
    if (node.kind === 'function') return false;
    if (node.kind !== 'call') return true;
    if (looksForV1(ev, node, module)) tests.push({ node, module });
    const texts = limiting.test(nameOf(node)) ? textsIn(node) : [];
    for (const text of texts) allowed.push(literalText(text, module));
    if (
      texts.some(({ value }) => ofV1.test(value)) &&
      !(isParsedOnce(place) && (schema === place.node || isParsedOnce({ node: schema, module })))
    )
      shared.push({ node, module });
    return true;
  });
  return { allowed, tests, shared, named: namedDemands(ev.world, { node: schema, module }, isSettledBeside) };
}

/** `.endsWith('/v1')`, `.superRefine((settings, context) => …)` that says v1, `.exclude(['v2'])`. */
export function looksForV1(ev: Evaluation, node: CallNode, module: SourceModule): boolean {
  if (refusing.test(nameOf(node))) return textsIn(node).some(({ value }) => ofV2.test(value));
  const [by] = testing.test(nameOf(node)) ? node.args : [];
  return by !== undefined && whereV1(ev.world, { node: by, module }).length > 0;
}

/** Whether nothing but one call parses by a schema, or what it stands in: `const schema = z.object({ … }); schema.parse(settings)`. */
function isParsedOnce({ node, module }: Place): boolean {
  for (let at: Node = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    const call = parent.kind === 'member' && parsing.test(parent.property ?? '') ? parent.parent : parent;
    if (call?.kind === 'call' && parsing.test(nameOf(call))) return !call.args.some((arg) => isGivenByCaller(arg, module));
    if (parent.kind !== 'variable') continue;
    const binding = parent.target.kind === 'patternName' ? module.scopes.declaredBy(parent.target) : undefined;
    const [use, ...more] = binding?.references ?? [];
    const isExported = [...module.exports.values()].some((each) => 'declared' in each && each.declared === parent.target);
    return !isExported && use !== undefined && more.length === 0 && isParsedOnce({ node: use, module });
  }
  return false;
}

/** `check = (settings) => schema.parse(settings)`: each call of the function is held against the schema. */
const isGivenByCaller = (arg: Node, { scopes }: SourceModule): boolean => {
  const root = rootOf(arg);
  return root.kind === 'name' && scopes.bindingOf(root)?.owner.kind === 'param';
};
