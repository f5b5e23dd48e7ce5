/**
 * Routes of service workers: `registerRoute(({ url }) => url.pathname.startsWith('/v1/contacts'), new NetworkFirst())`. What a page asks comes by them without an
 * import, and their paths are no text of its calls: once these ask v2, nothing is kept or answered there any more.
 */
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { isComment } from '../../syntax/comments.ts';
import { lineAt, positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';
import type { Moved } from '../moved.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/**
 * @param scripts paths of scripts
 * @param textIn the text of a file
 * @returns the plan with a finding for each line of a service worker, or of what one is made from, that has a path of calls which move, or what all of v1 begin with
 */
export function withWorkerRoutes<P extends Read>(
  plan: P,
  moved: readonly Moved[],
  scripts: readonly string[],
  { v1 }: Bases,
  textIn: (file: string) => string,
): P {
  const hosts = new Set(v1.map((base) => new URL(base).hostname));
  const resources = new Set(moved.flatMap(({ endpoint }) => (endpoint === undefined ? [] : v1Endpoints[endpoint].path.split('/').at(2))));
  if (resources.size === 0) return plan;
  const known = Map.groupBy([...plan.edits, ...plan.ledger.filter(({ reason }) => reason !== 'no-call')], ({ file }) => file);
  const lines = new Map<string, Finding>();
  for (const file of scripts) {
    const text = textIn(file);
    if (!text.includes('/v1') || isTest({ file })) continue;
    const [isWorker, isMade] = [isWorkerIn(file, text), making.test(text)];
    if (!isWorker && !isMade) continue;
    const isKnown = coverOf(known.get(file) ?? []);
    for (const { 0: path, index: start, groups } of text.matchAll(route)) {
      const place = { start, end: start + path.length };
      const resource = groups?.['resource'] ?? '';
      if ((resource !== '' && !resources.has(resource)) || isKnown(place) || isComment(text, start)) continue;
      const line = lineAt(text, start);
      if ((!isWorker && !asked.test(line)) || isOfOthers(line, hosts)) continue;
      const finding: Finding = { code: 'repeats-path', file, ...place, ...positionsOf(text)(start), detail: {} };
      lines.set(`${file}:${finding.line}`, lines.get(`${file}:${finding.line}`) ?? finding);
    }
  }
  const found = [...lines.values()].filter(notReportedBy(plan.findings));
  if (found.length === 0) return plan;
  const isTold = (entry: LedgerEntry): boolean => entry.reason === 'no-call' && lines.has(`${entry.file}:${entry.line}`);
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (isTold(entry) ? { ...entry, state: 'person', reason: 'repeats-path' } : entry)),
    findings: [...plan.findings, ...found].toSorted(byPlace),
  };
}

/** A path in a text or a regular expression: neither one behind a host, nor that of a file. */
const route = /(?<![\w.-]|[\w-]\\)\\?\/v1(?![\w-])(?:\\?\/(?<resource>[\w-]*))?/g;

/** What hears of requests also runs on servers, where paths are its own: only that of a page is installed, or keeps answers by their requests. */
const isWorkerIn = (file: string, text: string): boolean =>
  /['"`]workbox-/.test(text) || (hearing.test(text) && (named.test(file) || installed.test(text)));
const hearing = /\baddEventListener\(\s*['"`]fetch['"`]|\bonfetch\s*=|\bregisterRoute\(/;
const installed = /\b(?:skipWaiting|clients\.claim|caches\.match)\(|\baddEventListener\(\s*['"`](?:install|activate)['"`]/;
const named = /(?:^|[/._-])(?:sw|service-?worker)\b[^/]*$/i;

/** Configuration that a service worker is made from, as `VitePWA({ workbox: { runtimeCaching: [{ urlPattern: … }] } })`: it may hold other paths. */
const making = /\b(?:runtimeCaching|urlPattern)\b/;
const asked = /\b(?:pathname|href|url|urlPattern)\b/;

/** Whether a line asks for the host of somebody else, or for the page's own, beside the path; `hostname.endsWith('example.com')` may be ours. */
function isOfOthers(line: string, hosts: ReadonlySet<string>): boolean {
  const isOurs = (name: string): boolean => [...hosts].some((each) => `.${each}`.endsWith(`.${name}`));
  const said = Array.from(line.replaceAll(unequal, '').matchAll(host), ([, name = '']) => name.toLowerCase());
  return said.length > 0 ? !said.some(isOurs) : ofPage.test(line);
}

const host = /['"`](?:https?:\/\/)?((?:[a-z\d-]+\.)+[a-z]{2,})(?=['"`:/])/gi;
const unequal = /!==?\s*['"`][^'"`]*['"`]/g;
const ofPage = /(?<!!\(\s*(?:\w+\.)*)\borigin\s*===?\s*(?:\w+\.)*location\.origin\b|\blocation\.origin\s*===?|\bsameOrigin\b/;
