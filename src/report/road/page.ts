/** A roll-out as a page of the admin listener: it follows from the state of the proxy at this moment, and needs no script. */
import { time } from '../html/cells.ts';
import { type Content, type Html, html, named } from '../html/escape.ts';
import { type Column, table } from '../html/table.ts';
import { sentence } from '../html/sentence.ts';
import { count, timeOf } from '../text/figures.ts';
import { type RuleRow, ruleRows } from './columns.ts';
import type { BrownoutView, RoadView, StepView, Use } from './model.ts';
import { countedText, overlapText, refusedText, standingTexts, stageText, stepText, whenText } from './wording.ts';

export interface RoadPageOptions {
  /** Whether whoever sees the page may change the roll-out: they have shown the token. */
  readonly mayAct: boolean;
  /** Whether there is a page about usage. */
  readonly hasUsage: boolean;
}

/** Rows of a table at most. */
const mostRows = 200;

/** What the page has besides the style of the report: its bar and its buttons. */
export const roadStyle = `
.bar nav { max-width: 73.5rem; margin: 0 auto; display: flex; flex-wrap: wrap; gap: .4rem 1.25rem }
.bar nav [aria-current] { color: var(--text); font-weight: 600; text-decoration: none }
.verdict form { margin-top: 1rem }
main form button { font: inherit; font-weight: 600; color: var(--text); background: var(--page); border: 1px solid var(--muted); border-radius: 6px; padding: .4rem .9rem; cursor: pointer }
main form button:hover { border-color: var(--text) }
main form button.stop { color: var(--not_yet); border-color: var(--not_yet) }
table form { margin-top: .4rem }
table form button { font-size: .85rem; padding: .15rem .6rem; white-space: nowrap }
table form button::after { content: none }
`;

