/** Vue, Svelte, Astro and HTML: the script parts, which are read as JavaScript or TypeScript. */
import { Parser } from 'htmlparser2';
import { readCodeSettings } from './code-settings.ts';
import { blank } from './text.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import type { TextRange } from './text.ts';

export interface ScriptPart extends TextRange {
  readonly extension: string;
}

const scriptTypes = /^(?:|module|(?:text|application)\/(?:javascript|typescript|babel))$/;
const languages: Readonly<Record<string, string>> = { ts: 'ts', typescript: 'ts', tsx: 'tsx', jsx: 'jsx' };
/** Between the first two `---` of an Astro file. */
const frontmatter = /^\s*---[ \t]*\r?\n(?<code>[\s\S]*?)^---[ \t]*\r?$/m;

/** The scripts of a component, in order. */
export function markupScripts(source: string, file: string): ScriptPart[] {
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
  if (!/\.html?$/.test(file)) return merge([{ elsewhere: scripts, prose: comments }]);
  // The head of a page sets what it has as variables of the environment.
  const read = scripts.map((part): Partial<Reading> => {
    const { settings, elsewhere } = readCodeSettings({ ...stretch, start: start + part.start, text: source.slice(part.start, part.end) });
    return { settings, elsewhere: elsewhere.map((each) => ({ start: part.start + each.start, end: part.start + each.end })) };
  });
  return merge([...read, { prose: [...comments, ...textsOf(source)] }]);
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
