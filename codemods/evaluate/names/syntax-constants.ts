/** What constants are by the syntax alone, where to evaluate them would lead back to the question that is asked. */
import type { Binding } from '../../syntax/scopes.ts';
import type { Expression } from '../../syntax/tree.ts';
import { declarationOf } from './aliases.ts';
import { assignmentsOf } from './assignments.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { writesOf } from '../writes/property-writes.ts';

/** Constants that are other constants. */
const maxDepth = 4;

/** @returns the text that is written out, or that a constant is, of this file or of one that it is imported from: `HEADER`, `Header.Key` */
export function textBySyntax(node: Expression, module: SourceModule, world: World, depth = 0): string | undefined {
  if (node.kind === 'string') return node.value;
  const named = node.kind === 'member' ? node.object : node;
  const constant = named.kind === 'name' && depth <= maxDepth ? declarationOf(world, named, module) : undefined;
  if (constant === undefined) return undefined;
  const { binding, module: from } = constant;
  const value = node.kind === 'member' ? memberOf(binding, node.property, world) : initialValue(binding);
  return value === undefined ? undefined : textBySyntax(value, from, world, depth + 1);
}

function initialValue(binding: Binding): Expression | undefined {
  const { owner, again } = binding;
  if (owner.kind !== 'variable' || owner.target.kind !== 'patternName' || owner.each !== undefined) return undefined;
  return again.length > 0 || assignmentsOf(binding).all.length > 0 ? undefined : owner.init;
}

function memberOf(binding: Binding, name: string | undefined, world: World): Expression | undefined {
  if (name === undefined || writesOf(world, name).length > 0) return undefined;
  if (binding.owner.kind === 'enum') return binding.owner.members.find((each) => each.name === name)?.value;
  const table = initialValue(binding);
  // What is spread may have the name, too.
  const found = table?.kind === 'object' ? table.properties.findLast((each) => each.kind !== 'property' || each.name === name) : undefined;
  return found?.kind === 'property' ? found.value : undefined;
}
