/** What the digest says in words, the same in every form. Nothing is escaped here, and names are other people's text. */
import { dayInMs } from '../../contract/times.ts';
import type { Span } from '../span.ts';
import { count, counted, dateOf, lengthOf, percent, timeOf } from '../text/figures.ts';
import { activeText, inTimeText, missesTitle, missReasonText, pastText } from '../text/burn-down-wording.ts';
import { verdictTitles } from '../text/verdict-wording.ts';
import { announcedText } from '../text/road-wording.ts';
import { clientName, listed, ofText, ownerName, partText, sunsetText } from '../text/wording.ts';
import type { ActiveWeek } from '../burn-down/model.ts';
import type { ClientChange, Digest, FirstStep, LimitAhead, LoggedCaller, PromiseDue, UnknownKey, Whom } from './model.ts';

export interface DigestText {
  readonly title: string;
  readonly verdict: { readonly title: string; readonly text: string };
  readonly facts: readonly Line[];
  readonly sections: readonly DigestSection[];
}

export interface DigestSection {
  readonly title: string;
  /** Whether its lines are to be done one after the other. */
  readonly isOrdered: boolean;
  readonly lines: readonly Line[];
}

/** `name: text`; the name stands out. */
export interface Line {
  readonly name: string;
  readonly text: string;
}

export function digestText(digest: Digest): DigestText {
  const { week, verdict, sunset } = digest;
  return {
    title: `v1 use ${ofText(digest)}from ${dateOf(week.since)} to ${timeOf(week.until)}`,
    verdict: {
      title: verdictTitles[verdict.now],
      text: `${verdictBefore(digest)}; ${sunsetText(sunset)}${partText(digest.of, verdict.now)}`,
    },
    facts: factsOf(digest),
    sections: [
      ...section('Do first', digest.first.map(stepLine), true),
      ...section('Came back', digest.cameBack.map(cameBackLine)),
      ...section('New', [...digest.new.map(newLine), ...digest.newClients.map(newClientLine)]),
      ...section('Unknown keys', digest.unknownKeys.map(unknownLine)),
      ...section('Past the proxies', [...digest.logs.callers.map(loggedLine), ...digest.logs.ended.map(endedLine)]),
      ...section('Gone quiet', [...digest.left.map(leftLine), ...digest.leftClients.map(leftClientLine)]),
      ...section('Limits of v2 that will be met', digest.limits.map(limitLine)),
      ...section(missesTitle, missLines(digest.misses)),
      ...section('Promises due', digest.promises.map(promiseLine)),
      ...section(
        'Brownouts next',
        digest.brownouts.map((brownout) => splitName(brownout.name, announcedText(brownout))),
      ),
    ],
  };
}

const section = (title: string, lines: readonly Line[], isOrdered = false): DigestSection[] =>
  lines.length === 0 ? [] : [{ title, lines, isOrdered }];

function verdictBefore({ verdict }: Digest): string {
  if (verdict.before === null) return 'nothing was recorded a week before';
  return verdict.before === verdict.now ? 'as a week before' : `${verdictTitles[verdict.before]} a week before`;
}

function factsOf({ calling, outlook, logs, comparison, week, before: earlier, changed, first }: Digest): readonly Line[] {
  const { now, before } = calling;
  const { recorded, recordedBefore, comparable } = comparison;
  const shares = `${percent(recorded)} of the week, ${percent(recordedBefore)} of the one before`;
  return [
    { name: 'Calling', text: callingText(now) },
    ...(before === null ? [] : [{ name: 'A week before', text: callingText(before) }]),
    ...(logs.calls.length === 0 ? [] : [{ name: 'Besides', text: pastText(logs) }]),
    { name: 'In time', text: inTimeText(outlook, logs) },
    { name: 'Record', text: comparable ? shares : `${shares}. ${cannotCompare(comparison, earlier)}` },
    ...(changed
      ? []
      : [{ name: 'Nothing new', text: `since ${dateOf(week.since)}${first.length === 0 ? '' : '; what is left stands below'}` }]),
  ];
}

function cannotCompare({ recordedSince, needed }: Digest['comparison'], earlier: Span): string {
  if (recordedSince === null) return 'Nothing was ever recorded: start the proxy with this --store';
  const why = `The weeks cannot be compared, as ${percent(needed)} of each is needed: who is new, or has stopped, may be missing here`;
  const begun = `the record began on ${dateOf(recordedSince)}`;
  return `${why}; ${recordedSince > earlier.since ? begun : 'see that a proxy records all the time'}`;
}

/** The week is that of the calendar up to now, and so a bit longer than the one before: calls are told of a day. */
function callingText(week: ActiveWeek): string {
  const days = (Date.parse(week.until) - Date.parse(week.since)) / dayInMs;
  return `${activeText(week)}${week.calls === 0 ? '' : `; ${perDay(week.calls / days)} a day`}`;
}

const perDay = (calls: number): string => (calls > 0 && calls < 1 ? 'less than 1 v1 call' : counted(Math.round(calls), 'v1 call'));

/** ` (Ada <ada@acme.test>)` */
function whom(row: Pick<Whom, 'owner' | 'contact'>): string {
  const owner = ownerName(row);
  return owner === '' ? '' : ` (${owner})`;
}

