/** Tables: scrollable by keyboard, capped, and on the live page searched and sorted by the server. */
import { count, counted } from '../text/figures.ts';
import { type Content, type Html, html } from './escape.ts';

/** What somebody looks at on the live page. A file has no view: nothing in it can be asked for. */
export interface View {
  readonly search: string;
  /** By table: the column, with a minus where the largest come first. */
  readonly sort: Readonly<Record<string, string>>;
}

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => Content;
  /** What to sort by; undefined comes last. Without it the column cannot be sorted by. */
  readonly sort?: (row: Row) => number | string | undefined;
  /** A figure: aligned at its end, and the largest first. */
  readonly figure?: boolean;
  /** Several words, which want room. */
  readonly text?: boolean;
  /** Is left out on narrow screens. */
  readonly wide?: boolean;
}

export interface Table<Row> {
  /** Unique on the page, and what it is sorted by in a query. */
  readonly id: string;
  /** Says to those who do not see it what the table is about. */
  readonly caption: string;
  /** The first column heads its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** How many to show. */
  readonly most: number;
  readonly view?: View | undefined;
  /** The texts in which a search looks; without it the table is not searched. */
  readonly texts?: (row: Row) => readonly (string | null)[];
  /** What a row is, and what the rows that are not shown add up to. */
  readonly noun: string;
  readonly calls?: (row: Row) => number;
  readonly marked?: (row: Row) => boolean;
  /** What unfolds below a row, over the whole width. */
  readonly under?: (row: Row) => Html | false;
}

export function table<Row>(options: Table<Row>): Html {
  const { id, caption, columns, rows, most, view, noun, marked, under } = options;
  const found = sorted(searched(options), options);
  if (found.length === 0) return html`<p class="empty">${rows.length === 0 ? `No ${noun}.` : `No ${noun} matches the search.`}</p>`;
  const [head, ...rest] = columns;
  const body = found.slice(0, most).map((row) => {
    const classes = marked?.(row) === true ? html` class="first"` : '';
    const more = under?.(row) ?? false;
    return html`<tr${classes}>${head !== undefined && html`<th scope="row">${head.cell(row)}</th>`}${rest.map((column) => cell(column, row))}</tr>
${
  more !== false &&
  html`<tr class="under">
    <td colspan="${columns.length}">${more}</td>
  </tr>`
}
`;
  });
  return html`<div class="scroll" id="${id}-scroll" role="region" aria-label="${caption}" tabindex="0">
      <table id="${id}">
        <caption class="sr">
          ${caption}
        </caption>
        <thead>
          <tr>
            ${columns.map((column) => heading(options, column))}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div>
    ${remainder(options, found, view)}`;
}

function classesOf<Row>({ figure, text, wide }: Column<Row>): string {
  return [figure === true && 'end', text === true && 'text', wide === true && 'wide'].filter(Boolean).join(' ');
}

function cell<Row>(column: Column<Row>, row: Row): Html {
  const classes = classesOf(column);
  return html`<td${classes !== '' && html` class="${classes}"`}>${column.cell(row)}</td>`;
}

function heading<Row>({ id: table, view }: Table<Row>, column: Column<Row>): Html {
  const { id, title, figure, sort } = column;
  const classes = classesOf(column);
  const shared = html`scope="col"${classes !== '' && html` class="${classes}"`}`;
  if (view === undefined || sort === undefined) return html`<th ${shared}>${title}</th>`;
  const current = view.sort[table];
  const direction = current === id ? 'ascending' : current === `-${id}` ? 'descending' : undefined;
  const next = direction === undefined ? figure === true : direction === 'ascending';
  const button = html`<button id="${table}-by-${id}" form="view" name="${table}" value="${next ? '-' : ''}${id}">${title}</button>`;
  return html`<th ${shared}${direction !== undefined && html` aria-sort="${direction}"`}>${button}</th>`;
}

function searched<Row>({ rows, view, texts }: Table<Row>): readonly Row[] {
  const wanted = view?.search.toLowerCase().trim() ?? '';
  if (wanted === '' || texts === undefined) return rows;
  return rows.filter((row) => texts(row).some((text) => text?.toLowerCase().includes(wanted)));
}

function sorted<Row>(rows: readonly Row[], { id, view, columns }: Table<Row>): readonly Row[] {
  const wanted = view?.sort[id] ?? '';
  const sort = columns.find((column) => column.id === wanted.replace(/^-/, ''))?.sort;
  if (sort === undefined) return rows;
  const sign = wanted.startsWith('-') ? -1 : 1;
  const compare = (a: ReturnType<typeof sort>, b: ReturnType<typeof sort>): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * (typeof a === 'string' || typeof b === 'string' ? collator.compare(String(a), String(b)) : a - b);
  };
  return rows
    .map((row) => ({ row, by: sort(row) }))
    .toSorted((a, b) => compare(a.by, b.by))
    .map(({ row }) => row);
}

const collator = new Intl.Collator('en', { numeric: true });

/** Rows that are not shown are counted. */
function remainder<Row>({ rows, most, noun, calls }: Table<Row>, found: readonly Row[], view: View | undefined): Html | false {
  const more = found.slice(most);
  const isPart = found.length < rows.length;
  if (more.length === 0)
    return (
      isPart &&
      html`<p class="rest">
        ${count(found.length)} of ${counted(rows.length, noun)} ${found.length === 1 ? 'matches' : 'match'} the search.
      </p>`
    );
  const sum =
    calls === undefined
      ? ''
      : ` with ${counted(
          more.reduce((all, row) => all + calls(row), 0),
          'call',
        )}`;
  const where =
    view === undefined ? 'they are in the report with --format csv' : 'search to find them, or use the report with --format csv';
  return html`<p class="rest">${counted(more.length, `more ${noun}`)}${sum}: ${where}.</p>`;
}
