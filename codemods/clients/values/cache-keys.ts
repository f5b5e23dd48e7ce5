/** Keys under which libraries keep what was fetched: a path among them has to stay the one that is asked for. */
import type { RuleCall } from '../../evaluate/client-rule.ts';
import { choiceOf, type HttpValue, optionsOf, type Value } from '../../evaluate/values.ts';
import { isVersioned } from '../testing/expected-request.ts';

/** @returns what a key says of requests: its paths move with these, and only with them */
export function cacheKey(client: string, { node, module, ev, frame }: RuleCall, key: Value | undefined): Value | undefined {
  const made = textsIn(key).map((url): HttpValue => {
    return { type: 'http', client, stage: 'request', node, module, origins: [], headers: [], url, mock: { expects: 'call' } };
  });
  return made.length === 0 ? undefined : choiceOf(made);

  function textsIn(value: Value | undefined): Value[] {
    return (value === undefined ? [] : optionsOf(value)).flatMap((each) => {
      if (each.type === 'function') return textsIn(ev.apply(each, [], node, { module, frame }));
      if (each.type === 'list') return each.items.flatMap(textsIn);
      return each.type === 'text' && isVersioned(each) ? [each] : [];
    });
  }
}
