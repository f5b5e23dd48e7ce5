/** What sends again what was sent before: its URL and headers are those of another call. */
import { nameOf } from '../../evaluate/calls/callees.ts';
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
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

function isOfBefore(sent: Expression, call: RuleCall): boolean {
  const { module, ev, frame } = call;
  const binding = sent.kind === 'name' ? module.scopes.bindingOf(sent) : undefined;
  const owner = binding?.owner;
  // What a function of the project gives is known on the way that begins there.
  if (binding !== undefined && isTaken(binding)) return isOfError(binding, call) || isOfHandler(ev.evaluate(sent, { module, frame }), call);
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
function isOfHandler(value: Value | undefined, call: RuleCall): boolean {
  const of = value?.type === 'method' ? value.receiver : value;
  return of?.type === 'unknown' && of.node?.kind === 'param' && isHandler(of.node.parent, call);
}

/** `const { config } = …`, `({ config, response }) => …`. */
function isTaken({ owner, declaration }: Binding): boolean {
  if (owner.kind !== 'variable' && owner.kind !== 'param') return false;
  const way = stepsTo(owner.target, declaration);
  const last = way?.steps.at(-1);
  return way?.defaults.length === 0 && last !== undefined && 'property' in last && last.property === 'config';
}

/** Whether a pattern takes apart what a handler is given or a `catch` has caught. */
function isOfError({ owner }: Binding, call: RuleCall): boolean {
  const { module } = call;
  const init = owner.kind === 'variable' ? owner.init : undefined;
  const of = init?.kind === 'name' ? module.scopes.bindingOf(init)?.owner : owner;
  return of?.kind === 'block' || (of?.kind === 'param' && isHandler(of.parent, call));
}

/** Whether a function is only given to others, which then call it: those of the project would say what they give it. */
function isHandler(fn: Node | undefined, { module, ev }: Pick<RuleCall, 'module' | 'ev'>): boolean {
  if (fn?.kind !== 'function') return false;
  if (fn.parent?.kind === 'call') return fn.parent.callee !== fn;
  const name = nameOf(fn);
  const references =
    fn.parent?.kind === 'classMember' ? membersNamed(ev, fn.parent.name) : ((name && module.scopes.declaredBy(name)?.references) ?? []);
  return references.length > 0 && references.every(isGiven);
}

/** Whoever takes it of an instance of whatever class. */
const membersNamed = ({ world }: RuleCall['ev'], name: string | undefined): Node[] =>
  [...world.modules.values()].flatMap(({ tree: { program } }) =>
    nodesOfKind(program, 'member').filter(({ property }) => property !== undefined && property === name),
  );

/** `use(handler)`, `use(this.handler.bind(this))` */
function isGiven(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind === 'call') return parent.callee !== reference;
  const bound = parent?.kind === 'member' && parent.property === 'bind' ? parent.parent : undefined;
  return bound?.kind === 'call' && bound.callee === parent && bound.parent?.kind === 'call' && bound.parent.callee !== bound;
}
