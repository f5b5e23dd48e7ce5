/** What else stands where a value does that a mock read of a request: another read, or something that nobody can tell. */
import { aliasesOf } from '../../../evaluate/names/aliases.ts';
import { type Callee, nameOf } from '../../../evaluate/calls/callees.ts';
import { mockIn } from '../../../evaluate/language/comparisons.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import type { Node, PatternName } from '../../../syntax/tree.ts';
import { isBesideHeaders } from './expected-headers.ts';
import type { InText } from './key-in-text.ts';
import { isKeyRead } from './list-items.ts';

/** @param inText where the value is part of a text */
export const isReadAlso = (ev: Evaluation, other: Node, module: SourceModule, inText: InText | undefined): boolean =>
  inText === undefined ? isRead(ev, other, module) : other.kind === 'template' && other.expressions.some(isKeyRead);

function isRead(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const inner = node.kind === 'logical' ? node.left : node;
  const value = ev.evaluate(inner, { module, frame: undefined });
  return isKeyRead(inner) || (mockIn(value) !== undefined && !isBesideHeaders(value));
}

/** Whether a function is given nothing else there than what mocks read: what it compares with would be another's, too. */
export function isForReads(ev: Evaluation, { node, module }: Callee, index: number, inText: InText | undefined): boolean {
  const name = node.kind === 'function' ? nameOf(node) : undefined;
  if (name === undefined) return node.parent?.kind === 'call';
  return referencesTo(ev.world, name, module).every(({ node: reference, module: where }) => {
    const { parent } = reference;
    const arg = parent?.kind === 'call' && parent.callee === reference ? parent.args[index] : undefined;
    return parent?.kind === 'call' ? arg !== undefined && isReadAlso(ev, arg, where, inText) : isNamedOnly(parent);
  });
}

/** Where a name is used, in other modules, too. */
export function referencesTo(
  world: Evaluation['world'],
  name: PatternName,
  module: SourceModule,
): readonly { node: Node; module: SourceModule }[] {
  const binding = module.scopes.declaredBy(name);
  if (binding === undefined) return [];
  const others = aliasesOf(world, binding);
  return [{ binding, module }, ...others].flatMap((each) => each.binding.references.map((node) => ({ node, module: each.module })));
}

/** Whether it is `vi.fn()` or the like, which stands for nothing else. */
export const isRecorder = (value: Value): boolean =>
  value.type === 'http' && value.mock !== undefined && value.stage === 'client' && value.notes?.['received'] === undefined;

/** `export { check }`: others are found by the name that they know it by. */
export const isNamedOnly = (parent: Node | undefined): boolean => parent?.kind === 'export' || parent?.kind === 'exportDeclaration';
