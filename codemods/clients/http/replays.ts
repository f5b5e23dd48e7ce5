/** What sends again what was sent before: its URL and headers are those of another call. */
import { nameOf } from '../../evaluate/callees.ts';
import type { RuleCall } from '../../evaluate/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Value } from '../../evaluate/values.ts';
import { type Binding, stepsTo } from '../../syntax/scopes.ts';
import type { Expression, Node, ObjectNode } from '../../syntax/tree.ts';

/** `client.request(error.config)`, and the same by another name, taken out of the error by a pattern, or with more beside it. */
export function isReplay(call: RuleCall): boolean {
  const [arg, more] = call.node.args;
  const sent = arg?.kind === 'object' ? sentAgain(arg) : arg;
  return sent !== undefined && sent.kind !== 'spread' && more === undefined && isOfBefore(sent, call);
}

/** `{ ...config, retried: true }`: what is sent again, where nothing beside it says where it goes or with which headers. */
function sentAgain({ properties }: ObjectNode): Expression | undefined {
  const [first, ...rest] = properties;
  const isPlain = rest.every((each) => each.kind === 'property' && each.name !== undefined && !saysWhere.test(each.name));
  return first?.kind === 'spread' && isPlain ? first.argument : undefined;
}

const saysWhere = /^(?:url|baseURL|headers|method|auth|adapter|transformRequest|paramsSerializer)$/;

function isOfBefore(sent: Expression, { module, ev, frame }: RuleCall): boolean {
  const binding = sent.kind === 'name' ? module.scopes.bindingOf(sent) : undefined;
  const owner = binding?.owner;
  // What a function of the project gives is known on the way that begins there.
  if (binding !== undefined && isTaken(binding))
    return isOfError(binding, module) || isOfHandler(ev.evaluate(sent, { module, frame }), module);
  return isConfig(owner?.kind === 'variable' ? owner.init : sent);
}

/** `error.config`, `error instanceof AppError ? error.config : undefined`, `error.config ?? {}`. */
function isConfig(source: Expression | undefined): boolean {
  switch (source?.kind) {
    case 'member':
      return source.property === 'config';
    case 'conditional':
      return isConfig(source.whenTrue) ? isNothing(source.whenFalse) : isNothing(source.whenTrue) && isConfig(source.whenFalse);
    case 'logical':
      return isConfig(source.left) && isNothing(source.right);
    default:
      return false;
  }
}

const isNothing = (node: Expression): boolean =>
  (node.kind === 'name' && node.name === 'undefined') ||
  (node.kind === 'literal' && node.value === null) ||
  (node.kind === 'object' && node.properties.length === 0);

/** Whether it is what a handler is given, handed on by that. */
function isOfHandler(value: Value | undefined, module: SourceModule): boolean {
  const of = value?.type === 'method' ? value.receiver : value;
  return of?.type === 'unknown' && of.node?.kind === 'param' && isHandler(of.node.parent, module);
}

/** `const { config } = …`, `({ config, response }) => …`. */
function isTaken({ owner, declaration }: Binding): boolean {
  if (owner.kind !== 'variable' && owner.kind !== 'param') return false;
  const way = stepsTo(owner.target, declaration);
  const last = way?.steps.at(-1);
  return way?.defaults.length === 0 && last !== undefined && 'property' in last && last.property === 'config';
}

/** Whether a pattern takes apart what a handler is given or a `catch` has caught. */
function isOfError({ owner }: Binding, module: SourceModule): boolean {
  const init = owner.kind === 'variable' ? owner.init : undefined;
  const of = init?.kind === 'name' ? module.scopes.bindingOf(init)?.owner : owner;
  return of?.kind === 'block' || (of?.kind === 'param' && isHandler(of.parent, module));
}

/** Whether a function is only given to others, which then call it: those of the project would say what they give it. */
function isHandler(fn: Node | undefined, module: SourceModule): boolean {
  if (fn?.kind !== 'function') return false;
  if (fn.parent?.kind === 'call') return fn.parent.callee !== fn;
  const name = nameOf(fn);
  const references = (name === undefined ? undefined : module.scopes.declaredBy(name)?.references) ?? [];
  const given = references.filter(({ parent, start }) => parent?.kind === 'call' && parent.callee.start !== start);
  return given.length > 0 && given.length === references.length;
}
