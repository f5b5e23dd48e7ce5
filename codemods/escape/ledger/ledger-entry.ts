/** What becomes of a suspicious literal of any file, by the change that is in it and by the comment that leaves it alone. */
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { settingOf } from '../../evaluate/settings/variables-set.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import { constantOf, namedBy } from '../../verdict/changes/kept-names.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Change, isNameChange } from '../../verdict/changes/spans.ts';
import { isExpectedToBe } from '../paths/repeats.ts';
import { mark } from './suspicious.ts';

/** What becomes of a literal, and why. */
export type State = readonly [LedgerEntry['state'], string];

export interface Literal {
  readonly module: SourceText;
  readonly start: number;
  readonly end: number;
}

/** @returns undefined where nothing in it would change */
export function changedState(
  { module, start, end }: Literal,
  changes: ChangesByPlace,
  refusedFor: (change: Change) => FindingCode | undefined,
): State | undefined {
  const change = changes.at(module, start, end).find((each) => start <= each.start && each.end <= end && each.what !== 'header value');
  if (change === undefined) return undefined;
  const refused = refusedFor(change);
  return refused === undefined ? ['rewritten', change.what] : ['person', refused];
}

/** What a person was to decide is decided where a comment leaves it alone. */
export function entryFor({ module, start, end }: Literal, [state, reason]: State): LedgerEntry {
  const isDecided = state === 'person' && ignoredAt(module, start, end) !== undefined;
  return { file: module.file, start, end, ...module.position(start), state, reason: isDecided ? 'ignored' : reason };
}

/** Where a person looks for a literal: of what tells people something over several lines, at the one that says it. */
export function placeIn(
  { file, start, end, line, column }: LedgerEntry,
  module: SourceModule,
  code: FindingCode,
): Omit<Finding, 'code' | 'detail'> {
  const [before] = code === 'mentioned' ? module.text.slice(start, end).split(mark, 1) : [];
  if (before?.includes('\n') !== true) return { file, start, end, line, column };
  return { file, start: start + before.length, end, ...module.position(start + before.length) };
}

/** What looks like no path by itself, `version: 'v1'`, and stays with the requests that have it: whoever moves these by hand needs it. */
export function versionsLeft(
  entries: readonly LedgerEntry[],
  { all }: ChangesByPlace,
  refusedFor: (change: Change) => FindingCode | undefined,
): LedgerEntry[] {
  const byFile = Map.groupBy(entries, ({ file }) => file);
  const left = all.filter(({ module, what }) => what === 'path' && isScript(module));
  return [...Map.groupBy(left, ({ module }) => module)].flatMap(([module, changes]) => {
    const isNamed = coverOf(byFile.get(module.file) ?? []);
    return changes.flatMap((change): LedgerEntry[] => {
      const refused = isNamed(change) ? undefined : refusedFor(change);
      return refused === undefined ? [] : [entryFor(change, ['person', refused])];
    });
  });
}

/** … and where these give the header by a constant, `{ [HEADERS.key]: key }`. */
export function namesLeft(
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  refusedFor: (change: Change) => FindingCode | undefined,
): LedgerEntry[] {
  const found = sites.flatMap(({ verdict, keys }) =>
    keys.flatMap((entry): [string, LedgerEntry][] => {
      const { key, module } = entry;
      const name = verdict.kind !== 'ours' || constantOf(entry) === undefined ? undefined : namedBy(entry);
      if (name === undefined || key?.source === undefined) return [];
      const { source, text } = key;
      // A constant that others have stays, and the header is written out here.
      const edits = [...changes.at(module, name.start, name.end), ...changes.at(source.module, source.start, source.start + text.length)];
      const change = edits.find(isNameChange);
      const refused = change && refusedFor(change);
      return refused === undefined ? [] : [[`${module.file} ${name.start}`, entryFor({ module, ...name }, ['person', refused])]];
    }),
  );
  return [...new Map(found).values()];
}

const weak = new Set<FindingCode>(['redacts-header', 'repeats-path', 'unconsumed', 'mentioned']);

/**
 * A line that something else is said of is looked at for that: a pattern of a mock that could not be read is compared with a path, too.
 * What a comment allows is done with, and nobody looks there.
 */
export function notReportedBy(others: readonly Finding[]): (finding: Finding) => boolean {
  const lines = new Set(others.flatMap(({ code, file, line }) => (code === 'allowed' ? [] : `${file} ${line}`)));
  const said = new Set(others.map(({ code, file, start }) => `${code} ${file} ${start}`));
  return ({ code, file, line, start }) => !said.has(`${code} ${file} ${start}`) && (!weak.has(code) || !lines.has(`${file} ${line}`));
}

/** What is said of a text that stays, and whether a test expects it: that may move once all others are known. */
export function messageDetail(
  code: FindingCode,
  { node, module }: { readonly node: Node; readonly module: SourceModule },
  detail: Finding['detail'],
): Finding['detail'] {
  const env = code === 'unconsumed' ? variableSetBy(node, module) : undefined;
  if (env !== undefined) return { env, ...detail };
  const mayMove = (code === 'repeats-path' || code === 'unconsumed') && Object.keys(detail).length === 0;
  return mayMove && isExpectedToBe(node, module) ? { how: 'expected' } : detail;
}

/** The variable that is set to an address: `process.env.API_URL = 'https://…'`, `vi.stubEnv('API_URL', 'https://…')`, `env: { API_URL: 'https://…' }`. */
function variableSetBy(node: Node, { text }: SourceModule): string | undefined {
  const name = settingOf(node);
  const isEntry = node.parent?.kind === 'property';
  const around = node.parent?.parent?.parent;
  if (name === undefined || !/^[A-Z][A-Z\d_]*$/.test(name) || !/^["'`]https?:/.test(text.slice(node.start, node.start + 'https:"'.length)))
    return undefined;
  return isEntry && !(around?.kind === 'property' && around.name === 'env') ? undefined : name;
}
