/**
 * What a schema demands of a setting: `version: z.literal('v1')`, `url: z.string().endsWith('/v1')`. A program whose settings no longer fit does not start, so
 * that what is demanded moves along, or holds what it is demanded of.
 */
import type { CallNode, Node, StringNode } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';
import { declarationOf, fileNamed, standsFor } from './aliases.ts';
import type { Place } from './budget.ts';
import type { Evaluation } from './evaluation.ts';
import { isScript, type SourceModule } from './module.ts';
import { flat, literalText } from './text.ts';
import { choiceOf, type Entry, optionsOf, plainText, type TextValue, unknown, type Value } from './values.ts';

/** How libraries call texts of which it has to be one. */
const limiting = /^(?:(?:native)?enums?_?|literal|valid|only|equal|oneOf|picklist|allow)$/i;
/** How they call what looks at it: the first argument says by what, the second what to say if it does not fit. */
const testing = /^(?:regex|pattern|matches|endsWith|startsWith|includes|refine|superRefine|check|custom|test)$/;
/** How they call what is done with a schema in the end. */
const parsing = /^(?:safeP|p)arse(?:Async)?$|^validate(?:Sync|Async)?$|^(?:cast|attempt)$/;
/** What declares a name that stands for something of the project's own. */
const declaring: ReadonlySet<Node['kind']> = new Set(['variable', 'function', 'enum', 'class']);
/** Declarations that are looked through for what a schema goes by; behind more there may be anything. */
const mostNamed = 50;
/** What a move changes. */
const ofV1 = /(?<![\w-])v1(?![\w-])|x-api-key/i;

interface Demands {
  readonly allowed: readonly TextValue[];
  /** What it is looked at by that says v1. */
  readonly tests: readonly Place[];
  /** The texts of v1 that others are held against, too. */
  readonly shared: readonly Place[];
}

/**
 * @param inSchema what a schema has under the name of a setting
 * @returns the setting as it gets past that: as the text that is demanded, too, which moves with it; unknown where something else than the same text looks at
 *   it, or where other settings and bodies are held against the same schema
 */
export function passed(ev: Evaluation, { valueNode, module }: Entry, value: Value): Value {
  if (valueNode === undefined || !isScript(module)) return value;
  const demands = demandsOf(ev, { node: valueNode, module });
  return demands.allowed.length + demands.tests.length + demands.shared.length === 0
    ? value
    : choiceOf(optionsOf(value).map((option) => meeting(option, demands)));
}

/** @returns a default that the schema itself has: the texts of which it has to be one are settled with it (`verdict/choices.ts`) */
export function passedAsDefault(ev: Evaluation, { valueNode, module }: Entry, value: Value): Value {
  if (valueNode === undefined || !isScript(module)) return value;
  const { tests } = demandsOf(ev, { node: valueNode, module });
  return tests.length === 0 ? value : choiceOf(optionsOf(value).map((option) => meeting(option, { allowed: [], tests, shared: [] })));
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
  const [open] = [...demands.tests, ...demands.shared];
  return open === undefined
    ? choiceOf([option, ...demands.allowed.filter((each) => plainText(each) === text)])
    : unknown(open.node, open.module);
}

/** Whether what it becomes is allowed already. */
const isSettled = (allowed: readonly Value[], text: string | undefined): boolean =>
  allowed.some((each) => plainText(each) === text?.replace(/(?<![\w-])v1(?![\w-])/, 'v2') && plainText(each) !== text);

function demandsOf(ev: Evaluation, place: Place): Demands {
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
    // `z.enum(versions)`, `versionOf(z)`: whoever else goes by that is not asked.
    const root = rootOf(node.callee);
    const named = [...(root.kind === 'name' ? [root] : []), ...(limiting.test(nameOf(node)) ? node.args : [])];
    shared.push(...named.flatMap((each) => namedIn(ev, { node: each, module })).filter((each) => saysV1(ev, each)));
    if (
      texts.some(({ value }) => ofV1.test(value)) &&
      !(isParsedOnce(place) && (schema === place.node || isParsedOnce({ node: schema, module })))
    )
      shared.push({ node, module });
    return true;
  });
  return { allowed, tests, shared };
}

/** What the names in an expression stand for. */
function namedIn({ world }: Evaluation, { node, module }: Place): Place[] {
  const found: Place[] = [];
  walk(node, (each) => {
    if (each.kind !== 'name') return;
    const meant = declarationOf(world, each, module);
    const whole = meant?.binding.owner.kind === 'import' ? fileNamed(world, each, module) : undefined;
    if (whole !== undefined) found.push(whole);
    else if (meant !== undefined && declaring.has(meant.binding.owner.kind))
      found.push({ node: meant.binding.owner, module: meant.module });
  });
  return found;
}

/** Whether it says v1, or something that it names does. */
function saysV1(ev: Evaluation, place: Place): boolean {
  const seen = new Set<Node>();
  const waiting = [place];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, module } = next;
    if (seen.has(node)) continue;
    seen.add(node);
    if (seen.size > mostNamed || ofV1.test(module.text.slice(node.start, node.end))) return true;
    waiting.push(...namedIn(ev, next));
  }
  return false;
}

function textsIn({ args }: CallNode): StringNode[] {
  const found: StringNode[] = [];
  for (const arg of args) walk(arg, (each) => void (each.kind === 'string' && found.push(each)));
  return found;
}

/** `.endsWith('/v1')`, `.superRefine((settings, context) => …)` that says v1. */
export function looksForV1(ev: Evaluation, node: CallNode, module: SourceModule): boolean {
  const [by] = testing.test(nameOf(node)) ? node.args : [];
  return by !== undefined && saysV1(ev, { node: by, module });
}

const nameOf = ({ callee }: CallNode): string =>
  callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';

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

function rootOf(node: Node): Node {
  let root = node;
  while (root.kind === 'member') root = root.object;
  return root;
}
