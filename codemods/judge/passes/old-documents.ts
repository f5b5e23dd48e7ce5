/** Documents beside code that is moved: what they say of its paths is old then, though no address of ours stands in them. */
import { posix } from 'node:path';
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { LedgerEntry, Plan } from '../../model.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import { ownApiIn } from '../../escape/headers/header-owners.ts';
import type { Bases } from '../../verdict/routes.ts';
import { byPlace, mentioned } from '../merge.ts';
import { type Moved, routeIn } from '../moved.ts';

type Read = Pick<Plan, 'findings' | 'ledger'>;

/** @param textIn the text of a file */
export function withOldDocuments<P extends Read>(plan: P, moved: readonly Moved[], bases: Bases, textIn: (file: string) => string): P {
  const isOld = oldIn(plan, moved, bases, textIn);
  const old = new Set(plan.ledger.filter(isOld));
  if (old.size === 0) return plan;
  const lines = new Map([...old].map((entry) => [`${entry.file}:${entry.line}`, mentioned(entry)]));
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (old.has(entry) ? { ...entry, state: 'person', reason: 'mentioned' } : entry)),
    findings: [...plan.findings, ...lines.values()].toSorted(byPlace),
  };
}

/** Where a server of the user's own has such paths, its documents are about that. */
function oldIn({ ledger }: Read, moved: readonly Moved[], bases: Bases, textIn: (file: string) => string): (entry: LedgerEntry) => boolean {
  const known = new Map<string, ReturnType<typeof ownApiIn>>();
  const isOwn = (file: string, text: string): ReturnType<typeof ownApiIn> => {
    const found = known.get(file) ?? ownApiIn({ file, text }, bases);
    known.set(file, found);
    return found;
  };
  const served = ledger.filter(({ file, reason }) => reason === 'own-server' && !isDocument(file));
  return ({ file, reason, start, end }) => {
    if (reason !== 'no-call' || !isDocument(file)) return false;
    const folder = posix.dirname(file).replace(/(?:^|\/)(?:docs?|documentation)(?:\/.*)?$/i, '') || '.';
    const isBeside = (other: { readonly file: string }): boolean => isUnder(folder, other.file);
    if (served.some(isBeside)) return false;
    const whole = textIn(file);
    const line = whole.slice(whole.lastIndexOf('\n', start) + 1).split('\n', 1)[0] ?? '';
    if (/^\s*<!--/.test(line) || isOwn(file, whole)({ start, end })) return false;
    const routes = [...new Set(moved.filter(isBeside).map(({ endpoint }) => endpoint))].map(routeIn);
    // The header is of v1 where the routes are.
    const speaks = isKeyHeader(whole.slice(start, end)) ? whole : line;
    return routes.some((route) => route.test(speaks));
  };
}

const isUnder = (folder: string, file: string): boolean => folder === '.' || file.startsWith(`${folder}/`);
const isDocument = (file: string): boolean => /\.mdx?$/i.test(file) && !isChangeLog(file);
