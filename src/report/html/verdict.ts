/** The top of the report: may v1 be switched off, what is in the way, whom to call first, and the few figures that everybody asks for. */
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import { unlisted } from '../../contract/endpoints.ts';
import { pastProxies } from '../logs/past.ts';
import { isLeftAlone } from '../marks.ts';
import type { Report, WorkspaceRow } from '../model.ts';
import type { Blocker, Verdict } from '../verdict-model.ts';
import { inTimeText, isTold } from '../text/burn-down-wording.ts';
import { count, counted, dateOf, lengthOf, percent } from '../text/figures.ts';
import { byOrigin } from '../text/remarks.ts';
import { blockerText, conditionText, verdictText, verdictTitles } from '../text/verdict-wording.ts';
import { emptyText, ownerName, roadText, sunsetText } from '../text/wording.ts';
import { shareOf } from './cells.ts';
import { type Context, linked } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { said, sentence } from './sentence.ts';
import { chased } from './chase.ts';

/** The state of a verdict, in words and colour. */
export const pill = ({ state }: Verdict): Html => html`<span class="pill ${state}">${verdictTitles[state]}</span>`;

const headlines = {
  safe: 'v1 can be switched off',
  not_yet: 'v1 cannot be switched off yet',
  unknown: 'Nobody can tell whether v1 can be switched off',
} as const satisfies Record<Verdict['state'], string>;

/** Of a part of those who call; nothing of v1 as a whole. */
const partialHeadlines = {
  safe: (who) => `${who ?? 'What is shown'} has stopped using v1`,
  not_yet: (who) => `${who ?? 'What is shown'} still uses v1`,
  unknown: (who) => `Nobody can tell whether ${who ?? 'what is shown'} has stopped using v1`,
} as const satisfies Record<Verdict['state'], (who: string | undefined) => string>;

function headline(report: Report): Html {
  const { verdict, of, search, workspaces } = report;
  if (of === null) return html`${headlines[verdict.state]}`;
  const [row] = search === undefined && of.length === 1 ? workspaces : [];
  if (verdict.state === 'not_yet' && row?.lastSeen != null && isQuiet(row))
    return named(`${row.name} has been quiet since ${dateOf(row.lastSeen)}, and is not SAFE yet`);
  return named(partialHeadlines[verdict.state](row?.name));
}

/** Whether nothing is known of a call in the last seven days, under any key or past the proxies. */
const isQuiet = ({ now, verdict }: WorkspaceRow): boolean =>
  now.calls === 0 && !verdict.blockers.some(({ code }) => callElsewhere.has(code));
const callElsewhere: ReadonlySet<Blocker['code']> = new Set(['moved_calls', 'logged_calls', 'ended_logs', 'later_calls']);

export function verdictSection(context: Context): Html {
  const { report } = context;
  const { verdict, total } = report;
  const road = roadText(total.outcomes);
  // An empty store is a blocker, and told there.
  const empty = report.coverage.recordedSince === null ? undefined : emptyText(report);
  return html`<section id="verdict" aria-labelledby="verdict-title">
    <div class="verdict ${verdict.state}">
      ${pill(verdict)}
      <h2 id="verdict-title">${headline(report)}</h2>
      ${verdict.state !== 'not_yet' && html`<p>${sentence(verdictText(verdict))}</p>`}
      <dl class="answers">
        ${verdict.blockers.length > 0 && answer('In the way', blockers(context))} ${first(context)}
        ${total.calls > 0 && answer('Will it be in time?', inTime(context))}
        ${verdict.state === 'safe' && answer('By these criteria', criteria(verdict))}
      </dl>
      ${
        verdict.conditions.length > 0 &&
        html`<details id="conditions" ${verdict.state === 'safe' && html`open`}>
          <summary>What this takes for granted</summary>
          <ul class="muted">
            ${verdict.conditions.map((condition) => html`<li>${said(conditionText(condition))}</li>`)}
            ${road !== undefined && html`<li>Of the v1 calls, ${road}.</li>`}
          </ul>
        </details>`
      }
    </div>
    ${empty !== undefined && html`<p class="empty">${sentence(empty)}</p>`} ${report.clients.length > 0 && tiles(context)}
  </section>`;
}

const answer = (question: string, content: Content): Html =>
  html`<dt>${question}</dt>
    <dd>${content}</dd> `;

const blockers = ({ report }: Context): Html =>
  html`<ul>
    ${report.verdict.blockers.map((blocker) => html`<li>${said(blockerText(blocker, report))}</li>`)}
  </ul>`;

