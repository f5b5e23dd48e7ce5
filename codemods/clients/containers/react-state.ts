/** What a component of React keeps from one drawing to the next: https://react.dev/reference/react/useState. */
import type { LibraryFunction } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/provided.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../../evaluate/values.ts';
import type { CallNode, Expression, NameNode, VariableNode } from '../../syntax/tree.ts';
import { isCallOf } from '../names.ts';
import { returned } from '../pass-through.ts';

const space = 'react state';

/** `const [api, setApi] = useState(null)`: what it starts with, or what a function returns for that, and what it is set to. */
export const state: LibraryFunction = (ev, args, node, at) => {
  const start = returned(ev, args, node, at) ?? args[0] ?? unknown(node, at.module);
  const set = node.parent?.kind === 'variable' ? setIn(node.parent, at.module).flatMap((given) => clientsIn(ev, given, at)) : [];
  return { type: 'list', items: [choiceOf([start, ...set]), unknown(node, at.module)], nodes: [], isOpen: false, module: at.module };
};

/** A client that is set is the one that is asked then; what else it may be set to, as by what somebody types, leaves what it starts with as it is. */
const clientsIn = (ev: Evaluation, given: Expression, { module }: At): readonly Value[] =>
  optionsOf(ev.evaluate(given, { module, frame: undefined })).filter(({ type }) => type === 'instance' || type === 'http');

/** What the calls of the setter give, by its name in the same file. */
function setIn({ target }: VariableNode, { scopes }: SourceModule): readonly Expression[] {
  const setter = target.kind === 'arrayPattern' ? target.elements[1]?.target : undefined;
  const references = setter?.kind === 'patternName' ? (scopes.declaredBy(setter)?.references ?? []) : [];
  return references.flatMap(({ parent }) => (parent?.kind === 'call' ? (givenTo(parent) ?? []) : []));
}

/** `setApi(api)`, `setApi(() => api)`: a function says what the state is to be. */
function givenTo({ args: [given] }: CallNode): Expression | undefined {
  if (given === undefined || given.kind === 'spread') return undefined;
  return given.kind === 'function' && given.body !== undefined && given.body.kind !== 'block' ? given.body : given;
}

/** What is set goes to whoever reads the state. */
export function setsState(node: PutNode, module: SourceModule): readonly Put[] {
  const given = node.kind === 'call' && node.callee.kind === 'name' ? givenTo(node) : undefined;
  const key = node.kind === 'call' && node.callee.kind === 'name' ? stateOf(node.callee, 1, module) : undefined;
  return given === undefined || key === undefined ? [] : [{ space, key, node: given }];
}

export function readsState(node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined {
  const key = node.kind === 'name' ? stateOf(node, 0, module) : undefined;
  return key === undefined ? undefined : { space, key };
}

/** The state that a name reads, or sets, by where it is declared. */
function stateOf(name: NameNode, index: 0 | 1, { file, scopes }: SourceModule): string | undefined {
  const { owner, declaration } = scopes.bindingOf(name) ?? {};
  if (owner?.kind !== 'variable' || owner.target.kind !== 'arrayPattern' || owner.target.elements[index]?.target !== declaration)
    return undefined;
  return owner.init?.kind === 'call' && isCallOf(owner.init, { method: /^useState$/ }) ? `${file} ${owner.start}` : undefined;
}
