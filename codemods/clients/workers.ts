/** Cloudflare Workers: what the platform hands to the handlers that it calls, https://developers.cloudflare.com/workers/runtime-apis/handlers/. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { FunctionNode, Node } from '../syntax/tree.ts';

export const workersLibrary: ClientRule = {
  name: 'workers',
  environments: ['cloudflare:workers.env', 'cloudflare:test.env'],
  // Other parameters that are called `env` are known by their name.
  givenByPlatform: ({ parent: fn }, index, module) =>
    index === 1 && fn?.kind === 'function' && isHandler(fn, module)
      ? { type: 'external', source: '', path: ['process', 'env'] }
      : undefined,
};

const handlers = /^(?:fetch|scheduled|queue|email|tail)$/;

/** `export default { async fetch(request, bindings) { … } }`, `export default { fetch: handle }` */
function isHandler(fn: FunctionNode, module: SourceModule): boolean {
  const exported = module.exports.get('default');
  const given = exported === undefined || !('node' in exported || 'reference' in exported) ? undefined : meantBy(nodeOf(exported), module);
  return (
    given?.kind === 'object' &&
    given.properties.some(
      (each) => each.kind === 'property' && handlers.test(each.name ?? '') && (each.value === fn || meantBy(each.value, module) === fn),
    )
  );
}

const nodeOf = (exported: { readonly node: Node } | { readonly reference: Node }): Node =>
  'node' in exported ? exported.node : exported.reference;

/** What a name stands for that is declared once. */
function meantBy(node: Node, { scopes }: SourceModule): Node | undefined {
  if (node.kind !== 'name') return node;
  const owner = scopes.bindingOf(node)?.owner;
  return owner?.kind === 'variable' ? owner.init : owner;
}
