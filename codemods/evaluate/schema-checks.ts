/**
 * What a schema demands of a setting: `version: z.literal('v1')`, `url: z.string().endsWith('/v1')`. A program whose settings no longer fit does not start, so
 * that what is demanded moves along, or holds what it is demanded of.
 */
import type { CallNode, Expression, Node, StringNode } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';
import { isScript, type SourceModule } from './module.ts';
import { flat, literalText } from './text.ts';
import { choiceOf, type Entry, optionsOf, plainText, type TextValue, unknown, type Value } from './values.ts';

/** How libraries call texts of which it has to be one. */
const limiting = /^(?:enum|literal|valid|only|equal|oneOf|picklist|allow)$/;
/** How they call what looks at it: the first argument says by what, the second what to say if it does not fit. */
const testing = /^(?:regex|pattern|matches|endsWith|startsWith|includes|refine|superRefine|check|custom|test)$/;
/** What a move changes. */
const ofV1 = /(?<![\w-])v1(?![\w-])|x-api-key/i;

interface Demands {
  readonly allowed: readonly StringNode[];
  /** What it is looked at by that says v1. */
  readonly tests: readonly Node[];
  readonly module: SourceModule;
}

/**
 * @param inSchema what a schema has under the name of a setting
 * @returns the setting as it gets past that: as the text that is demanded, too, which moves with it; unknown where something else than the same text looks at it
 */
export function passed(inSchema: Entry, value: Value): Value {
  const { valueNode, module } = inSchema;
  if (valueNode === undefined || !isScript(module) || !ofV1.test(module.text)) return value;
  const demands = demandsOf(valueNode, module);
  return demands.allowed.length + demands.tests.length === 0 ? value : choiceOf(optionsOf(value).map((option) => meeting(option, demands)));
}

function meeting(option: Value, demands: Demands): Value {
  if (option.type === 'env') {
    const { otherwise } = option;
    const met = otherwise && meeting(otherwise, demands);
    if (met === undefined || met === otherwise) return option;
    return met.type === 'choice' ? choiceOf([option, ...optionsOf(met)]) : met;
  }
  if (option.type !== 'text' || !ofV1.test(flat(option.parts))) return option;
  const { allowed, tests, module } = demands;
  const [test] = tests;
  if (test !== undefined) return unknown(test, module);
  const text = plainText(option);
  const same = allowed.filter(({ value }) => value === text).map((node): TextValue => literalText(node, module));
  return isSettled(allowed, text) ? option : choiceOf([option, ...same]);
}

/** Whether what it becomes is allowed already. */
const isSettled = (allowed: readonly StringNode[], text: string | undefined): boolean =>
  allowed.some(({ value }) => value === text?.replace(/(?<![\w-])v1(?![\w-])/, 'v2') && value !== text);

function demandsOf(schema: Expression, module: SourceModule): Demands {
  const allowed: StringNode[] = [];
  const tests: Node[] = [];
  walk(namedIn(schema, module), (node) => {
    if (node.kind === 'function') return false;
    if (node.kind !== 'call') return true;
    const name = nameOf(node);
    if (limiting.test(name)) for (const arg of node.args) walk(arg, (each) => void (each.kind === 'string' && allowed.push(each)));
    if (looksForV1(node, module)) tests.push(node);
    return true;
  });
  return { allowed, tests, module };
}

/** `.endsWith('/v1')`, `.superRefine((settings, context) => …)` that says v1. */
export function looksForV1(node: CallNode, module: SourceModule): boolean {
  const [by] = testing.test(nameOf(node)) ? node.args : [];
  const about = by && namedIn(by, module);
  return about !== undefined && ofV1.test(module.text.slice(about.start, about.end));
}

const nameOf = ({ callee }: CallNode): string =>
  callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';

/** What a constant of the file stands for. */
function namedIn(node: Node, { scopes }: SourceModule): Node {
  const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
  return owner?.kind === 'variable' && owner.declares === 'const' && owner.init !== undefined ? owner.init : node;
}
