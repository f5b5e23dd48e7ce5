/**
 * The script of the live page. The server searches and sorts, and renders; this asks for what the form says, puts in what changed, and keeps
 * what the reader did with the page: where the focus is, what is unfolded and how far tables are scrolled.
 */

import { writeAges, writeTimes } from './times.js';

/** Typing goes on for so long before a search begins. */
const typing = 200;
/** An event source that was refused does not try again by itself. */
const retryAfter = 2_000;
/** Ages are brought up to now so often. */
const ageing = 30_000;

/**
 * @template {Element} T
 * @param {string} id
 * @param {{ new (): T }} type
 * @returns {T}
 */
function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no #${id}`);
  return element;
}

const form = byId('view', HTMLFormElement);
const status = byId('status', HTMLElement);
const updated = byId('updated', HTMLElement);
const report = byId('report', HTMLElement);
byId('show', HTMLButtonElement).hidden = true;

/** What need not stand in the address. */
const usually = { period: '30d', q: '', group: 'workspace', times: 'utc' };
/** What is looked at; it stands in the address. */
const query = new URLSearchParams(location.search);

/** @type {EventSource | undefined} */
let source;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Whether what is shown belongs to another view than the one that was asked for. */
let isOther = false;

/** @param {'live' | 'lost'} state @param {string} text */
function say(state, text) {
  if (status.textContent === text) return;
  status.className = state;
  status.textContent = text;
}

function connect() {
  clearTimeout(timer);
  source?.close();
  const opened = new EventSource(`usage/events?${query}`);
  source = opened;
  opened.addEventListener('report', (event) => {
    say('live', 'Live');
    put(JSON.parse(event.data));
  });
  opened.addEventListener('failed', (event) => say('lost', JSON.parse(event.data).why));
  opened.addEventListener('error', () => {
    say('lost', 'Connection lost: trying again');
    if (opened.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryAfter);
  });
}

/** @param {{ title: string, made: string, ids: string[], sections: { id: string, html: string }[] }} news */
function put({ title, made, ids, sections }) {
  document.title = title;
  updated.replaceChildren('updated ', timeOf(made));
  const changed = new Map(sections.map(({ id, html }) => [id, html]));
  for (const part of report.querySelectorAll(':scope > *')) if (!ids.includes(part.id)) part.remove();
  for (const [index, id] of ids.entries()) {
    const html = changed.get(id);
    const part = document.getElementById(id);
    const before = report.children[index - 1];
    if (html === undefined) continue;
    if (part !== null) replace(part, html);
    else if (before === undefined) report.insertAdjacentHTML('afterbegin', html);
    else before.insertAdjacentHTML('afterend', html);
  }
  dress();
  if (isOther) report.removeAttribute('aria-busy');
  isOther = false;
}

/** @param {string} instant */
function timeOf(instant) {
  const time = document.createElement('time');
  time.className = 'at';
  time.dateTime = instant;
  return time;
}

function dress() {
  writeTimes(query.get('times') === 'local');
  writeAges();
}

/** @param {HTMLElement} section @param {string} html */
function replace(section, html) {
  const focused = section.contains(document.activeElement) ? handleOf(document.activeElement) : undefined;
  const unfolded = [...section.querySelectorAll('details[open]')].map(({ id }) => id);
  const scrolled = [...section.querySelectorAll('.scroll')].map(({ id, scrollLeft }) => ({ id, scrollLeft }));
  section.outerHTML = html;
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  for (const { id, scrollLeft } of scrolled) {
    const element = document.getElementById(id);
    if (element !== null) element.scrollLeft = scrollLeft;
  }
  const again = focused === undefined ? null : document.querySelector(focused);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** How to find an element again. @param {Element | null} element @returns {`#${string}` | undefined} */
function handleOf(element) {
  if (element === null) return undefined;
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const folded = element.closest('details');
  return folded === null ? undefined : `#${CSS.escape(folded.id)} > summary`;
}

/** @param {SubmitEvent['submitter']} [submitter] */
function look(submitter) {
  clearTimeout(timer);
  const isTurned = submitter instanceof HTMLButtonElement && submitter.name.endsWith('-page');
  const turned = [...query.keys()].filter((name) => name.endsWith('-page'));
  if (!isTurned) for (const name of turned) query.delete(name);
  for (const [name, usual] of Object.entries(usually)) {
    const value = String(new FormData(form).get(name) ?? '');
    if (value === usual) query.delete(name);
    else query.set(name, value);
  }
  if (submitter instanceof HTMLButtonElement && submitter.name !== '') query.set(submitter.name, submitter.value);
  history.replaceState(null, '', `?${query}`);
  isOther = true;
  report.setAttribute('aria-busy', 'true');
  connect();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  look(event.submitter);
});
form.addEventListener('input', ({ target }) => {
  clearTimeout(timer);
  if (target instanceof HTMLSelectElement) look();
  else timer = setTimeout(look, typing);
});

byId('zone', HTMLElement).hidden = false;
dress();
setInterval(dress, ageing);
connect();
