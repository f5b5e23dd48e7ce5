/**
 * yargs: https://yargs.js.org. Options are declared with a default, and read by their names from `argv`, from what `parse` gives and from what the
 * handlers of commands are given. All commands count as one: an option that two of them have is either.
 */
import type { ClientRule, RuleCall, Run } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { commandLineOf, givenOr, inCallsOf } from '../../evaluate/libraries/given.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type ExternalValue, type ObjectValue, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

const name = 'yargs';
const imported = /['"]yargs(?:\/yargs)?['"]/;
const reading = /^parse(?:Sync|Async)?$/;
const asking = ['argv', 'parse', 'parseSync', 'parseAsync', 'command'];

const parser: ExternalValue = { type: 'external', source: name, path: [name] };

function call({ path, node, module, ev }: RuleCall): Value | undefined {
  const asked = path.at(-1) ?? '';
  if (asked === 'hideBin') return undefined;
  return reading.test(asked) ? optionsRead(ev, node, module) : parser;
}

interface Declared {
  readonly name: Expression | string;
  /** What says more of it: an object with `default`, `alias` … */
  readonly about: Expression | undefined;
  readonly otherwise: Expression | undefined;
  readonly node: Node;
  readonly module: SourceModule;
}

const declaredIn = inCallsOf(imported, declaredBy);

function declaredBy({ callee, args, ...at }: CallNode, module: SourceModule): Declared[] {
  const method = callee.kind === 'member' ? (callee.property ?? '') : '';
  const [first, second, third] = args;
  const isNamed =
    first !== undefined && first.kind !== 'spread' && first.kind !== 'object' && second !== undefined && second.kind !== 'spread';
  const node = { ...at, callee, args };
  if (/^(?:options?|positional)$/.test(method) && isNamed) return [{ name: first, about: second, otherwise: undefined, node, module }];
  if (method === 'default' && isNamed) return [{ name: first, about: undefined, otherwise: second, node, module }];
  // `.options({ base: { default: '…' } })`, `.command('send', 'sends', { base: { default: '…' } })`
  const table = /^options?$/.test(method)
    ? first
    : method === 'command'
      ? first?.kind === 'object'
        ? builderOf(first)
        : third
      : undefined;
  if (/^(?:default|config)$/.test(method) && first?.kind === 'object')
    return propertiesOf(first, module, (value) => ({ about: undefined, otherwise: value }));
  return table?.kind === 'object' ? propertiesOf(table, module, (value) => ({ about: value, otherwise: undefined })) : [];
}

/** `.command({ command: 'send', builder: { base: { default: '…' } }, handler })` */
const builderOf = ({ properties }: Extract<Expression, { kind: 'object' }>): Expression | undefined =>
  properties.flatMap((each) => (each.kind === 'property' && each.name === 'builder' ? [each.value] : []))[0];

const propertiesOf = (
  table: Extract<Expression, { kind: 'object' }>,
  module: SourceModule,
  say: (value: Expression) => Pick<Declared, 'about' | 'otherwise'>,
): Declared[] =>
  table.properties.flatMap((each) =>
    each.kind === 'property' && each.name !== undefined ? [{ name: each.name, ...say(each.value), node: each, module }] : [],
  );

/** What is read of it, by names. */
const optionsRead = (ev: Evaluation, node: Node, module: SourceModule): ObjectValue =>
  commandLineOf(
    declaredIn(ev.world).flatMap((of) => namesOf(ev, of).map((key, _, [own = key]) => ({ key, of, value: () => valueOf(ev, own, of) }))),
    node,
    module,
  );

/** An option is read as it is written, in either case and by its aliases. */
function namesOf(ev: Evaluation, of: Declared): string[] {
  const { module, about } = of;
  const at = { module, frame: undefined };
  const own = typeof of.name === 'string' ? of.name : plainText(ev.evaluate(of.name, at));
  if (own === undefined) return [];
  const aliases = about === undefined ? [] : textsIn(ev.member(ev.evaluate(about, at), 'alias', about, at));
  const names = [own, ...aliases].flatMap((each) => [
    each,
    each.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    each.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  ]);
  return [...new Set(names)];
}

const textsIn = (value: Value): string[] =>
  optionsOf(value).flatMap((each) => (each.type === 'list' ? each.items.flatMap(textsIn) : (plainText(each) ?? [])));

function valueOf(ev: Evaluation, own: string, of: Declared): Value {
  const { about, otherwise, module } = of;
  const at = { module, frame: undefined };
  const value = otherwise ?? about;
  if (value === undefined) return givenOr(`--${own}`, of, []);
  const evaluated = ev.evaluate(value, at);
  const defaults = optionsOf(otherwise === undefined ? ev.member(evaluated, 'default', value, at) : evaluated);
  return givenOr(
    `--${own}`,
    of,
    defaults.filter((each) => each.type !== 'literal' || each.value !== undefined),
  );
}

/** `.command('send', 'sends', (yargs) => yargs.option(…), (argv) => …)`, or all of it in one object, in what a file exports, or in a list of such. */
function runs({ path, args, node, module, ev }: RuleCall): Run[] {
  if (path.at(-1) !== 'command') return [];
  const [first, , builder, handler] = args;
  const at = { module, frame: undefined };
  const commands = first === undefined ? [] : optionsOf(first).flatMap((each) => (each.type === 'list' ? each.items : [each]));
  const held = commands.filter(({ type }) => type === 'object' || type === 'namespace');
  const named = (key: string, given: Value | undefined): Value[] => [
    ...held.flatMap((each) => optionsOf(ev.member(each, key, node, at))),
    ...(given === undefined ? [] : optionsOf(given)),
  ];
  return [
    ...named('builder', builder).map((fn) => ({ fn, args: [parser] })),
    ...named('handler', handler).map((fn) => ({ fn, args: [optionsRead(ev, node, module)] })),
  ];
}

/** `.env('TEXTS')`: `TEXTS_BASE_URL` is the option `baseUrl`, whoever declares it. */
function environmentOf({ callee, args: [prefix] }: CallNode): string | undefined {
  if (callee.kind !== 'member' || callee.property !== 'env' || (prefix?.kind === 'literal' && prefix.value === false)) return undefined;
  return prefix?.kind === 'string' && prefix.value !== '' ? `${prefix.value}_` : '';
}

export const yargsLibrary: ClientRule = {
  name,
  modules: [name, 'yargs/yargs'],
  call,
  runs,
  reads: { 'yargs:argv': (ev, node, { module }) => optionsRead(ev, node, module) },
  fillsFrom: { by: imported, prefix: environmentOf },
  handed: Object.fromEntries(['option', 'options', 'positional', 'default', 'config', 'command'].map((each) => [each, asking])),
};
