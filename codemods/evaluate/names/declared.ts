/** What a name always is, as far as the syntax says: nothing is evaluated. */
import { combined } from '../libraries/combined.ts';
import type { Evaluation } from '../evaluation.ts';
import { modulesGivenBy } from './given-modules.ts';
import type { Export, SourceModule } from '../module.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { ClassNode, Expression, FunctionNode, ImportNode } from '../../syntax/tree.ts';

export interface Declared {
  readonly node: Expression | FunctionNode | ClassNode;
  readonly module: SourceModule;
}

/** Constants may name each other in a circle. */
const maxSteps = 8;

/** @returns what an expression stands for, by constants and imports; undefined where it may be something else as well */
export function declaredAs(ev: Evaluation, node: Expression, module: SourceModule, steps = 0): Declared | undefined {
  if (node.kind !== 'name') return { node, module };
  const binding = module.scopes.bindingOf(node);
  return binding === undefined || steps === maxSteps ? undefined : ofBinding(ev, binding, module, steps + 1);
}

function ofBinding(ev: Evaluation, binding: Binding, module: SourceModule, steps: number): Declared | undefined {
  const { owner, declaration, again } = binding;
  switch (owner.kind) {
    case 'class':
    case 'function':
      return again.length === 0 && owner.name === declaration && !isAssigned(binding) ? { node: owner, module } : undefined;
    case 'variable': {
      const { declares, target, init, each } = owner;
      const isOne = declares === 'const' && target.kind === 'patternName' && each === undefined && init !== undefined;
      return isOne ? declaredAs(ev, init, module, steps) : undefined;
    }
    case 'import':
      return imported(ev, owner, owner.specifiers.find(({ local }) => local === declaration)?.imported, module, steps);
    default:
      return undefined;
  }
}

function imported(
  ev: Evaluation,
  { source }: ImportNode,
  name: string | undefined,
  module: SourceModule,
  steps: number,
): Declared | undefined {
  const [from, ...others] = modulesGivenBy(ev, module, source.value);
  const target = name === undefined ? undefined : from?.exports.get(name);
  if (from === undefined || from === module || others.length > 0 || target === undefined || 'specifier' in target) return undefined;
  if (combined(ev.rules).settingsIn(ev, source.value, from, module) !== undefined) return undefined;
  const node = 'node' in target ? target.node : undefined;
  // `export default function () {}`; one that has a name may be written to by it.
  if (node?.kind === 'function' && node.name === undefined) return { node, module: from };
  const exported = bindingExported(target, from);
  // What is exported of an import would lead on, and in circles.
  return exported === undefined || exported.owner.kind === 'import' ? undefined : ofBinding(ev, exported, from, steps);
}

/** What a file calls something that it exports. */
export function bindingExported(target: Export, { scopes }: SourceModule): Binding | undefined {
  const node = 'node' in target ? target.node : undefined;
  const named = node?.kind === 'function' || node?.kind === 'class' ? node.name : 'declared' in target ? target.declared : undefined;
  const reference = node?.kind === 'name' ? node : 'reference' in target ? target.reference : undefined;
  return named === undefined ? reference && scopes.bindingOf(reference) : scopes.declaredBy(named);
}

const isAssigned = ({ references }: Binding): boolean =>
  references.some((each) => each.parent?.kind === 'assign' && each.parent.target === each);
