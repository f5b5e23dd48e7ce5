/** Literals that a call, a stand-in of a test or a server of the user's own accounts for. */
import { isCaptured } from '../../../clients/testing/expected/captured.ts';
import { asksOwnServer } from '../../../clients/testing/libraries.ts';
import { mockIn } from '../../../evaluate/language/comparisons.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { Node } from '../../../syntax/tree.ts';
import { isSaidOfBoth } from '../../headers/lists/both-headers.ts';
import { holdersIn, isSnapshot, snapshotOf } from '../../paths/repeats.ts';
import { isAskedOfOwn } from '../../servers/asked-of-own.ts';
import { isRouteOfPage } from '../../servers/page-routes.ts';
import { isToldOfOwn } from '../../servers/told-of-own.ts';
import type { Facts } from '../facts.ts';
import { isLoose } from '../loose.ts';
import { stubsFetch } from '../../../clients/testing/libraries.ts';
import { isHeaderName, type Suspicious } from '../suspicious.ts';
import { isOurAddress } from '../texts-of-ours.ts';
import { type Case, listed, ofOwnServer, type Rules, told } from './rule.ts';

export const accountedFor: Rules = {
  /** A mock expects the key of what moves, at a host that the test makes up. */
  expectedKey: ({ node, module }, { standIns }) => standIns.isExpectedKey(node, module) && told('reads-header', { how: 'test' }),

  /** It is edited, or of a call: that one's entry says what becomes of it. */
  ofCall: ({ entry }) => entry.reason !== 'no-call' && 'as it is',

  /** What gives the header where a path decides which requests get it, belongs to what is held there. */
  givenByPath: (at, { isGivenByPath }) => isHeaderName(at) && isGivenByPath(at.node) && listed('decides-by-path'),

  /** A runner wrote it into the test, and writes it anew. */
  snapshot: (at, facts) =>
    facts.isAnyMoved &&
    isSnapshot(at.node) &&
    (isOfFake(at, facts) || isLoose(at, facts) || isOfCaptured(at, facts)) &&
    told('repeats-path', { how: 'snapshot' }),

  /** What moves may ask there, and nothing of it moves along. */
  fake: (at, facts) => isOfFake(at, facts) && told(isHeaderName(at) ? 'reads-header' : 'repeats-path'),

  /** A server of the user's own has paths and keys like ours; a test that recorded requests reads those of what moves. */
  served: (at, facts) =>
    (at.served.has(at.node) || (isHeaderName(at) && facts.namesRead().has(at.node))) &&
    !isOurAddress(at.node, facts.bases) &&
    (isOfRecord(at, facts) ? told('reads-header', { how: 'test' }) : ofOwnServer),

  /** It is let in by such a server, told of it, or asked of it. */
  ownServer: (at, { ev, bases, isLetIn }) =>
    (isLetIn(at.node, at.module) || isToldOfOwn(at.node, at.module, bases) || isAskedOfOwn(ev, at)) && ofOwnServer,

  /** A request that uses it is told for it; what names v2 beside it is ready, and a page's own route asks nobody. */
  used: ({ node, module }, { consumed }) => (consumed.has(node) || isSaidOfBoth(node, module) || isRouteOfPage(node, module)) && 'as it is',
};

/** What has an answer or reads a key in the place of the service, beside something that moves. */
function isOfFake(at: Case, { consumed, standIns, mocking, isAnyMoved, isFaked, isAtOthers }: Facts): boolean {
  const { node, module, served } = at;
  if (consumed.has(node) || standIns.isOther(node, module)) return false;
  if (standIns.isNamed(node, module)) return true;
  // Beside a mock that moves, what reads the key may well be given to that.
  const isMocking = mocking.has(module.file) || (isAnyMoved && isTest(module) && stubsFetch.test(module.text));
  if (isMocking && isHeaderName(at) && served.has(node)) return true;
  return isFaked && isTest(module) && !isAtOthers(node) && (!served.has(node) || module.text.includes('createServer'));
}

/** What a test kept of requests that it ran, of ours among others. */
function isOfCaptured({ node, module }: Suspicious, { ev, isLeading }: Facts): boolean {
  const actual = snapshotOf(node);
  const at = { ev, module, frame: undefined };
  const isOfRequests = (each: Node): boolean => isCaptured(each, at) || mockIn(ev.evaluate(each, at)) !== undefined;
  // `fetch.mock.calls.map(([url]) => new URL(url).pathname)`: what is made of them.
  return actual !== undefined && isTest(module) && isLeading(module) && [actual, ...holdersIn(actual)].some(isOfRequests);
}

/** What a test reads of each request that it recorded: `calls.map((call) => call.headers['x-api-key'])`. */
const isOfRecord = (at: Suspicious, { isRunning }: Facts): boolean =>
  isHeaderName(at) && isRead(at.node) && isRunning(at.module) && !asksOwnServer(at.module.text);

/** `headers['x-api-key']`, `{ 'x-api-key': key }` as a pattern: no name that something is given under. */
const isRead = (node: Node): boolean => node.kind === 'patternProperty' || node.parent?.kind === 'member';
