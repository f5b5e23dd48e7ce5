/** What a call accounts for: the places of its address and its key. */
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FindingCode } from '../../model.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { Escape } from '../escapes.ts';
import { besideLeft } from './beside-left.ts';
import { chains } from './call-chains.ts';
import type { State } from './ledger-entry.ts';
import { isOfOther } from './settled-calls.ts';

interface Accounted {
  readonly node: Node;
  readonly module: SourceText;
}

/** What is asked of a host that a test made up, through a client of the program, says nothing of whom the program asks. */
export function accountedBy(site: RequestSite): readonly Accounted[] {
  const { verdict, keys, request } = site;
  if (verdict.kind !== 'foreign') return [...placesOf(site), ...keys];
  const all = [...placesOf(site), ...keys, ...keys.flatMap(({ key }) => key?.source ?? [])];
  const isOfTest = verdict.isMadeUp && [request, ...all].some(({ module }) => isTest(module));
  return isOfTest ? all.filter(({ module }) => isTest(module)) : all;
}

/** What is said of a call that is not moved for what it is, and of all that it is made of. */
const openCodes: Partial<Record<Verdict['kind'], FindingCode>> = {
  foreign: 'authorization-present',
  unproven: 'base-not-proven',
  'unknown-route': 'unknown-route',
  'dynamic-path': 'dynamic-path',
};

interface Reported {
  readonly sites: readonly RequestSite[];
  readonly reported: readonly Pick<Escape, 'node' | 'code'>[];
}

/** What all calls account for. */
export function accountsOf(judged: Reported, moved: ChangesByPlace) {
  const { sites } = judged;
  const { foreign, person, openIn, keyed } = staysOf(judged);
  const chainAround = chains();
  const leftBeside = besideLeft(sites, moved, chainAround);
  const openBase = openBaseBeside(sites, chainAround);
  return {
    /** What some request uses is reported with the request. */
    consumed: new Set(sites.flatMap((site) => accountedBy(site).map(({ node }) => node))),
    openIn,
    keyed,
    chainAround,
    /** Chains of calls with what another host is asked for. */
    theirs: new Set([...foreign].map(chainAround)),
    /** Of what no edit is in. */
    stateOf(node: Node): State {
      const isTheirs = foreign.has(node);
      const isTold = !isTheirs && (person.has(node) || chainAround(node).kind !== 'call');
      const ours = isTold ? undefined : openBase(node);
      if (ours !== undefined) return ['person', ours];
      if (isTheirs) return ['foreign', 'other-host'];
      const open = person.get(node) ?? leftBeside(node);
      return open === undefined ? ['foreign', 'no-call'] : ['person', open];
    },
  };
}

/** Places of calls that stay: those of other hosts, and why the others do, which a person is told. */
function staysOf({ sites, reported }: Reported) {
  const foreign = new Set<Node>();
  const person = new Map<Node, FindingCode>(reported.flatMap(({ node, code }) => (code === undefined ? [] : [[node, code]])));
  /** Functions with a call that stays, and why. */
  const openIn = new Map<FunctionNode, FindingCode>();
  /** Where the key goes to an address of which nothing is known: a path of v1 beside it may be that one's. */
  const keyed = new Set<FunctionNode | undefined>();
  for (const site of sites) {
    const { verdict } = site;
    const isForeign = verdict.kind === 'foreign' ? verdict.hasLogin !== true : verdict.kind === 'unproven' && isOfOther(site);
    const code = isForeign ? undefined : openCodes[verdict.kind];
    const caller = code && functionAround(site.request.call);
    if (caller !== undefined && code !== undefined) openIn.set(caller, code);
    if (caller !== undefined && verdict.kind === 'unproven' && site.keys.length > 0) keyed.add(caller);
    for (const { node } of accountedBy(site)) {
      if (isForeign) foreign.add(node);
      else if (code !== undefined) person.set(node, code);
    }
  }
  return { foreign, person, openIn, keyed };
}

/**
 * Why what stands in one chain of calls with a base of ours stays on v1: `Builder.to(base).header('x-api-key', key)`. Where what a class keeps is not told
 * apart by instance, another host's request seems to have that, too.
 */
function openBaseBeside(sites: readonly RequestSite[], chainAround: (node: Node) => Node): (node: Node) => FindingCode | undefined {
  const codes = new Map<Node, FindingCode>();
  for (const { verdict, request } of sites) {
    const [first] = request.url ?? [];
    if (verdict.kind !== 'dynamic-path' && verdict.kind !== 'unknown-route') continue;
    if (first !== undefined && 'text' in first && first.source !== undefined) codes.set(chainAround(first.source.node), verdict.kind);
  }
  return (node) => codes.get(chainAround(node));
}

/** Whether a place is of the function in which it is decided by a path which requests get the header: what gives that belongs to what is held there. */
export function besideDecisions(reported: Reported['reported']): (node: Node) => boolean {
  const deciding = new Set(reported.flatMap(({ node, code }) => (code === 'decides-by-path' ? (functionAround(node) ?? []) : [])));
  return (node) => {
    const around = functionAround(node);
    return around !== undefined && deciding.has(around);
  };
}
