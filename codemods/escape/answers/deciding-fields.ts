/**
 * Fields of an answer of ours by which code decides what to do next: whether something went wrong, and whether there is another page. Which of them
 * answers of v2 have is not documented: where one is missing, an error passes for an answer, or a loop has no end.
 */
import { guardsAround } from '../../evaluate/language/guards.ts';
import { assignmentsOf } from '../../evaluate/names/assignments.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { AssignNode, Expression, MemberNode, NameNode, Node, VariableNode } from '../../syntax/tree.ts';
import { answeredBy } from '../../verdict/next-page-links.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

const ofErrors = /^(?:success|error)$/;
const ofPages =
  /^(?:total(?:_?(?:pages|count|items|results))?|(?:page|last)_?(?:count|page)|pages|page|limit|per_?page|has_?(?:more|next(?:_?page)?))$/i;
const isField = (name: string | undefined): name is string => name !== undefined && (ofErrors.test(name) || ofPages.test(name));

export interface DecidingField {
  readonly node: Node;
  readonly module: SourceModule;
  readonly name: string;
}

/** @param ours requests of ours: what others answer stays as it is */
export function decidingFields(ev: Evaluation, ours: readonly RequestSite[]): DecidingField[] {
  const calls = new Set<Node>(ours.flatMap(({ request: { call, isMock } }) => (isMock ? [] : [call])));
  if (calls.size === 0) return [];
  const isOurs = (node: Node, module: SourceModule): boolean => {
    const { value } = ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined }));
    return optionsOf(value).some((read) => !isOfLibrary(read) && [...(answeredBy(ev, read) ?? [])].some((call) => calls.has(call)));
  };
  return [...ev.world.modules.values()].flatMap((module): DecidingField[] => {
    if (isTest(module)) return [];
    const { program } = module.tree;
    return [...nodesOfKind(program, 'member'), ...nodesOfKind(program, 'name')].flatMap((node) => {
      const name = fieldOf(node, module);
      if (!isField(name) || !decides(node) || isAfterStatus(node, module) || isOfSchema(node, module)) return [];
      return isOurs(node, module) ? { node, module, name } : [];
    });
  });
}

/** `const { data, error } = await client.GET(path)`: what a client says itself, by the status. */
const isOfLibrary = (value: Value): boolean =>
  value.type === 'method' && value.receiver.type === 'http' && value.path.length === 1 && value.path[0] === 'error';

/** `body.total`, `total` of `const { total } = body` or `const total = body.total`, and what such a field is put into later. */
function fieldOf(node: MemberNode | NameNode, { scopes }: SourceModule): string | undefined {
  if (node.kind === 'member') return node.property;
  const binding = scopes.bindingOf(node);
  if (binding?.owner.kind !== 'variable') return undefined;
  const field = known.get(binding) ?? { name: fieldIn(binding, binding.owner) };
  known.set(binding, field);
  return field.name;
}

/** A name may stand in many places. */
const known = new WeakMap<Binding, { readonly name: string | undefined }>();

function fieldIn(binding: Binding, { target, init }: VariableNode): string | undefined {
  if (target.kind === 'objectPattern') {
    const name = target.properties.find((each) => each.target === binding.declaration)?.name;
    return init !== undefined && isPutInto(init, name) ? undefined : name;
  }
  if (init?.kind === 'member') return init.property;
  // What the program calls so itself is no field of an answer: `const success = await send(text)`.
  return assignmentsOf(binding).all.some(({ node }) => readsField(node)) ? binding.name : undefined;
}

/** `.catch((error) => ({ error }))`: a field by the program's own function. */
const isPutInto = (init: Expression, name: string | undefined): boolean =>
  holds(init, (fn) => fn.kind === 'function' && holds(fn, (each) => each.kind === 'property' && each.name === name));

/** `hasMore = body.hasMore` */
const readsField = ({ value }: AssignNode): boolean => holds(value, (each) => each.kind === 'member' && isField(each.property));

function holds(node: Node, isMeant: (node: Node) => boolean): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= isMeant(each);
    return !found;
  });
  return found;
}

/** `const parsed = schema.safeParse(body)`: whether that fits says the schema, by fields of its own. */
function isOfSchema(node: MemberNode | NameNode, { scopes }: SourceModule): boolean {
  const initOf = (name: NameNode): Expression | undefined => {
    const owner = scopes.bindingOf(name)?.owner;
    return owner?.kind === 'variable' ? owner.init : undefined;
  };
  const init = node.kind === 'name' ? initOf(node) : node;
  const of = init?.kind === 'member' ? init.object : init;
  const made = of?.kind === 'name' ? initOf(of) : of;
  const call = made?.kind === 'await' ? made.argument : made;
  return call?.kind === 'call' && call.callee.kind === 'member' && /^safeParse(?:Async)?$/.test(call.callee.property ?? '');
}

/** Whether it is asked for by a branch or a loop, or compared with something, also as part of a sum: `page * limit >= total`. */
function decides(node: Node): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    switch (parent.kind) {
      case 'unary':
        if (parent.operator === '!') return true;
        break;
      case 'binary':
        if (/^(?:[<>]=?|[=!]==?)$/.test(parent.operator)) return true;
        break;
      case 'logical':
        break;
      case 'conditional':
        return parent.test === at;
      case 'block':
        return parent.role === 'loop';
      case 'other':
        return parent.what === 'IfStatement' && parent.children[0] === at;
      default:
        return false;
    }
  }
  return false;
}

/** What the status has decided already is only told in other words. */
const isAfterStatus = (node: Node, { text }: SourceModule): boolean =>
  guardsAround(node).some(({ start, end }) => /\bok\b|status/i.test(text.slice(start, end)));
