/** Vue, Svelte, Astro and HTML: the script parts, which are read as JavaScript or TypeScript. */
import { Parser } from 'htmlparser2';
import { readCodeSettings } from './code-settings.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import { type Template, type TemplateCalls, templateCalls } from './template-calls.ts';
import { type TextRange, blank, blanked } from './text.ts';

export interface ScriptPart extends TextRange {
  readonly extension: string;
  /** What an engine reads there, where that is not what stands there. */
  readonly text?: string;
}

const scriptTypes = /^(?:|module|(?:text|application)\/(?:javascript|typescript|babel))$/;
const languages: Readonly<Record<string, string>> = { ts: 'ts', typescript: 'ts', tsx: 'tsx', jsx: 'jsx' };
/** Between the first two `---` of an Astro file. */
const frontmatter = /^\s*---[ \t]*\r?\n(?<code>[\s\S]*?)^---[ \t]*\r?$/m;

/** The scripts of a component, and the calls of its template that ask for something, in order. */
export function markupScripts(source: string, file: string): ScriptPart[] {
  const scripts = ownScripts(source, file);
  const { calls } = callsBeside(source, file, scripts);
  const extension = scripts[0]?.extension ?? 'js';
  const asked = [...calls, ...includedBy(source, file)];
  const made = asked.map(({ start, end }) => ({ start: start - 1, end, extension, text: `;${source.slice(start, end)}` }));
  // A script may begin with what would go on with a call.
  const behind = made.length === 0 ? [] : scripts.map(({ start }) => ({ start: start - 1, end: start, extension, text: ';' }));
  return [...scripts, ...made, ...behind].toSorted((one, other) => one.start - other.start);
}

/** Templates of AngularJS at an address of another host, as expressions: what is set for all that a page asks is sent there, too. */
const includes =
  /(?:<ng-include\b[^<>]{0,300}?\ssrc=|\bng-include(?:\s+src)?=|\bng-messages-include=)\s*(?:"\s*('(?:https?:)?\/\/[^"'\n]*')\s*"|'\s*("(?:https?:)?\/\/[^"'\n]*")\s*'|("(?:https?:)?\/\/[^"'\n]*"))/dg;

const includedBy = (source: string, file: string): readonly TextRange[] =>
  !/\.html?$/.test(file) || !source.includes('-include')
    ? []
    : Array.from(source.matchAll(includes), ({ indices }) => indices?.slice(1).find((each) => each !== undefined)).flatMap((found) =>
        found === undefined ? [] : [{ start: found[0], end: found[1] }],
      );

export const unreadIn = (source: string, file: string): readonly TextRange[] => callsBeside(source, file, ownScripts(source, file)).unread;

/** Whether its template makes calls that are not read, though they hold something of v1. */
export const hasUnreadCalls = (source: string, file: string): boolean => unreadIn(source, file).length > 0;

function callsBeside(source: string, file: string, scripts: readonly TextRange[]): TemplateCalls {
  const template = templateIn(source, file, scripts);
  return template === undefined ? { calls: [], unread: [] } : templateCalls(template);
}

/** The template of a component; a page has none. */
export function templateIn(source: string, file: string, known?: readonly TextRange[]): Template | undefined {
  const [, kind] = /\.(vue|svelte|astro)$/.exec(file) ?? [];
  if (kind !== 'vue' && kind !== 'svelte' && kind !== 'astro') return undefined;
  const scripts = known ?? ownScripts(source, file);
  const text = blanked(source, [...scripts, ...commentsIn(source), ...stylesIn(source)]);
  const script = scripts.map(({ start, end }) => source.slice(start, end)).join('\n');
  return { text, kind, script, isInScope: kind !== 'vue' || /<script\b[^>]*\ssetup\b/.test(source) };
}

