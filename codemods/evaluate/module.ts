/** One parsed file with what the rules look up in it again and again: its scopes, exports, calls and writes. */
import { isDataFile } from '../find/kinds.ts';
import { screenOf } from '../find/words/screen.ts';
import { memoOf } from '../once.ts';
import { type ComparisonNode, isComparison } from './language/comparisons.ts';
import { type Prototypes, prototypesIn } from './classes/prototypes.ts';
import { link, walk } from '../syntax/link.ts';
import { positionsOf } from '../syntax/position.ts';
import { scopesOf, type Scopes } from '../syntax/scopes.ts';
import type { SourceText } from './values/source-text.ts';
import type {
  AssignNode,
  CallNode,
  ClassNode,
  Expression,
  NameNode,
  Node,
  PatternName,
  StringNode,
  SyntaxTree,
  TemplateNode,
  UnaryNode,
} from '../syntax/tree.ts';

/** What an exported name stands for. */
export type Export =
  | { readonly node: Node }
  | { readonly declared: PatternName }
  | { readonly reference: NameNode }
  | { readonly specifier: string; readonly name: string };

export interface Exports {
  readonly exports: ReadonlyMap<string, Export>;
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** The value of `module.exports = …`, and of a JSON file. */
  readonly whole: Expression | undefined;
}

/** A file that was parsed, and of which as little as can be was read so far. */
export interface ParsedFile extends Exports, Pick<SourceText, 'file' | 'text' | 'isFake'> {
  readonly tree: SyntaxTree;
  /** Whether it speaks of `exports`, and may export in a way of its own. */
  readonly mayBeCommonJs: boolean;
}

export interface SourceModule extends SourceText, Exports, Prototypes {
  readonly tree: SyntaxTree;
  readonly scopes: Scopes;
  readonly calls: readonly CallNode[];
  readonly comparisons: readonly ComparisonNode[];
  readonly classes: readonly ClassNode[];
  /** Assignments to a member: `a.b = c`. */
  readonly writes: readonly AssignNode[];
  /** `delete a.b`. */
  readonly deletions: readonly UnaryNode[];
  readonly texts: readonly (StringNode | TemplateNode)[];
}

/** Files of other kinds have no tree. */
export const isScript = (source: SourceText): source is SourceModule => 'tree' in source;

/** What libraries are known by is looked for in each file of which all of them are asked. */
const screens = memoOf(({ text }: SourceText) => screenOf(text));
export const speaksOf = (source: SourceText, words: RegExp): boolean => screens(source)(words) && words.test(source.text);

/** @param tree as an engine gives it; it is linked here */
export function sourceModule(file: string, text: string, tree: SyntaxTree, isFake?: boolean): SourceModule {
  link(tree.program);
  const exported: Found = { exports: new Map(), stars: [], whole: wholeOf(file, tree) };
  const calls: CallNode[] = [];
  const comparisons: ComparisonNode[] = [];
  const classes: ClassNode[] = [];
  const writes: AssignNode[] = [];
  const deletions: UnaryNode[] = [];
  const texts: (StringNode | TemplateNode)[] = [];

  walk(tree.program, (node) => {
    addExports(exported, node);
    if (isComparison(node)) comparisons.push(node);
    switch (node.kind) {
      case 'call':
        calls.push(node);
        break;
      case 'class':
        classes.push(node);
        break;
      case 'string':
      case 'template':
        texts.push(node);
        break;
      case 'unary':
        if (node.operator === 'delete' && node.argument.kind === 'member') deletions.push(node);
        break;
      case 'assign':
        if (node.target.kind === 'member') writes.push(node);
        break;
      default:
    }
  });
  const scopes = scopesOf(tree.program);
  const { prototypes, added } = prototypesIn({ writes, calls }, scopes);
  const module: SourceModule = {
    file,
    text,
    isFake,
    tree,
    scopes,
    position: positionsOf(text),
    ...exported,
    calls,
    comparisons,
    classes: [...classes, ...prototypes.values()],
    prototypes,
    added,
    writes,
    deletions,
    texts,
  };
  byProgram.set(tree.program, module);
  return module;
}

