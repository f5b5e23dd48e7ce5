/** Versions that only a test gives a client, to see that it takes another: `new Client({ apiVersion: 'v1beta', fetch })`. */
import { runsTests } from '../clients/testing/declared-tests.ts';
import { flat, sliceParts } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import type { RequestSite } from './request-sites.ts';

/**
 * Without what asks for none of v1's endpoints by a version that a test says, where the same call asks for one of v1's by what it is otherwise. What others
 * import of a helper of tests they may give, too: only what runs tests says it for itself.
 */
export function withoutVersionsOfTests(sites: readonly RequestSite[]): readonly RequestSite[] {
  const asking = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'ours' && !request.isMock ? request.call : [])));
  return sites.filter(
    ({ request, verdict }) =>
      verdict.kind !== 'unknown-route' || !asking.has(request.call) || !isVersionOfTest(request.url ?? [], verdict.route),
  );
}

/** Behind a version of v1, what a test says is a path. */
function isVersionOfTest(url: readonly Part[], route: string): boolean {
  const [, version] = /^\/(?!v[12](?:\/|$))(v\d[\w.-]*|beta|alpha|next|latest)(?=\/)/i.exec(route) ?? [];
  const at = version === undefined ? -1 : flat(url).indexOf(route);
  if (version === undefined || at === -1) return false;
  return sliceParts(url, at + 1, at + 1 + version.length).every(
    (part) => 'text' in part && part.source !== undefined && runsTests(part.source.module.text),
  );
}
