/** Which components a place of React draws, whatever they were wrapped in, loaded by or taken out of on their way there. */
import { asArguments } from '../../evaluate/calls/callers.ts';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import { forAllCallers, nameOf } from '../../evaluate/calls/all-callers.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import {
  type FunctionValue,
  type NamespaceValue,
  type ObjectValue,
  optionsOf,
  type ParamValue,
  type UnknownValue,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { mapping } from '../../syntax/item-methods.ts';

/** @returns the functions among what is drawn, of a list or table each */
export const drawnAt = (ev: Evaluation, named: Expression, module: SourceModule): readonly Value[] =>
  optionsOf(ev.evaluate(named, { module, frame: undefined }))
    .flatMap((each) => (each.type === 'param' ? givenTo(ev, named, module, each) : [each]))
    .flatMap((each) => componentsOf(ev, each, new Set()));

const givenTo = (ev: Evaluation, named: Expression, module: SourceModule, param: ParamValue): readonly Value[] => [
  ...ofItems(ev, named, module, param),
  ...optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(named, { module, frame }))),
];

/** Whether a function is one that gets properties: by its name, or as it says what a page shows. */
export const isComponent = (fn: FunctionNode): boolean => /^[A-Z]/.test(nameOf(fn)) || draws(fn);

/**
 * What packages make of a component gives it the properties that it gets: `observer(List)`, `connect(select)(List)`, `styled(List)``…```, `dynamic(() =>
 * import('./list'))`; and what is picked from a table is any of what stands there: `tabs[kind]`, `tabs.get(kind)`, `tabs.find(isShown).view`.
 * @param seen what was looked into on the way
 */
function componentsOf(ev: Evaluation, value: Value, seen: Set<unknown>): readonly Value[] {
  ev.budget.charge(1);
  if (value.type === 'method') return componentsOf(ev, value.receiver, seen);
  if (value.type === 'namespace') return exportedBy(ev, value).flatMap((each) => componentsOf(ev, each, seen));
  if (value.type === 'list') return value.items.flatMap((item) => optionsOf(item)).flatMap((each) => componentsOf(ev, each, seen));
  if (value.type === 'function' && isComponent(value.node)) return [value];
  if ((value.type !== 'unknown' && value.type !== 'object' && value.type !== 'function') || seen.has(value.node)) return [value];
  seen.add(value.node);
  return heldBy(ev, value)
    .flatMap(optionsOf)
    .flatMap((each) => componentsOf(ev, each, seen));
}

/** What a table, a function that loads, or the call or member that a value is of may have come by a component from. */
function heldBy(ev: Evaluation, value: FunctionValue | ObjectValue | UnknownValue): readonly Value[] {
  const { node, module } = value;
  if (value.type === 'object') return value.entries.map((entry) => entry.value());
  if (node === undefined || module === undefined || !isScript(module)) return [];
  const at = { module, frame: undefined };
  if (value.type === 'function') return value.node.params.length === 0 ? returnsOf(value.node).map((each) => ev.evaluate(each, value)) : [];
  if (node.kind === 'member') return [ev.evaluate(node.object, at)];
  if (node.kind === 'tagged') return [ev.evaluate(node.tag, at)];
  if (node.kind !== 'call' || makesContext(ev, node, module)) return [];
  const { callee } = node;
  const on = callee.kind === 'member' ? ev.evaluate(callee.object, at) : undefined;
  const args = node.args.flatMap((arg) => {
    if (arg.kind === 'spread') return [];
    // Of `tabs[kind]` a caller may say which it is.
    const picked = arg.kind === 'member' && arg.computed !== undefined ? [ev.evaluate(arg.object, at)] : [];
    return [...optionsOf(ev.evaluate(arg, at)), ...picked];
  });
  // `import('./lists').then((lists) => lists.Contacts)`
  if (on?.type === 'namespace') return args.flatMap((arg) => (arg.type === 'function' ? (ev.apply(arg, [on], node, at) ?? []) : []));
  return [
    ...args,
    ...(on === undefined ? [] : [on]),
    ...(callee.kind === 'call' || callee.kind === 'tagged' ? [ev.evaluate(callee, at)] : []),
  ];
}

/**
 * `createContext({ Contacts })` of React: its provider draws what stands within, and nothing of what is there without one. Such a default may be all texts of a
 * program, and each provider was looked through to its last.
 */
const makesContext = (ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(callee, { module, frame: undefined })).every(
    (each) => each.type === 'external' && /^p?react(?:\/compat)?$/.test(each.source) && each.path.at(-1) === 'createContext',
  );

/** What a file stands for where it is loaded: its default, or anything where it has none. */
const exportedBy = (ev: Evaluation, { module }: NamespaceValue): readonly Value[] =>
  (module.exports.has('default') ? ['default'] : [...module.exports.keys()]).flatMap((name) => {
    const value = ev.exported(module, name);
    return value === undefined ? [] : optionsOf(value);
  });

/** `pages.map((Page) => <Page base={base} />)` */
const ofItems = (ev: Evaluation, named: Expression, module: SourceModule, { owner }: ParamValue): readonly Value[] =>
  itemsGivenTo(ev, owner, module).flatMap((item) =>
    optionsOf(ev.evaluate(named, { module, frame: { owner, args: asArguments([item]), outer: undefined } })),
  );

/** What a function is given for each of a list, where it stands as the one that is called so: `rows.map(Row)`. */
export function itemsGivenTo(ev: Evaluation, fn: Node, module: SourceModule): readonly Value[] {
  const call = fn.parent;
  if (call?.kind !== 'call' || call.args[0] !== fn || call.callee.kind !== 'member' || !mapping.has(call.callee.property ?? '')) return [];
  return optionsOf(ev.evaluate(call.callee.object, { module, frame: undefined })).flatMap((list) =>
    list.type === 'list' ? list.items : [unknown(call, module)],
  );
}

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
