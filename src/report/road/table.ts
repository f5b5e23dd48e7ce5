/** A roll-out for a terminal. */
import { type Column, filled } from '../formats/columns.ts';
import { clipped, grid, wrapped } from '../formats/grid.ts';
import { type Style, styleFor } from '../../text/style.ts';
import { count, timeOf } from '../text/figures.ts';
import { brownoutColumns, ruleColumns, ruleRows, stepColumns } from './columns.ts';
import type { RoadView } from './model.ts';
import { countedText, overlapText, standingTexts, whenText } from './wording.ts';

export interface RoadTableOptions {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly color: boolean;
}

/** Rows of a table at most. */
const maxRows = 50;

/** Renders it as text; without colours it holds no control character but line feeds. */
export function renderRoad(view: RoadView, { width, color }: RoadTableOptions): string {
  const style = styleFor(color);
  const { made, brownouts, steps, overlaps } = view;
  const sections = [
    [style('bold', clipped(`Roll-out on ${timeOf(made)}`, width)), '', ...standing(view, width, style)],
    [...table(ruleColumns, ruleRows(view), width, style), ...wrapped(countedText(view), width).map((line) => style('dim', line))],
    titled('Rules that share calls', overlaps.map(overlapText), width, style),
    brownouts.length === 0 ? [] : brownoutLines(view, width, style),
    steps.length === 0 ? [] : [style('bold', 'What happened'), ...table(stepColumns, steps, width, style)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function standing(view: RoadView, width: number, style: Style): readonly string[] {
  const texts = standingTexts(view);
  if (texts.length === 0) return wrapped('The first rule that matches a call holds; nothing is stopped or taken back.', width);
  return texts.flatMap((text) => wrapped(`${text}.`, width)).map((line) => style(['bold', 'yellow'], line));
}

/** No cell has room for all times: they stand below. */
function brownoutLines({ brownouts }: RoadView, width: number, style: Style): readonly string[] {
  return [
    ...table(brownoutColumns, brownouts, width, style),
    ...brownouts.slice(0, maxRows).flatMap((brownout) => wrapped(`${brownout.name}: ${whenText(brownout)}`, width, '  - ')),
  ];
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number, style: Style): readonly string[] {
  const more = rows.length - maxRows;
  return [
    ...grid(filled(columns, rows), rows.slice(0, maxRows), width, style),
    ...(more > 0 ? [style('dim', `… and ${count(more)} more: --format json has them all`)] : []),
  ];
}

const titled = (title: string, texts: readonly string[], width: number, style: Style): readonly string[] =>
  texts.length === 0 ? [] : [style('bold', title), ...texts.flatMap((text) => wrapped(text, width, '  - '))];
