/**
 * Where the key is taken out of what is left of a request, `.catch((error) => { delete error.config.headers['x-api-key']; throw error; })`, it moves with the requests
 * that may come to be left there, where all of these are ours and have the header by that name.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { ruleNamed } from '../../../evaluate/libraries/rules.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { walk } from '../../../syntax/link.ts';
import type { FunctionNode, Node, StringNode } from '../../../syntax/tree.ts';
import { v2Auth } from '../../../../src/contract/auth.ts';
import { type Change, isNameChange } from '../../../verdict/changes/spans.ts';
import { keyOf } from '../../../verdict/changes/groups.ts';
import { mentionsIn } from '../../../verdict/key-mentions.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { hookedIn } from '../../flow/functions/hooks.ts';
import { hidingAtEnd } from '../reads/finished-requests.ts';

/**
 * @param escapesOf where something else has what sites change: what hides the key stays then, rather than that the requests stay with it
 * @returns the sites, with what hides their key among what they change
 */
export function withHiddenOfOurs(
  ev: Evaluation,
  sites: readonly RequestSite[],
  escapesOf: (sites: readonly RequestSite[]) => readonly { readonly change: Change }[],
): readonly RequestSite[] {
  const added = hiddenOf(ev, sites);
  if (added.size === 0) return sites;
  const held = new Set(escapesOf(withChanges(sites, added)).map(({ change }) => keyOf(change)));
  const kept = [...added].map(([site, changes]) => [site, changes.filter((change) => !held.has(keyOf(change)))] as const);
  return withChanges(sites, new Map(kept));
}

const withChanges = (sites: readonly RequestSite[], added: ReadonlyMap<RequestSite, readonly Change[]>): readonly RequestSite[] =>
  sites.map((site) => ({ ...site, changes: [...site.changes, ...(added.get(site) ?? [])] }));

function hiddenOf(ev: Evaluation, sites: readonly RequestSite[]): ReadonlyMap<RequestSite, readonly Change[]> {
  const real = sites.filter(({ request }) => !request.isMock);
  const added = new Map<RequestSite, Change[]>();
  if (!real.some(({ changes }) => changes.some(isNameChange))) return added;
  for (const module of ev.world.modules.values())
    for (const { node } of isTest(module) || !isScript(module) ? [] : mentionsIn(module)) {
      const fn = node.kind === 'string' && isTakenOut(node) ? hidingAtEnd(node, module) : undefined;
      const left = fn === undefined ? [] : leftAt(ev, fn, module, real);
      if (node.kind !== 'string' || !left.every((site) => hasByName(site, node))) continue;
      const isSmall = left.some(({ request }) => ruleNamed(ev.rules, request.client)?.lowersHeaders === true);
      const text = isSmall ? v2Auth.field : v2Auth.fieldName;
      const change: Change = { module, start: node.start + 1, end: node.end - 1, text, what: 'header name' };
      for (const site of left) added.set(site, [...(added.get(site) ?? []), change]);
    }
  return added;
}

/** `delete error.config.headers['x-api-key']` */
const isTakenOut = ({ parent }: StringNode): boolean =>
  parent?.kind === 'member' && parent.parent?.kind === 'unary' && parent.parent.operator === 'delete';

/** All requests of which a function gets what is left: of a client that it is a hook of, or of the call that its promise is of. */
function leftAt(ev: Evaluation, fn: FunctionNode, module: SourceModule, real: readonly RequestSite[]): readonly RequestSite[] {
  const { parent } = fn;
  if (parent?.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property !== 'use')
    return askedBefore(parent.callee.object, real);
  const clients = hookedIn(ev)(fn, module);
  // What asks through a client has nothing of its own.
  if (!clients.every(({ isAlone, origins: own }) => isAlone === true || own === undefined)) return [];
  const origins = new Set(clients.flatMap(({ origins: own = [] }) => own.filter((origin) => typeof origin !== 'string')));
  return real.filter(({ request }) => request.origins.some((origin) => typeof origin !== 'string' && origins.has(origin)));
}

/** The requests of a chain of promises; none where a step after them may ask somebody else. */
function askedBefore(chain: Node, real: readonly RequestSite[]): readonly RequestSite[] {
  for (let at = chain; at.kind === 'call'; at = at.callee.object) {
    const call = at;
    const asked = real.filter(({ request }) => request.call === call);
    if (asked.length > 0) return asked;
    if (at.callee.kind !== 'member' || !at.args.every(asksNobody)) return [];
  }
  return [];
}

const asksNobody = (step: Node): boolean => step.kind === 'string' || step.kind === 'literal' || (step.kind === 'function' && !calls(step));

function calls(fn: Node): boolean {
  let found = false;
  walk(fn, (node) => {
    found ||= node.kind === 'call' || node.kind === 'tagged';
    return !found;
  });
  return found;
}

const hasByName = ({ verdict, keys, changes }: RequestSite, name: StringNode): boolean =>
  verdict.kind === 'ours' && keys.length > 0 && changes.some(isNameChange) && keys.every((key) => key.name === name.value);
