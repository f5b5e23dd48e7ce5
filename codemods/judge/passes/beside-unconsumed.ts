/**
 * What belongs to an address or a header that is told: the version where a framework puts addresses together (`pathPrefix: '/v1'` of a contract, `namespace = 'v1'` of
 * an adapter), and the header's name where a service in between is given it (`Authorization.apiKey('x-api-key', secret)`). Whoever follows the one is to find the other.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { isComment } from '../../syntax/comments.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;
type Component = readonly { readonly file: string; readonly kind: string; readonly importers: readonly string[] }[];

/** What frameworks call what they put before a path. */
const prefix = /(?<![\w$])(?:path_?prefix|url_?prefix|namespace)['"]?\s*[:=]\s*(['"`])\/?v1\/?\1/gi;

/** @param textIn the text of a file */
export function withBesideUnconsumed<P extends Read>(plan: P, components: readonly Component[], textIn: (file: string) => string): P {
  const told = new Set(plan.findings.flatMap(({ code, file }) => (code === 'unconsumed' && !isTest({ file }) ? file : [])));
  if (told.size === 0) return plan;
  const scripts = components.flat().filter(({ kind }) => kind === 'script');
  const near = new Set(scripts.flatMap(({ file, importers }) => ([file, ...importers].some((each) => told.has(each)) ? file : [])));
  const known = Map.groupBy([...plan.ledger, ...plan.edits], ({ file }) => file);
  const isUntold = notReportedBy(plan.findings);
  const isLooseHeader = ({ file, start, end, state, reason }: LedgerEntry): boolean =>
    state === 'foreign' && reason === 'no-call' && near.has(file) && isOfKey(textIn(file), start, end);
  const headers = plan.ledger.filter(isLooseHeader).map(({ file, start, end, line, column }): Finding => ({
    code: 'unconsumed',
    file,
    start,
    end,
    line,
    column,
    detail: {},
  }));
  const versions = [...near].flatMap((file): Finding[] => {
    const text = textIn(file);
    const isKnown = coverOf(known.get(file) ?? []);
    return Array.from(text.matchAll(prefix)).flatMap(({ 0: whole, index }): Finding[] => {
      const end = index + whole.length;
      const start = index + whole.lastIndexOf('v1');
      const finding: Finding = { code: 'unconsumed', file, start, end, ...positionsOf(text)(start), detail: {} };
      return isKnown({ start, end: start + 2 }) || isComment(text, start) ? [] : [finding];
    });
  });
  const found = [...versions, ...headers].filter(isUntold);
  if (found.length === 0) return plan;
  const places = new Set(found.map(({ file, start }) => `${file} ${start}`));
  const ledger = plan.ledger.map((entry): LedgerEntry =>
    places.has(`${entry.file} ${entry.start}`) ? { ...entry, state: 'person', reason: 'unconsumed' } : entry,
  );
  return { ...plan, ledger, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

/** `Authorization.apiKey('x-api-key', secret)`: given as the first, by its name, to what makes a way to sign in. */
const isOfKey = (text: string, start: number, end: number): boolean =>
  text.slice(start, end).toLowerCase().includes(v1Auth.field) && /api_?key\(\s*['"`]?$/i.test(text.slice(Math.max(0, start - 60), start));
