/**
 * What tests expect of clients that are asked below their base: `expect(client.get).toHaveBeenCalledWith('/contacts/7', { headers })`. Nothing of such a path says
 * whose it is: it moves where the test runs nobody else who sends a key.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat } from '../../evaluate/values/text.ts';
import { memo } from '../../once.ts';
import type { Node } from '../../syntax/tree.ts';
import { pathIn, versionIn } from './mocked-addresses.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';

export const isBelowBase = ({ request, keys }: RequestSite): boolean =>
  request.isMock && keys.length > 0 && versionIn(flat(request.url ?? [])) === undefined && pathIn(request, undefined) !== undefined;

/** Whether a test runs the requests that it may be about, or makes them itself, and nothing beside them that names the header, or that was not read. */
export function isRunAlone(reach: Reach, { request }: RequestSite, about: readonly RequestSite[]): boolean {
  const run = reach.byTest(request);
  const asking = new Set(about.flatMap((each) => [each.request.module, ...each.request.callers.map(({ module }) => module)]));
  const own = new Set([...asking, ...about.flatMap(({ changes }) => changes.map(({ module }) => module))]);
  return (
    [...asking].some((each) => run.has(each) || each === request.module) &&
    [...run].every((each) => own.has(each) || reach.isOfTests(each) || !namesKey(each.text)) &&
    reach.packagesBy(request).length === 0
  );
}

const namesKey = (text: string): boolean => text.toLowerCase().includes(v1Auth.field);

/** A key that a test also expects of somebody else stays as that does, and so does what is expected where a test itself writes such headers: it may be of these. */
export function withoutSharedKeys(resolved: readonly RequestSite[], sites: readonly RequestSite[]): readonly RequestSite[] {
  const moving = new Set(resolved.flatMap(({ request, verdict }) => (verdict.kind === 'ours' ? request : [])));
  const others = sites.filter((site) => isBelowBase(site) && !moving.has(site.request));
  const staying = new Set<Node>(others.flatMap(({ keys }) => keys.map(({ node }) => node)));
  const known = new Set(sites.flatMap(({ keys }) => keys.map(({ key }) => `${key?.source?.module.file} ${key?.source?.start}`)));
  const writesOwn = memo((module: SourceText) =>
    Array.from(module.text.matchAll(written), ({ index }) => index + 1).some((start) => !known.has(`${module.file} ${start}`)),
  );
  const stays = (site: RequestSite): boolean => site.keys.some(({ node }) => staying.has(node)) || writesOwn(site.request.module);
  return resolved.filter((site) => site.verdict.kind !== 'ours' || !isBelowBase(site) || !stays(site));
}

const written = new RegExp(`['"\`]${v1Auth.field}['"\`]\\s*:`, 'gi');
