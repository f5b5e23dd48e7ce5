/** Servers that look like stand-ins for the service, and what browsers are told in tests, where nothing says who asks: what they have and read may no longer fit what is moved. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import { isOfBrowser, isOfMockServer, isStandIn } from '../../clients/testing/stand-in-servers.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { type Moved, routeIn } from '../moved.ts';
import { byPlace } from '../merge.ts';

/** What a test runner puts in the place of a module: what is tested asks it, though nobody imports it. */
const mocksOfModules = /(?:^|\/)__mocks__\//;

type Read = Pick<Plan, 'findings' | 'ledger'>;

/**
 * @param calls what is moved
 * @param isHeaderMoved whether the header is
 * @param textIn the text of a file
 */
export function withStandIns<P extends Read>(
  plan: P,
  calls: readonly Moved[],
  isHeaderMoved: boolean,
  textIn: (file: string) => string,
): P {
  const endpoints = [...new Set(calls.map(({ endpoint }) => endpoint))];
  if (endpoints.length === 0) return plan;
  const moved = endpoints.map(routeIn);
  // Of what goes on as a pattern only the beginning is read.
  const isBegun = (path: string): boolean => endpoints.some((endpoint) => v1Endpoints[endpoint].path.startsWith(path));
  const told = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  const isOfServer = memo((file) => isOfMockServer(file, textIn(file)));
  // What stands there may be about what is moved, though nobody was seen to use it: answers by route, names of calls.
  const isOfTests = memo((file) => isOfBrowser(file, textIn(file)) || mocksOfModules.test(file) || isOfServer(file));
  const isOwn = memo((file) => isStandIn(file, textIn(file)));
  const codeOf = ({ file, line, reason, start, end }: LedgerEntry): Finding['code'] | undefined => {
    const isAsked = reason === 'own-server' ? isOwn : reason === 'no-call' ? isOfTests : undefined;
    if (isAsked?.(file) !== true || told.has(`${file}:${line}`)) return undefined;
    const text = textIn(file).slice(start, end);
    if (text.toLowerCase().includes(v1Auth.field)) return isHeaderMoved ? 'reads-header' : undefined;
    const isMoved = moved.some((route) => route.test(text)) || (isOfServer(file) && isBegun(text));
    return isMoved ? 'repeats-path' : undefined;
  };
  const found = new Map(
    plan.ledger.flatMap((entry) => {
      const code = codeOf(entry);
      return code === undefined ? [] : [[entry, code] as const];
    }),
  );
  if (found.size === 0) return plan;
  const findings = [...found].map(([{ file, start, end, line, column }, code]): Finding => ({
    code,
    file,
    start,
    end,
    line,
    column,
    detail: {},
  }));
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const reason = found.get(entry);
      return reason === undefined ? entry : { ...entry, state: 'person', reason };
    }),
    findings: [...plan.findings, ...findings].toSorted(byPlace),
  };
}
