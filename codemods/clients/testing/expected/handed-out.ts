/** What tests expect of requests that a mock hands out, which expects whole addresses itself, with no host: it is expected of them as the mock does. */
import { mockIn } from '../../../evaluate/language/comparisons.ts';
import type { HttpValue, ListValue, Mock, Value } from '../../../evaluate/values/values.ts';
import type { Expression } from '../../../syntax/tree.ts';
import { type About, isAddress, isVersioned, request } from './expected-request.ts';

/** `expect(req.request.url).toBe('/v1/contacts')` */
export const handedOut = (about: About, url: Value, expects: Mock['expects']): HttpValue =>
  request(about, { url, headers: [], expects: expects === 'part' ? expects : 'value', isWhole: true });

/** `expect(matched.map((each) => each.request.url)).toEqual(['/v1/contacts'])` */
export function ofHandedOut(about: About, actual: Expression, { items }: ListValue): HttpValue[] {
  const { call } = about;
  const { callee, args } = actual.kind === 'call' ? actual : {};
  const [fn] = args ?? [];
  const read = fn?.kind === 'function' && fn.body?.kind === 'member' ? fn.body.property : undefined;
  if (callee?.kind !== 'member' || callee.property !== 'map' || !/^url(?:WithParams)?$/.test(read ?? '')) return [];
  if (mockIn(call.ev.evaluate(callee.object, call), ({ mock }) => mock?.isWhole === true) === undefined) return [];
  return items.flatMap((item) => (isVersioned(item) && !isAddress(item) ? handedOut(about, item, 'value') : []));
}
