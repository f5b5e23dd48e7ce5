/**
 * What reads a command line at once: parseArgs of Node (https://nodejs.org/api/util.html#utilparseargsconfig), minimist
 * (https://github.com/minimistjs/minimist) and its like. What is not given is its default.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given, givenOr, optionEntries } from '../../evaluate/given.ts';
import { type Entry, type ObjectValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values.ts';
import type { Node } from '../../syntax/tree.ts';

const entriesOf = (value: Value): readonly Entry[] => optionsOf(value).flatMap((each) => (each.type === 'object' ? each.entries : []));

/** `parseArgs({ options: { base: { type: 'string', default: '…' } } })` */
const parseArgs: LibraryFunction = (ev, [config], node, at) => {
  const options = config?.type === 'object' ? ev.member(config, 'options', node, at) : undefined;
  if (options?.type !== 'object') return undefined;
  const entries = options.entries.map((entry): Entry => ({ ...entry, value: () => optionOf(ev, entry, node, at) }));
  const values: ObjectValue = { ...options, entries, unknown: [given('--', node, at.module)] };
  const { module } = at;
  return {
    type: 'object',
    node,
    module,
    entries: optionEntries(['values'], { node, module }, () => values),
    unknown: [unknown(node, module)],
  };
};

function optionOf(ev: Evaluation, entry: Entry, node: Node, at: At): Value {
  const option = entry.value();
  const otherwise = option.type === 'object' ? optionsOf(ev.member(option, 'default', node, at)) : [];
  return givenOr(`--${entry.name ?? ''}`, entry, otherwise.filter(isThere));
}

const isThere = (value: Value): boolean => value.type !== 'literal' || value.value !== undefined;

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

const parsers = ['minimist', 'mri', 'getopts', 'yargs-parser'];

export const commandLineLibraries: ClientRule = {
  name: 'minimist',
  functions: {
    'util:parseArgs': parseArgs,
    ...Object.fromEntries(parsers.flatMap((name) => [`${name}:`, `${name}:default`].map((each) => [each, parsed]))),
  },
};
