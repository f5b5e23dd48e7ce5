/** Obsidian, whose plugins ask past the rules of pages: https://docs.obsidian.md/Reference/TypeScript+API/requestUrl. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { isOptions, made, option } from '../../shapes.ts';

const name = 'obsidian';

/** `requestUrl({ url, method, headers })`, `request(url)`: the one gives the whole answer, the other its text. */
function call(call: RuleCall): Value | undefined {
  const [first] = call.args;
  if (!/^request(?:Url)?$/.test(call.path.join('.')) || first === undefined) return undefined;
  const options = isOptions(first) ? first : undefined;
  const url = options === undefined ? first : option(call, options, 'url');
  return made(name, 'request', call, {
    url,
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers')],
  });
}

export const obsidianRule: ClientRule = { name, title: 'Obsidian', modules: [name], call };
