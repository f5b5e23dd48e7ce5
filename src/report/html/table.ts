/** Tables: a line for each row, scrollable by keyboard; what there is more to say of a row unfolds below it. */
import { count, counted } from '../text/figures.ts';
import { type Content, type Html, html } from './escape.ts';
import { sorted } from './sort.ts';
import { addressOf, type View } from './view.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => Content;
  /** What to sort by; undefined comes last. Without it the column cannot be sorted by. */
  readonly sort?: (row: Row) => number | string | undefined;
  /** A figure: aligned at its end, and the largest first. */
  readonly figure?: boolean;
  /** Several words, which want room, and are cut where there is none: what unfolds has them whole. */
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
  /** How many to show at once. */
  readonly most: number;
  readonly view?: View | undefined;
  /** What to say where there is no row; that there is none of what a row is where it is not said. */
  readonly empty?: string;
  /** What a row is, and what the rows that are not shown add up to. */
  readonly noun: string;
  readonly calls?: (row: Row) => number;
  readonly marked?: (row: Row) => boolean;
  /** What unfolds below a row, over the whole width, and the id under which it is found. */
  readonly under?: ((row: Row) => Under | false) | undefined;
  /** Rows of the same group stand together, below a line that says so, in the order of their first rows. */
  readonly group?: (row: Row) => string;
  readonly groupText?: (group: string, rows: readonly Row[]) => Content;
  /** Whether its cells are sentences, which take more than a line. */
  readonly prose?: boolean;
  /** The kind of rows that CSV has of it. */
  readonly by?: 'workspace' | 'key' | 'client' | 'endpoint';
}

export interface Under {
  readonly id: string;
  readonly content: Content;
}

export function table<Row>(options: Table<Row>): Html {
  const { id, caption, columns, rows, most, view, noun } = options;
  if (rows.length === 0) return html`<p class="empty">${options.empty ?? `No ${noun}.`}</p>`;
  const found = grouped(sorted(rows, columns, view?.sort[id]), options.group);
  const pages = Math.max(1, Math.ceil(found.length / most));
  const page = Math.min(pages, view?.pages[id] ?? 1);
  const first = (page - 1) * (Number.isFinite(most) ? most : 0);
  const shown = found.slice(first, first + most);
  return html`<div class="scroll" id="${id}-scroll" role="region" aria-label="${caption}" tabindex="0">
      <table id="${id}" ${options.prose === true && html` class="prose"`}>
        <caption class="sr">
          ${caption}
        </caption>
        <thead>
          <tr>
            ${columns.map((column) => heading(options, column))}
          </tr>
        </thead>
        ${bodies(options, shown, found)}
      </table>
    </div>
    ${footOf(options, { found, first, shown: shown.length, page, pages })}`;
}

/** In groups before they are cut into pages, so that each group is on as few as can be. */
const grouped = <Row>(rows: readonly Row[], group: Table<Row>['group']): readonly Row[] =>
  group === undefined ? rows : [...Map.groupBy(rows, group).values()].flat();

/** @param all of which a group is told, whatever page it goes on to */
function bodies<Row>(options: Table<Row>, rows: readonly Row[], all: readonly Row[]): Content {
  const { columns, group, groupText } = options;
  if (group === undefined)
    return html`<tbody>
      ${rows.map((row) => line(options, row))}
    </tbody>`;
  const whole = Map.groupBy(all, group);
  return [...Map.groupBy(rows, group)].map(
    ([name, members]) =>
      html`<tbody>
        <tr class="group">
          <th scope="rowgroup" colspan="${columns.length}">${groupText?.(name, whole.get(name) ?? members) ?? name}</th>
        </tr>
        ${members.map((row) => line(options, row))}
      </tbody>`,
  );
}

function line<Row>({ columns, marked, under }: Table<Row>, row: Row): Html {
  const [head, ...rest] = columns;
  const more = under?.(row) ?? false;
  const classes = marked?.(row) === true ? html` class="first"` : '';
  const name = head === undefined ? '' : head.cell(row);
  const foldable = more === false ? name : html`<details id="${more.id}-row"><summary>${name}</summary></details>`;
  return html`<tr${classes}><th scope="row">${foldable}</th>${rest.map((column) => cell(column, row))}</tr>
${
  more !== false &&
  html`<tr class="under" id="${more.id}">
    <td colspan="${columns.length}">${more.content}</td>
  </tr> `
}`;
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
  if (sort === undefined) return html`<th ${shared}>${title}</th>`;
  // A script of the file makes buttons of these.
  if (view === undefined) return html`<th ${shared} data-sort="${figure === true ? 'down' : 'up'}">${title}</th>`;
  const current = view.sort[table];
  const direction = current === id ? 'ascending' : current === `-${id}` ? 'descending' : undefined;
  const next = direction === undefined ? figure === true : direction === 'ascending';
  const button = html`<button id="${table}-by-${id}" form="view" name="${table}" value="${next ? '-' : ''}${id}">${title}</button>`;
  return html`<th ${shared}${direction !== undefined && html` aria-sort="${direction}"`}>${button}</th>`;
}

interface Shown<Row> {
  readonly found: readonly Row[];
  readonly first: number;
  readonly shown: number;
  readonly page: number;
  readonly pages: number;
}

/** What is not shown, how to come to it, and the same as data. */
function footOf<Row>(options: Table<Row>, { found, first, shown, page, pages }: Shown<Row>): Html | false {
  const { view, id, noun } = options;
  if (view === undefined) return remainder(options, found.slice(first + shown));
  const links = options.by === undefined ? [] : dataLinks(view, options.by, id);
  if (pages === 1 && links.length === 0) return false;
  return html`<p class="rest" id="${id}-foot">
    ${pages > 1 && html`<span>${count(first + 1)} to ${count(first + shown)} of ${counted(found.length, noun)}</span> `}
    ${pages > 1 && turner(id, 'Back', page - 1, page > 1)} ${pages > 1 && turner(id, 'Next', page + 1, page < pages)} ${links}
  </p>`;
}

const turner = (table: string, title: string, page: number, possible: boolean): Html =>
  html`<button
    id="${table}-${title.toLowerCase()}"
    form="view"
    formaction="usage#${table}-scroll"
    name="${table}-page"
    value="${page}"
    ${!possible && html` disabled`}
    aria-label="${title}: page ${page} of ${table}"
  >
    ${title}
  </button>`;

const dataLinks = (view: View, by: string, table: string): readonly Html[] => [
  html`<a href="${addressOf(view, { by }, 'usage.csv')}" aria-label="These ${table} as CSV" download>CSV</a> `,
  html`<a href="${addressOf(view, {}, 'usage.json')}" aria-label="All that is shown as JSON, ${table} among it" download>JSON</a>`,
];

/** Rows that a file does not show are counted. */
function remainder<Row>({ noun, calls }: Table<Row>, more: readonly Row[]): Html | false {
  if (more.length === 0) return false;
  const sum = calls === undefined ? '' : ` with ${counted(total(more, calls), 'call')}`;
  return html`<p class="rest">${counted(more.length, `more ${noun}`)}${sum}: they are in the report with --format csv.</p>`;
}

const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
