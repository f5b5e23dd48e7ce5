/** Headers that a fake lays into what it keeps of a call: `calls.push({ url, ...Object.fromEntries(init.headers) })`. */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Expression, SpreadNode } from '../../../syntax/tree.ts';
import { placesKeptAt } from './captured.ts';
import { expectedHeaders } from './expected-headers.ts';

/** @returns those of what is expected of such a call, beside its address */
export function headersLaidIn(expected: Value, actual: Expression | SpreadNode | undefined, call: RuleCall): Value[] {
  const [place, another] = actual === undefined || actual.kind === 'spread' ? [] : placesKeptAt(actual, call);
  const kept = place?.node.kind === 'call' && another === undefined ? place.node.args[0] : undefined;
  const laid = kept?.kind === 'object' ? kept.properties.find((each) => each.kind === 'spread') : undefined;
  if (place === undefined || kept?.kind !== 'object' || laid === undefined) return [];
  const source = place.module.text.slice(laid.start, laid.end);
  // A header that is also kept under a name of the test's own is that.
  if (!/\bheaders\b/i.test(source) || kept.properties.some((each) => each.kind === 'property' && isKeyHeader(each.name))) return [];
  return optionsOf(expected).flatMap((each) =>
    each.type === 'object' ? expectedHeaders({ ...each, entries: each.entries.filter(({ name }) => isKeyHeader(name)) }) : [],
  );
}
