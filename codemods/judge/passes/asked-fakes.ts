/**
 * Who else asks a server of a test that moves with the calls, or that a person has to change: what checks a container's health, a test that asks
 * it by its port. Such an address says nothing of whose it is, so it counts as another service's.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { isAtPort, type LocalAsk } from '../../escape/servers/local-asks.ts';
import { nestedIn } from '../../find/packages/projects.ts';
import { hasSeveralServers, isConfiguring, isStandIn, portsOf } from '../../clients/testing/stand-in-servers.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { directiveAt } from '../../verdict/directive-comments.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** Files with servers that are seen to stand in for the service; others are called so. */
  readonly servers: ReadonlySet<string>;
  readonly asks: readonly LocalAsk[];
  readonly files: readonly FoundFile[];
}

export function withAskersOfFakes<P extends Read>(plan: P, { servers, asks, files }: Known, textIn: (file: string) => string): P {
  const looked = plan.findings.flatMap(({ code, file }) => (code === 'reads-header' || code === 'repeats-path' ? file : []));
  const fakes = new Set(
    [...new Set([...plan.edits.map(({ file }) => file), ...looked])].filter((file) => servers.has(file) || isStandIn(file, textIn(file))),
  );
  if (fakes.size === 0) return plan;
  const isNear = nestedIn(files);
  const configurations = files.filter(({ path }) => isConfiguring(path));
  const portsAt = (file: string): readonly string[] => {
    const text = textIn(file);
    const own = [
      ...portsOf(
        file,
        text,
        configurations.flatMap(({ path }) => (isNear(path, file) ? textIn(path) : [])),
      ),
    ];
    // Of several servers, or of one at several ports, nothing tells which stands in for the service.
    return own.length > 1 || hasSeveralServers(text) ? [] : own;
  };
  const listening = Map.groupBy(
    [...fakes].flatMap((file) => portsAt(file).map((port) => ({ port, file }))),
    ({ port }) => port,
  );
  const hosts = new Map(asks.map(({ file, start, host }) => [`${file} ${start}`, host]));
  const found = new Set<LedgerEntry>();
  const told = new Map<string, Finding>();
  const isUntold = notReportedBy(plan.findings);
  const isOpen = ({ state, reason, file }: LedgerEntry): boolean =>
    state === 'foreign' && (reason === 'other-host' || reason === 'no-call') && !fakes.has(file);
  for (const [file, entries] of Map.groupBy(plan.ledger.filter(isOpen), (entry) => entry.file)) {
    const text = textIn(file);
    const source = { file, text, position: positionsOf(text) };
    for (const entry of entries) {
      const { start, end, line, column } = entry;
      const host = hosts.get(`${file} ${start}`) ?? hostIn(text.slice(start, end));
      const at = host === undefined ? undefined : listening.get(portOf(host))?.find((fake) => isNear(file, fake.file))?.file;
      if (host === undefined || at === undefined || directiveAt(source, start, end) !== undefined) continue;
      const finding: Finding = { code: 'repeats-path', file, start, end, line, column, detail: { how: 'fake', host, at } };
      if (!isUntold(finding)) continue;
      found.add(entry);
      // Path and header of one call are one place to look at.
      if (!text.slice(start, end).toLowerCase().includes(v1Auth.field)) told.set(lineOf(entry), finding);
    }
  }
  if (found.size === 0) return plan;
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const isToldOf = found.has(entry) || (isOpen(entry) && told.has(lineOf(entry)));
      return isToldOf ? { ...entry, state: 'person', reason: 'repeats-path' } : entry;
    }),
    findings: [...plan.findings, ...told.values()].toSorted(byPlace),
  };
}

const lineOf = ({ file, line }: Pick<LedgerEntry, 'file' | 'line'>): string => `${file}:${line}`;

const portOf = (host: string): string => host.slice(host.lastIndexOf(':') + 1);

/** The machine itself, or a container, in an address: `http://localhost:4010/v1/contacts`. */
function hostIn(text: string): string | undefined {
  const [, host] = /https?:\/\/([^\s/?#'"`]+)\//i.exec(text) ?? [];
  return host !== undefined && isAtPort(host) ? host : undefined;
}
