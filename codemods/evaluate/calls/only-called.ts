/** Functions that a file keeps to itself, and only calls: the syntax says who that is, and no other name in any other file can mean one of them. */
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { FunctionNode } from '../../syntax/tree.ts';
import { moduleAround, type SourceModule } from '../module.ts';
import { bindingExported } from '../names/declared.ts';

/**
 * `async function request(path) { … }`, which the file beside calls and nothing exports. In a large application hundreds of others are called so, and what each of
 * their calls may mean is found out by what their clients are, and who makes these.
 */
export const isOnlyCalled = memoOf((fn: FunctionNode): boolean => {
  const module = moduleAround(fn);
  const binding = module && bindingOf(fn, module);
  if (module === undefined || binding === undefined || binding.again.length > 0 || binding.references.length === 0) return false;
  const isCallee = binding.references.every((each) => each.parent?.kind === 'call' && each.parent.callee === each);
  return isCallee && isOfModule(module) && [...module.exports.values()].every((target) => bindingExported(target, module) !== binding);
});

/** The one name that a function has. */
function bindingOf({ name, isDeclaration, parent }: FunctionNode, { scopes }: SourceModule): Binding | undefined {
  if (name !== undefined) return isDeclaration ? scopes.declaredBy(name) : undefined;
  const isConstant = parent?.kind === 'variable' && parent.declares === 'const' && parent.target.kind === 'patternName';
  return isConstant ? scopes.declaredBy(parent.target) : undefined;
}

/** What stands at the top of a file without imports and exports, other scripts of a page see. */
const isOfModule = ({ exports, whole, tree: { program } }: SourceModule): boolean =>
  exports.size > 0 || whole !== undefined || nodesOfKind(program, 'import').length > 0;
