/** The script of the page as a file. Without it all is there, too: it sorts and searches what the tables have, and puts instants into local time. */
import { writeTimes } from '../live/times.js';

const collator = new Intl.Collator('en', { numeric: true });
const tables = [...document.querySelectorAll('table')];

/** A row with what unfolds below it. @param {HTMLTableElement} table */
function linesOf(table) {
  /** @type {HTMLTableRowElement[][]} */
  const lines = [];
  for (const body of table.tBodies)
    for (const row of body.rows) {
      if (row.className === 'under') lines.at(-1)?.push(row);
      else lines.push([row]);
    }
  return lines;
}

/** What a cell is sorted by: an instant, a number, or its text; undefined where it is empty. @param {HTMLTableCellElement | undefined} cell */
function valueOf(cell) {
  const time = cell?.querySelector('time');
  if (time != null) return Date.parse(time.dateTime);
  const text = cell?.textContent?.trim() ?? '';
  if (text === '' || text === '–') return undefined;
  const number = Number(/^[+−-]?[\d,]+(?:\.\d+)?/.exec(text)?.[0].replaceAll(',', '').replace('−', '-'));
  return Number.isNaN(number) ? text : number;
}

/** @param {ReturnType<typeof valueOf>} a @param {ReturnType<typeof valueOf>} b @param {number} sign */
function compare(a, b, sign) {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)));
}

/** @param {HTMLTableCellElement} head */
function sortBy(head) {
  const table = head.closest('table');
  const body = table?.tBodies[0];
  if (table == null || body === undefined) return;
  const was = head.ariaSort;
  const down = was === null ? head.dataset.sort === 'down' : was === 'ascending';
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
  head.ariaSort = down ? 'descending' : 'ascending';
  const lines = linesOf(table).map((rows) => ({ rows, by: valueOf(rows[0]?.cells[head.cellIndex]) }));
  lines.sort((a, b) => compare(a.by, b.by, down ? -1 : 1));
  body.append(...lines.flatMap(({ rows }) => rows));
}

for (const head of document.querySelectorAll('th[data-sort]')) {
  if (!(head instanceof HTMLTableCellElement)) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = head.textContent;
  button.addEventListener('click', () => sortBy(head));
  head.replaceChildren(button);
}

const tools = document.createElement('p');
tools.className = 'tools';
const search = document.createElement('input');
Object.assign(search, {
  type: 'search',
  maxLength: 100,
  autocomplete: 'off',
  ariaLabel: 'Search in the tables',
  placeholder: 'Search in the tables',
});
const found = document.createElement('span');
found.setAttribute('role', 'status');
const choice = document.createElement('label');
const isLocal = document.createElement('input');
isLocal.type = 'checkbox';
choice.append(isLocal, ' Local time');
tools.append(search, choice, found);
document.querySelector('header')?.append(tools);

function look() {
  const wanted = search.value.trim().toLowerCase();
  let [shown, all] = [0, 0];
  for (const table of tables)
    for (const rows of linesOf(table)) {
      const fits = wanted === '' || rows.some((row) => row.textContent?.toLowerCase().includes(wanted));
      all += 1;
      if (fits) shown += 1;
      for (const row of rows) row.hidden = !fits;
    }
  found.textContent = wanted === '' ? '' : `${shown} of ${all} rows; the verdict, figures and charts are of all`;
  for (const folded of document.querySelectorAll('#safe-workspaces, #refused-keys')) folded.toggleAttribute('open', wanted !== '');
}

search.addEventListener('input', () => {
  history.replaceState(null, '', search.value === '' ? '#' : `#q=${encodeURIComponent(search.value)}`);
  look();
});
isLocal.addEventListener('change', () => writeTimes(isLocal.checked));

/** What the address leads to is searched for, or unfolded. */
function follow() {
  const [, query] = /^#q=(.*)/.exec(location.hash) ?? [];
  if (query !== undefined) {
    search.value = decodeURIComponent(query);
    look();
  }
  const row = document.getElementById(`${location.hash.slice(1)}-row`);
  row?.setAttribute('open', '');
  row?.closest('table')?.closest('details')?.setAttribute('open', '');
}

addEventListener('hashchange', follow);
follow();
