/** Files of settings that are looked for by a name: https://github.com/cosmiconfig/cosmiconfig, https://github.com/antonk52/lilconfig. What one holds is known to whoever keeps it. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { given } from '../../evaluate/libraries/given.ts';
import { flat } from '../../evaluate/values/text.ts';
import { partsOf, type Value } from '../../evaluate/values/values.ts';

const searching = new Set(['cosmiconfig', 'cosmiconfigSync', 'lilconfig', 'lilconfigSync']);
const finding = new Set(['search', 'load']);

/** `cosmiconfig('texts')` looks by `search()` for what `load(path)` is told: either gives `{ config, filepath }`. */
function call({ path, args: [name], node, module }: RuleCall): Value | undefined {
  const [asked = 'default', of, method = ''] = path;
  if (path.length === 1 && (asked === 'default' || searching.has(asked)))
    return { type: 'external', source: 'cosmiconfig', path: ['default', name === undefined ? '' : flat(partsOf(name))] };
  if (of === undefined || !finding.has(method)) return undefined;
  const value = (): Value => given(`.${of}rc`, node, module);
  const config = { name: 'config', key: undefined, node, module, value, valueNode: undefined };
  return { type: 'object', node, module, entries: [config], unknown: [] };
}

export const cosmiconfigLibrary: ClientRule = { name: 'cosmiconfig', modules: ['cosmiconfig', 'lilconfig'], call };
