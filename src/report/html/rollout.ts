/** Where everybody stands on the road to v2, what keeps them there, and what brownouts have shown. */
import type { BrownoutRow, DifferenceRow, HitRow, RolloutReport } from '../rollout/model.ts';
import { count, lengthOf } from '../text/figures.ts';
import {
  adviceTexts,
  announcedRemarks,
  backText,
  differencesHelp,
  differenceText,
  errorsLabel,
  findingsText,
  nextLabels,
  nextText,
  type OnRoad,
  onRoad,
  roadSummary,
  roadTitle,
  stageText,
  stepText,
  whoText,
} from '../text/road-wording.ts';
import { workspaceId } from './chase.ts';
import { none, time } from './cells.ts';
import type { Context } from './context.ts';
import { type Html, html, named } from './escape.ts';
import { said, sentence, timed } from './sentence.ts';
import { type Column, table } from './table.ts';

const workspacesOfRow = 5;
const hitOfRow = 8;
const stepsShown = 12;

export function rolloutSection({ report, most, view }: Context, rollout: RolloutReport): Html {
  const { differences, brownouts, steps } = rollout;
  return html`<section id="rollout-section" aria-labelledby="rollout-title">
    <h2 id="rollout-title">${roadTitle}</h2>
    <p>${said(roadSummary(report) ?? '')}</p>
    ${table({
      id: 'rollout',
      caption: 'Where workspaces stand on the road to v2, and their next steps',
      columns,
      rows: onRoad(report),
      most,
      view,
      noun: 'workspace',
      marked: ({ origin }) => origin === 'unknown',
      under: (row) => {
        const id = workspaceId(row);
        return id !== undefined && row.road.next !== null && { id: `road-of-${id}`, content: roadDetails(row) };
      },
    })}
    ${
      differences.length > 0 &&
      html`<h3>What differs</h3>
        <p>${sentence(differencesHelp)}</p>
        ${table({
          id: 'differences',
          caption: 'Differences between v1 and v2 beyond noise',
          columns: differenceColumns,
          rows: differences,
          most,
          view,
          noun: 'difference',
          prose: true,
        })}`
    }
    ${
      brownouts.length > 0 &&
      html`<h3>Brownouts</h3>
        <p>Who calls again was only waiting; who stays away has moved, or is broken: ask.</p>
        ${table({ id: 'brownouts', caption: 'Brownouts, and whom they hit', columns: brownoutColumns, rows: brownouts, most, noun: 'brownout', prose: true })}`
    }
    ${remarks('Brownouts to come', announcedRemarks(rollout))} ${remarks('What happened', steps.map(stepText))}
  </section>`;
}

function remarks(title: string, texts: readonly string[]): Html | false {
  const more = texts.length - stepsShown;
  return (
    texts.length > 0 &&
    html`<h3>${title}</h3>
      <ul>
        ${texts.slice(0, stepsShown).map((text) => html`<li>${timed(text)}</li>`)}
        ${more > 0 && html`<li><span class="muted">and ${count(more)} more</span></li>`}
      </ul>`
  );
}

const tones: Partial<Record<keyof typeof nextLabels, string>> = {
  release: 'not_yet',
  resume: 'not_yet',
  look_at_errors: 'not_yet',
  mend: 'unknown',
  translate: 'safe',
  translate_all: 'safe',
  move_client: 'safe',
};

const columns: readonly Column<OnRoad>[] = [
  { id: 'name', title: 'Workspace', cell: ({ name }) => named(name) },
  { id: 'stage', title: 'Stage', cell: ({ road }) => stageText(road) || none },
  {
    id: 'compared',
    title: 'Compared',
    cell: ({ road }) => (findingsText(road) === undefined ? none : count(road.compared?.calls ?? 0)),
    figure: true,
    wide: true,
  },
  {
    id: 'errors',
    title: 'Errors',
    cell: ({ road }) => (errorsLabel(road) === '' ? none : html`<span class="keep">${errorsLabel(road)}</span>`),
    figure: true,
    wide: true,
  },
  {
    id: 'next',
    title: 'Next step',
    text: true,
    cell: ({ road: { next } }) =>
      next === null
        ? none
        : html`<span class="pill ${tones[next.step] ?? ''}">${nextLabels[next.step]}</span> <small>${sentence(nextText(next))}</small>`,
  },
];

/** What a row cuts. */
const roadDetails = ({ road }: OnRoad): readonly Html[] =>
  [road.next === null ? undefined : nextText(road.next), findingsText(road)]
    .filter((text) => text !== undefined)
    .map((text) => html`<p>${said(text)}</p>`);

const differenceColumns: readonly Column<DifferenceRow>[] = [
  {
    id: 'place',
    title: 'Where',
    cell: ({ endpoint, path }) => html`<code>${path || 'the answer'}</code><small><code>${endpoint}</code></small>`,
  },
  { id: 'kind', title: 'What', cell: differenceText, text: true },
  {
    id: 'calls',
    title: 'Calls',
    cell: ({ calls, compared, noise }) =>
      html`${count(calls)}<small>of ${count(compared)}${noise > 0 && `; ${count(noise)} times v1 from itself`}</small>`,
    figure: true,
  },
  {
    id: 'workspaces',
    title: 'Workspaces',
    cell: ({ workspaces }) =>
      names(
        workspaces.map(({ name }) => name ?? 'unknown keys'),
        workspacesOfRow,
      ),
    wide: true,
  },
  { id: 'advice', title: 'To do', cell: ({ advice }) => adviceTexts[advice], text: true },
];

const brownoutColumns: readonly Column<BrownoutRow>[] = [
  {
    id: 'name',
    title: 'Brownout',
    cell: ({ name, since, until, times, over }) =>
      html`${name === '' ? 'Rules that refuse' : named(name)}<small
          >${time(since)}
          ${over ? `for ${lengthOf(Date.parse(until) - Date.parse(since))}` : html`until ${time(until)}`}${times > 1 && `, ${count(times)} times`}</small
        >`,
  },
  { id: 'calls', title: 'Refused', cell: ({ calls }) => count(calls), figure: true },
  {
    id: 'back',
    title: 'Came back',
    cell: ({ hit }) =>
      hits(
        hit.filter(({ back }) => back !== null),
        backText,
      ),
    text: true,
  },
  {
    id: 'away',
    title: 'Stayed away',
    cell: ({ hit }) =>
      hits(
        hit.filter(({ back }) => back === null),
        whoText,
      ),
    text: true,
  },
  {
    id: 'unknown',
    title: 'Unknown keys',
    cell: ({ hit }) =>
      hits(
        hit.filter(({ origin }) => origin === 'unknown'),
        (row) => `${whoText(row)}${row.isNew ? ' (never seen before)' : ''}`,
      ),
    text: true,
    wide: true,
  },
];

const hits = (rows: readonly HitRow[], text: (row: HitRow) => string): Html => names(rows.map(text), hitOfRow);

function names(all: readonly string[], most: number): Html {
  if (all.length === 0) return none;
  const more = all.length - most;
  return html`${all.slice(0, most).map((name, index) => html`${index > 0 && ', '}${named(name)}`)}${more > 0 && ` and ${count(more)} more`}`;
}
