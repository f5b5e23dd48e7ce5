/** The one place that makes HTML of other people's text. */
import { plain } from '../../text/escape.ts';

/** What is HTML already; nothing but `html` and `raw` make it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in HTML: text is escaped, lists are joined, and nothing is nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Fills a template: values may stand between tags and in attributes with double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(tight(parts).reduce((text, part, index) => text + markup(values[index - 1]) + part));
}

const tightened = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Without the indentation of the source, which is a third of a page. */
function tight(parts: TemplateStringsArray): readonly string[] {
  const known = tightened.get(parts);
  if (known !== undefined) return known;
  const made = parts.map((part) => part.replace(/\s*\n\s*/g, '\n'));
  tightened.set(parts, made);
  return made;
}

/** Text of our own that is HTML: never of a report. */
export const raw = (text: string): Html => new Html(text);

function markup(content: Content): string {
  if (content === undefined || content === null || content === false) return '';
  if (typeof content === 'string') return escapeHtml(cut(content, longestText));
  return Array.isArray(content) ? content.map(markup).join('') : String(content);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Keeps text from being markup, with what cannot be seen made visible. */
export const escapeHtml = (text: string): string => plain(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** More of a name, or of a sentence with names in it, tells nobody more. */
const longestName = 120;
const longestText = 1_000;

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);

/** A name of somebody else's, in a direction of its own. */
export const named = (text: string): Html => html`<bdi>${cut(text, longestName)}</bdi>`;
