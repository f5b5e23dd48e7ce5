/** File names, hosts and pieces of source are other people's text: in every output they stay text. */

/** Controls (which terminals obey), line separators, marks that turn the direction of writing, halves of surrogate pairs. */
const hazards = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const visible = (character: string): string => named[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** The text on one line, with what a terminal or an editor would obey made visible. */
export const plain = (text: string): string => text.replace(hazards, visible);

/** The text within a line of Markdown, also in a cell of a table: no markup, no HTML, nobody mentioned. */
export const markdownText = (text: string): string =>
  plain(text)
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');

/** The text as code within a line of Markdown, also in a cell of a table. */
export function markdownCode(text: string): string {
  const shown = plain(text);
  const fence = '`'.repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = /^`|`$|^ .* $/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`;
}

// Inside of strings alone is there anything of these.
const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** JSON over several lines, in which whatever a terminal would obey is escaped; it says the same. */
export const json = (value: unknown): string => `${escaped(JSON.stringify(value, null, 2))}\n`;

/** The same on one line. */
export const jsonLine = (value: object): string => `${escaped(JSON.stringify(value))}\n`;

/** A text that follows from its pieces; a text itself would come character by character. */
export type Pieces = Iterable<string> & object;

const indented = (part: unknown, indent: string): string => escaped(JSON.stringify(part, null, 2)).replaceAll('\n', `\n${indent}`);

/** The same of an object with members, piece by piece: its lists are written item by item, so that the whole of it is never in memory. */
export function* jsonPieces(value: object): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    yield `${before}\n  ${indented(name, '')}: `;
    before = ',';
    if (!Array.isArray(member) || member.length === 0) yield indented(member, '  ');
    else {
      for (const [at, item] of member.entries()) yield `${at === 0 ? '[' : ','}\n    ${indented(item, '    ')}`;
      yield '\n  ]';
    }
  }
  yield '\n}\n';
}
