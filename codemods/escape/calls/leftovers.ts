/**
 * Names of the key's header that no request was seen to use, beside changes that would leave them behind: deleted from or asked of a
 * holder whose header would move, or put back by a function that a moved client is given, such as a retry. Moved in part they would
 * send both keys or none, so their calls stay. What hides the key of a request that is over is told, and holds nothing.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Escape } from '../escapes.ts';
import { hidesOfFinished } from '../headers/reads/finished-requests.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { holderOf, type Mention, mentionsIn, receiverOf } from '../../verdict/key-mentions.ts';
import type { Change } from '../../verdict/changes/spans.ts';

/**
 * @param reported escapes that are known: a place is reported once
 * @returns for each other such place the change that it forbids
 */
export function leftoversOf(sites: readonly RequestSite[], reported: readonly Escape[]): Escape[] {
  const known = new Set<Node | undefined>(reported.map(({ node }) => node));
  const used = new Set<Node>([...sites.flatMap((site) => placesOf(site).map(({ node }) => node)), ...keptForOthers(sites)]);
  const real = sites.filter(({ verdict, request }) => verdict.kind === 'ours' && !request.isMock).flatMap(({ changes }) => changes);
  return [...Map.groupBy(real, ({ module }) => module)].flatMap(([module, changes]) => {
    if (!isScript(module)) return [];
    const mentions = mentionsIn(module);
    const byPlace = changesByPlace(changes);
    const within = (outer: Pick<Node, 'start' | 'end'>): readonly Change[] =>
      byPlace.at(module, outer.start, outer.end).filter((change) => isWithin(change, outer));
    const changeOf = (mention: Mention): Change | undefined => within(mention)[0];
    const holders = new Map<string, Change>();
    for (const mention of mentions) {
      const [holder, change] = [holderOf(mention.node, module), changeOf(mention)];
      if (holder !== undefined && change !== undefined) holders.set(holder, change);
    }
    return mentions.flatMap((mention): Escape[] => {
      const { node } = mention;
      if (changeOf(mention) !== undefined || used.has(node) || (node.parent !== undefined && used.has(node.parent))) return [];
      const receiver = receiverOf(node);
      if ((receiver !== undefined && known.has(receiver)) || hidesOfFinished(node, module)) return [];
      const holder = holderOf(node, module);
      const change = (holder === undefined ? undefined : holders.get(holder)) ?? hookedTo(node, module, within);
      return change === undefined ? [] : [{ change, node, module, name: v1Auth.field, way: 'read' }];
    });
  });
}

/**
 * What gives another service its own key in the call that asks it says nothing of ours; what is asked with the same elsewhere may be ours, and what is put
 * over other headers may take ours out of them.
 */
function keptForOthers(sites: readonly RequestSite[]): Node[] {
  const { others = [], rest = [] } = Object.groupBy(sites, ({ verdict }) => (verdict.kind === 'foreign' ? 'others' : 'rest'));
  const shared = new Set(rest.flatMap(({ keys }) => keys.map(({ node }) => node)));
  return others.flatMap(({ keys, request: { call, callers } }) => {
    const calls = [call, ...callers.map(({ node }) => node)];
    const isIn = (node: Node): boolean => calls.some((each) => isWithin(node, each));
    return keys.flatMap(({ node, module }) => (!shared.has(node) && isAlone(node) && heldBy(node, module).every(isIn) ? node : []));
  });
}

const isAlone = ({ parent }: Node): boolean => parent?.kind === 'object' && parent.properties.every(({ kind }) => kind === 'property');

/** The headers that a property stands in, or all that names them. */
function heldBy(property: Node, module: SourceText): readonly Node[] {
  const owner = property.parent?.parent;
  if (owner?.kind !== 'variable' || !isScript(module)) return [property];
  return namesIn(owner.target).flatMap((name) => module.scopes.declaredBy(name)?.references ?? []);
}

const isWithin = (inner: Pick<Node, 'start' | 'end'>, outer: Pick<Node, 'start' | 'end'>): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/** A change of the client that a function is given to which puts the header somewhere. */
function hookedTo(node: Node, module: SourceModule, within: (outer: Node) => readonly Change[]): Change | undefined {
  if (!isPut(node)) return undefined;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at.kind !== 'function') continue;
    const fn = at;
    const call = givenTo(fn);
    const owners = call === undefined ? [] : [call, ...clientsIn(call, module)];
    const found = owners.flatMap(within).find((change) => !isWithin(change, fn));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isPut(node: Node): boolean {
  const { parent } = node;
  if (node.kind === 'property') return true;
  if (parent?.kind === 'call')
    return receiverOf(node) !== undefined && parent.callee.kind === 'member' && putters.has(parent.callee.property ?? '');
  if (parent?.kind !== 'member') return false;
  return parent.parent?.kind === 'assign'
    ? parent.parent.target === parent
    : parent.parent?.kind === 'unary' && parent.parent.operator === 'delete';
}

const putters = new Set(['set', 'append', 'delete', 'header', 'setHeader']);

/** The call that a function is an argument of, or stands in an object or a list that is one. */
function givenTo(fn: Node): CallNode | undefined {
  let at = fn.parent;
  while (at?.kind === 'property' || at?.kind === 'object' || at?.kind === 'array') at = at.parent;
  return at?.kind === 'call' ? at : undefined;
}

/** The declarations of what a call is made on or of. */
function clientsIn({ callee, args }: CallNode, module: SourceModule): Node[] {
  let root: Node = callee;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return [root, ...args].flatMap((each) => {
    const owner = each.kind === 'name' ? module.scopes.bindingOf(each)?.owner : undefined;
    return owner?.kind === 'variable' ? [owner] : [];
  });
}