function stylesIn(source: string): TextRange[] {
  const found: TextRange[] = [];
  const last = source.lastIndexOf('</style>');
  for (const { index, 0: tag } of source.matchAll(/<style\b[^<>]*>/g)) {
    const start = index + tag.length;
    if (start <= last && start >= (found.at(-1)?.end ?? 0)) found.push({ start, end: source.indexOf('</style>', start) });
  }
  return found;
}

function ownScripts(source: string, file: string): ScriptPart[] {
  const isAstro = file.endsWith('.astro');
  const head = isAstro ? frontmatterOf(source) : undefined;
  const parts: ScriptPart[] = head === undefined ? [] : [head];
  let open: { from: number; extension: string } | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name !== 'script' || attributes['src'] !== undefined || !scriptTypes.test(attributes['type'] ?? '')) return;
        // Astro reads every script as TypeScript.
        open = { from: parser.endIndex + 1, extension: isAstro ? 'ts' : (languages[attributes['lang'] ?? ''] ?? 'js') };
      },
      onclosetag(name) {
        if (name !== 'script' || open === undefined) return;
        const end = parser.startIndex;
        if (end > open.from) parts.push({ start: open.from, end, extension: open.extension });
        open = undefined;
      },
    },
    { recognizeSelfClosing: true, lowerCaseTags: false },
  );
  // What stands in the frontmatter is no markup.
  parser.end(blank(source.slice(0, head?.end ?? 0)) + source.slice(head?.end ?? 0));
  return parts;
}

function frontmatterOf(source: string): ScriptPart | undefined {
  const found = frontmatter.exec(source);
  const code = found?.groups?.['code'];
  if (found === null || code === undefined) return undefined;
  const start = source.indexOf('\n', source.indexOf('---')) + 1;
  return { start, end: start + code.length, extension: 'ts' };
}

/** Nothing outside the scripts is changed, but what a page sets variables to; comments mean nothing. */
export function readMarkup(stretch: Stretch): Reading {
  const { text: source, start } = stretch;
  const { file } = stretch.source;
  const comments = commentsIn(source);
  const scripts = markupScripts(source, file);
  if (!/\.html?$/.test(file))
    return merge([{ elsewhere: scripts, prose: [...comments, ...hintsIn(source)], unread: unreadIn(source, file) }]);
  // The head of a page sets what it has as variables of the environment.
  const read = scripts.map((part): Partial<Reading> => {
    const { settings, elsewhere } = readCodeSettings({ ...stretch, start: start + part.start, text: source.slice(part.start, part.end) });
    return { settings, elsewhere: elsewhere.map((each) => ({ start: part.start + each.start, end: part.start + each.end })) };
  });
  return merge([...read, { prose: [...comments, ...hintsIn(source), ...textsOf(source)] }]);
}

function commentsIn(source: string): TextRange[] {
  const found: TextRange[] = [];
  for (let start = source.indexOf('<!--'); start !== -1;) {
    const end = source.indexOf('-->', start + 4);
    if (end === -1) break;
    found.push({ start, end: end + 3 });
    start = source.indexOf('<!--', end);
  }
  return found;
}

/** What is shown of a field until something stands in it, and what is read aloud of it: `placeholder="X-API-Key"`. */
const hintsIn = (source: string): TextRange[] =>
  Array.from(source.matchAll(/(?<=\s)(?:placeholder|alt|aria-label)=(?:"[^"]*"|'[^']*')/g), ({ index: start, 0: found }) => ({
    start,
    end: start + found.length,
  }));

/** What a page shows; the texts of components may be given to them as data. */
function textsOf(source: string): TextRange[] {
  const texts: TextRange[] = [];
  let isShown = true;
  const parser = new Parser({
    onopentag: (name) => (isShown &&= name !== 'script'),
    onclosetag: (name) => (isShown ||= name === 'script'),
    ontext: () => isShown && texts.push({ start: parser.startIndex, end: parser.endIndex + 1 }),
  });
  parser.end(source);
  return texts;
}
