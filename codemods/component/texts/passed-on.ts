/** Variables that a file passes on to programs which are not read, with what would change of them. */
import type { Problem } from '../../escape/problems.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import type { Reading } from '../../formats/reading.ts';
import type { Span } from '../../model.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import type { WrittenSite } from '../written-sites.ts';

/** A variable that something is given under its own name, of which it is not known who reads it there. */
export interface HandedOver extends VariableUse {
  /** What it holds that would change. */
  readonly held: readonly Span[];
}

/** Variables that are passed to programs which are not read keep their values. */
export function passedOn(reading: Reading, written: readonly WrittenSite[], changes: ChangesByPlace): Problem[] {
  const seen = new Set(written.flatMap(({ setting, site }) => (setting !== undefined && site.verdict.kind !== 'foreign' ? [setting] : [])));
  return reading.passedOn.flatMap(({ name, parts, within, isUnderItsName, ...node }) => {
    if (isUnderItsName === true || (within !== undefined && seen.has(within))) return [];
    return changedIn(parts, changes).map((change): Problem => ({ code: 'escapes', node, module: change.module, detail: { name }, change }));
  });
}

/** What would change of a text. */
const changedIn = (parts: readonly Part[], changes: ChangesByPlace): readonly Change[] =>
  parts.flatMap((part) => {
    if ('unknownPart' in part || part.source === undefined) return [];
    const { module, start } = part.source;
    const end = start + part.text.length;
    return changes.at(module, start, end).filter((change) => change.start < end && start < Math.max(change.end, change.start + 1));
  });

/** Variables that are handed to something under their own names, with what would change of them here. */
export const handedOver = ({ passedOn: all }: Reading, changes: ChangesByPlace, source: SourceText): HandedOver[] =>
  all.flatMap(({ name, parts, isUnderItsName, start, end }) =>
    isUnderItsName === true && ignoredAt(source, start, end) === undefined
      ? {
          file: source.file,
          start,
          end,
          ...source.position(start),
          name,
          group: undefined,
          needsValue: true,
          held: changedIn(parts, changes).map((change) => ({ file: change.module.file, start: change.start, end: change.end })),
        }
      : [],
  );
