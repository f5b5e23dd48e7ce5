/** Headers of v1 that no call was seen to send, beside what is named for a person: whoever moves that moves them, too. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FindingCode, LedgerEntry } from '../../model.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { entryFor } from './ledger-entry.ts';
import { suspicious, textIn } from './suspicious.ts';

/**
 * @param codeOf why the chain of calls that a place stands in stays, as in `curl('-X', 'POST', url, '-H', `x-api-key: ${key}`)`
 * @param open functions with a call that stays, and why: `request.open('GET', base + path); request.setRequestHeader('x-api-key', key)`
 */
export function withHeadersBeside(
  entries: readonly LedgerEntry[],
  modules: readonly SourceModule[],
  codeOf: (node: Node) => FindingCode | undefined,
  open: ReadonlyMap<FunctionNode, FindingCode>,
): LedgerEntry[] {
  const left = new Set(entries.flatMap((entry) => (isLeft(entry) ? `${entry.file} ${entry.start}` : [])));
  const beside = new Map<string, LedgerEntry>();
  for (const module of left.size === 0 ? [] : modules)
    for (const literal of suspicious(module)) {
      const { node, start } = literal;
      const place = `${module.file} ${start}`;
      if (!left.has(place) || !isHeader(node)) continue;
      // What a test expects of a call has words of its own.
      const around = isTest(module) ? undefined : functionAround(node);
      const code = codeOf(node) ?? (around && open.get(around));
      if (code !== undefined) beside.set(place, entryFor(literal, ['person', code]));
    }
  return entries.map((entry) => beside.get(`${entry.file} ${entry.start}`) ?? entry);
}

const isLeft = ({ state, reason }: LedgerEntry): boolean => state === 'foreign' && reason === 'no-call';

/** `x-api-key`, and with what it is sent: `x-api-key: ${key}`. */
const isHeader = (node: Node): boolean => {
  const text = textIn(node).trimStart().toLowerCase();
  return text.startsWith(v1Auth.field) && /^(?::|$)/.test(text.slice(v1Auth.field.length).trim());
};
