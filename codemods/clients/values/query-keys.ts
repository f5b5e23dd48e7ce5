/** Keys under which libraries keep what was fetched: a path among them has to stay the one that is asked for. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { joinList } from '../../evaluate/language/list-methods.ts';
import { choiceOf, type HttpValue, type ListValue, type Mock, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { Pattern } from '../../syntax/tree.ts';

/** The version, of an address that was moved, too: what names it again may be left. */
const versioned = /\bv[12]\b/;

/** `['v1', 'messages']` and `['/v1/messages', id]`, as what asks by default puts them together; what is no text comes behind the path. */
function inSegments(list: ListValue): Value | undefined {
  const end = list.items.findIndex(({ type }) => type === 'object' || type === 'list');
  return joinList({ ...list, items: end === -1 ? list.items : list.items.slice(0, end) }, { type: 'text', parts: [{ text: '/' }] });
}

const isVersioned = (value: Value): boolean =>
  value.type === 'text' && value.parts.some((part) => 'text' in part && versioned.test(part.text));

/** @returns what a key says of requests: where it is the address of one, its paths move with that; otherwise it is a name, which stays */
export function cacheKey(
  client: string,
  { node, module, ev, frame }: RuleCall,
  key: Value | undefined,
  use: Mock['cacheKey'] & string,
): Value | undefined {
  const made = textsIn(key).map((url): HttpValue => {
    const mock: Mock = { expects: 'call', cacheKey: use };
    return { type: 'http', client, stage: 'request', node, module, origins: [], headers: [], url, mock };
  });
  return made.length === 0 ? undefined : choiceOf(made);

  function textsIn(value: Value | undefined): Value[] {
    return (value === undefined ? [] : optionsOf(value)).flatMap((each) => {
      if (each.type === 'function') return textsIn(ev.apply(each, [], node, { module, frame }));
      if (each.type === 'list') return textsInList(each);
      return isVersioned(each) ? [each] : [];
    });
  }

  function textsInList(list: ListValue): Value[] {
    const joined = inSegments(list);
    const rest = joined === undefined ? list.items : list.items.filter((item) => plainText(item) !== 'v1');
    return [...textsIn(joined), ...rest.flatMap(textsIn)];
  }
}

/**
 * @param fns what asks
 * @param name of what it is given, the key; without one it is given the key itself
 */
export const givenTo = (fns: readonly Value[], name?: string): 'given' | 'unread' =>
  fns.length > 0 && fns.every((fn) => fn.type === 'function' && fn.node.params.every(({ target }) => isWithout(target, name)))
    ? 'unread'
    : 'given';

/** `({ signal }) => …` */
const isWithout = (target: Pattern, name: string | undefined): boolean =>
  name !== undefined &&
  target.kind === 'objectPattern' &&
  target.rest === undefined &&
  target.properties.every((property) => property.name !== undefined && property.name !== name);
