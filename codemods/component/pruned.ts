/**
 * What of a file is read beyond its outline. Most of the code of most files has nothing to do with any request: functions, classes and
 * constants that nothing mentions which matters. They are left out, as files are of which that is so.
 */
import { type SourceModule, sourceModule } from '../evaluate/module.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { isPlain, type Unit } from './outline.ts';
import type { Visited } from './visited.ts';

/**
 * @param matters whether something in a statement may have to be reported, whatever it has to do with the rest
 * @returns the file with those of its statements that matter, that run when it is loaded, or that these mention
 */
export function pruned({ outline, tainted, needed }: Visited, matters: (unit: Unit) => boolean): SourceModule {
  const { module, units, declaring } = outline;
  const { tree } = module;
  if (!isPlain.test(module.file)) return module;
  const isKept = (unit: Unit, index: number): boolean =>
    tainted.has(unit) || needed.has(unit) || !onlyDeclares(tree.program.body[index]) || matters(unit);
  const kept = new Set(units.filter(isKept));
  // A set that grows while it is walked: new members come up later.
  for (const unit of kept)
    if (!unit.isExportList) for (const name of unit.mentions) for (const each of declaring.get(name) ?? []) kept.add(each);
  if (kept.size === units.length) return module;
  const body = tree.program.body.filter((_, index) => kept.has(units[index] as Unit));
  return sourceModule(module.file, module.text, { ...tree, program: { ...tree.program, body } });
}

/** Whether nothing happens where a statement stands: what it declares matters to those alone who mention that. */
function onlyDeclares(node: Node | undefined): boolean {
  switch (node?.kind) {
    case 'exportDeclaration':
      return !node.isAssignment && node.declarations.every(onlyDeclares);
    case 'function':
    case 'enum':
      return true;
    case 'class':
    case 'variable':
      return !doesMore(node);
    default:
      return false;
  }
}

/** Whether something is called where a declaration stands: outside of the functions in it. */
function doesMore(declaration: Node): boolean {
  let found = false;
  walk(declaration, (node) => {
    if (node.kind === 'call' || node.kind === 'tagged' || node.kind === 'assign' || node.kind === 'unary') found = true;
    if (node.kind === 'class' && (node.decorators.length > 0 || node.members.some(({ role }) => role === 'static block'))) found = true;
    return !found && node.kind !== 'function';
  });
  return found;
}
