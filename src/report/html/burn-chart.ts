/** How many are active, day by day, down to a line at the sunset: SVG whose paths stretch to any width, and whose words do not. */
import { dayInMs } from '../../contract/times.ts';
import type { ActiveDay, BurnDown } from '../burn-down/model.ts';
import type { Report } from '../model.ts';
import { count, counted, dateOf } from '../text/figures.ts';
import { niceCeiling } from './chart.ts';
import { type Html, html, raw } from './escape.ts';

/** Of the paths, in units of their own. */
const height = 100;

interface Line {
  readonly title: string;
  readonly noun: string;
  readonly of: (day: ActiveDay) => number | null;
  /** Whether the outlook is of these. */
  readonly foreseen: boolean;
}

const lines: readonly Line[] = [
  { title: 'Workspaces', noun: 'workspace', of: ({ workspaces }) => workspaces, foreseen: true },
  { title: 'Clients', noun: 'client', of: ({ clients }) => clients, foreseen: false },
];

/** One workspace alone is no line. */
export const burnCharts = (report: Report): Html =>
  html`<div class="burns">
    ${lines.filter(({ foreseen }) => !(foreseen && report.of?.length === 1)).map((line) => burnChart(line, report))}
  </div>`;

/** Where a day is across the chart, which ends at the sunset, or now where that is over. */
interface Scale {
  readonly across: (instant: string) => number;
  readonly width: number;
  readonly most: number;
  readonly down: (value: number) => number;
}

function burnChart(line: Line, { burnDown, sunset, period }: Report): Html {
  const { days } = burnDown;
  const [first] = days;
  if (first === undefined) return html``;
  const since = Date.parse(first.start);
  const until = Math.max(Date.parse(period.until), Date.parse(sunset.at), since + dayInMs);
  const most = niceCeiling(Math.max(2, ...days.map((day) => line.of(day) ?? 0), line.foreseen ? highOf(burnDown) : 0));
  const width = Math.round((until - since) / dayInMs) || 1;
  const scale: Scale = {
    width,
    most,
    across: (instant) => round((Date.parse(instant) - since) / dayInMs),
    down: (value) => round(height - (value / most) * height),
  };
  const now = line.of(days.at(-1) ?? first);
  const name = `${line.title} active day by day: ${now === null ? 'not known now' : `${count(now)} now`}; the table below has the figures`;
  const share = (instant: string): number => round((scale.across(instant) / width) * 100);
  const today = share(period.until);
  return html`<figure class="burn">
    <figcaption>${line.title} <strong>${now === null ? 'not known' : count(now)}</strong></figcaption>
    <div class="axis" aria-hidden="true"><span>${count(most)}</span><span>${count(most / 2)}</span><span>0</span></div>
    <svg class="plot" role="img" aria-label="${name}">
      <svg y="22" width="100%" height="150" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
        <path class="grid" vector-effect="non-scaling-stroke" d="M0 ${height / 2}H${width}M0 ${height}H${width}" />
        ${gaps(days, line, scale)} ${line.foreseen && band(burnDown, period.until, sunset.at, scale)}
        <path class="active" vector-effect="non-scaling-stroke" d="${raw(stepsOf(days, line, scale))}" />
        ${targets(days, line, scale)}
      </svg>
      <line class="sunset" x1="${share(sunset.at)}%" x2="${share(sunset.at)}%" y1="4" y2="172" />
      <text class="sunset" x="${share(sunset.at)}%" dx="-6" y="14" text-anchor="end">${sunsetLabel(sunset)}</text>
      ${today > 25 && html`<text x="0" y="190">${dateOf(first.start)}</text>`}
      <text x="${today}%" y="190" text-anchor="${today > 90 ? 'end' : today < 10 ? 'start' : 'middle'}">now</text>
    </svg>
  </figure>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const sunsetLabel = ({ at, days, passed }: Report['sunset']): string =>
  passed ? `sunset, on ${dateOf(at)}` : `sunset ${dateOf(at)}, in ${counted(days, 'day')}`;

const highOf = ({ outlook }: BurnDown): number => (outlook.state === 'forecast' ? (outlook.atSunset?.high ?? 0) : 0);

/** A step where the number changes; broken where nothing is known. */
function stepsOf(days: readonly ActiveDay[], { of }: Line, { across, down }: Scale): string {
  let [path, at, end]: [string, number | undefined, string] = ['', undefined, ''];
  for (const day of days) {
    const value = of(day);
    const next = value === null ? undefined : down(value);
    if (next !== at) path += `${end}${next === undefined ? '' : at === undefined ? `M${across(day.start)} ${next}` : `V${next}`}`;
    end = next === undefined ? '' : `H${across(day.start) + 1}`;
    at = next;
  }
  return path + end;
}

/** Days of which nothing, or not all, is known. */
const gaps = (days: readonly ActiveDay[], { of }: Line, { across }: Scale): readonly Html[] =>
  days
    .filter((day) => of(day) === null)
    .map(({ start }) => html`<rect class="unrecorded" x="${across(start)}" width="1" height="${height}" />`);

/** What tells the figures of a day to whoever points at it. */
const targets = (days: readonly ActiveDay[], { of, noun }: Line, { across }: Scale): readonly Html[] =>
  days.map((day) => {
    const value = of(day);
    const text = value === null ? 'not recorded' : counted(value, noun);
    return html`<rect x="${across(day.start)}" width="1" height="${height}"><title>${dateOf(day.start)}: ${text}</title></rect>`;
  });

/** From now to what is expected at the sunset, with the least and the most of it. */
function band({ outlook, days }: BurnDown, now: string, sunset: string, { across, down }: Scale): Html | false {
  const last = days.at(-1)?.workspaces ?? null;
  if (outlook.state !== 'forecast' || outlook.atSunset === null || last === null) return false;
  const { expected, low, high, of } = outlook.atSunset;
  const [from, to] = [across(now), across(sunset)];
  const start = down(Math.max(last, of));
  return html`<path class="band" d="M${from} ${start}L${to} ${down(high)}V${down(low)}Z" />
    <path class="expected" vector-effect="non-scaling-stroke" d="M${from} ${start}L${to} ${down(expected)}" />`;
}
