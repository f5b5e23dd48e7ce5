/** Paths that go nowhere but into the address that is asked for: nobody else can take them from there. */
import { lastName } from '../../clients/names.ts';
import type { Place } from '../../evaluate/budget.ts';
import { functionAround, functionsOf } from '../../evaluate/calls/callees.ts';
import { writesOf } from '../../evaluate/writes/property-writes.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isInherited } from '../../evaluate/classes/subclasses.ts';
import type { CallNode, FunctionNode, Node, PropertyNode } from '../../syntax/tree.ts';
import { isShowing } from '../flow/harmless-calls.ts';
import { readersIn } from '../flow/readers.ts';

/** A path that comes to more places is not followed to all of them. */
const maxPlaces = 100;

/** What is asked of a text or of an address, and gives no path back. */
const asking = /^(?:startsWith|endsWith|includes|indexOf|search|length|protocol|hosts?|hostname|origin|searchParams|hash)$/;
/** What makes another of it. */
const making = /^(?:toString|trim|slice|substring|replace|replaceAll|concat|href|pathname)$/;

/**
 * Follows a path from where it is written through variables, parameters and longer texts that begin with it.
 * @param isAsked tells the requests that keep nothing of what they ask for
 * @returns whether each way of it ends in such a request, in what is shown, or in a question about it
 */
export function isAskedAlone(ev: Evaluation, path: Place, isAsked: (call: CallNode) => boolean): boolean {
  const places: Place[] = [path];
  const seen = new Set<Node>([path.node]);
  // A list that grows while it is walked.
  for (const place of places) {
    const next = places.length > maxPlaces ? undefined : goingOn(ev, place, isAsked);
    if (next === undefined) return false;
    places.push(...next.filter(({ node }) => !seen.has(node)));
    for (const { node } of next) seen.add(node);
  }
  return true;
}

/** Where what has a path goes on; undefined where something else may keep it. */
function goingOn(ev: Evaluation, { node, module }: Place, isAsked: (call: CallNode) => boolean): readonly Place[] | undefined {
  const { parent } = node;
  const on = (at: Node): readonly Place[] => [{ node: at, module }];
  switch (parent?.kind) {
    case 'template':
    case 'concat':
    case 'await':
    case 'logical':
      return on(parent);
    case 'conditional':
      return parent.test === node ? [] : on(parent);
    case 'binary':
      return parent.operator === ',' && parent.right === node ? on(parent) : [];
    case 'unary':
      return [];
    case 'other':
      return parent.what === 'IfStatement' ? [] : undefined;
    case 'variable':
      return parent.init === node && parent.each === undefined ? namedBy(ev, parent.target, module) : undefined;
    case 'assign':
      if (parent.target === node) return [];
      return parent.target.kind === 'name' ? readBy(ev, parent.target, module) : undefined;
    case 'member':
      return ofMember(parent.property ?? '', parent, module);
    case 'return':
      return givenBack(ev, functionAround(parent), module);
    case 'function':
      return parent.body === node ? givenBack(ev, parent, module) : undefined;
    case 'call':
      return parent.callee === node ? undefined : ofArgument(ev, { node, module }, parent, isAsked);
    case 'property':
      return parent.value === node ? ofProperty(ev, parent, module) : undefined;
    default:
      return undefined;
  }
}

/** What a function gives back, whoever calls it, where nothing else is done with it than to call it. */
function givenBack(ev: Evaluation, fn: FunctionNode | undefined, module: SourceModule): readonly Place[] | undefined {
  const name = fn?.parent?.kind === 'variable' ? fn.parent.target : fn?.name;
  const calls = namedBy(ev, name, module)?.map(({ node, module: by }) => {
    const { parent } = node;
    return parent?.kind === 'call' && parent.callee === node ? [{ node: parent, module: by }] : undefined;
  });
  return calls && together(calls);
}

function ofMember(property: string, member: Node, module: SourceModule): readonly Place[] | undefined {
  if (asking.test(property)) return [];
  if (!making.test(property)) return undefined;
  const { parent } = member;
  return [{ node: parent?.kind === 'call' && parent.callee === member ? parent : member, module }];
}

