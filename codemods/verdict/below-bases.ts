/**
 * What tests expect of clients that are asked below their base: `expect(client.get).toHaveBeenCalledWith('/contacts/7', { headers })`. Nothing of such a path says
 * whose it is: it moves where the test runs nobody else who sends a key.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import { flat } from '../evaluate/text.ts';
import type { Node } from '../syntax/tree.ts';
import { pathIn, versionIn } from './mocked-addresses.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from './request-sites.ts';

export const isBelowBase = ({ request, keys }: RequestSite): boolean =>
  request.isMock && keys.length > 0 && versionIn(flat(request.url ?? [])) === undefined && pathIn(request, undefined) !== undefined;

/** Whether a test runs the requests that it may be about, and nothing beside them that names the header, or that was not read. */
export function isRunAlone(reach: Reach, { request }: RequestSite, about: readonly RequestSite[]): boolean {
  const run = reach.byTest(request);
  const asking = new Set(about.flatMap((each) => [each.request.module, ...each.request.callers.map(({ module }) => module)]));
  const own = new Set([...asking, ...about.flatMap(({ changes }) => changes.map(({ module }) => module))]);
  return (
    [...asking].some((each) => run.has(each)) &&
    [...run].every((each) => own.has(each) || reach.isOfTests(each) || !namesKey(each.text)) &&
    reach.packagesBy(request).length === 0
  );
}

const namesKey = (text: string): boolean => text.toLowerCase().includes(v1Auth.field);

/** A key that a test also expects of somebody else stays as that does. */
export function withoutSharedKeys(resolved: readonly RequestSite[], sites: readonly RequestSite[]): readonly RequestSite[] {
  const moving = new Set(resolved.flatMap(({ request, verdict }) => (verdict.kind === 'ours' ? request : [])));
  const others = sites.filter((site) => isBelowBase(site) && !moving.has(site.request));
  const staying = new Set<Node>(others.flatMap(({ keys }) => keys.map(({ node }) => node)));
  return resolved.filter((site) => site.verdict.kind !== 'ours' || !isBelowBase(site) || !site.keys.some(({ node }) => staying.has(node)));
}
