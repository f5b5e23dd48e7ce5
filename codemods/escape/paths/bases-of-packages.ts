/** Addresses that a client of somebody's package is made with: `createProvider({ baseURL: `${host}/v1` })`. They are where that client asks, and decide about nothing else. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

const names = /^(?:(?:base|api|server|prefix|endpoint|host)_?(?:url|path|endpoint)?|url|collector_?endpoint)$/i;
/** What keeps settings gives them back: they are followed. */
const settings = /config|setting|option|env|schema|object|define|convict|plugin|proxy|rewrite|route/i;

/** Whether a text with a host that nobody knows is the address of such a client. */
export function isBaseOfPackage(node: Node, module: SourceModule, world: Pick<World, 'resolve'>): boolean {
  if (node.kind !== 'template' || node.texts[0]?.value !== '') return false;
  const [property, object, call] = around(node);
  if (property?.kind !== 'property' || !names.test(property.name ?? '') || object?.kind !== 'object' || call?.kind !== 'call') return false;
  return !settings.test(module.text.slice(call.callee.start, call.callee.end)) && isCallOfPackage(call, module, world);
}

/** Whether what is called is imported from a package that is not read. */
export function isCallOfPackage(call: CallNode, module: SourceModule, world: Pick<World, 'resolve'>): boolean {
  const root = rootOf(call);
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'import' && !/^[./#]/.test(owner.source.value) && world.resolve(module, owner.source.value) === undefined;
}

const around = ({ parent }: Node): (Node | undefined)[] => [parent, parent?.parent, parent?.parent?.parent];

function rootOf({ callee }: CallNode): Node {
  let at: Node = callee;
  while (at.kind === 'member') at = at.object;
  return at;
}
