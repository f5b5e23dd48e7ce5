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
  const isKept = (unit: Unit): boolean =>
    tainted.has(unit) || needed.has(unit) || matters(unit) || mayWrite.test(unit.text) || !onlyDeclares(unit);
  const kept = new Set(isPlain.test(module.file) ? units.filter(isKept) : units);
  // A set that grows while it is walked: new members come up later.
  for (const unit of kept)
    if (unit.node.kind !== 'export') for (const name of unit.mentions()) for (const each of declaring.get(name) ?? []) kept.add(each);
  const body = units.flatMap((unit) => (kept.has(unit) ? unit.node : []));
  return sourceModule(module.file, module.text, { ...tree, program: { ...tree.program, body } });
}

/** A write into an object, which may be one of ours that came there in a way that nobody follows. */
const mayWrite = new RegExp(
  [
    String.raw`(?<!\bthis)\.\w+ ?[+|&?]{0,2}=(?![=>])`,
    // No type of a list, and no pattern that declares names.
    String.raw`(?<!\[|\b(?:const|let|var) \[[^\]\n]*)\] ?[+|&?]{0,2}=(?![=>])`,
    String.raw`\b(?:assign|extend|merge|deepmerge|defaults)(?:In|With|Deep)?\(`,
    String.raw`\b(?:set\([^(),]*,[^(),]*,|defineProperty)`,
  ].join('|'),
);

/** Whether nothing happens where a statement stands: what it declares matters to those alone who mention that. */
function onlyDeclares({ node, text }: Unit): boolean {
  const declarations = node.kind === 'exportDeclaration' && !node.isAssignment ? node.declarations : [node];
  return (
    declarations.every(({ kind }) => declaring.has(kind)) && (!/[(`@]/.test(text) || !declarations.some((each) => doesMore(each, text)))
  );
}

const declaring: ReadonlySet<Node['kind']> = new Set(['function', 'class', 'variable', 'enum']);

/** Whether something is called where a declaration stands: outside of the functions in it, and of what a class makes for its instances. */
function doesMore(declaration: Node, text: string): boolean {
  if (declaration.kind === 'class') return /\bstatic\b|@/.test(text);
  let found = false;
  walk(declaration, (node) => {
    found ||= node.kind === 'call' || node.kind === 'tagged' || node.kind === 'assign' || node.kind === 'class';
    return !found && node.kind !== 'function';
  });
  return found;
}