const byProgram = new WeakMap<Node, SourceModule>();

/**
 * The file that a node stands in, where what is made of several files has nodes of each: a list into which others are spread, a pair that a function of
 * another file gives.
 * @param module the one that it stands in as far as is known, which also has nodes that stand in no tree
 */
export function moduleOf<Of extends SourceText>(node: Node, module: Of): Of | SourceModule {
  const own = moduleAround(node);
  return own === undefined || own.file === module.file ? module : own;
}

/** The file whose tree a node is part of; undefined for what stands in none. */
export function moduleAround(node: Node): SourceModule | undefined {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return byProgram.get(root);
}

/** What is known of a file before any of its functions is looked into: what it exports. */
export function parsedFile(file: string, text: string, tree: SyntaxTree): ParsedFile {
  const exported: Found = { exports: new Map(), stars: [], whole: wholeOf(file, tree) };
  const { body } = tree.program;
  const mayBeCommonJs = commonJs.test(text);
  // Only CommonJS exports from within a statement.
  const isWithin = mayBeCommonJs ? ({ start, end }: Node): boolean => commonJs.test(text.slice(start, end)) : () => false;
  for (const node of body) {
    if (isWithin(node)) walk(node, (inner) => addExports(exported, inner));
    else addExports(exported, node);
  }
  return { file, text, tree, mayBeCommonJs, ...exported };
}

const commonJs = /\bexports\b/;

/** While it is put together. */
interface Found extends Exports {
  readonly exports: Map<string, Export>;
  readonly stars: string[];
  whole: Expression | undefined;
}

const wholeOf = (file: string, { program }: SyntaxTree): Expression | undefined =>
  isDataFile.test(file) ? expressionOf(program.body[0]) : undefined;

function addExports(found: Found, node: Node): void {
  const { exports, stars } = found;
  if (node.kind === 'assign' && node.target.kind === 'member') {
    const name = commonJsName(node.target);
    if (name === '*') found.whole = node.value;
    else if (name !== undefined) exports.set(name, { node: node.value });
  } else if (node.kind === 'export') {
    for (const { name, exported, reference } of node.specifiers) {
      if (exported === undefined) stars.push(node.source?.value ?? '');
      else if (node.source !== undefined) exports.set(exported, { specifier: node.source.value, name });
      else if (reference !== undefined) exports.set(exported, { reference });
    }
  } else if (node.kind === 'exportDeclaration') {
    if (node.isAssignment) found.whole = expressionOf(node.declarations[0]);
    else for (const declaration of node.declarations) exportDeclaration(exports, declaration, node.isDefault);
  }
}

const expressionOf = (node: Node | undefined): Expression | undefined =>
  // The parser puts nothing but an expression there.
  node as Expression | undefined;

function exportDeclaration(exports: Map<string, Export>, declaration: Node, isDefault: boolean): void {
  if (isDefault) exports.set('default', { node: declaration });
  else if (declaration.kind === 'variable') {
    for (const declared of namesOf(declaration.target)) exports.set(declared.name, { declared });
  } else if (
    (declaration.kind === 'function' || declaration.kind === 'class' || declaration.kind === 'enum') &&
    declaration.name !== undefined
  ) {
    exports.set(declaration.name.name, { declared: declaration.name });
  }
}

function namesOf(pattern: Node): PatternName[] {
  const found: PatternName[] = [];
  walk(pattern, (node) => {
    if (node.kind === 'patternName') found.push(node);
  });
  return found;
}

/** @returns undefined for what is no export: `module.exports` is `*`; `exports.a` and `module.exports.a` are `a`. */
export function commonJsName(target: Node): string | undefined {
  if (target.kind !== 'member') return undefined;
  const { object, property } = target;
  if (object.kind === 'name') {
    if (object.name === 'module' && property === 'exports') return '*';
    return object.name === 'exports' ? property : undefined;
  }
  return commonJsName(object) === '*' ? property : undefined;
}
