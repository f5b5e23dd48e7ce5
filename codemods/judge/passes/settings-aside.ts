/**
 * What a comment of an `.env` file offers for a variable that moves: `# TEXTS_URL=http://localhost:9000/v1`, or `# staging: https://sandbox.example.com/v1` right above it.
 * Who takes it would ask v1 with the key of v2.
 */
import { domainOf, isLocal } from '../../verdict/bases/hosts.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { coverOf } from '../../formats/text.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';
import { isAddressEdit, longestLine } from '../uses-of-v1.ts';
import { variablesSetBy } from '../passages/package-uses.ts';

/** A comment with an address of v1: it would set a variable itself, or stands above others, and these above one that is set. */
const offered =
  /^[ \t]*#[ \t]*(?:(?:export[ \t]+)?(?<name>[A-Z][A-Z\d_]*)=["']?)?(?:[^\n]*?[\s("'`<=])??(?<address>https?:\/\/[^\s"'`<>()#]+?\/v1)(?![\w-])(?=[^\n]*(?:\n[ \t]*#[^\n]*)*(?:\n[ \t]*(?:export[ \t]+)?(?<below>[A-Z][A-Z\d_]*)[ \t]*=)?)/gm;

/** `- { name: TEXTS_URL, value: https://…` */
const named = /\bname["']?:\s*["']?([A-Z][A-Z\d_]*)["']?\s*,?\s*["']?value["']?:\s*["']?https?:[^\s"']*$/;

export function withSettingsAside<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  files: readonly Pick<FoundFile, 'path' | 'kind'>[],
  { v1 }: Bases,
  textIn: (file: string) => string,
): P {
  const setBy = (edit: Edit): readonly string[] => {
    const text = textIn(edit.file);
    const [, name] = (isAddressEdit(edit) && named.exec(text.slice(Math.max(0, edit.start - longestLine), edit.start))) || [];
    return name === undefined ? variablesSetBy(edit, text) : [name];
  };
  const moved = new Set([
    ...plan.edits.flatMap(setBy),
    ...plan.findings.flatMap(({ code, detail }) => (code === 'env-elsewhere' ? (detail['name'] ?? []) : [])),
  ]);
  if (moved.size === 0) return plan;
  const domains = new Set(v1.map((base) => domainOf(new URL(base).host)));
  const isOurs = (address: string): boolean => {
    const host = URL.parse(address)?.host ?? '';
    return isLocal(host) || domains.has(domainOf(host));
  };
  const found = files.flatMap(({ path: file, kind }): Finding[] => {
    const text = kind === 'env' ? textIn(file) : '';
    if (!text.includes('/v1')) return [];
    const isEdited = coverOf(plan.edits.filter((edit) => edit.file === file));
    const position = positionsOf(text);
    return Array.from(text.matchAll(offered)).flatMap(({ index, 0: all, groups: { name, below, address = '' } = {} }): Finding[] => {
      const start = index + all.indexOf(address);
      const place = { start, end: start + address.length };
      if (!moved.has(name ?? below ?? '') || !isOurs(address) || isEdited(place)) return [];
      return [{ file, ...place, ...position(start), code: 'mentioned', detail: {} }];
    });
  });
  const told = found.filter(notReportedBy(plan.findings));
  return told.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...told].toSorted(byPlace) };
}
