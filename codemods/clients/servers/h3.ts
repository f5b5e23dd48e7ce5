/** h3: the functions that read headers of an event (https://h3.dev/utils/request), which files of Nitro and Nuxt have without an import. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

export interface EventRead {
  readonly event: Expression;
  readonly name: Expression;
}

/** `getHeader(event, 'x-api-key')` */
export function headerOfEvent(call: CallNode, module: SourceModule): EventRead | undefined {
  const [event, name] = call.args;
  const isRead = call.args.length === 2 && isOf(/^get(?:Request)?Header$/, call, module);
  return isRead && event !== undefined && event.kind !== 'spread' && name !== undefined && name.kind !== 'spread'
    ? { event, name }
    : undefined;
}

/** The event of `getHeaders(event)`. */
export function eventOfHeaders(node: Node, module: SourceModule): Expression | undefined {
  const [event] = node.kind === 'call' && isOf(/^get(?:Request)?Headers$/, node, module) ? node.args : [];
  return event?.kind === 'spread' ? undefined : event;
}

function isOf(names: RegExp, { callee }: CallNode, { scopes }: SourceModule): boolean {
  if (callee.kind !== 'name' || !names.test(callee.name)) return false;
  const owner = scopes.bindingOf(callee)?.owner;
  return owner === undefined || (owner.kind === 'import' && /^(?:h3|#imports|nitro(?:pack)?(?:\/.*)?)$/.test(owner.source.value));
}
