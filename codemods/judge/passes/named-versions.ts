/**
 * Settings that hold the version alone, `apiVersion = 'v1'`: what documents and comments call by that very name is old with it. Whoever gives `apiVersion: 'v1'` as they
 * say asks v1, and with the header of v2.
 */
import { coverOf } from '../../formats/text.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { isComment, isInBlock } from '../../syntax/comments.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';
import type { Moved } from '../moved.ts';
import { versionSettings, versionsSaid } from '../version-settings.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Files that imports join. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

/** Where comments of the same component and documents of the same package speak of such a setting. */
export function withNamedVersions<P extends Read>(plan: P, { moved, components, files, textIn }: Known): P {
  const settings = Map.groupBy(versionSettings(plan, moved, textIn), ({ file }) => file);
  if (settings.size === 0) return plan;
  const packageOf = packageFolders(files);
  const inScripts = components.flatMap((own) => {
    const names = own.flatMap(({ file }) => settings.get(file)?.map(({ name }) => name) ?? []);
    return names.length === 0 ? [] : own.flatMap(({ file }) => (isTest({ file }) ? [] : { file, names }));
  });
  const inPackages = Map.groupBy(inScripts, packageOf);
  const inDocuments = files.flatMap(({ path: file }) => {
    const about = isDocument.test(file) && !isChangeLog(file) ? (inPackages.get(packageOf({ file })) ?? []) : [];
    return about.length === 0 ? [] : { file, names: about.flatMap(({ names }) => names) };
  });
  const told = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  const found = [...inScripts, ...inDocuments].flatMap(({ file, names }): Finding[] => {
    const text = textIn(file);
    const isRead = isDocument.test(file) ? () => true : (at: number) => isComment(text, at) || isInBlock(text, at);
    const isMoved = coverOf(plan.edits.filter((each) => each.file === file));
    const old = text.includes('v1') ? versionsSaid(text, new Set(names)) : [];
    const said = old.filter((place) => isRead(place.start) && !isMoved(place));
    const source = { file, text, position: positionsOf(text) };
    const findings = said.map(({ start, end }): Finding => ({
      code: 'mentioned',
      file,
      start,
      end,
      ...source.position(start),
      detail: {},
    }));
    const lines = new Map(findings.toReversed().map((each) => [each.line, each]));
    return [...lines.values()].filter(({ line }) => !told.has(`${file}:${line}`));
  });
  if (found.length === 0) return plan;
  const lines = new Set(found.flatMap(({ code, file, line }) => (code === 'mentioned' ? `${file}:${line}` : [])));
  const isTold = ({ file, line, reason }: LedgerEntry): boolean => reason === 'no-call' && lines.has(`${file}:${line}`);
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (isTold(entry) ? { ...entry, state: 'person', reason: 'mentioned' } : entry)),
    findings: [...plan.findings, ...found].toSorted(byPlace),
  };
}

const isDocument = /\.mdx?$/i;
