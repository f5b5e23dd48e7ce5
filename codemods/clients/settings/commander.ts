/**
 * commander: https://github.com/tj/commander.js. Options are declared with a default on a command, and read by their names from `opts()` or from
 * what actions are given. All commands count as one: an option that two of them have is either.
 */
import type { ClientRule, Given, RuleCall, Run } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { commandLineOf, givenOr, inCallsOf } from '../../evaluate/libraries/given.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { choiceOf, type ExternalValue, type ObjectValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

const name = 'commander';
const modules = [name, `${name}/esm.mjs`, '@commander-js/extra-typings'];
const imported = /['"](?:commander(?:\/esm\.mjs)?|@commander-js\/extra-typings)['"]/;

/** Methods that put something where options and arguments are read. */
const handing = ['option', 'requiredOption', 'default', 'preset', 'argument', 'setOptionValue', 'setOptionValueWithSource'];

/** A command, or an option that is being made: what its methods give back. */
const command: ExternalValue = { type: 'external', source: name, path: ['program'] };

function call({ path, node, module, ev }: RuleCall): Value {
  const asked = path.at(-1) ?? '';
  return asked === 'opts' || asked === 'optsWithGlobals' ? optionsRead(ev, node, module) : command;
}

interface Declared {
  readonly flags: Expression;
  readonly defaults: readonly Expression[];
  /** Of its variables of the environment. */
  readonly variables: readonly Expression[];
  readonly node: CallNode;
  readonly module: SourceModule;
}

const declaredIn = inCallsOf(imported, declaredBy);

function declaredBy(node: CallNode, module: SourceModule): Declared[] {
  const [flags, , ...others] = expressionsIn(node);
  if (flags === undefined) return [];
  // `.option('--base <url>', 'where', parse, '…')`: what reads a value stands before its default.
  if (!node.isNew && /^(?:required)?[oO]ption$/.test(methodOf(node)))
    return [{ flags, defaults: others.slice(-1), variables: [], node, module }];
  // `.setOptionValue('base', '…')`
  if (methodOf(node).startsWith('setOptionValue'))
    return [{ flags, defaults: expressionsIn(node).slice(1, 2), variables: [], node, module }];
  return node.isNew && nameOf(node.callee) === 'Option' ? [{ flags, ...chainedTo(node), node, module }] : [];
}

/** `new Option('--base <url>').env('BASE').default('…')` */
function chainedTo(node: CallNode): Pick<Declared, 'defaults' | 'variables'> {
  const [defaults, variables]: [Expression[], Expression[]] = [[], []];
  let at = node;
  while (at.parent?.kind === 'member' && at.parent.object === at && at.parent.parent?.kind === 'call') {
    at = at.parent.parent;
    const [first] = expressionsIn(at);
    if (first !== undefined && /^(?:default|preset)$/.test(methodOf(at))) defaults.push(first);
    if (first !== undefined && methodOf(at) === 'env') variables.push(first);
  }
  return { defaults, variables };
}

const expressionsIn = ({ args }: CallNode): Expression[] => args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));
const methodOf = ({ callee }: CallNode): string => (callee.kind === 'member' ? (callee.property ?? '') : '');
const nameOf = (node: Node): string => (node.kind === 'name' ? node.name : node.kind === 'member' ? (node.property ?? '') : '');

/** What is read of it, by names. */
const optionsRead = (ev: Evaluation, node: Node, module: SourceModule): ObjectValue =>
  commandLineOf(
    declaredIn(ev.world).flatMap((of) => namedBy(ev, of).map(({ key, flag }) => ({ key, of, value: () => valueOf(ev, flag, of) }))),
    node,
    module,
  );

/** `-b, --base-url <url>` is read as `baseUrl`; where it is set it is called so, too. */
function namedBy(ev: Evaluation, of: Declared): { readonly key: string; readonly flag: string }[] {
  const flags = plainText(ev.evaluate(of.flags, { module: of.module, frame: undefined })) ?? '';
  const [flag] = /--[\w-]+/.exec(flags) ?? /-\w/.exec(flags) ?? /^\w+$/.exec(flags) ?? [];
  return flag === undefined
    ? []
    : [{ key: flag.replace(/^-+/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()), flag }];
}

