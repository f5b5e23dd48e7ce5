/** Sentences of the report, whose wording is the same in every format. */
import { type Content, type Html, html } from './escape.ts';

/** As a sentence of its own; v1 stays v1. */
export function sentence(text: string): string {
  const first = /^v\d/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${first}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}

const instants = /(?<day>\d{4}-\d\d-\d\d) (?<minute>\d\d:\d\d) UTC/g;

/** The same, with the instants in it marked: a script can put them into another zone. */
export const said = (text: string): Html => timed(sentence(text));

/** With its instants marked, and as it is otherwise: what begins with a name keeps it. */
export function timed(whole: string): Html {
  const parts: Content[] = [];
  let from = 0;
  for (const { 0: instant, index, groups } of whole.matchAll(instants)) {
    parts.push(whole.slice(from, index), html`<time class="at" datetime="${groups?.['day']}T${groups?.['minute']}:00Z">${instant}</time>`);
    from = index + instant.length;
  }
  return html`${[...parts, whole.slice(from)]}`;
}
