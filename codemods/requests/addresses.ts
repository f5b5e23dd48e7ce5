/** The address that a base and a URL make together. */
import { flat, joinUrl } from '../evaluate/text.ts';
import { putTogether } from '../evaluate/url-taken-apart.ts';
import { choiceOf, type HttpValue, optionsOf, partsOf, type Value } from '../evaluate/values.ts';

/** An address without what only says that there is none, as it ends a loop: `url = more ? next : null`. Beside a base it says that the base itself is asked. */
function withoutEnd(url: Value): Value {
  const asked = optionsOf(url).filter((each) => each.type !== 'literal' || (each.value !== null && typeof each.value !== 'boolean'));
  return asked.length === 0 ? url : choiceOf(asked);
}

/** The same of a path behind a base: `path = page.next ?? null`. Beside a whole address nothing says that the base itself is asked. */
function withoutLast(path: Value): Value {
  const asked = optionsOf(path).filter((each) => each.type !== 'literal' || each.value !== null);
  return asked.length === 0 || asked.some((each) => /^https?:/i.test(flat(partsOf(each)))) ? path : choiceOf(asked);
}

/** The host and the path of one URL go together. */
export function addressOf(base: Value | undefined, { url, join = 'slash' }: HttpValue): Value | undefined {
  if (base === undefined || url === undefined) return joinUrl(base, url && withoutEnd(url), join);
  return putTogether(base, withoutLast(url), (host, path) => joinUrl(host, path, join) ?? host);
}
