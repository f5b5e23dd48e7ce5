/** What a letter says, made of the report of one customer alone: so it can tell of nobody else, and our own notes have no place in it. */
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import { endpointIds, labelOf, unlisted, v1Endpoints, v2Endpoints } from '../../contract/endpoints.ts';
import type { ClientRow, EndpointUse, LimitFit, Report, WorkspaceRow } from '../model.ts';
import { unnamed } from '../../usage/client-product.ts';
import { clientName } from '../text/wording.ts';
import type { LogClientRow } from '../logs/model.ts';
import type { RecentCalls } from '../own/recent.ts';
import type { Scope } from './template.ts';

export interface LetterOptions {
  /** As in `lang`. */
  readonly language: string;
  /** Whom to answer to. */
  readonly replyTo: string | null;
}

/** A letter names so many clients, and no more of a name. */
const mostClients = 50;
const longestName = 200;

const command = 'npx migrate-v2 ./src';

interface Formats {
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
  readonly dateTime: Intl.DateTimeFormat;
}

const formats = new Map<string, Formats>();

/** They take longer to make than a letter. */
function formatsOf(language: string): Formats {
  const known = formats.get(language);
  if (known !== undefined) return known;
  // Of the customs of English, those with 24 hours.
  const locale = language === 'en' ? 'en-GB' : language;
  const timed = { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
  const made = {
    number: new Intl.NumberFormat(locale),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(locale, timed),
    dateTime: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...timed }),
  };
  formats.set(language, made);
  return made;
}

/**
 * What templates are filled with.
 * @param report of this workspace alone
 */
export function letterOf(report: Report, row: WorkspaceRow, recent: RecentCalls, { language, replyTo }: LetterOptions) {
  const { number, date, time, dateTime } = formatsOf(language);
  const day = (instant: string): string => date.format(new Date(instant));
  const at = (instant: string): string => `${dateTime.format(new Date(instant))} UTC`;
  const ofWeek = (calls: number | undefined): string => number.format(calls ?? 0);

  const calling = [
    ...report.clients
      .filter(({ accepted, quiet }) => accepted && quiet.duration < quiet.needed)
      .map((client: ClientRow) => ({
        client: cut(shownName(client)),
        calls: ofWeek(recent.clients.get(client.id)),
        last: client.lastSeen === null ? '–' : at(client.lastSeen),
        networks: cut(client.sources.map(({ network }) => network).join(', ')),
      })),
    ...loggedClients(report).map(({ product, network, last }) => ({
      client: cut(unnamed.test(product) ? '' : product),
      calls: ofWeek(callsIn(recent.logged.filter(({ caller }) => caller.client === product && caller.network === (network ?? '')))),
      last: at(last),
      networks: cut(network ?? ''),
    })),
  ];
  const clients = calling.slice(0, mostClients);
  const calls = row.now.calls + callsIn(recent.logged);
  const last = [row.lastSeen, row.logged?.last].reduce<string>(
    (latest, instant) => (instant != null && instant > latest ? instant : latest),
    '',
  );
  const uses = withLogged(row.endpoints, report).flatMap((use) => {
    const facts = factsOf(use);
    return facts === undefined ? [] : [{ ...facts, calls: ofWeek(recent.endpoints.get(use.endpoint)), last: at(use.last) }];
  });
  const others = row.endpoints.filter(({ endpoint }) => endpoint === unlisted);
  const brownouts = (report.rollout?.announced ?? []).map(({ since, until, status }) => ({ from: at(since), until: at(until), status }));
  return {
    language,
    workspace: cut(row.name),
    made: day(report.made),
    sunset: day(report.sunset.at),
    sunsetTime: `${time.format(new Date(report.sunset.at))} UTC`,
    days: number.format(Math.max(0, report.sunset.days)),
    passed: report.sunset.passed,
    calls: calls === 0 ? '' : number.format(calls),
    last: last === '' ? '' : at(last),
    hasClients: clients.length > 0,
    clients,
    moreClients: calling.length > mostClients ? number.format(calling.length - mostClients) : '',
    hasEndpoints: uses.length > 0,
    endpoints: uses,
    unlisted: others.map(() => ({ calls: ofWeek(recent.endpoints.get(unlisted)) })),
    polling: row.polling.flatMap(({ endpoint, webhook }) => (webhook?.event == null ? [] : [{ endpoint, event: webhook.event }])),
    limits: limitsOf(row.limit, number, at),
    hasBrownouts: brownouts.length > 0,
    brownouts,
    v1Field: v1Auth.field,
    v2Field: v2Auth.fieldName,
    v2Scheme: v2Auth.scheme,
    command,
    replyTo: replyTo ?? '',
  } satisfies Scope;
}