function stepLine(step: FirstStep): Line {
  switch (step.step) {
    case 'ask_why_back':
      return { name: step.workspace, text: `had stopped and calls again: ask what changed${whom(step)}` };
    case 'ask_promise':
      return { name: step.workspace, text: `promised ${dateOf(step.until)} and still calls: ask for a new date${whom(step)}` };
    case 'name_key': {
      const whose = step.probably.length === 0 ? 'find out whose it is' : `ask whether it is of ${listed(step.probably)}`;
      return { name: step.name, text: `calls with a key that nobody knows: ${whose}, and add hash:${step.hash} to its workspace` };
    }
    case 'send_through_proxy': {
      const who = step.names.length === 0 ? '' : `, ${listed(step.names)} among them`;
      const what = `called v1 past the proxies${who}: see where, and send them through one`;
      return { name: listed(step.sources), text: `${counted(step.clients, 'client')} ${what}` };
    }
    case 'import_logs':
      return {
        name: step.name,
        text: `its access logs end on ${dateOf(step.until)}: import newer ones, or forget it if nothing passes there`,
      };
    case 'announce_brownout':
      return { name: step.name, text: `begins on ${timeOf(step.since)}: tell those whom it will refuse` };
    case 'ask_newcomer':
      return { name: step.workspace, text: `began to call v1: ask to begin with v2${whom(step)}` };
    case 'plan_limit':
      return { name: step.workspace, text: `would now exceed its hourly limit on v2: ${planAdvice(step.smallestPlan)}${whom(step)}` };
    case 'call_busiest':
      return { name: step.workspace, text: `makes the most calls, ${count(step.calls)} in the week: talk to its owner next${whom(step)}` };
    case 'mend_record':
      return { name: 'The record', text: 'has gaps in this week: see that a proxy records all the time, or no verdict will be SAFE' };
    case 'switch_off':
      return { name: 'v1', text: 'can be switched off: read what the verdict takes for granted in migrate-v2 report' };
  }
}

const planAdvice = (smallestPlan: string | null): string => (smallestPlan === null ? 'call less' : `call less, or take ${smallestPlan}`);

type Row<List extends 'cameBack' | 'new' | 'left'> = Digest[List][number];

const cameBackLine = (row: Row<'cameBack'>): Line => ({
  name: row.workspace,
  text: `was quiet for ${lengthOf(row.quiet)}${row.wasSafe ? ', and SAFE' : ''}; calls again since ${dateOf(row.since)}: ${counted(row.calls, 'call')}${whom(row)}`,
});

const newLine = (row: Row<'new'>): Line => ({
  name: row.workspace,
  text: `calls v1 since ${timeOf(row.first)}: ${counted(row.calls, 'call')}${whom(row)}`,
});

const fromNetwork = ({ network }: Pick<ClientChange, 'network'>): string => (network === null ? '' : ` from ${network}`);

const newClientLine = (row: ClientChange): Line => ({
  name: row.workspace,
  text: `a new client, ${clientName(row)}${fromNetwork(row)}, since ${timeOf(row.first)}${whom(row)}`,
});

const leftLine = (row: Row<'left'>): Line => ({
  name: row.workspace,
  text: `quiet since ${timeOf(row.last)}${row.probably.length === 0 ? '' : `; probably calls now under ${listed(row.probably)}`}${whom(row)}`,
});

const leftClientLine = (row: ClientChange): Line => ({
  name: row.workspace,
  text: `its client ${clientName(row)}${fromNetwork(row)}, quiet since ${timeOf(row.last)}; others of it go on`,
});

const unknownLine = (key: UnknownKey): Line => ({
  name: key.name,
  text: [
    `hash:${key.hash}, ${key.isNew ? `new since ${timeOf(key.first)}` : `known since ${dateOf(key.first)}`}, ${counted(key.calls, 'call')}`,
    ...(key.products.length === 0 ? [] : [`as ${listed(key.products)}`]),
    ...(key.networks.length === 0 ? [] : [`from ${listed(key.networks)}`]),
    ...(key.probably.length === 0 ? [] : [`probably of ${listed(key.probably)}`]),
  ].join('; '),
});

const limitLine = (row: LimitAhead): Line => ({
  name: row.workspace,
  text: `up to ${counted(row.v2Calls, 'v2 call')} in 60 minutes, ${row.plan} allows ${count(row.perHour)}${row.fit === 'depends' ? ', depending on how v2 counts an hour' : ''}; ${row.isNew ? 'new' : 'as a week before'}${row.smallestPlan === null ? '' : `; fits ${row.smallestPlan}`}${whom(row)}`,
});

/** As many as are read; of a long list the surest. */
const mostMisses = 5;

function missLines(misses: Digest['misses']): readonly Line[] {
  const more = misses.length - mostMisses;
  const lines = misses.slice(0, mostMisses).map((miss) => ({ name: miss.workspace, text: `${missReasonText(miss)}${whom(miss)}` }));
  return more > 0 ? [...lines, { name: `${count(more)} more`, text: 'migrate-v2 report names them' }] : lines;
}

const loggedLine = (row: LoggedCaller): Line => ({
  name: row.workspace ?? 'no key',
  text: `${row.product}${fromNetwork(row)}, the last time on ${timeOf(row.last)}${row.isNew ? ', new' : ''} (access logs: ${row.source})${whom(row)}`,
});

const endedLine = ({ name, until }: Digest['logs']['ended'][number]): Line => ({
  name,
  text: `access logs with such calls end on ${timeOf(until)}: nobody can say who calls since`,
});

const promiseLine = (row: PromiseDue): Line => ({
  name: row.workspace,
  text: `promised ${dateOf(row.until)}${row.overdue ? ', which is over' : ''}; ${row.calls === 0 ? 'quiet' : counted(row.calls, 'call')} this week${row.note === null ? '' : `: ${row.note}`}${whom(row)}`,
});

/** A sentence that begins with the name of what it is about. */
const splitName = (name: string, text: string): Line => ({ name, text: text.slice(name.length + 2) });
