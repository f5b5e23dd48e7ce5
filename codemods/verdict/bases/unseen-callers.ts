/**
 * What those ask who are not seen to call what only tests are seen to: a platform, whoever takes a package. A test's address says what
 * a variable that stands there is for, as a default does, unless it is none but the test's own.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Request } from '../../requests/requests.ts';
import type { Node } from '../../syntax/tree.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { isVariable } from './follows-default.ts';
import type { Bases } from './routes.ts';
import { followsDefault, openBase } from '../verdicts.ts';
import { type Verdict } from '../verdict.ts';

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
  /** By call, the same with what tests give addresses for: variables, and whatever holds the version. */
  readonly byTests: ReadonlyMap<Node, readonly Request[]>;
}

export function besideTests(judged: readonly Judged[], bases: Bases): BesideTests {
  const said = Map.groupBy(
    judged.filter((each) => !isBeside(each) && isSaid(each)).map(({ request }) => request),
    ({ call }) => call,
  );
  const unread = new Set(judged.flatMap((each) => (isBeside(each) ? [] : (giverOf(each) ?? []))));
  const isTaken = (each: Judged): boolean => [giverOf(each)].some((giver) => giver !== undefined && !unread.has(giver));
  const isMeant = (each: Judged): boolean =>
    each.verdict.kind === 'ours' ||
    ((!said.has(each.request.call) || isTaken(each)) && each.request.headers.some(({ name }) => isKeyHeader(name)));
  const open = judged.filter((each) => {
    const { request } = each;
    if (!isBeside(each) || isMeant(each)) return false;
    const others = said.get(request.call) ?? [];
    // Of an option that has a default, that says more than tests.
    const isOpen = isVariable(request.url?.[0]) || (holdsVersion(request) && others.every(isOfTest));
    return isOpen && others.some((other) => followsDefault(request, other, bases));
  });
  return {
    meant: judged.filter((each) => !isBeside(each) || isMeant(each)),
    byTests: Map.groupBy(
      open.map(({ request }) => request),
      ({ call }) => call,
    ),
  };
}

/** The call that gives its base: where tests give what is called, their answer says nothing of what others get there. */
function giverOf({ request }: Judged): Node | undefined {
  const value = openBase(request)?.value;
  const of = value?.type === 'method' ? value.receiver : value;
  return of?.type === 'unknown' && of.node?.kind === 'call' ? of.node : undefined;
}

/** Whether a test asks: it stands on the way to the call, or makes it itself. */
export const isOfTest = ({ module, callers }: Request): boolean => [{ module }, ...callers].some((place) => isTest(place.module));

/** Whether the version would stand in its base. */
const holdsVersion = ({ url = [] }: Request): boolean => !/\/v[12](?:[/?#]|$)/.test(flat(url));

const isBeside = ({ request }: Judged): boolean => request.isBesideTests === true;

/** Whether it says whose a call is: that tests answer it themselves does not. */
const isSaid = ({ verdict }: Judged): boolean => hasKnownBase.has(verdict.kind) && !(verdict.kind === 'foreign' && verdict.isMadeUp);