const callsIn = (uses: RecentCalls['logged']): number => uses.reduce((calls, use) => calls + use.calls, 0);

/** Who called past the proxies, as access logs show, each once. */
function loggedClients({ logs = [] }: Report): readonly LogClientRow[] {
  const served = logs.flatMap(({ busiest }) => busiest).filter(({ calls, refused }) => calls > refused);
  return [...Map.groupBy(served, ({ product, network }) => JSON.stringify([product, network])).values()].flatMap((rows) =>
    rows.toSorted((a, b) => b.last.localeCompare(a.last)).slice(0, 1),
  );
}

/** Endpoints that were called through the proxies, or past them. */
function withLogged(endpoints: readonly EndpointUse[], { logs = [] }: Report): readonly Pick<EndpointUse, 'endpoint' | 'last'>[] {
  const all = [...endpoints, ...logs.flatMap((log) => log.endpoints)];
  return [...Map.groupBy(all, ({ endpoint }) => endpoint).values()].flatMap((uses) =>
    uses.toSorted((a, b) => b.last.localeCompare(a.last)).slice(0, 1),
  );
}

/** What can stand in a letter, for looking at templates before there is one: lists have one item. */
export const shape = {
  language: '',
  workspace: '',
  made: '',
  sunset: '',
  sunsetTime: '',
  days: '',
  passed: true,
  calls: '',
  last: '',
  hasClients: true,
  clients: [{ client: '', calls: '', last: '', networks: '' }],
  moreClients: '',
  hasEndpoints: true,
  endpoints: [{ v1: '', v2: '', purpose: '', calls: '', last: '' }],
  unlisted: [{ calls: '' }],
  polling: [{ endpoint: '', event: '' }],
  limits: [{ plan: '', perHour: '', peak: '', peakAt: '', fits: true, exceeds: true, depends: true }],
  hasBrownouts: true,
  brownouts: [{ from: '', until: '', status: 0 }],
  v1Field: '',
  v2Field: '',
  v2Scheme: '',
  command: '',
  replyTo: '',
} satisfies { readonly [Name in keyof ReturnType<typeof letterOf>]: Scope[string] };

/** Nothing for a client that is told apart by a hash: that says nothing to anybody. */
const shownName = (client: ClientRow): string => (unnamed.test(client.product) ? (client.name ?? '') : clientName(client));

const cut = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName).toWellFormed()}…` : text);

const v1ByLabel = new Map(endpointIds(v1Endpoints).map((id) => [labelOf(v1Endpoints[id]), v1Endpoints[id]]));

/** What the contract says of an endpoint that was called; undefined for what is none. */
function factsOf({ endpoint }: Pick<EndpointUse, 'endpoint'>) {
  const row = v1ByLabel.get(endpoint);
  if (row === undefined) return undefined;
  const successor = v2Endpoints[row.successor];
  return { v1: endpoint, v2: labelOf(successor), purpose: successor.purpose };
}

/** Nothing without a plan whose limit is known. */
function limitsOf({ limit, sliding, clockHour, fit }: LimitFit, number: Intl.NumberFormat, at: (instant: string) => string) {
  if (limit?.perHour == null) return [];
  const peak = sliding ?? clockHour;
  return [
    {
      plan: limit.plan,
      perHour: number.format(limit.perHour),
      peak: peak === null ? '' : number.format(peak.v2Calls),
      peakAt: peak === null ? '' : at(peak.since),
      fits: fit === 'fits' && peak !== null,
      exceeds: fit === 'exceeds',
      depends: fit === 'depends',
    },
  ];
}
