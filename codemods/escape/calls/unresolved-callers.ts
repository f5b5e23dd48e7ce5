/**
 * Functions of the program that some give one of our clients, and others what nobody knows: `bus.on('client', (client) => sync(client))` beside `sync(ours)`.
 * What is asked for there would move whoever's client that is, and the header of that stays; so it stays until a person decides.
 */
import type { Caller } from '../../evaluate/callers.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isWithin } from '../../evaluate/named.ts';
import { isTest } from '../../evaluate/test-files.ts';
import { flat } from '../../evaluate/text.ts';
import { optionsOf, type Value } from '../../evaluate/values.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { isUnknown, type UnresolvedCall } from './unresolved-calls.ts';

export function unresolvedCallersOf(
  ev: Evaluation,
  { callers }: Pick<CallGraph, 'callers'>,
  sites: readonly RequestSite[],
): UnresolvedCall[] {
  const seen = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  const ours = new Map<Node, RequestSite[]>();
  for (const site of sites) {
    if (site.verdict.kind !== 'ours' || site.request.isMock) continue;
    for (const { node } of site.request.callers) ours.set(node, [...(ours.get(node) ?? []), site]);
  }
  return [...callers.values()].flatMap((calls) => {
    const known = calls.filter(({ node }) => ours.has(node));
    const others = calls.filter(({ node, module }) => !seen.has(node) && !isTest(module));
    if (known.length === 0 || others.length === 0) return [];
    const asked = known.flatMap(({ node }) => ours.get(node) ?? []);
    const places = new Set(known.flatMap((caller) => clientsGivenBy(ev, caller, asked)));
    return others.flatMap(({ node, module }): UnresolvedCall[] => {
      const isOpen = [...places].some((index) => {
        const arg = node.args[index];
        if (arg === undefined || node.args.slice(0, index + 1).some(({ kind }) => kind === 'spread')) return false;
        const at = { node: arg, module };
        return optionsOf(ev.budget.question(at, () => ev.evaluate(arg, { module, frame: undefined })).value).some((value) =>
          isGivenByNobody(value, callers),
        );
      });
      return isOpen ? [{ call: node, module, route: routeOf(asked), sites: asked }] : [];
    });
  });
}

/** Which of the arguments are clients, or what asks by itself. */
const clientsGivenBy = (ev: Evaluation, caller: Caller, sites: readonly RequestSite[]): number[] =>
  caller.args(ev, undefined).flatMap((arg, index) => (optionsOf(arg).some((value) => asks(value, sites)) ? [index] : []));

const asks = (value: Value, sites: readonly RequestSite[]): boolean =>
  (value.type === 'http' && value.stage === 'client') ||
  (value.type === 'instance' && sites.some(({ request }) => isWithin(value.of.node, request.call)));

/** What a function is given that is called by name from outside of these files, nobody sees; what it is given by code that takes it, somebody gives. */
function isGivenByNobody(value: Value, callers: CallGraph['callers']): boolean {
  if (value.type !== 'param') return isUnknown(value);
  const { owner } = value;
  return owner.parent?.kind === 'call' && owner.parent.callee !== owner && (callers.get(owner)?.length ?? 0) === 0;
}

const routeOf = ([site]: readonly RequestSite[]): string => /\/v1\/[^?#]*/.exec(flat(site?.request.url ?? []))?.[0] ?? '';
