/**
 * Calls that there were no steps left for: whom they call, and what they ask, is not known. Where one names what makes a request of ours, or the client of it, it may ask
 * another host by that: by the name that a file gives it, or by that of a method or a field.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, moduleOf, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { push } from '../../requests/mutations.ts';
import { walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { namedBy } from '../flow/functions/hooks.ts';
import { readersIn } from '../flow/readers.ts';
import type { Problem } from '../problems.ts';
import { isGivenNothing, isWrittenInPlace } from './unfollowed-calls.ts';

/** @returns for each such call what it forbids: the requests that it may make */
export function unreadProblems(ev: Evaluation, { callers, expensive }: CallGraph, sites: readonly RequestSite[]): Problem[][] {
  const unread = [...expensive].filter(([, module]) => !isTest(module));
  const ours =
    unread.length === 0 ? [] : sites.filter((site) => site.verdict.kind === 'ours' && !site.request.isMock && !isWrittenInPlace(site));
  if (ours.length === 0) return [];
  const named = namesOf(ev, ours);
  const followed = new Set<Node>([...named.functions].flatMap((fn) => (callers.get(fn) ?? []).map(({ node }) => node)));
  return unread.flatMap(([node, module]) => {
    const found = new Set<RequestSite>();
    walk(node, (each) => {
      // Of a call within it, it may well be known whom that calls.
      if (followed.has(each)) return false;
      const by = each.kind === 'name' ? named.places.get(each) : each.kind === 'member' ? named.members.get(each.property) : undefined;
      for (const site of by ?? []) found.add(site);
      return each.kind !== 'function';
    });
    const detail = { at: `${module.file}:${module.position(node.start).line}` };
    return found.size === 0 ? [] : [[...found].map((site): Problem => ({ code: 'too-complex', node, module, detail, site }))];
  });
}

/** By what requests of ours may be asked for. */
interface Names {
  readonly functions: Set<FunctionNode>;
  /** Places that speak of a function, a class or a client. */
  readonly places: Map<Node, RequestSite[]>;
  /** Names of methods and fields. */
  readonly members: Map<string | undefined, RequestSite[]>;
}

function namesOf(ev: Evaluation, sites: readonly RequestSite[]): Names {
  const names: Names = { functions: new Set(), places: new Map(), members: new Map() };
  const readers = readersIn(ev);
  for (const site of sites) {
    const { call, module, callers, origins } = site.request;
    const made = origins.flatMap((node) => (typeof node === 'string' ? [] : [{ node, module: moduleOf(node, module) }]));
    for (const { node, module: of } of [{ node: call, module }, ...callers, ...made]) {
      if (!isScript(of)) continue;
      for (const fn of functionsAround(node)) names.functions.add(fn);
      for (let at = node; at.parent !== undefined && !isGivenNothing(at); at = at.parent) {
        for (const binding of bindingsAt(at, of)) for (const place of readers.of(binding, of)) push(names.places, place.node, site);
        const member = memberAt(at.parent, at);
        if (member !== undefined) push(names.members, member, site);
      }
    }
  }
  return names;
}

/** The names that a function, a class or a variable is declared by. */
function bindingsAt(node: Node, module: SourceModule): ReturnType<typeof namedBy> {
  if (node.kind === 'function') return namedBy(node, module);
  const declared = node.kind === 'class' && node.name !== undefined ? [node.name] : node.kind === 'variable' ? namesIn(node.target) : [];
  return declared.flatMap((name) => module.scopes.declaredBy(name) ?? []);
}

/** The name under which an object, a class or a field holds something. */
function memberAt(parent: Node, of: Node): string | undefined {
  if (parent.kind === 'classMember') return parent.role === 'constructor' ? undefined : parent.name;
  if (parent.kind === 'property') return parent.value === of ? parent.name : undefined;
  return parent.kind === 'assign' && parent.value === of && parent.target.kind === 'member' ? parent.target.property : undefined;
}
