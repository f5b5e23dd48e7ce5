/**
 * What templates of components hand to elements and other components, which nobody reads here: `:headers="client.headers"` of an upload sends our key to
 * wherever its `action` says. Names that are those of the script are evaluated; members of a component are known by their names.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { choiceOf, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { templateIn } from '../../../formats/markup.ts';
import { type TemplateBinding, templateBindings } from '../../../formats/template-bindings.ts';
import { memoOf } from '../../../once.ts';
import type { CallGraph } from '../../../requests/call-graph.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { ChangesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import type { Problem } from '../../problems.ts';
import { taintOf } from '../taint.ts';

interface Bound {
  readonly module: SourceModule;
  readonly bindings: readonly TemplateBinding[];
  /** Whether names of the template are those of the script; else they are members of a component. */
  readonly isInScope: boolean;
}

const boundIn = memoOf(({ world }: Evaluation): readonly Bound[] =>
  [...world.modules.values()].flatMap((module): Bound[] => {
    const { file, text } = module;
    const template = templateIn(text, file);
    if (template !== undefined)
      return [{ module, bindings: templateBindings(template.text, template.kind), isInScope: template.isInScope }];
    const inCode = module.texts.filter((node) => isOfComponent(node, 'template'));
    return inCode.map(({ start, end }) => ({ module, bindings: templateBindings(text.slice(start, end), 'angular'), isInScope: false }));
  }),
);

/** `@Component({ template: '…' })` */
function isOfComponent({ parent }: Node, name: string): boolean {
  const call = parent?.kind === 'property' && parent.name === name ? parent.parent?.parent : undefined;
  return call?.kind === 'call' && call.callee.kind === 'name' && call.callee.name === 'Component';
}

/** @returns for each place what it forbids */
export function handedByTemplates(ev: Evaluation, found: CallGraph, changes: ChangesByPlace): Problem[][] {
  if (changes.all.length === 0) return [];
  const carries = taintOf(ev, changes, found);
  return boundIn(ev).flatMap(({ module, bindings, isInScope }) =>
    (isInScope ? bindings : []).map(({ path, isCalled, start, end }) => {
      const value = ev.budget.question({ node: module.tree.program, module }, () => handed(ev, path, isCalled, module)).value;
      const carried = value === undefined ? [] : carries(value);
      return carried.map((change): Problem => ({
        code: 'escapes',
        node: { start, end },
        module,
        detail: { way: 'given', name: path.join('.') },
        change,
      }));
    }),
  );
}

function handed(ev: Evaluation, [first, ...members]: TemplateBinding['path'], isCalled: boolean, module: SourceModule): Value | undefined {
  const binding = module.scopes.top(first) ?? module.scopes.top(first.replace(/^\$/, ''));
  if (binding === undefined) return undefined;
  const at = { module, frame: undefined };
  const whole = members.reduce((value, name) => ev.member(value, name, binding.declaration, at), ev.binding(binding, at));
  return isCalled ? choiceOf(optionsOf(whole).filter(({ type }) => type === 'function')) : dataIn(whole, new Set());
}

/** Functions, clients and what has methods of its own is asked there by the names of these: see `unresolved-calls.ts`. */
function dataIn(value: Value, seen: ReadonlySet<Node>): Value {
  return choiceOf(
    optionsOf(value).flatMap((option): Value[] => {
      switch (option.type) {
        case 'text':
        case 'env':
          return [option];
        case 'list':
          return [{ ...option, items: option.items.map((item) => dataIn(item, seen)) }];
        case 'object': {
          if (seen.has(option.node)) return [];
          const inside = new Set(seen).add(option.node);
          return [{ ...option, entries: option.entries.map((entry) => ({ ...entry, value: () => dataIn(entry.value(), inside) })) }];
        }
        default:
          return [];
      }
    }),
  );
}

/** The names of members that templates hand on: of a component's own, by its file, and those that are taken of something else that it has. */
const membersBound = memoOf(
  (ev: Evaluation): { readonly own: ReadonlyMap<SourceModule, readonly TemplateBinding[]>; readonly taken: ReadonlySet<string> } => {
    const ofMembers = boundIn(ev).filter(({ isInScope }) => !isInScope);
    const taken = ofMembers.flatMap(({ bindings }) => bindings.flatMap(({ path: [, ...members] }) => members));
    return {
      own: new Map(ofMembers.map(({ module, bindings }) => [module, bindings])),
      taken: new Set(taken.filter((name) => ofHeaders.test(name))),
    };
  },
);

/** Of others' fields only those that are called so: any two things may have a `value`. */
const ofHeaders = /headers?$/i;

/** Whether a member of a component is what its template hands on, or its markup in a file of its own may. */
export function isMemberBound(ev: Evaluation, { node, module }: { readonly node: Node; readonly module: SourceModule }): boolean {
  const { parent } = node;
  const name = parent?.kind === 'property' || parent?.kind === 'classMember' ? parent.name : undefined;
  if (parent === undefined || name === undefined) return false;
  const { own, taken } = membersBound(ev);
  if (taken.has(name)) return true;
  const isFunction = node.kind === 'function' && !isComputed(parent);
  if (own.get(module)?.some(({ path, isCalled }) => path[0] === name && isCalled === isFunction) === true) return true;
  const isOpen = ofHeaders.test(name) && !/\b(?:private|static)\b|#/.test(module.text.slice(parent.start, node.start));
  return isOpen && parent.kind === 'classMember' && parent.parent?.kind === 'class' && parent.parent.decorators.some(hasMarkupElsewhere);
}

/** `get headers() { … }`, `computed: { headers() { … } }` */
function isComputed(member: Node): boolean {
  if (member.kind === 'classMember') return member.role === 'get';
  return (
    member.kind === 'property' &&
    (member.accessor === 'get' || (member.parent?.parent?.kind === 'property' && member.parent.parent.name === 'computed'))
  );
}

/** `@Component({ templateUrl: './upload.html' })` */
const hasMarkupElsewhere = (decorator: Node): boolean =>
  decorator.kind === 'call' &&
  decorator.args.some(
    (arg) => arg.kind === 'object' && arg.properties.some((each) => each.kind === 'property' && each.name === 'templateUrl'),
  );
