/** Charts as SVG without text: they stretch to any width, and words beside them stay readable. What they show stands in a table as well. */
import { dayInMs, hourInMs } from '../../contract/times.ts';
import type { Bucket, Report } from '../model.ts';
import { count, dateOf, timeOf } from '../text/figures.ts';
import { type Html, html } from './escape.ts';

const height = 180;
/** Of one bucket; the bar takes a part of it. */
const step = 10;
const barWidth = 8;

/** Where nothing was recorded: lines, as zero would be empty. They lie flat, so that stretching does not change them. */
const hatch = html`<defs
  ><pattern id="gap" width="10" height="8" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 4H10" /></pattern
></defs>`;

/** Calls hour by hour or day by day. */
export function trendChart({ trend, period, total }: Report): Html {
  const most = niceCeiling(Math.max(2, ...trend.map(({ calls }) => calls ?? 0)));
  const instant = period.size === 'hour' ? timeOf : dateOf;
  const bars = trend.map((bucket, index) => bar(bucket, index, most, isOpen(bucket, index, { trend, period }), instant));
  const width = trend.length * step;
  const name = `${count(total.calls)} calls, ${period.size} by ${period.size}; the table below has the figures`;
  const ticks = [0, Math.floor(trend.length / 2), trend.length - 1].flatMap((index) => trend[index] ?? []);
  return html`<div class="chart">
      <div class="y" aria-hidden="true"><span>${count(most)}</span><span>${count(most / 2)}</span><span>0</span></div>
      <svg role="img" aria-label="${name}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
        ${hatch}
        <path class="grid" vector-effect="non-scaling-stroke" d="M0 ${height / 2}H${width}" />
        ${bars}
      </svg>
      <div class="x" aria-hidden="true">${ticks.map(({ start }) => html`<span>${instant(start)}</span>`)}</div>
    </div>
    <ul class="legend">
      <li>${swatch('calls')}v1 calls</li>
      ${isOpen(trend.at(-1), trend.length - 1, { trend, period }) && html`<li>${swatch('open')}${period.size} not over yet</li>`}${
        trend.some(({ recorded }) => recorded < 1) && html`<li>${swatch('gap')}not, or not fully, recorded: unknown, which is not zero</li>`
      }
    </ul>`;
}

const swatch = (name: string): Html =>
  html`<svg aria-hidden="true" viewBox="0 0 14 14"><rect class="${name}" width="14" height="14" /></svg>`;

/** Whether the report ends within this hour or day. */
function isOpen(bucket: Bucket | undefined, index: number, { trend, period }: Pick<Report, 'trend' | 'period'>): boolean {
  if (bucket === undefined || index < trend.length - 1) return false;
  const size = period.size === 'hour' ? hourInMs : dayInMs;
  return Date.parse(period.until) < Date.parse(bucket.start) + size;
}

function bar({ start, calls, recorded }: Bucket, index: number, most: number, open: boolean, instant: (start: string) => string): Html {
  const x = index * step;
  const gap =
    recorded < 1 &&
    html`<rect class="gap" x="${x}" width="${step}" height="${height}"
      ><title>${instant(start)}: ${calls === null ? 'not recorded' : 'not fully recorded'}</title></rect
    >`;
  if (calls === null) return html`${gap}`;
  const size = calls === 0 ? 0 : Math.max(1.5, Math.round((calls / most) * height * 10) / 10);
  const title = `${instant(start)}: ${count(calls)}`;
  return html`${gap}<rect
      class="${open ? 'open' : 'calls'}"
      x="${x + 1}"
      y="${Math.round((height - size) * 10) / 10}"
      width="${barWidth}"
      height="${size}"
      ><title>${title}</title></rect
    >`;
}

/** The next number above that is easily halved. */
export function niceCeiling(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((each) => each * scale >= value) ?? 10) * scale || 1;
}

/** Points of a line in a row: more would not be seen. */
const sparkPoints = 30;
const [sparkWidth, sparkHeight] = [90, 24];

/** The course of calls within a row of a table, which has the figures; a dash at the bottom is a gap. */
export function sparkline(trend: readonly (number | null)[]): Html {
  const points = condensed(trend);
  const most = Math.max(1, ...points.map((calls) => calls ?? 0));
  const across = (index: number): number => Math.round((index / points.length) * sparkWidth) + 1;
  const lines = (wanted: boolean): string =>
    points
      .map((calls, index) => {
        if ((calls === null) === wanted) return '';
        if (calls === null) return `M${across(index)} ${sparkHeight - 1}h2`;
        return calls === 0 ? '' : `M${across(index)} ${sparkHeight}v-${Math.max(1, Math.round((calls / most) * sparkHeight))}`;
      })
      .join('');
  const hole = lines(false);
  return html`<svg class="spark" aria-hidden="true" viewBox="0 0 ${sparkWidth} ${sparkHeight}">
    <path class="line" d="${lines(true)}" />
    ${hole !== '' && html`<path class="hole" d="${hole}" />`}
  </svg>`;
}

/** Neighbours added up, until there are few enough; unknown only where all of them are. */
function condensed(trend: readonly (number | null)[]): readonly (number | null)[] {
  const group = Math.ceil(trend.length / sparkPoints);
  return Array.from({ length: Math.ceil(trend.length / group) }, (_, index) => {
    const known = trend.slice(index * group, (index + 1) * group).filter((calls) => calls !== null);
    return known.length === 0 ? null : known.reduce((sum, calls) => sum + calls, 0);
  });
}

const meterWidth = 120;

/** A load beside its limit, which is the mark; red is what is beyond. */
export function meter(load: number, limit: number): Html {
  const scale = meterWidth / Math.max(load, limit * 1.15);
  const at = (value: number): number => Math.round(value * scale * 10) / 10;
  const over = load > limit && html`<rect class="over" x="${at(limit)}" width="${at(load - limit)}" height="10" />`;
  return html`<svg class="meter" aria-hidden="true" viewBox="0 0 ${meterWidth} 10">
    <rect class="track" width="${meterWidth}" height="10" rx="2" />
    <rect class="calls" width="${at(Math.min(load, limit))}" height="10" rx="2" />
    ${over}
    <path class="mark" d="M${at(limit)} 0V10" />
  </svg>`;
}
