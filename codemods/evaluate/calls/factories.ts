/** Which call of a factory made a client: what is done to the client of one call is not done to another's. */
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { returnsOf } from './returns.ts';
import { functionAround } from './callees.ts';
import type { At } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { nodesOf, type Provenance } from '../values/provenance.ts';

/**
 * The call of a function that only returns what is made here, anew each time.
 * @returns undefined where another call may give the same, as of a function that keeps what it made
 */
export function factoryCall(made: CallNode, { module, frame }: At): CallNode | undefined {
  if (frame?.by === undefined || frame.owner.kind !== 'function' || functionAround(made) !== frame.owner) return undefined;
  return isCalledPlainly(frame.owner, frame.by, frame.callee) && isFactory(frame.owner, made, module) ? frame.by : undefined;
}

/** Whether a call names the function itself: what wraps it, as `memoize` and containers do, may keep what it gave. */
function isCalledPlainly({ parent }: FunctionNode, { callee }: CallNode, provenance: Provenance): boolean {
  const nodes = nodesOf(provenance).map(({ node }) => node);
  const isDecorated = parent?.kind === 'classMember' && parent.decorators.length > 0;
  return !isDecorated && nodes.includes(callee) && nodes.every(({ kind }) => kind !== 'call');
}

/** Whether a function returns nothing but what is made at one place of it, and puts that nowhere from where it may come back. */
const isFactory = (fn: FunctionNode, made: Node, module: SourceModule): boolean => {
  const returned = returnsOf(fn);
  return returned.length > 0 && returned.every((value) => isMade(awaited(value), made, module));
};

const awaited = (value: Expression): Expression => (value.kind === 'await' ? value.argument : value);

/** Whether it is what is made, or a variable that holds just this: asked, changed, given to functions and returned, but never stored or set anew. */
function isMade(value: Expression, made: Node, { scopes }: SourceModule): boolean {
  if (value.kind !== 'name') return value === made;
  const binding = scopes.bindingOf(value);
  const owner = binding?.owner;
  if (owner?.kind !== 'variable' || owner.target.kind !== 'patternName' || owner.init === undefined) return false;
  const isOnlyUsed = binding?.references.every(({ parent }) => parent !== undefined && harmless.has(parent.kind)) ?? false;
  return awaited(owner.init) === made && isOnlyUsed;
}

const harmless: ReadonlySet<Node['kind']> = new Set(['member', 'call', 'return', 'await', 'function']);
