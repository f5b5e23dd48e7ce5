/** What there is to say of call sites in code, a sentence each; unescaped, as in wording.ts. */
import { unlisted } from '../../contract/endpoints.ts';
import type { CodeReport, CodeRepository, CodeSite } from '../code/model.ts';
import type { ClientRow, Report } from '../model.ts';
import { ago, count, counted, dateOf, timeOf } from './figures.ts';
import { clientName } from './wording.ts';

export const codeTitle = 'In the code';
export const unexplainedTitle = 'Called by no code that is known';

/** Sites and callers that a sentence names. */
const mostNamed = 5;

/** `src/send.ts:41` */
export const siteText = ({ file, line }: Pick<CodeSite, 'file' | 'line'>): string => (line === null ? file : `${file}:${line}`);

export const siteStates: Readonly<Record<CodeSite['state'], string>> = { found: 'calls v1', moved: 'rewritten', left: 'left to a person' };
export const siteUses: Readonly<Record<CodeSite['use'], string>> = {
  called: 'now',
  quiet: 'before',
  never: 'not in the period',
  unknown: 'not known',
};

const callerText = (client: ClientRow): string =>
  client.workspace === null ? clientName(client) : `${clientName(client)} of ${client.workspace}`;

/** What to know of each repository, and to do about it. */
export function codeRemarks(report: Report): readonly string[] {
  const { code } = report;
  if (code === undefined) return [];
  const clients = new Map(report.clients.map((client) => [client.id, client]));
  return code.repositories.flatMap((repository) => repositoryRemarks(repository, report, clients));
}

function repositoryRemarks(
  { name, searched, sites }: CodeRepository,
  report: Report,
  clients: ReadonlyMap<number, ClientRow>,
): readonly string[] {
  if (!searched) return [`${name}: the run knew no base of v1, and so no call of it: find them anew with --v1-base`];
  if (sites.length === 0) return [`${name}: no call of v1 was found in it`];
  const found = sites.filter(({ state }) => state !== 'moved');
  const moved = sites.filter(({ state, use }) => state === 'moved' && use === 'called');
  const of = (use: CodeSite['use']): readonly CodeSite[] => found.filter((site) => site.use === use);
  const called = (site: CodeSite): string => `${siteText(site)} (${calledText(site, report, clients)})`;
  const [now, quiet, never, unknown] = [of('called'), of('quiet'), of('never'), of('unknown')];
  const since = sinceText(report);
  return [
    ...(found.length === 0
      ? [`${name}: nothing in it calls v1 any more`]
      : [
          now.length === 0
            ? `${name}: none of ${counted(found.length, 'site')} was called in the last 7 days`
            : `${count(now.length)} of ${counted(found.length, 'site')} of ${name} ${now.length === 1 ? 'is' : 'are'} still called: ${listed(now, called)}`,
        ]),
    ...told(quiet, (names) => `${name}: called since ${since}, and not in the last 7 days: ${names}`),
    ...told(never, (names) => `${name}: nobody has called since ${since}: ${names}`),
    ...told(unknown, (names) => `${name}: which endpoint is called cannot be told from the code: ${names}`),
    ...told(moved, (names) => `${name}: rewritten, and still called as v1: deploy it, or others call: ${names}`),
  ];
}

/** Since when nobody's silence means anything. */
function sinceText({ period, coverage: { recordedSince } }: Report): string {
  if (recordedSince === null) return `${dateOf(period.since)}, of which nothing was recorded`;
  return recordedSince > period.since ? `${timeOf(recordedSince)}, when the record began` : dateOf(period.since);
}

const told = (sites: readonly CodeSite[], text: (names: string) => string): readonly string[] =>
  sites.length === 0 ? [] : [text(listed(sites, siteText))];

function listed(sites: readonly CodeSite[], text: (site: CodeSite) => string): string {
  const more = sites.length - mostNamed;
  return `${sites.slice(0, mostNamed).map(text).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

function calledText(
  { endpoint, last, besides, callers, clients: all }: CodeSite,
  { period }: Report,
  clients: ReadonlyMap<number, ClientRow>,
): string {
  const first = callers.map(({ client }) => clients.get(client)).find((client) => client !== undefined);
  const latest = [last, besides]
    .filter((instant) => instant !== null)
    .toSorted()
    .at(-1);
  const when = latest === undefined ? 'never' : ago(latest, period.until);
  // Whose these calls are is not told: the site may make them.
  const others = besides !== null && latest === besides && besides !== last;
  const more = all - 1;
  const by = others
    ? ' by an ignored client or past the proxies'
    : first === undefined
      ? ''
      : ` by ${callerText(first)}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
  return `${endpoint ?? unlisted}, ${when}${by}`;
}

/** Calls that no site explains: of code that nobody has searched. */
export function unexplainedRemarks(report: Report): readonly string[] {
  const { unexplained }: Pick<CodeReport, 'unexplained'> = report.code ?? { unexplained: [] };
  const clients = new Map(report.clients.map((client) => [client.id, client]));
  return unexplained.flatMap(({ client: id, endpoint, calls, last }) => {
    const client = clients.get(id);
    return client === undefined
      ? []
      : [`${callerText(client)}: ${endpoint}, ${counted(calls, 'call')}, the last ${ago(last, report.period.until)}`];
  });
}
