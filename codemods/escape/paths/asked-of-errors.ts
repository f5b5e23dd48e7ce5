/**
 * What an error keeps of the path that was asked for, where somebody compares that with a path of v1: `catch (error) { if (error.path === '/v1/messages') … }`,
 * `/from \/v1\/(\w+)$/.exec(error.message)`. The one moves with its call and the other stays, so that the error would be taken for another.
 */
import { lastName } from '../../clients/names.ts';
import type { Place } from '../../evaluate/budget.ts';
import { classAround } from '../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { memo, memoOf } from '../../once.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, ClassNode, Expression, Node, ParamNode } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Escape } from '../escapes.ts';
import type { DataflowQuery } from '../flow/dataflow-query.ts';
import { isRepeated, wholeOf } from './repeats.ts';

const path = /\/v1(?:\/|$)/;
const pattern = /\\?\/v1(?![\w-])/;

export function askedOfErrors(query: DataflowQuery): Escape[] {
  const kept = memo((name: string) => keptUnder(query, name));
  return [...query.ev.world.modules.values()].flatMap((module) =>
    comparedIn(module).flatMap((node) =>
      fieldsAskedBy(node, module).flatMap((name) => kept(name).map((change): Escape => ({ change, node, module, name, way: 'compared' }))),
    ),
  );
}

/** Texts and regular expressions with a path of v1 that something is compared with. */
const comparedIn = (module: SourceModule): readonly Node[] =>
  [
    ...nodesOfKind(module.tree.program, 'string').filter(({ value }) => path.test(value)),
    ...nodesOfKind(module.tree.program, 'literal').filter(
      ({ value }) => typeof value === 'object' && value !== null && pattern.test(value.pattern),
    ),
  ].filter((node) => isRepeated(node, module));

/** The names of what a text is compared with. */
function fieldsAskedBy(text: Node, { scopes }: SourceModule): readonly string[] {
  const { parent } = wholeOf(text);
  // `/\/v1\//.test(error.message)`
  const around = parent?.kind === 'member' ? parent.parent : parent;
  const clauses = around?.kind === 'other' ? around.parent : undefined;
  const asked = clauses?.kind === 'block' ? clauses.body[0] : around;
  const found = new Set<string>();
  if (asked !== undefined)
    walk(asked, (node) => {
      if (node.kind === 'member' && node.property !== undefined) found.add(node.property);
      const declared = node.kind === 'name' ? scopes.bindingOf(node)?.declaration.parent : undefined;
      if (declared?.kind === 'patternProperty' && declared.name !== undefined) found.add(declared.name);
      return true;
    });
  return [...found];
}

/** What errors of the program have of edited paths under a name. */
function keptUnder(query: DataflowQuery, name: string): readonly Change[] {
  const given = [...query.ev.world.modules.values()].flatMap((module) =>
    givenIn(query.ev, module, name).map((node): Place => ({ node, module })),
  );
  return [...new Set(given.flatMap((place) => query.carried(place)))];
}

function givenIn(ev: Evaluation, module: SourceModule, name: string): Node[] {
  const { program } = module.tree;
  return [
    // `this.path = path`
    ...nodesOfKind(program, 'assign').flatMap(({ target, value }) =>
      target.kind === 'member' && target.property === name && isError(target.object) ? [value] : [],
    ),
    // `Object.assign(new Error(text), { path })`
    ...nodesOfKind(program, 'property').flatMap((property) => {
      const call = property.name === name ? property.parent?.parent : undefined;
      const [target] = call?.kind === 'call' && lastName(call.callee) === 'assign' ? call.args : [];
      return target !== undefined && target.kind !== 'spread' && isError(target) ? [property.value] : [];
    }),
    // `new Error(text)`, `new HttpError(502, { message: text })`, `super(text)`
    ...(name === 'message' ? module.calls.filter(isMadeError).flatMap(({ args }) => args.flatMap(messagesIn)) : []),
    // `constructor(readonly path: string)`
    ...module.calls.flatMap(({ callee, args }) => {
      const arg = args[fieldsIn(ev).get(lastName(callee))?.indexOf(name) ?? -1];
      return arg === undefined || arg.kind === 'spread' ? [] : [arg];
    }),
  ];
}

const isMadeError = ({ callee, isNew }: CallNode): boolean =>
  callee.kind === 'super' ? isClassOfErrors(classAround(callee)) : isNew && lastName(callee).endsWith('Error');

function messagesIn(arg: CallNode['args'][number]): readonly Node[] {
  if (arg.kind === 'spread') return [];
  return arg.kind === 'object'
    ? arg.properties.flatMap((each) => (each.kind === 'property' && each.name === 'message' ? [each.value] : []))
    : [arg];
}

/** The fields that the parameters of the constructors of errors are, by the names of their classes. */
const fieldsIn = memoOf(
  ({ world }: Evaluation): ReadonlyMap<string, readonly (string | undefined)[]> =>
    new Map(
      [...world.modules.values()].flatMap(({ tree }) =>
        nodesOfKind(tree.program, 'class').flatMap((of) => {
          const made = isClassOfErrors(of) ? of.members.find(({ role }) => role === 'constructor')?.value : undefined;
          return made?.kind === 'function' ? [[of.name?.name ?? '', made.params.map(fieldOf)] as const] : [];
        }),
      ),
    ),
);

const fieldOf = ({ isField, target }: ParamNode): string | undefined =>
  isField && target.kind === 'patternName' ? target.name : undefined;

/** `this` in the class of an error, or something that is made there. */
const isError = (node: Expression): boolean =>
  node.kind === 'this' ? isClassOfErrors(classAround(node)) : node.kind === 'call' && node.isNew;

const isClassOfErrors = (of: ClassNode | undefined): boolean => of?.superclass !== undefined && lastName(of.superclass).endsWith('Error');
