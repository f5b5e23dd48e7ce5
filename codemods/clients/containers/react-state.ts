/** What a component of React keeps from one drawing to the next: https://react.dev/reference/react/useState. */
import type { LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { choiceOf, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Scopes } from '../../syntax/scopes.ts';
import type { CallNode, Expression, NameNode, VariableNode } from '../../syntax/tree.ts';
import { isCallOf } from '../names.ts';
import { returned } from '../pass-through.ts';

const space = 'react state';

export const dependent = /^use\w*(?:Effect|Memo|Callback|Handle)$/;

/** `const [api, setApi] = useState(null)`: what it starts with, or what a function returns for that, and what it is set to. */
export const state: LibraryFunction = (ev, args, node, at) => {
  const start = returned(ev, args, node, at) ?? args[0] ?? unknown(node, at.module);
  const declared = node.parent?.kind === 'variable' && node.parent.target.kind === 'arrayPattern' ? node.parent : undefined;
  // Whoever gets the state as a whole has its setter.
  const held = declared ? heldBy(ev, declared, start, at.module) : isNothing(start) ? unknown(node, at.module) : start;
  return { type: 'list', items: [held, unknown(node, at.module)], nodes: [], isOpen: false, module: at.module };
};

/**
 * What is set in the state's own file: clients, and what is written there. What somebody types leaves it as it was; but what begins with nothing, `useState(null)`
 * and `setUrl(data.next)`, is asked for once it is there, and then it is what somebody set, whoever has the setter.
 */
function heldBy(ev: Evaluation, state: VariableNode, start: Value, module: SourceModule): Value {
  const setters = settersOf(state, module.scopes);
  const isOwn = areOnlyCalled(setters);
  const isKnown = (each: Value): boolean => (isOwn && isClient(each)) || isWritten(each);
  const set = setters.flatMap((name) => setting(name) ?? []).flatMap((call) => setBy(ev, call, start, { module, frame: undefined }));
  const isSeen = isOwn && set.every((each) => isKnown(each) || isNothing(each) || each.type === 'text');
  // A client whose setter others have is followed nowhere: it is no address that something else asks.
  const isOpen = isNothing(start) && !isSeen && !set.some(isClient);
  if (!isOpen) return choiceOf([start, ...set.filter((each) => isKnown(each) || (isNothing(start) && each.type === 'text'))]);
  return choiceOf([...set.filter((each) => isKnown(each) || each.type === 'text'), unknown(state, module)]);
}

const isClient = (each: Value): boolean => each.type === 'instance' || each.type === 'http';

const isNothing = (value: Value): boolean => optionsOf(value).every((each) => each.type === 'literal' && (each.value ?? false) === false);

function settersOf({ target }: VariableNode, scopes: Scopes): readonly NameNode[] {
  const setter = target.kind === 'arrayPattern' ? target.elements[1]?.target : undefined;
  return setter?.kind === 'patternName' ? (scopes.declaredBy(setter)?.references ?? []) : [];
}

/** Who else is given a setter may set another client. */
const areOnlyCalled = (setters: readonly NameNode[]): boolean => setters.every((name) => setting(name) !== undefined || isDependency(name));

/** The call of a setter. */
const setting = (name: NameNode): CallNode | undefined =>
  name.parent?.kind === 'call' && name.parent.callee === name ? name.parent : undefined;

/** `useEffect(() => { setApi(api); }, [setApi])` */
const isDependency = ({ parent: list }: NameNode): boolean =>
  list?.kind === 'array' && list.parent?.kind === 'call' && isCallOf(list.parent, { method: dependent });

/** `setApi(api)`, `setApi((before) => before ?? api)` */
function setBy(ev: Evaluation, call: CallNode, start: Value, at: At): readonly Value[] {
  const [given] = call.args;
  if (given === undefined) return [];
  if (given.kind === 'spread') return [unknown(call, at.module)];
  return optionsOf(ev.evaluate(given, at)).flatMap((each) =>
    each.type === 'function' ? optionsOf(ev.apply(each, [start], call, at) ?? unknown(call, at.module)) : [each],
  );
}

const isWritten = (value: Value): boolean => (plainText(value) ?? '') !== '' || (value.type === 'object' && value.unknown.length === 0);

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
  return owner.init?.kind === 'call' && isOfReact(owner.init, scopes) && areOnlyCalled(settersOf(owner, scopes))
    ? `${file} ${owner.start}`
    : undefined;
}

/** Other packages, and the project itself, may have a function of that name, too. */
function isOfReact(call: CallNode, scopes: Scopes): boolean {
  const { callee } = call;
  const root = callee.kind === 'member' ? callee.object : callee;
  const owner = root.kind === 'name' ? scopes.bindingOf(root)?.owner : undefined;
  return isCallOf(call, { method: /^useState$/ }) && (owner?.kind !== 'import' || /^p?react(?:\/|$)/.test(owner.source.value));
}
