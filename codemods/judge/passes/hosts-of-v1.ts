/**
 * Where v2 has another host: what still names that of v1. What lets through, or decides by, that host alone (a Content-Security-Policy, permissions of an extension,
 * `url.startsWith('https://api.example.com')` before a header is added) refuses calls that have moved, or leaves them without a key.
 */
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { isComment as isCommentOfLine } from '../../escape/ledger/text-places.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { isComment } from '../../syntax/comments.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/** What is written for people alone: its commands and addresses are looked at by themselves. */
const isProse = /\.(?:mdx?|adoc|rst|txt)$/i;
/** Where an address of v2 is one that is asked, or that something is given to be asked. */
const isCode = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$|(?:^|\/)\.env(?:\.|$)/i;

/**
 * What is on v2 already asks another host, too: the plan need not change anything, and files that hold nothing of v1 any more are not read as code.
 * @param isMoved whether calls move in this run, or are seen to have moved before
 * @param files the paths of all that was found
 * @param textIn the text of a file
 * @returns the plan with one finding for each line that names a host of v1, and is neither edited nor told already
 */
export function withHostsOfV1<P extends Read>(
  plan: P,
  isMoved: boolean,
  files: readonly string[],
  { v1, v2 }: Bases,
  textIn: (file: string) => string,
): P {
  const hosts = hostsLeft(v1, v2);
  if (v2 === undefined || hosts.length === 0) return plan;
  if (!isMoved && !files.some((file) => isCode.test(file) && textIn(file).toLowerCase().includes(new URL(v2).host))) return plan;
  const named = new RegExp(String.raw`(?<![\w.-]|--v1-base[ =]["']?https?://)(?:${hosts.map(escaped).join('|')})(?![\w-]|\.\w)`, 'gi');
  const known = Map.groupBy([...plan.edits, ...plan.ledger.filter(isTold)], ({ file }) => file);
  const lines = new Map<string, Finding>();
  for (const file of files) {
    if (isProse.test(file)) continue;
    const text = textIn(file);
    if (!hosts.some((host) => text.toLowerCase().includes(host))) continue;
    const isKnown = coverOf(known.get(file) ?? []);
    const positionAt = positionsOf(text);
    for (const { 0: host, index: start } of text.matchAll(named)) {
      const place = { start, end: start + host.length };
      if (isKnown(place) || isComment(text, start) || isCommentOfLine({ file, text }, place)) continue;
      const finding: Finding = { code: 'repeats-path', file, ...place, ...positionAt(start), detail: { how: 'host', host } };
      lines.set(`${file}:${finding.line}`, finding);
    }
  }
  const found = [...lines.values()].filter(notReportedBy(plan.findings));
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

/** Hosts of v1, with their ports, that v2 does not have. */
function hostsLeft(v1: readonly string[], v2: string | undefined): string[] {
  if (v2 === undefined) return [];
  const after = new URL(v2).host;
  return v1.map((base) => new URL(base).host).filter((host) => host !== after);
}

/** What stays on v1 is told where it stands. */
const isTold = ({ state }: LedgerEntry): boolean => state === 'person';
