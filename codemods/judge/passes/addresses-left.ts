/**
 * An address up to its version that stays in a test in which the same address has moved: what the test gives, or what it expects. `https://a.test/proxy/v1//` that is given beside
 * `https://a.test/proxy/v2/contacts` that is expected, or `toThrow('No version in https://a.test/v1/')` of a base that has moved: it can only fail.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { coverOf } from '../../formats/text.ts';
import { byPlace } from '../merge.ts';
import { type Moved, routeIn } from '../moved.ts';
import { isOnlyRead } from '../only-read.ts';

/** Characters that an address has before its version. */
const longest = 200;
const machine = /^https?:\/\/(?:[\w.-]+\.)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?=[:/])/i;
const upToVersion = /https?:\/\/[^\s'"`]*\/v1(?![\w-])/gi;

/**
 * @param calls what is moved
 * @param textIn the text of a file
 */
export function withAddressesLeft<P extends Pick<Plan, 'edits' | 'findings' | 'ledger'>>(
  plan: P,
  calls: readonly Moved[],
  bases: Bases,
  textIn: (file: string) => string,
): P {
  const routes = [...new Set(calls.map(({ endpoint }) => endpoint))].map(routeIn);
  // What is expected of the service itself is known better elsewhere.
  const isGiven = (address: string): boolean => !bases.v1.some((base) => address.toLowerCase().startsWith(base.toLowerCase()));
  const said = new Set(plan.findings.map(lineOf));
  const found = [...Map.groupBy(plan.edits, ({ file }) => file)].flatMap(([file, edits]): Finding[] => {
    if (!isTest({ file })) return [];
    const text = textIn(file);
    const isMoved = coverOf(edits);
    const position = positionsOf(text);
    const lines = new Set(edits.map(({ start }) => position(start).line));
    // At a port of the machine, other services stand beside ours.
    const isOfOther = (address: string, at: number): boolean => machine.test(address) && !lines.has(position(at).line);
    return [...new Set(edits.flatMap((edit) => addressIn(text, edit) ?? []))].filter(isGiven).flatMap((address) =>
      Array.from(text.matchAll(new RegExp(`${escaped(address)}(?![\\w.-])`, 'gi'))).flatMap(({ index: start }): Finding[] => {
        const end = start + address.length;
        const isOf = isBaseAlone(text.slice(end, end + longest)) || routes.some((route) => route.test(pathAt(text, end)));
        if (!isOf || isMoved({ start, end }) || isOfOther(address, start) || isOnlyRead(text, start)) return [];
        const finding: Finding = { code: 'repeats-path', file, start, end, ...position(start), detail: { how: 'test' } };
        return said.has(lineOf(finding)) ? [] : [finding];
      }),
    );
  });
  if (found.length === 0) return plan;
  const lines = new Map(found.map((each) => [lineOf(each), each]));
  const isFound = (entry: LedgerEntry): boolean =>
    entry.state === 'foreign' && found.some(({ file, start, end }) => file === entry.file && entry.start <= start && end <= entry.end);
  return {
    ...plan,
    findings: [...plan.findings, ...lines.values()].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => (isFound(entry) ? { ...entry, state: 'person', reason: 'repeats-path' } : entry)),
  };
}

const lineOf = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;

/** The address that an edit moves the version of. */
function addressIn(text: string, { start, end }: Edit): string | undefined {
  const from = Math.max(0, start - longest);
  return Array.from(text.slice(from, end).matchAll(upToVersion)).findLast(({ index, 0: { length } }) => from + index + length > start)?.[0];
}

/** Nothing but slashes stands behind it, or what a program puts there. */
const isBaseAlone = (behind: string): boolean => /^\/*(?:$|[\s'"`?#]|\$\{)/.test(behind);

/** Slashes that a program has put there count as one. */
const pathAt = (text: string, end: number): string =>
  `/v1${/^[^\s'"`?#]*/.exec(text.slice(end, end + longest))?.[0] ?? ''}`.replaceAll(/\/+/g, '/');
