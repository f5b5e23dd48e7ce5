/** Who calls past the proxies, as access logs show, and what of it is new. */
import type { LogClientRow, LogSourceRow } from '../logs/model.ts';
import { pastProxies } from '../logs/past.ts';
import type { Report } from '../model.ts';
import { whomOf } from './changes.ts';
import type { DigestLogs, LoggedCaller } from './model.ts';

export function logsOf(now: Report, before: Report): DigestLogs {
  const past = pastProxies(now.verdict.blockers);
  // Those that the verdict rests on: who is quiet for longer is none of them.
  const quiet = Math.max(0, ...past.calls.map(({ last, quietFrom }) => Date.parse(quietFrom) - Date.parse(last)));
  const since = Date.parse(now.period.until) - quiet;
  const sources = new Set(past.calls.flatMap((calls) => calls.sources));
  const callers = (now.logs ?? [])
    .filter(({ name }) => sources.has(name))
    .flatMap((source) => callersOf(source, since, now, before))
    .toSorted((a, b) => b.last.localeCompare(a.last));
  return { ...past, callers };
}

function callersOf(source: LogSourceRow, since: number, now: Report, before: Report): readonly LoggedCaller[] {
  const earlier = before.logs?.find(({ name }) => name === source.name);
  const known = new Set((earlier?.busiest ?? []).map(identityOf));
  // Of many clients a report has some.
  const isComplete = earlier === undefined || earlier.clients <= earlier.busiest.length;
  return source.busiest
    .filter((row) => Date.parse(row.last) > since && !isRefused(row))
    .map((row) => {
      const { product, network, workspace, keyHash, last } = row;
      const { owner, contact } = whomOf(now.workspaces.find(({ name }) => name === workspace));
      return {
        source: source.name,
        workspace,
        owner,
        contact,
        keyHash,
        product,
        network,
        last,
        isNew: isComplete && !known.has(identityOf(row)),
      };
    });
}

const isRefused = ({ calls, refused }: LogClientRow): boolean => calls > 0 && refused === calls;

const identityOf = ({ product, network, keyHash }: LogClientRow): string => JSON.stringify([product, network, keyHash]);
