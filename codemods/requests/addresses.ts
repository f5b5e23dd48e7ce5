/** The address that a base and a URL make together. */
import { flat, joinUrl } from '../evaluate/values/text.ts';
import { putTogether } from '../evaluate/language/url-taken-apart.ts';
import { choiceOf, type HttpValue, type LiteralValue, optionsOf, partsOf, type Value } from '../evaluate/values/values.ts';

/** An address without what only says that there is none, as it ends a loop: `url = more ? next : null`. */
const withoutEnd = (url: Value): Value => without(url, ({ value }) => value === null || typeof value === 'boolean');

/** The same of a path behind a base: `path = page.next ?? null`. Beside a whole address nothing says that the base itself is asked. */
const withoutLast = (path: Value): Value =>
  optionsOf(path).some((each) => /^https?:/i.test(flat(partsOf(each)))) ? path : without(path, ({ value }) => value === null);

function without(url: Value, isNone: (literal: LiteralValue) => boolean): Value {
  const asked = optionsOf(url).filter((each) => each.type !== 'literal' || !isNone(each));
  return asked.length === 0 ? url : choiceOf(asked);
}

/** The host and the path of one URL go together. */
export function addressOf(base: Value | undefined, { url, join = 'slash' }: HttpValue): Value | undefined {
  if (base === undefined || url === undefined) return joinUrl(base, url && withoutEnd(url), join);
  return putTogether(base, withoutLast(url), (host, path) => joinUrl(host, path, join) ?? host);
}
