/** Two ways to one address by its two schemes. */
import { flat } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import type { Judged } from './bases/unseen-callers.ts';

/** `(url.protocol === 'http:' ? http : https).request({ host: url.host })`: of two ways to one address by two schemes, the one that it has is taken. */
export function isByOtherTransport({ request: { call, url }, verdict }: Judged, others: readonly Judged[]): boolean {
  if (verdict.kind !== 'unproven' || url === undefined || !/^https?:/.test(flat(url))) return false;
  const address = withoutScheme(url);
  return others.some(
    (each) => each.verdict.kind === 'ours' && each.request.call === call && withoutScheme(each.request.url ?? []) === address,
  );
}

const withoutScheme = (url: readonly Part[]): string => flat(url).replace(/^https?:/, '');
