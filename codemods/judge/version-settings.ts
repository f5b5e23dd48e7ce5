/** Settings that hold the version of the service alone, `apiVersion = 'v1'`: what programs call them, and what texts say of them by that very name. */
import { isTest } from '../evaluate/libraries/test-files.ts';
import { escaped } from '../find/words/literals.ts';
import type { TextRange } from '../formats/text.ts';
import type { Plan, Span } from '../model.ts';
import type { Moved } from './moved.ts';
import { isCodeOrPage } from '../find/kinds.ts';

export interface VersionSetting extends Span {
  readonly name: string;
  /** Whether it is on v2, by this run or one before. */
  readonly isMoved: boolean;
}

/** Those of programs that move, that stay for a person, or that moved before, where the version is written: a constant first, and what gets its value beside it. */
export function versionSettings(
  { edits, ledger }: Pick<Plan, 'edits' | 'ledger'>,
  moved: readonly Moved[],
  textIn: (file: string) => string,
): readonly VersionSetting[] {
  const written = [
    ...edits.flatMap(({ file, start, end, what, text }) => (what === 'path' && text === 'v2' ? { file, start, end, isMoved: true } : [])),
    ...ledger.flatMap(({ state, file, start, end }) => (state === 'person' ? { file, start, end, isMoved: false } : [])),
    ...[...new Set(moved.map(({ file }) => file))].flatMap((file) =>
      Array.from(textIn(file).matchAll(versionOfMoved), ({ index: start, 0: { length } }) => ({
        file,
        start,
        end: start + length,
        isMoved: true,
      })),
    ),
  ];
  return written.flatMap((place): VersionSetting[] => {
    const text = isCodeOrPage.test(place.file) && !isTest(place) ? textIn(place.file) : '';
    if (!alone.test(text.slice(place.start - 1, place.end + 1))) return [];
    const { name } = setTo.exec(text.slice(Math.max(0, place.start - longestSetting), place.start))?.groups ?? {};
    if (name === undefined || !isOfVersion.test(name)) return [];
    const given = new RegExp(`([\\w$]*[a-z][\\w$]*)["']?\\s*(?:=|:|\\?\\?|\\|\\|)\\s*(?:[\\w$]+\\.)*${escaped(name)}(?![\\w$])`, 'g');
    const names = Array.from(text.matchAll(given), ([, holder = '']) => holder).filter((holder) => isOfVersion.test(holder));
    return [...new Set([name, ...names])].map((each) => ({ ...place, name: each }));
  });
}

/** With what stands on both sides of it. */
const alone = /^["'\x60]?\/?v[12](?<quote>["'\x60])/;
const versionOfMoved = /(?<=["'\x60])v2(?=["'\x60])/g;
/** `apiVersion = `, `version: `, `config.version ?? `, `version: string = `, `apiVersion: z.string().default(` */
const setTo =
  /(?<name>[\w$]+)["']?(?:\s*\??:\s*[\w$]+\s*=|\s*(?:=|\?\??:|:|\?\?=?|\|\|=?)|\s*[:=][^,;{}=]*\.(?:default|optional|catch)\()\s*["'\x60]?\/?$/;
const isOfVersion = /version/i;
/** In characters. */
const longestSetting = 120;

export interface SaidVersion extends TextRange {
  readonly name: string;
}

/**
 * What lines of a text say of settings: `apiVersion: 'v1'`, `apiVersion?: string // Default: 'v1'`, `| version | string | v1 |`, and the comment right above one:
 * `@default "v1"`. What is written without quotes, `apiVersion: v1`, is of whoever reads YAML, unless it has the name of a variable: `export TEXTS_API_VERSION=v1`.
 */
export function versionsSaid(text: string, names: ReadonlySet<string>): SaidVersion[] {
  if (names.size === 0) return [];
  const named = [...names].map(escaped).join('|');
  const anyName = new RegExp(`(?<![\\w$])(${named})(?![\\w$])`);
  const isSet = new RegExp(`(?<![\\w$])(?:${named})["'\x60]?\\s*[:=]\\s*["'\x60]/?v1["'\x60]`);
  const variables = [...names].filter((name) => ofVariable.test(name)).map(escaped);
  const isGiven = variables.length === 0 ? undefined : new RegExp(`(?<![\\w$])(?:${variables.join('|')})${giving.source}v1(?![\\w./:@-])`);
  const isRow = new RegExp(`^[\\s*]*\\|[\\s\x60*]*(?:${named})[\\s\x60*?]*\\|`);
  const lines = Array.from(text.matchAll(/[^\n]+/g), ({ index: start, 0: line }) => ({ start, line }));
  return lines.flatMap(({ start, line }, i): SaidVersion[] => {
    const versions = Array.from(line.matchAll(version), ({ index, 0: { length } }) => ({
      start: start + index,
      end: start + index + length,
    }));
    if (versions.length === 0) return [];
    const isDefault = ofDefault.test(line);
    const below = isDefault && ofComment.test(line) ? declaredBelow(lines.slice(i + 1, i + longestComment).map((each) => each.line)) : '';
    const [, name] = anyName.exec(line) ?? anyName.exec(below) ?? [];
    const isSaid = isDefault || isSet.test(line) || isGiven?.test(line) === true || (isRow.test(line) && cell.test(line));
    return name !== undefined && isSaid ? versions.map((place) => ({ ...place, name })) : [];
  });
}

const ofVariable = /^[A-Z][A-Z\d]*_[A-Z\d_]+$/;
/** Between a variable and what it is: `=`, `: `, "` may be set to `". */
const giving = /(?:["'\x60*:=\s]|\b(?:may|can|must|to|is|be|set)\b)+/;
const version = /(?<![\w./@:$-])v1(?![\w/@:-]|\.\w)/g;
const ofDefault = /\b(?:defaults?|unless|omitted|unset|not given)\b/i;
const ofComment = /^\s*(?:\/\*\*?|\*)/;
const cell = /\|[\s\x60"']*v1[\s\x60"']*\|/;
/** In lines. */
const longestComment = 12;

/** The declaration behind the end of a comment, as far as its name. */
function declaredBelow(lines: readonly string[]): string {
  const end = lines.findIndex((line) => !/^\s*\*/.test(line));
  return /^\s*(?:(?:public|private|protected|readonly|static|declare|export|const|let)\s+)*[\w$]+/.exec(lines[end] ?? '')?.[0] ?? '';
}
