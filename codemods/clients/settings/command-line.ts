/**
 * What reads a command line at once: parseArgs of Node (https://nodejs.org/api/util.html#utilparseargsconfig), minimist
 * (https://github.com/minimistjs/minimist) and its like, meow (https://github.com/sindresorhus/meow) and oclif. What is not given is its default.
 */
import type { ClientRule, Inherited, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given, givenOr, optionEntries } from '../../evaluate/libraries/given.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';

const entriesOf = (value: Value): readonly Entry[] => optionsOf(value).flatMap((each) => (each.type === 'object' ? each.entries : []));

/** `parseArgs({ options: { base: { type: 'string', default: '…' } } })` */
const parseArgs: LibraryFunction = (ev, [config], node, at) =>
  config?.type === 'object' ? readAs('values', ev, ev.member(config, 'options', node, at), node, at) : undefined;

/** `meow(help, { flags: { base: { type: 'string', default: '…' } } })` */
const meow: LibraryFunction = (ev, args, node, at) => {
  const options = args.find(({ type }) => type === 'object');
  return options && readAs('flags', ev, ev.member(options, 'flags', node, at), node, at);
};

/** `static flags = { base: Flags.string({ default: '…' }) }` of a command, and `this.parse(Send)` */
const parsedFor: LibraryFunction = (ev, [command], node, at) =>
  command?.type === 'class' ? readAs('flags', ev, ev.member(command, 'flags', node, at), node, at) : undefined;

/**
 * What is read of options that a table describes.
 * @param name what it is called among what is read
 */
function readAs(name: string, ev: Evaluation, options: Value, node: Node, at: At): ObjectValue | undefined {
  if (options.type !== 'object') return undefined;
  const entries = options.entries.map((entry): Entry => ({ ...entry, value: () => optionOf(ev, entry, node, at) }));
  const values: ObjectValue = { ...options, entries, unknown: [given('--', node, at.module)] };
  const { module } = at;
  return {
    type: 'object',
    node,
    module,
    entries: optionEntries([name], { node, module }, () => values),
    unknown: [unknown(node, module)],
  };
}

function optionOf(ev: Evaluation, entry: Entry, node: Node, at: At): Value {
  const option = entry.value();
  const name = `--${entry.name ?? ''}`;
  if (option.type !== 'object') return givenOr(name, entry, []);
  const otherwise = optionsOf(ev.member(option, 'default', node, at)).filter(isThere);
  // What a variable alone holds is not followed to all who have the options.
  const variable = otherwise.length === 0 ? undefined : option.entries.find((each) => each.name === 'env');
  return givenOr(name, entry, variable === undefined ? otherwise : optionsOf(orDefault(variableOf(variable), choiceOf(otherwise))));
}

/** The variable that says an option where the command line does not. */
const variableOf = ({ value, node, valueNode, module }: Entry): Value =>
  textsIn(value()).map((name): Value => ({ type: 'env', name, node: valueNode ?? node, module }))[0] ?? unknown(node, module);

/** What makes something by a function is not known. */
const isThere = (value: Value): boolean => value.type !== 'function' && (value.type !== 'literal' || value.value !== undefined);

/** `minimist(argv, { default: { base: '…' }, alias: { base: 'b' } })` */
const parsed: LibraryFunction = (ev, [, options], node, at) => {
  const { module } = at;
  const defaults = options?.type === 'object' ? entriesOf(ev.member(options, 'default', node, at)) : [];
  const aliases = options?.type === 'object' ? entriesOf(ev.member(options, 'alias', node, at)) : [];
  const entries = defaults.flatMap((entry) =>
    namesOf(entry.name ?? '', aliases).flatMap((name) =>
      optionEntries([name], entry, () => givenOr(`--${entry.name ?? ''}`, entry, optionsOf(entry.value()))),
    ),
  );
  return { type: 'object', node, module, entries, unknown: [given('--', node, module)] };
};

/** All names of an option: an alias is another name of it, or a list of such. */
function namesOf(name: string, aliases: readonly Entry[]): string[] {
  const groups = aliases.map((entry) => [entry.name ?? '', ...textsIn(entry.value())]);
  return [...new Set([name, ...groups.filter((group) => group.includes(name)).flat()])];
}

const textsIn = (value: Value): string[] =>
  optionsOf(value).flatMap((each) => (each.type === 'list' ? each.items.flatMap(textsIn) : (plainText(each) ?? [])));

/** oclif (https://oclif.io/docs/flags), and its package before. */
const oclif = ['@oclif/core', '@oclif/command'];
const flags = ['string', 'integer', 'boolean', 'option', 'url', 'file', 'directory'].flatMap((each) => [`Flags.${each}`, `flags.${each}`]);
const described: LibraryFunction = (_ev, [options]) => options;

/** `parse` of all commands. */
const inherited = ({ superclass, name }: Inherited): Value | undefined =>
  oclif.includes(superclass.source) && name === 'parse' ? { type: 'external', source: superclass.source, path: [name] } : undefined;

const parsers = ['minimist', 'mri', 'getopts', 'yargs-parser'];

export const commandLineLibraries: ClientRule = {
  name: 'minimist',
  functions: {
    'util:parseArgs': parseArgs,
    ...Object.fromEntries(['meow:', 'meow:default'].map((each) => [each, meow])),
    ...Object.fromEntries(oclif.flatMap((each) => flags.map((flag) => [`${each}:${flag}`, described]))),
    ...Object.fromEntries(oclif.map((each) => [`${each}:parse`, parsedFor])),
    ...Object.fromEntries(parsers.flatMap((name) => [`${name}:`, `${name}:default`].map((each) => [each, parsed]))),
  },
  inherited,
};
