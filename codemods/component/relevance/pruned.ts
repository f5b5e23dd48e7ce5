/**
 * What of a file is read beyond its outline. Most of the code of most files has nothing to do with any request: functions, classes and
 * constants that nothing mentions which matters. They are left out, as files are of which that is so.
 */
import { type SourceModule, sourceModule } from '../../evaluate/module.ts';
import { walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isPlain, type Outline, type Unit } from './outline.ts';
import type { Sources } from './sources.ts';
import type { Visited } from './visited.ts';

/** Files as far as they are read. */
export class Pruned {
  readonly #sources: Marking;
  readonly #anyway = new Map<Visited, ReadonlySet<Unit>>();
  /** Each with how many of its statements mattered when it was made. */
  readonly #modules = new Map<Visited, { readonly size: number; readonly module: SourceModule }>();

  constructor(sources: Marking) {
    this.#sources = sources;
  }

  /** A file with those of its statements that matter so far, that are read in any case, or that these mention. */
  moduleOf(visited: Visited): SourceModule {
    const { outline, tainted, needed } = visited;
    const size = tainted.size + needed.size;
    const known = this.#modules.get(visited);
    if (known?.size === size) return known.module;
    const { file, text, tree, isFake } = outline.module;
    const kept = withMentioned(outline, [...this.anyway(visited), ...tainted, ...needed]);
    const body = outline.units.flatMap((unit) => (kept.has(unit) ? unit.node : []));
    const module = sourceModule(file, text, { ...tree, program: { ...tree.program, body } }, isFake);
    this.#modules.set(visited, { size, module });
    return module;
  }

  /** The statements of a file that are read in any case: those that may have to be reported, that run when it is loaded, and what these mention. */
  anyway(visited: Visited): ReadonlySet<Unit> {
    const known = this.#anyway.get(visited);
    if (known !== undefined) return known;
    const { outline } = visited;
    const { module, units } = outline;
    const isReported = this.#reported(module);
    const isRead = (unit: Unit): boolean => isReported(unit) || mayWrite.test(unit.text) || !onlyDeclares(unit);
    const made = withMentioned(outline, isPlain.test(module.file) ? units.filter(isRead) : units);
    this.#anyway.set(visited, made);
    return made;
  }

  /** Tells the statements of a file that may have to be reported: of most files it can be said at once that none has. */
  #reported({ file, text: whole }: Outline['module']): (unit: Unit) => boolean {
    const { isSuspicious, holdsPart, mayBeReported, mayBeReportedIn } = this.#sources;
    const marks = [isSuspicious, holdsPart].filter((mark) => mark(whole));
    if (mayBeReportedIn(file)) marks.push(mayBeReported);
    return ({ text }) => marks.some((mark) => mark(text));
  }
}

type Marking = Pick<Sources, 'isSuspicious' | 'holdsPart' | 'mayBeReported' | 'mayBeReportedIn'>;

/** Statements with those that they mention, and so on. */
function withMentioned({ declaring }: Outline, units: Iterable<Unit>): ReadonlySet<Unit> {
  const found = new Set(units);
  // A set that grows while it is walked: new members come up later.
  for (const unit of found)
    if (unit.node.kind !== 'export') for (const name of unit.mentions()) for (const each of declaring.get(name) ?? []) found.add(each);
  return found;
}

/** A write into an object, which may be one of ours that came there in a way that nobody follows. */
const mayWrite = new RegExp(
  [
    String.raw`(?<!\bthis)\.\w+ ?[+|&?]{0,2}=(?![=>])`,
    // No type of a list, and no pattern that declares names.
    String.raw`(?<!\[|\b(?:const|let|var) \[[^\]\n]*)\] ?[+|&?]{0,2}=(?![=>])`,
    String.raw`\b(?:assign|extend|merge|deepmerge|defaults)(?:In|With|Deep)?\(`,
    // With a path between what it writes into and what it writes: what a map keeps under a key is often an object.
    String.raw`\b(?:set\([^(),]*,[^(),{]*,|defineProperty)`,
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
