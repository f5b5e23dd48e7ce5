/**
 * node-config: https://github.com/node-config/node-config. `require('config')` is what stands in `config/default.json`, with what files beside it say for
 * a deployment, an instance or a machine, and the variables that `custom-environment-variables.json` names.
 */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { besideDefaults } from '../../find/modules/node-config-files.ts';

/** As it is imported. */
export const nodeConfig = 'config';

function laidOver({ world }: Evaluation, specifier: string, { file }: SourceModule): readonly SourceModule[] | undefined {
  const beside = specifier === nodeConfig ? besideDefaults(file) : undefined;
  return beside && [...world.modules.values()].filter((each) => beside.test(each.file) && each.file !== file);
}

function settingsIn(ev: Evaluation, specifier: string, module: SourceModule): Value | undefined {
  const others = laidOver(ev, specifier, module);
  if (others === undefined) return undefined;
  const objects = (of: readonly SourceModule[]): ObjectValue[] =>
    of
      .flatMap((each) => optionsOf(exportedValue(ev, each, 'default') ?? { type: 'unknown', node: undefined, module: each }))
      .filter(isObject);
  const [first, ...rest] = [...objects([module, ...others.filter((each) => !isOfVariables(each))]), ...givenIn(ev)];
  return first === undefined ? undefined : together([first, ...rest], objects(others.filter(isOfVariables)));
}

/** What is laid over all files: `process.env.NODE_CONFIG = JSON.stringify({ … })`, as tests have it. */
const givenIn = (ev: Evaluation): ObjectValue[] =>
  [...ev.world.modules.values()].flatMap((module) => {
    if (!isScript(module) || !module.text.includes('NODE_CONFIG')) return [];
    return nodesOfKind(module.tree.program, 'assign').flatMap(({ target, value }) => {
      const given = target.kind === 'member' && target.property === 'NODE_CONFIG' && value.kind === 'call' ? value.args[0] : undefined;
      return given === undefined ? [] : optionsOf(ev.evaluate(given, { module, frame: undefined })).filter(isObject);
    });
  });

const isOfVariables = ({ file }: SourceModule): boolean => /\/custom-environment-variables\.\w+$/.test(`/${file}`);
const isObject = (value: Value): value is ObjectValue => value.type === 'object';

/** What several files say together: which of them counts is known where the program runs. */
function together([first, ...rest]: readonly [ObjectValue, ...ObjectValue[]], variables: readonly ObjectValue[]): ObjectValue {
  const all = [first, ...rest];
  const names = new Set([...all, ...variables].flatMap(({ entries }) => entries.flatMap(({ name }) => name ?? [])));
  const entries = [...names].flatMap((name): Entry[] => {
    const own = all.flatMap((object) => object.entries.filter((entry) => entry.name === name));
    const named = variables.flatMap((object) => object.entries.filter((entry) => entry.name === name));
    const [entry = named[0]] = own;
    return entry === undefined ? [] : [{ ...entry, value: () => settingOf(own, named) }];
  });
  return { ...first, entries, unknown: all.flatMap(({ unknown }) => unknown) };
}

function settingOf(own: readonly Entry[], named: readonly Entry[]): Value {
  const values = own.flatMap(({ value }) => optionsOf(value()));
  const variables = named.flatMap((entry) => optionsOf(entry.value()).flatMap((each) => variableOf(each, entry)));
  const [first, ...rest] = values.filter(isObject);
  if (first === undefined) return choiceOf([...values, ...variables]);
  return choiceOf([...values.filter((value) => !isObject(value)), together([first, ...rest], variables.filter(isObject))]);
}

/** `"url": "MESSAGING_URL"`, or `"url": { "__name": "MESSAGING_URL", "__format": "json" }`. */
function variableOf(value: Value, { node, module }: Entry): Value[] {
  if (!isScript(module)) return [];
  const format = value.type === 'object' ? value.entries.find(({ name }) => name === '__name') : undefined;
  const name = plainText(format?.value() ?? value);
  return name === undefined ? [value] : [{ type: 'env', name, node, module }];
}

export const nodeConfigLibrary: ClientRule = { name: nodeConfig, title: 'node-config', settingsIn, laidOver };