function ofArgument(
  ev: Evaluation,
  { node, module }: Place,
  call: CallNode,
  isAsked: (call: CallNode) => boolean,
): readonly Place[] | undefined {
  if (isAsked(call)) return [];
  const { callee } = call;
  if (callee.kind === 'name' && /^(?:URL|String)$/.test(callee.name) && module.scopes.bindingOf(callee) === undefined)
    return [{ node: call, module }];
  const functions = givenTo(ev, call, module);
  if (functions.length === 0) return isShown(node, call) ? [] : undefined;
  const index = call.args.findIndex((arg) => arg === node);
  if (call.args.slice(0, index).some(({ kind }) => kind === 'spread')) return undefined;
  return together(functions.map((of) => (of === undefined ? undefined : namedBy(ev, plainParam(of.node, index), of.module))));
}

/** Whether it is printed, or part of an error's sentence: nobody takes a path out of that again. Who catches an error may take what it was given as it is. */
function isShown(node: Node, call: CallNode): boolean {
  if (call.isNew || lastName(call.callee).endsWith('Error'))
    return isShowing(call) && ((node.kind === 'template' && node.texts.some(({ value }) => / /.test(value))) || node.kind === 'concat');
  // Any other logger may be the project's own, in a file that says nothing of v1, and keep what it is given.
  return call.callee.kind === 'member' && call.callee.object.kind === 'name' && call.callee.object.name === 'console' && isShowing(call);
}

/** What a function calls its argument, where that is not put into a list or a field. */
function plainParam({ params }: FunctionNode, index: number): Node | undefined {
  const { target, isRest, isField } = params[index] ?? {};
  return isRest === false && isField === false ? target : undefined;
}

/** `request({ path: '/v1/contacts' })`, where only what is read of it there under that name has the path. */
function ofProperty(ev: Evaluation, { name, parent: object }: PropertyNode, module: SourceModule): readonly Place[] | undefined {
  const call = object?.parent;
  if (name === undefined || object === undefined || call?.kind !== 'call' || call.callee === object) return undefined;
  const index = call.args.findIndex((arg) => arg === object);
  const functions = givenTo(ev, call, module);
  if (functions.length === 0) return isShown(object, call) ? [] : undefined;
  if (call.args.slice(0, index).some(({ kind }) => kind === 'spread')) return undefined;
  return together(
    functions.map((of) => {
      const target = of && plainParam(of.node, index);
      if (of === undefined || target?.kind !== 'objectPattern' || target.rest !== undefined) return undefined;
      if (target.properties.some((each) => each.name === undefined)) return undefined;
      return together(target.properties.filter((each) => each.name === name).map((each) => namedBy(ev, each.target, of.module)));
    }),
  );
}

/** The functions of the project that a call gives something to: undefined for one that another may stand in for, or that has all that it is given at once. */
function givenTo(
  ev: Evaluation,
  { callee }: CallNode,
  module: SourceModule,
): readonly ({ node: FunctionNode; module: SourceModule } | undefined)[] {
  return functionsOf(ev, callee, { module, frame: undefined }).map(({ node, module: of }) => {
    if (node.kind !== 'function' || /\barguments\b/.test(of.text.slice(node.start, node.end))) return undefined;
    // Another may be put in its place: `request = record(request)`, `api.request = …`.
    const name = callee.kind === 'name' ? callee : undefined;
    const isReplaced =
      name === undefined
        ? writesOf(ev.world, callee.kind === 'member' ? (callee.property ?? '') : '').length > 0
        : module.scopes.bindingOf(name)?.references.some(({ parent }) => parent?.kind === 'assign' && parent.target.start === parent.start);
    if (isReplaced !== false) return undefined;
    const around = node.parent?.kind === 'classMember' ? node.parent.parent : undefined;
    return around?.kind === 'class' && isInherited(ev, around) ? undefined : { node, module: of };
  });
}

/** What reads a name that is declared; undefined where it is not one name. */
const namedBy = (ev: Evaluation, target: Node | undefined, module: SourceModule): readonly Place[] | undefined => {
  const binding = target?.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
  return binding && readersIn(ev).of(binding, module);
};

const readBy = (ev: Evaluation, name: Node, module: SourceModule): readonly Place[] | undefined => {
  const binding = name.kind === 'name' ? module.scopes.bindingOf(name) : undefined;
  return binding && readersIn(ev).of(binding, module);
};

function together(all: readonly (readonly Place[] | undefined)[]): readonly Place[] | undefined {
  const known = all.flatMap((each) => (each === undefined ? [] : [each]));
  return known.length < all.length || all.length === 0 ? undefined : known.flat();
}