function valueOf(ev: Evaluation, flag: string, of: Declared): Value {
  const { module } = of;
  const evaluated = (each: Expression): readonly Value[] => optionsOf(ev.evaluate(each, { module, frame: undefined }));
  const defaults = of.defaults.flatMap(evaluated).filter((each) => !isReader(each));
  // What a variable alone holds is not followed to all who have the options.
  const named = defaults.length === 0 ? [] : of.variables;
  const variables = named.flatMap((each) =>
    evaluated(each).flatMap((value): Value[] => {
      const variable = plainText(value);
      return variable === undefined ? [] : [{ type: 'env', name: variable, node: each, module }];
    }),
  );
  return givenOr(flag, of, [...variables, ...defaults]);
}

/** What makes something of the text that is given, as `Number` or a function does. */
const isReader = (value: Value): boolean =>
  value.type === 'function' ||
  (value.type === 'external' && value.source === '') ||
  (value.type === 'literal' && value.value === undefined);

/** `.command('send <to>').action((to, options, command) => …)` */
function runs({ path, args, node, module, ev }: RuleCall): Run[] {
  if (path.at(-1) !== 'action') return [];
  const options = optionsRead(ev, node, module);
  const before = argumentsOf(ev, node, module);
  // Of a command that is not known, any of them may be its options.
  const any = (): Value[] => Array.from({ length: maxArguments }, () => choiceOf([options, unknown(node, module)]));
  return args
    .slice(0, 1)
    .flatMap(optionsOf)
    .map((fn) => ({ fn, args: before === undefined ? any() : [...before, options, command] }));
}

const maxArguments = 8;

/** What a command is given beside its options, in order; undefined where it is not known which command it is. */
function argumentsOf(ev: Evaluation, action: CallNode, module: SourceModule): Value[] | undefined {
  const found: Value[] = [];
  const seen = new Set<Node>();
  for (let at: Node = action; !seen.has(at);) {
    seen.add(at);
    if (at.kind === 'name') {
      const owner: Node | undefined = module.scopes.bindingOf(at)?.owner;
      if (owner?.kind === 'import') return found;
      if (owner?.kind !== 'variable' || owner.init === undefined) return undefined;
      at = owner.init;
      continue;
    }
    if (at.kind !== 'call') return undefined;
    const own = argumentsIn(ev, at, module);
    if (own === undefined) return undefined;
    found.unshift(...own);
    if (methodOf(at) === 'command' || at.isNew || at.callee.kind !== 'member') return found;
    at = at.callee.object;
  }
  return undefined;
}

/** `.command('send <to> [text]')`, `.argument('[url]', 'where to send', '…')` */
function argumentsIn(ev: Evaluation, node: CallNode, module: SourceModule): Value[] | undefined {
  const [first, , ...others] = expressionsIn(node);
  const method = methodOf(node);
  if (first === undefined || !/^(?:command|arguments?)$/.test(method)) return [];
  const at = { module, frame: undefined };
  const text = plainText(ev.evaluate(first, at));
  const names = text?.match(/<[^>]*>|\[[^\]]*\]/g) ?? (method === 'argument' && text !== undefined ? [text] : []);
  const defaults = method === 'argument' ? others.slice(-1).flatMap((each) => optionsOf(ev.evaluate(each, at))) : [];
  const otherwise = defaults.filter((each) => !isReader(each));
  return text === undefined ? undefined : names.map((each) => givenOr(each, { node, module }, otherwise));
}

/** `program.hook('preAction', (program, command) => …)` */
const given = ({ path, argument, within }: Given): Value | undefined =>
  path.at(-1) === 'hook' && argument === 1 && within.length === 0 ? command : undefined;

export const commanderLibrary: ClientRule = {
  name,
  modules,
  call,
  runs,
  given,
  asksBy: ['action'],
  methods: ['optsWithGlobals', 'command.optsWithGlobals', 'cmd.optsWithGlobals', 'command.opts', 'cmd.opts', 'program.opts'],
  handed: Object.fromEntries(handing.map((each) => [each, ['opts', 'optsWithGlobals', 'action']])),
};
