/** Text in the columns and lines of a terminal; what it is given is other people's, and escaped here. */
import stringWidth from 'string-width';
import { plain } from '../../text/escape.ts';
import type { Style } from '../../text/style.ts';
import type { Column } from './columns.ts';

type Format = Parameters<Style>[0];

const gap = '  ';
const ellipsis = '…';
/** No column of a terminal is wider. */
const widest = 48;
/** Nothing is measured beyond: a name may have 100 kB. */
const longest = 1_000;

const graphemes = new Intl.Segmenter('en');

/** Escaped text that takes so many columns at most. */
export function clipped(text: string, width: number): string {
  const shown = plain(text.slice(0, longest));
  if (stringWidth(shown) <= width) return shown;
  let cut = '';
  let used = 0;
  for (const { segment } of graphemes.segment(shown)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return cut + ellipsis;
}

const padded = (text: string, width: number, align?: 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? space + text : text + space;
};

/**
 * A table.
 * @param width of the terminal, which no line exceeds as long as there are columns to shrink or to leave out; Infinity where there is none
 */
export function grid<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number, style: Style): readonly string[] {
  const most = width === Infinity ? longest : widest;
  const natural = new Map(
    columns.map((column) => {
      const cells = rows.map((row) => stringWidth(clipped(column.text(row), most)));
      return [column, Math.max(column.head.length, ...cells)];
    }),
  );
  const widths = [...fitted(natural, width)];
  const line = (cells: (column: Column<Row>, size: number) => readonly [text: string, format?: Format]): string =>
    widths
      .map(([column, size], index) => {
        const [text, format] = cells(column, size);
        // Nothing follows the last one.
        const cell = index === widths.length - 1 && column.align === undefined ? text : padded(text, size, column.align);
        return format === undefined ? cell : style(format, cell);
      })
      .join(gap);
  return [
    line(({ head }) => [head, 'bold']),
    ...rows.map((row) => line((column, size) => [clipped(column.text(row), size), column.style?.(row)])),
  ];
}

/** The columns that there is room for, and their widths. */
function fitted<Row>(natural: ReadonlyMap<Column<Row>, number>, width: number): ReadonlyMap<Column<Row>, number> {
  const kept = new Map(natural);
  const leastOf = (column: Column<Row>, size: number): number => Math.min(size, Math.max(column.least ?? size, column.head.length));
  const excess = (sizeOf: (column: Column<Row>, size: number) => number): number =>
    [...kept].reduce((sum, [column, size]) => sum + sizeOf(column, size) + gap.length, -gap.length) - width;
  const droppable = [...kept.keys()].filter(({ drop }) => drop !== undefined).toSorted((a, b) => (b.drop ?? 0) - (a.drop ?? 0));
  for (const column of droppable) if (excess(column.isExtra ? (_column, size) => size : leastOf) > 0) kept.delete(column);
  // The widest gives first, so that short names stay whole.
  for (let over = excess((_column, size) => size); over > 0; over--) {
    const [widestOne] = [...kept].filter(([column, size]) => size > leastOf(column, size)).toSorted(([, a], [, b]) => b - a);
    if (widestOne === undefined) break;
    kept.set(widestOne[0], widestOne[1] - 1);
  }
  return kept;
}

/**
 * A sentence over as many lines as it needs.
 * @param hanging what the first line begins with; the others begin below its text
 */
export function wrapped(text: string, width: number, hanging = ''): readonly string[] {
  const indent = ' '.repeat(stringWidth(hanging));
  const room = Math.max(20, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of plain(text.slice(0, longest)).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = clipped(word, room);
  }
  return [...lines, line].map((each, index) => (index === 0 ? hanging : indent) + each);
}