/** When the last one may be expected to stop, and who will not have by the sunset. */
function inTime({ report }: Context): Html {
  const { misses } = report.burnDown;
  return html`${said(inTimeText(report.burnDown.outlook, pastProxies(report.verdict.blockers)))}${
    misses.length > 0 &&
    html` <a href="#burn-down-section">${counted(misses.length, 'workspace')}</a>, each by itself, ${misses.length === 1 ? 'is' : 'are'}
      more likely than not to miss it${misses.some(({ promised }) => promised !== null) && ', or promised otherwise'}.`
  }`;
}

/** What SAFE was said by, so that nobody has to believe it. */
const criteria = ({ criteria: { rarestJob, quiet, record }, coverage, window }: Verdict): Html =>
  html`<ul>
    <li>
      Every client has been quiet for as long as it must be: for 14 days, for as long as its rarest job may pause, and for twice its own
      longest pause; that is ${lengthOf(quiet)} at most.
    </li>
    <li>Every job of anybody runs at least every ${lengthOf(rarestJob)}: if one does not, say so with <code>--rarest-job</code>.</li>
    <li>The record is ${lengthOf(record)} long or longer, and has no gap that could have hidden a caller.</li>
    <li>Of the time since ${dateOf(window.since)}, ${percent(coverage)} was recorded.</li>
  </ul>`;

/** Whom to call first, and about what; nobody where nobody called lately, or all who did are left alone for now. */
function first(context: Context): readonly Html[] {
  const { report } = context;
  const { unknown, known } = byOrigin(report);
  const alone = report.of?.length === 1;
  const [row] = chased([...unknown, ...known].filter(({ now, mark }) => now.calls > 0 && (alone || !isLeftAlone(mark))));
  if (row === undefined || row.verdict.state === 'safe') return [];
  const name = linked(row.name, context);
  const calls = `${counted(row.now.calls, 'call')} in the last 7 days`;
  const isUnknown = row.origin === 'unknown';
  return [
    answer(
      isUnknown ? 'Find out first' : alone ? 'Call' : 'Call first',
      html`${isUnknown && 'whose key this is: '}${name}${ownerName(row) !== '' && html` – ${named(ownerName(row))}`}, ${calls}.`,
    ),
    ...(row.endpoints.length === 0 ? [] : [answer('Tell them', change(row, report.sunset))]),
  ];
}

function change({ endpoints: all }: WorkspaceRow, { at, passed }: Report['sunset']): Html {
  const listed = all.filter(({ endpoint }) => endpoint !== unlisted);
  const endpoints = listed.length === 0 ? all : listed;
  const [most] = endpoints;
  const more = endpoints.length - 1;
  const header = html`the header <code>${v1Auth.field}</code> becomes <code>${v2Auth.fieldName}: ${v2Auth.scheme}</code>`;
  return html`${passed ? 'v1 is switched off: ' : `By ${dateOf(at)}, `}<code>${most?.endpoint}</code>
    ${most?.successor == null ? 'must go' : html`becomes <code>${most.successor}</code>`}${more > 0 && `, with ${counted(more, 'more endpoint')}`},
    and ${header}.`;
}

function tiles({ report }: Context): Html {
  const { total, sunset, coverage, burnDown } = report;
  const { now, before } = burnDown;
  const { refused } = byOrigin(report);
  const errors = total.errors.client + total.errors.server + total.errors.aborted;
  const unknown = now.unknownKeys === 0 ? '' : `, ${counted(now.unknownKeys, 'unknown key')} among them`;
  const besides = refused.length === 0 ? '' : `; besides ${counted(refused.length, 'key')} that v2 never accepted`;
  return html`<dl class="tiles">
    ${report.of?.length !== 1 && tile('Workspaces calling now', count(now.workspaces), `${since(now.workspaces, before.workspaces, before)}${unknown}${besides}`)}
    ${tile('Clients calling now', count(now.clients), since(now.clients, before.clients, before))}
    ${tile('Days to the sunset', sunset.passed ? 'passed' : count(sunset.days), sunsetText(sunset))}
    ${tile('v1 calls in 7 days', count(now.calls), since(now.calls, before.calls, before))}
    ${tile('Errors', total.calls === 0 ? '–' : percent(errors / total.calls), `${count(errors)} of ${counted(total.calls, 'call')} of the period`)}
    ${tile('Recorded', shareOf(coverage.share, 1), 'of the period')}
  </dl>`;
}

/** Beside a week that was not recorded there is nothing to compare with. */
function since(now: number, before: number, week: Report['burnDown']['before']): string {
  if (!isTold(week)) return 'the week before was not recorded';
  if (now === before) return 'as many as the week before';
  return `${count(Math.abs(now - before))} ${now < before ? 'fewer' : 'more'} than the week before`;
}

const tile = (title: string, figure: Content, note: Content): Html => html`<div>
  <dt>${title}</dt>
  <dd>${figure}</dd>
  <dd>${note}</dd>
</div> `;
