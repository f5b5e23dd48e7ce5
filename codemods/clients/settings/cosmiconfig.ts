/** Files of settings that are looked for by a name: https://github.com/cosmiconfig/cosmiconfig, https://github.com/antonk52/lilconfig. What one holds is known to whoever keeps it. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { given, givenIn } from '../../evaluate/libraries/given.ts';
import { flat } from '../../evaluate/values/text.ts';
import { option } from '../shapes.ts';
import { choiceOf, optionsOf, partsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';

const searching = new Set(['cosmiconfig', 'cosmiconfigSync', 'lilconfig', 'lilconfigSync']);
const finding = new Set(['search', 'load']);

/** What a file holds whose path is written out, or that whoever runs the program names; of any other path nobody knows which file it is. */
function held(path: Value, looked: string, { node, module }: Pick<RuleCall, 'node' | 'module'>): Value {
  const written = path.type === 'env' && path.otherwise !== undefined ? path.otherwise : path;
  const file = /[\w.-]+$/.exec(plainText(written) ?? '')?.[0];
  const isNamed = path.type === 'env' || givenIn(path) !== undefined;
  return file === undefined && !isNamed ? unknown(node, module) : given(file ?? looked, node, module);
}

/** `cosmiconfig('texts')` looks by `search()` for what `load(path)` is told: either gives `{ config, filepath }`. */
function call(call: RuleCall): Value | undefined {
  const {
    path,
    args: [name, options],
    node,
    module,
  } = call;
  // What is looked for elsewhere nobody sees.
  if (path.length === 1 && option(call, options, 'searchPlaces') !== undefined) return undefined;
  const [asked = 'default', of, method = ''] = path;
  if (path.length === 1 && (asked === 'default' || searching.has(asked)))
    return { type: 'external', source: 'cosmiconfig', path: ['default', name === undefined ? '' : flat(partsOf(name))] };
  if (of === undefined || !finding.has(method)) return undefined;
  const looked = `.${of}rc`;
  const loaded = name === undefined ? [] : optionsOf(name);
  const value = (): Value =>
    choiceOf(method === 'search' ? [given(looked, node, module)] : loaded.map((each) => held(each, looked, { node, module })));
  const config = { name: 'config', key: undefined, node, module, value, valueNode: undefined };
  return { type: 'object', node, module, entries: [config], unknown: [] };
}

export const cosmiconfigLibrary: ClientRule = { name: 'cosmiconfig', modules: ['cosmiconfig', 'lilconfig'], call };
