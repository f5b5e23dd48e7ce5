/** Paths that a server of one's own lets in: `['/v1/messages'].includes(new URL(request.url, base).pathname)`, before it asks another service. */
import { isOfServer } from '../../evaluate/values/small-letters.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { memo } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';

/** Tells of a path whether it only stands in such a list, in a file that asks others, and nobody else. */
export function letInBeside(sites: readonly RequestSite[], { v1 }: Bases): (node: Node, module: SourceModule) => boolean {
  const isOther = ({ verdict, request: { url = [] } }: RequestSite): boolean => {
    const [begin = ''] = flat(url).toLowerCase().split(unknownPart);
    const isHost = /^https?:\/\/[\w-]+\.[\w.-]+/.test(begin) && v1.every((base) => !base.startsWith(begin) && !begin.startsWith(base));
    return verdict.kind === 'foreign' || (verdict.kind === 'unproven' && isHost);
  };
  const asksOthers = memo((module: SourceModule) => {
    const own = sites.filter(({ request }) => request.module === module);
    return own.length > 0 && own.every(isOther);
  });
  return (node, module) => {
    const lists = node.parent?.kind === 'array' ? namesOf(node.parent, module) : [];
    return lists.length > 0 && lists.every((list) => isAskedForArrived(list, module)) && asksOthers(module);
  };
}

/** A list where it stands, or wherever its constant is named. */
function namesOf(list: Node, { scopes }: SourceModule): readonly Node[] {
  const { parent } = list;
  const made = parent?.kind === 'call' && parent.isNew && parent.args[0] === list ? parent : list;
  const holder = made.parent;
  if (holder?.kind !== 'variable' || holder.init !== made || holder.target.kind !== 'patternName') return [made];
  return scopes.declaredBy(holder.target)?.references ?? [];
}

function isAskedForArrived(list: Node, module: SourceModule): boolean {
  const { parent: member } = list;
  const call = member?.kind === 'member' && /^(?:includes|has)$/.test(member.property ?? '') ? member.parent : undefined;
  if (call?.kind !== 'call' || call.callee !== member || call.args.length !== 1) return false;
  const [asked] = call.args;
  const owner = asked?.kind === 'name' ? module.scopes.bindingOf(asked)?.owner : undefined;
  const from = owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : asked;
  let isArrived = false;
  walk(from ?? call, (each) => {
    const of = each.kind === 'member' && each.property === 'url' && each.object.kind === 'name' ? each.object : undefined;
    const param = of && module.scopes.bindingOf(of)?.owner;
    isArrived ||= param?.kind === 'param' && isOfServer(param, module);
  });
  return isArrived;
}
