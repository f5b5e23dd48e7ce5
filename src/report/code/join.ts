/**
 * Who calls what is still in the code: call sites beside the calls of the record.
 *
 * A client is taken for one that a site makes calls of where it called the endpoint of the site, and either bears the name of the repository, or
 * nothing speaks against it: it does not bear the name of another repository, and its library is not another one. So a site may have more callers
 * than are its own, and "nobody calls it" is never said of one that is called.
 */
import { dayInMs } from '../../contract/times.ts';
import type { ClientRow, EndpointUse, Report } from '../model.ts';
import { iso } from '../period.ts';
import type { Instant, Span } from '../span.ts';
import { evidenceOf, ownNameOf } from './libraries.ts';
import type { CodeFindings, CodeReport, CodeSite, Evidence, FoundSite, UnexplainedUse } from './model.ts';

/** What counts as called now. */
const recentTime = 7 * dayInMs;
/** Callers that are told of a site. */
const mostCallers = 20;

interface Call {
  readonly client: ClientRow;
  readonly use: EndpointUse;
}

/** How sure each evidence is, the surest first. */
const ranks: Readonly<Record<Evidence, number>> = { name: 0, library: 1, endpoint: 2 };

/** A call of an endpoint by whoever is no client of the report. */
export type OtherCall = Pick<EndpointUse, 'endpoint' | 'last'>;

/**
 * Joins what was found in code with who calls.
 * @param others calls of ignored clients, and past the proxies: whose they are is not told, so that no site is idle that may make them
 */
export function joinCode(
  { clients, period }: Pick<Report, 'clients' | 'period'>,
  findings: readonly CodeFindings[],
  others: readonly OtherCall[],
): CodeReport {
  const besides = new Map<string, Instant>();
  for (const { endpoint, last } of others) if (last > (besides.get(endpoint) ?? '')) besides.set(endpoint, last);
  const until = Date.parse(period.until);
  const recent = { since: iso(Math.max(until - recentTime, Date.parse(period.since))), until: period.until };
  const calls = Map.groupBy(
    clients.filter(({ accepted }) => accepted).flatMap((client) => client.endpoints.map((use): Call => ({ client, use }))),
    ({ use }) => use.endpoint,
  );
  const names: ReadonlySet<string> = new Set(findings.map(({ repository }) => plainName(repository)));
  const explained = new Set<EndpointUse>();
  const repositories = findings.map(({ repository, bases, sites }) => {
    const own = plainName(repository);
    const known = new Map<string, readonly Caller[]>();
    const callersOf = ({ endpoint, library }: FoundSite): readonly Caller[] => {
      if (endpoint === null) return [];
      const id = JSON.stringify([endpoint, library]);
      const callers = known.get(id) ?? fittingOf(calls.get(endpoint) ?? [], library, own, names);
      known.set(id, callers);
      return callers;
    };
    return {
      name: repository,
      searched: bases.length > 0,
      sites: sites.map((site) => {
        const callers = callersOf(site);
        for (const { use } of callers) explained.add(use);
        return siteOf(site, callers, besides.get(site.endpoint ?? '') ?? null, { ...recent, period: period.since });
      }),
    };
  });
  return { recent, repositories, unexplained: unexplainedOf([...calls.values()].flat(), explained, recent.since) };
}

interface Caller extends Call {
  readonly evidence: Evidence;
}

/** Those of the calls of an endpoint that code of a repository may make with a library: the surest first, then the latest. */
const fittingOf = (calls: readonly Call[], library: string | null, repository: string, names: ReadonlySet<string>): readonly Caller[] =>
  calls
    .flatMap((call) => {
      const evidence = evidenceFor(call.client, library, repository, names);
      return evidence === undefined ? [] : [{ ...call, evidence }];
    })
    .toSorted((a, b) => ranks[a.evidence] - ranks[b.evidence] || (a.use.last < b.use.last ? 1 : -1));

function evidenceFor(
  { product, name }: ClientRow,
  library: string | null,
  repository: string,
  names: ReadonlySet<string>,
): Evidence | undefined {
  const own = [ownNameOf(product), name].flatMap((text) => (text == null ? [] : plainName(text)));
  if (own.includes(repository)) return 'name';
  return own.some((text) => names.has(text)) ? undefined : evidenceOf(library, product);
}

/** Names are written in several ways: `Billing Sync`, `billing-sync`, `billing_sync`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

function siteOf(
  site: FoundSite,
  callers: readonly Caller[],
  besides: Instant | null,
  { since, period }: Span & { readonly period: Instant },
): CodeSite {
  const last = callers.reduce<Instant | null>((latest, { use }) => (latest === null || use.last > latest ? use.last : latest), null);
  const latest = [last, besides]
    .filter((instant) => instant !== null)
    .toSorted()
    .at(-1);
  const called = latest === undefined || latest < period ? 'never' : latest >= since ? 'called' : 'quiet';
  return {
    ...site,
    callers: callers.slice(0, mostCallers).map(({ client, evidence }) => ({ client: client.id, workspace: client.workspace, evidence })),
    clients: callers.length,
    last,
    besides,
    use: site.endpoint === null ? 'unknown' : called,
  };
}

const unexplainedOf = (calls: readonly Call[], explained: ReadonlySet<EndpointUse>, since: string): readonly UnexplainedUse[] =>
  calls
    .filter(({ use }) => use.last >= since && !explained.has(use))
    .map(({ client, use }) => ({
      client: client.id,
      workspace: client.workspace,
      endpoint: use.endpoint,
      calls: use.calls,
      last: use.last,
    }))
    .toSorted((a, b) => b.calls - a.calls);
