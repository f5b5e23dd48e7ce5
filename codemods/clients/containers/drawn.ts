/** Which components a place of React draws, whatever they were wrapped in, loaded by or taken out of on their way there. */
import { forAllCallers, nameOf } from '../../evaluate/all-callers.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { optionsOf, type ParamValue, type Value } from '../../evaluate/values.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, MemberNode } from '../../syntax/tree.ts';

/** Wrappers around wrappers. */
const maxDepth = 4;

/** @returns the functions among what is drawn, of a list or table each */
export const drawnAt = (ev: Evaluation, named: Expression, module: SourceModule): readonly Value[] =>
  optionsOf(ev.evaluate(named, { module, frame: undefined }))
    .flatMap((each) => (each.type === 'param' ? givenTo(ev, named, module, each) : [each]))
    .flatMap((each) => componentsOf(ev, each));

const givenTo = (ev: Evaluation, named: Expression, module: SourceModule, param: ParamValue): readonly Value[] => [
  ...ofItems(ev, named, module, param),
  ...optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(named, { module, frame }))),
];

/** Whether a function is one that gets properties: by its name, or as it says what a page shows. */
export const isComponent = (fn: FunctionNode): boolean => /^[A-Z]/.test(nameOf(fn)) || draws(fn);

/** What packages make of a component gives it the properties that it gets: `observer(List)`, `connect(select)(List)`, `dynamic(() => import('./list'))`. */
function componentsOf(ev: Evaluation, value: Value, depth = 0): readonly Value[] {
  if (value.type !== 'unknown' || depth === maxDepth) return [value];
  const { node, module } = value;
  if (module === undefined || !isScript(module)) return [value];
  const found = node?.kind === 'call' ? wrappedBy(ev, node, module) : node?.kind === 'member' ? heldBy(ev, node, module) : [];
  return found.flatMap(optionsOf).flatMap((each) => componentsOf(ev, each, depth + 1));
}

function wrappedBy(ev: Evaluation, node: CallNode, module: SourceModule): readonly Value[] {
  const at = { module, frame: undefined };
  const given = node.args.flatMap((arg) => (arg.kind === 'spread' ? [] : optionsOf(ev.evaluate(arg, at))));
  const wrapped = given.flatMap((each) => {
    if (each.type !== 'function') return each.type === 'unknown' && each.node !== node ? each : [];
    if (isComponent(each.node)) return each;
    const file = each.node.params.length === 0 ? ev.apply(each, [], node, at) : undefined;
    return file === undefined ? [] : [file, ...(file.type === 'namespace' ? [ev.member(file, 'default', node, at)] : [])];
  });
  return node.callee.kind === 'call' ? [...wrapped, ...wrappedBy(ev, node.callee, module)] : wrapped;
}

/** `tabs[kind]`: any of them. */
const heldBy = (ev: Evaluation, { object, computed }: MemberNode, module: SourceModule): readonly Value[] =>
  computed === undefined
    ? []
    : optionsOf(ev.evaluate(object, { module, frame: undefined })).flatMap((table) =>
        table.type === 'object' ? table.entries.map((entry) => entry.value()) : table.type === 'list' ? table.items : [],
      );

/** `pages.map((Page) => <Page base={base} />)` */
function ofItems(ev: Evaluation, named: Expression, module: SourceModule, { owner }: ParamValue): readonly Value[] {
  const call = owner.parent;
  if (call?.kind !== 'call' || call.args[0] !== owner || call.callee.kind !== 'member' || !perItem.test(call.callee.property ?? ''))
    return [];
  return optionsOf(ev.evaluate(call.callee.object, { module, frame: undefined })).flatMap((list) =>
    list.type === 'list'
      ? list.items.flatMap((item) => optionsOf(ev.evaluate(named, { module, frame: { owner, args: [item], outer: undefined } })))
      : [],
  );
}

const perItem = /^(?:map|flatMap|forEach)$/;

const drawing = new WeakMap<FunctionNode, boolean>();

function draws(fn: FunctionNode): boolean {
  let isDrawing = drawing.get(fn) ?? false;
  if (!drawing.has(fn))
    walk(fn, (node) => {
      isDrawing ||= node.kind === 'other' && node.what === 'JsxElement';
      return !isDrawing;
    });
  drawing.set(fn, isDrawing);
  return isDrawing;
}