export const roadPage = (view: RoadView, options: RoadPageOptions): string =>
  `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${headline(view)} · roll-out</title>
        <link rel="icon" href="rollout/icon.svg" />
        <link rel="stylesheet" href="rollout/style.css" />
      </head>
      <body>
        <div class="bar">
          <nav aria-label="Pages">
            ${options.hasUsage && html`<a href="usage">Usage</a>`} <a href="rollout" aria-current="page">Roll-out</a>
          </nav>
        </div>
        <main>${sections(view, options)}</main>
      </body>
    </html> `}`;

const sections = (view: RoadView, options: RoadPageOptions): Content => [
  html`<header class="top">
    <h1>Roll-out</h1>
    <p>${view.proxy !== null && html`${named(view.proxy)} · `}as of ${time(view.made)} UTC · <a href="rollout">look again</a></p>
  </header>`,
  standing(view, options),
  rules(view, options),
  brownouts(view, options),
  steps(view),
  html`<footer id="footer">
    <p>Instants are in UTC. The same for a program: <a href="rollout.json">rollout.json</a>.</p>
  </footer>`,
];

function headline({ stopped, gone, atSunset, rules }: RoadView): string {
  if (gone && atSunset === 'translate') return 'v1 is gone: v2 answers';
  if (stopped !== null) return 'Stopped: v1 answers every call';
  return rules.some(({ tripped }) => tripped !== null) ? 'A rule is taken back' : 'The rules hold';
}

function standing(view: RoadView, options: RoadPageOptions): Html {
  const texts = standingTexts(view);
  const state = view.stopped !== null ? 'not_yet' : texts.length > 0 ? 'unknown' : 'safe';
  const stop = button('stop', undefined, 'Stop: let v1 answer every call', 'stop');
  return html`<section id="standing" aria-labelledby="standing-title">
    <div class="verdict ${state}">
      <h2 id="standing-title">${headline(view)}</h2>
      ${texts.length === 0 ? html`<p>Nothing is stopped or taken back.</p>` : texts.map((text) => html`<p>${sentence(text)}</p>`)}
      ${options.mayAct ? (view.stopped === null ? stop : button('resume', undefined, 'Resume: let the rules hold')) : howTo(view, options)}
    </div>
  </section>`;
}

/** Who cannot be told from others gets no buttons; and the command reaches a proxy by its record. */
function howTo({ stopped }: RoadView, { hasUsage }: RoadPageOptions): Html {
  const button = html`With <code>--admin-token</code> there is a button to ${stopped === null ? 'stop' : 'resume'} here.`;
  if (!hasUsage) return html`<p class="muted">${button} Without a record, no command reaches this proxy.</p>`;
  const command =
    stopped === null
      ? html`<code>migrate-v2 rollout stop</code> takes everything back to v1.`
      : html`<code>migrate-v2 rollout resume</code> lets the rules hold again.`;
  return html`<p class="muted">${command} ${button}</p>`;
}

/** A form of one button, which goes without a script. */
function button(action: string, name: string | undefined, label: string, kind?: 'stop'): Html {
  const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
  const attributes = html`${kind !== undefined && html` class="${kind}"`}${name !== undefined && html` aria-label="${label}: ${name}"`}`;
  return html`<form method="post" action="rollout/${action}${query}"><button${attributes}>${label}</button></form>`;
}

function rules(view: RoadView, { mayAct }: RoadPageOptions): Html {
  const all = ruleRows(view);
  const rest = view.rules.length - mostRows;
  const rows = rest > 0 ? [...all.slice(0, mostRows), ...all.slice(-1)] : all;
  const tripped = new Set(view.rules.flatMap((rule) => (rule.tripped === null ? [] : [rule.name])));
  const inForce: Column<RuleRow> = {
    id: 'stage',
    title: 'In force',
    cell: (row) => html`${stageText(row)}${mayAct && tripped.has(row.name) && button('release', row.name, 'Release')}`,
  };
  const hasGuards = rows.some(({ guard }) => guard !== '');
  return html`<section id="rules-section" aria-labelledby="rules-title">
    <h2 id="rules-title">Rules</h2>
    <p>The first that matches a call holds. ${countedText(view)}</p>
    ${table({
      id: 'rules',
      caption: 'Rules of the roll-out',
      columns: [ruleColumn, inForce, whomColumn, ...(view.counted === null ? [] : useColumns), ...(hasGuards ? [guardColumn] : [])],
      rows,
      most: Infinity,
      noun: 'rule',
      marked: ({ because }) => because === 'tripped',
    })}
    ${rest > 0 && html`<p class="rest">${count(rest)} more: they are in <a href="rollout.json">rollout.json</a>.</p>`}
    ${
      view.overlaps.length > 0 &&
      html`<h3>Rules that share calls</h3>
        <ul>
          ${view.overlaps.map((overlap) => html`<li>${sentence(overlapText(overlap))}</li>`)}
        </ul>`
    }
  </section>`;
}

const ruleColumn: Column<RuleRow> = {
  id: 'name',
  title: 'Rule',
  cell: ({ name, stage }) => html`${named(name)}${stage !== '' && html`<small>${stage}</small>`}`,
};
const whomColumn: Column<RuleRow> = { id: 'whom', title: 'For', cell: ({ whom }) => whom, text: true };
const guardColumn: Column<RuleRow> = { id: 'guard', title: 'Guard', cell: ({ guard }) => guard, text: true };

const figure = (of: keyof Use, title: string, wide = false): Column<RuleRow> => ({
  id: of,
  title,
  cell: ({ use }) => use !== null && count(use[of]),
  figure: true,
  wide,
});
const useColumns = [figure('calls', 'Calls'), figure('clients', 'Clients', true), figure('keys', 'Keys', true), figure('errors', 'Errors')];

function brownouts({ brownouts }: RoadView, { mayAct }: RoadPageOptions): Html | false {
  if (brownouts.length === 0) return false;
  const canStop = ({ stopped, on, next }: BrownoutView): boolean => mayAct && stopped === null && (on !== null || next.length > 0);
  const column: Column<BrownoutView> = {
    id: 'name',
    title: 'Brownout',
    cell: (row) =>
      html`${named(row.name)}<small>${row.status}</small>${canStop(row) && button('stop-brownout', row.name, 'Stop for good', 'stop')}`,
  };
  return html`<section id="brownouts-section" aria-labelledby="brownouts-title">
    <h2 id="brownouts-title">Brownouts</h2>
    <p>Times at which v1 is refused to those who still call it.</p>
    ${table({
      id: 'brownouts',
      caption: 'Times of brownouts',
      columns: [column, ...brownoutColumns],
      rows: brownouts.slice(0, mostRows),
      most: Infinity,
      noun: 'brownout',
      marked: ({ on, stopped }) => on !== null && stopped === null,
    })}
  </section>`;
}

const brownoutColumns: readonly Column<BrownoutView>[] = [
  { id: 'whom', title: 'For', cell: refusedText, text: true },
  { id: 'when', title: 'When', cell: whenText, text: true },
];

const steps = ({ steps }: RoadView): Html =>
  html`<section id="steps-section" aria-labelledby="steps-title">
    <h2 id="steps-title">What happened</h2>
    <p>The last steps of all proxies, the newest first.</p>
    ${table({ id: 'steps', caption: 'Steps of the roll-out', columns: stepColumns, rows: steps, most: Infinity, noun: 'step' })}
  </section>`;

const stepColumns: readonly Column<StepView>[] = [
  { id: 'kind', title: 'What', cell: (step) => html`${stepText(step)}${step.rule !== '' && html`<small>${named(step.rule)}</small>`}` },
  { id: 'at', title: 'When', cell: ({ at }) => html`<time datetime="${at}">${timeOf(at)}</time>` },
  { id: 'replica', title: 'By', cell: ({ replica }) => named(replica), wide: true },
  { id: 'detail', title: 'Why', cell: ({ detail }) => detail, text: true },
];
