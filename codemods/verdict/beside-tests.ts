/**
 * What those ask who are not seen to call what only tests are seen to: a platform, whoever takes a package. A test's address says what
 * a variable that stands there is for, as a default does, unless it is none but the test's own.
 */
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import { isVariable } from './follows-default.ts';
import type { Bases } from './routes.ts';
import { isKeyHeader } from './spans.ts';
import { followsDefault, type Verdict } from './verdicts.ts';

export const hasKnownBase: ReadonlySet<Verdict['kind']> = new Set(['ours', 'v2', 'dynamic-path', 'unknown-route', 'passes-on', 'foreign']);

/** A request with its verdict. */
export interface Judged {
  readonly request: Request;
  readonly verdict: Verdict;
  /** What is proven for this request. */
  readonly bases: Bases;
}

interface BesideTests {
  /** Without what nobody knows, where tests say more. */
  readonly meant: readonly Judged[];
  /** By call, the same with the variables that tests give addresses for. */
  readonly byTests: ReadonlyMap<Node, readonly Request[]>;
}

export function besideTests(judged: readonly Judged[], bases: Bases): BesideTests {
  const said = Map.groupBy(
    judged.filter((each) => !isBeside(each) && isSaid(each)).map(({ request }) => request),
    ({ call }) => call,
  );
  const isMeant = ({ verdict, request }: Judged): boolean =>
    verdict.kind === 'ours' || (!said.has(request.call) && request.headers.some(isKeyHeader));
  const variables = judged.filter((each) => {
    const { request } = each;
    if (!isBeside(each) || isMeant(each) || !isVariable(request.url?.[0])) return false;
    return said.get(request.call)?.some((other) => followsDefault(request, other, bases)) === true;
  });
  return {
    meant: judged.filter((each) => !isBeside(each) || isMeant(each)),
    byTests: Map.groupBy(
      variables.map(({ request }) => request),
      ({ call }) => call,
    ),
  };
}

const isBeside = ({ request }: Judged): boolean => request.isBesideTests === true;

/** Whether it says whose a call is: that tests answer it themselves does not. */
const isSaid = ({ verdict }: Judged): boolean => hasKnownBase.has(verdict.kind) && !(verdict.kind === 'foreign' && verdict.isMadeUp);
