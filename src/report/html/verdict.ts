/** The top of the report: may v1 be switched off, what is in the way, and the few figures that everybody asks for. */
import type { Report, Usage } from '../model.ts';
import type { Verdict } from '../verdict-model.ts';
import { changed, count, counted, dateOf, percent } from '../text/figures.ts';
import { byOrigin } from '../text/remarks.ts';
import { blockerText, conditionText, verdictText, verdictTitles } from '../text/verdict-wording.ts';
import { emptyText, lastCallText, roadText, sunsetText } from '../text/wording.ts';
import { shareOf } from './cells.ts';
import { type Content, type Html, html } from './escape.ts';

/** As a sentence of its own; v1 stays v1. */
export function sentence(text: string): string {
  const first = /^v\d/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${first}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}

/** The state of a verdict, in words and colour. */
export const pill = ({ state }: Verdict): Html => html`<span class="pill ${state}">${verdictTitles[state]}</span>`;

const headlines = {
  safe: 'v1 can be switched off',
  not_yet: 'v1 cannot be switched off yet',
  unknown: 'Nobody can tell whether v1 can be switched off',
} as const satisfies Record<Verdict['state'], string>;

export function verdictSection(report: Report): Html {
  const { verdict, total } = report;
  const road = roadText(total.outcomes);
  // An empty store is a blocker, and told there.
  const empty = report.coverage.recordedSince === null ? undefined : emptyText(report);
  return html`<section id="verdict" aria-labelledby="verdict-title">
    <div class="verdict ${verdict.state}">
      ${pill(verdict)}
      <h2 id="verdict-title">${headlines[verdict.state]}</h2>
      ${verdict.state !== 'not_yet' && html`<p>${sentence(verdictText(verdict))}</p>`}
      ${
        verdict.blockers.length > 0 &&
        html`<ul>
          ${verdict.blockers.map((blocker) => html`<li>${sentence(blockerText(blocker, report))}</li>`)}
        </ul>`
      }
      ${
        verdict.conditions.length > 0 &&
        html`<ul class="muted">
          ${verdict.conditions.map((condition) => html`<li>${sentence(conditionText(condition))}</li>`)}
        </ul>`
      }
      <p class="muted">Last v1 call: ${lastCallText(report)}.</p>
      ${road !== undefined && html`<p class="muted">Of the v1 calls, ${road}.</p>`}
    </div>
    ${empty !== undefined && html`<p class="empty">${sentence(empty)}</p>`} ${tiles(report)}
  </section>`;
}

const calling = (rows: readonly { readonly usage: Usage }[]): number => rows.filter(({ usage }) => usage.calls > 0).length;

function tiles(report: Report): Html {
  const { total, sunset, clients, coverage, before } = report;
  const { unknown, known, refused } = byOrigin(report);
  const [unknownKeys, workspaces] = [calling(unknown), calling([...unknown, ...known])];
  const who = workspaces === 0 ? 'nobody' : unknownKeys === 0 ? 'all of them known' : `${counted(unknownKeys, 'unknown key')} among them`;
  const besides = calling(refused) === 0 ? '' : `; besides ${counted(calling(refused), 'key')} that v2 never accepted`;
  const errors = total.errors.client + total.errors.server + total.errors.aborted;
  const change = changed(total.change);
  return html`<dl class="tiles">
    ${tile('v1 calls', count(total.calls), change === '' || before === null ? 'the time before was not recorded' : `${change} on the time before`)}
    ${tile('Days to the sunset', sunset.passed ? 'passed' : count(sunset.days), sunsetText(sunset))}
    ${tile('Workspaces calling', count(workspaces), `${who}${besides}`)}
    ${tile('Clients calling', count(calling(clients.filter(({ accepted }) => accepted))), total.last === null ? 'nobody' : `last call ${dateOf(total.last)}`)}
    ${tile('Errors', total.calls === 0 ? '–' : percent(errors / total.calls), `${counted(errors, 'call')} answered with an error, or left`)}
    ${tile('Recorded', shareOf(coverage.share, 1), 'of the period')}
  </dl>`;
}

const tile = (title: string, figure: Content, note: Content): Html => html`<div>
  <dt>${title}</dt>
  <dd>${figure}</dd>
  <dd>${note}</dd>
</div> `;
