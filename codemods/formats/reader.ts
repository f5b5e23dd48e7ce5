/** Reads files that are no scripts, and finds the scripts that stand in some of them. */
import type { SourceText } from '../evaluate/values/source-text.ts';
import { positionsOf } from '../syntax/position.ts';
import { markupScripts } from './markup.ts';
import { type DocumentScript, markdownScripts } from './markdown.ts';
import { type Reading, emptyReading } from './reading.ts';
import { type TextKind, formats } from './registry.ts';
import type { TextRange } from './text.ts';
import { yamlParts } from './yaml-parts.ts';

export interface TextFile {
  readonly file: string;
  readonly kind: TextKind;
  readonly text: string;
}

/** What was read from a file, before any verdict. */
export interface ReadFile {
  readonly kind: TextKind;
  readonly source: SourceText;
  readonly reading: Reading;
}

/**
 * Never throws: where a parser gives up nothing is found, and the file's literals are reported as not read.
 * @param others files of its kind that may have to do with it
 */
export function readFile({ file, kind, text }: TextFile, others: readonly TextFile[] = []): ReadFile {
  const source: SourceText = { file, text: withoutBom(text), position: positionsOf(text) };
  const reading = orIfTooDeep(() => formats[kind].read({ source, start: 0, text: source.text }, others), emptyReading);
  return { kind, source, reading };
}

export interface ScriptPart extends TextRange {
  /** The file's path with a part's number and an extension that tells the language. */
  readonly path: string;
  readonly text: string;
  /** Of a document: whether it runs with that as a page. */
  readonly isOfPage: boolean;
}

/** What finds the parts of a file that engines read. */
const finders: Partial<
  Record<
    TextKind,
    (text: string, file: string) => readonly (TextRange & Pick<DocumentScript, 'extension' | 'text'> & Partial<DocumentScript>)[]
  >
> = {
  markup: markupScripts,
  markdown: markdownScripts,
  yaml: yamlParts,
};

/** Whether engines may read parts of such files. */
export const hasParts = (kind: TextKind): boolean => finders[kind] !== undefined;

/** The script parts of a component or a Markdown file, and what YAML holds of nginx and of scripts; all others have none. Offsets are the file's. */
export function scripts({ file, kind, text }: TextFile): ScriptPart[] {
  const find = finders[kind];
  const parts = find === undefined ? [] : orIfTooDeep(() => find(withoutBom(text), file), []);
  return parts.map(({ start, end, extension, text: read = text.slice(start, end), isOfPage = false }, i) => ({
    path: `${file}#${i}.${extension}`,
    start,
    end,
    text: read,
    isOfPage,
  }));
}

/** A line end in place of a BOM: it means nothing in any format, and every offset stays. */
function withoutBom(text: string): string {
  return text.replace(/^\u{FEFF}/u, '\n');
}

function orIfTooDeep<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    // Nesting that no stack is deep enough for. Anything else is a fault of ours.
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
