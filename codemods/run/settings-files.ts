/**
 * Files of settings of the repository that its own scripts read by their names: `JSON.parse(readFileSync('texts.config.json'))`. One that says our base
 * under the name that they read moves with them, where nobody else names it.
 */
import { posix } from 'node:path';
import { isTest } from '../evaluate/test-files.ts';
import { isTemplate } from '../find/production-files.ts';
import { escaped } from '../find/literals.ts';
import { positionsOf } from '../syntax/position.ts';
import type { VariableUse } from '../cross-file-uses.ts';
import type { Bases } from '../verdict/routes.ts';
import type { Member } from './cross-file-constraints.ts';

const maxNames = 16;

/** Files that only say of others what becomes of them. */
const listing = /(?:^|\/)(?:\.\w*ignore|package(?:-lock)?\.json)$/;

/**
 * @param files all that are walked
 * @returns each file with its edit, as a member of the run
 */
export function settingsFilesIn(
  files: readonly string[],
  members: readonly Pick<Member, 'variables'>[],
  { v1, v2 }: Pick<Bases, 'v1' | 'v2'>,
  textIn: (file: string) => string,
): Member[] {
  if (v2 !== undefined) return [];
  const given = members.flatMap(({ variables }) => variables.filter(({ isGiven, needsValue }) => isGiven === true && needsValue));
  const byName = Map.groupBy(given, ({ name }) => name);
  // All files are gone through for each.
  if (byName.size > maxNames) return [];
  return [...byName].flatMap(([name, uses]): Member[] => {
    const [, path = '', base = ''] = / of \S+\.json$/.test(name) ? (/^(.+) of (\S+)$/.exec(name) ?? []) : [];
    const [file, another] = path === '' ? [] : files.filter((each) => posix.basename(each) === base);
    const [group, other] = new Set(uses.map((use) => use.group));
    if (file === undefined || another !== undefined || group === undefined || other !== undefined || isTemplate(file)) return [];
    const readers = new Set(uses.map((use) => use.file));
    const isReadByOthers = (each: string): boolean =>
      each !== file && !readers.has(each) && !listing.test(each) && mayName(each, textIn(each), base);
    const at = versionAt(textIn(file), path.split('.'), v1);
    if (at === undefined || files.some(isReadByOthers)) return [];
    const place = { file, ...at, ...positionsOf(textIn(file))(at.start) };
    const use: VariableUse = { ...place, name, group, needsValue: true, isGiven: true };
    return [
      {
        edits: [{ ...place, text: 'v2', group, what: 'base' }],
        variables: [use],
        calls: [],
        findings: [],
        ledger: [],
        routes: [],
        refused: [],
        isCode: false,
      },
    ];
  });
}

/**
 * Whether a file may name another, as a whole or by how it ends (`${name}.config.json`, `*.json`): a script in a text, others in more than a comment. A
 * test that writes such a file has one of its own.
 */
function mayName(file: string, text: string, name: string): boolean {
  const [stem = '', ...endings] = name.split('.');
  const tails = endings.map((_, index) => endings.slice(index).join('.'));
  const whole = String.raw`\b${[stem, ...endings.slice(0, -1)].map(escaped).join(String.raw`\.`)}(?:\.json)?\b`;
  const isScript = /\.[cm]?[jt]sx?$/.test(file);
  const named = new RegExp(isScript ? String.raw`(?<=['"\x60/])${whole}(?=['"\x60])` : whole);
  const ended = new RegExp(String.raw`[*}'"\x60]\.(?:${tails.map(escaped).join('|')})\b`);
  return text.split('\n').some((line) => {
    const isOwn = isTest({ file }) && /\bwriteFile/.test(line);
    const isComment = /^\s*(?:#|\/\/|\*|\/\*)/.test(line);
    return !isOwn && !isComment && (named.test(line) || ended.test(line));
  });
}

/** Where the version of our base stands that a file of JSON has at a path, if that is all that it has there, and nowhere else under that name. */
function versionAt(
  text: string,
  path: readonly string[],
  bases: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  const value = valueAt(text, path);
  if (typeof value !== 'string' || !bases.some((base) => value.replace(/\/$/, '') === `${base.replace(/\/$/, '')}/v1`)) return undefined;
  const [found, another] = text.matchAll(new RegExp(String.raw`"${escaped(path.at(-1) ?? '')}"\s*:\s*"`, 'g'));
  if (found === undefined || another !== undefined) return undefined;
  const begin = found.index + found[0].length;
  if (!text.startsWith(`${value}"`, begin)) return undefined;
  const start = begin + value.lastIndexOf('v1');
  return { start, end: start + 'v1'.length };
}

function valueAt(text: string, path: readonly string[]): unknown {
  try {
    const root: unknown = JSON.parse(text);
    return path.reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? Object.entries(at).find(([key]) => key === name)?.[1]
          : undefined,
      root,
    );
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
