/** Which declaration a name means, within one file (ECMAScript's scopes; TypeScript's enums and namespaces included). */
import { walk } from './link.ts';
import { none } from './lists.ts';
import type { NameNode, Node, Pattern, PatternName, ProgramNode } from './tree.ts';

export interface Binding {
  readonly name: string;
  /** Where the name is declared. */
  readonly declaration: PatternName;
  /** What declares it: a variable, parameter, function, class, enum, import or block (catch). */
  readonly owner: Node;
  /** What declares it once more: overloads, another `var` of the same name. */
  readonly again: readonly Node[];
  readonly references: readonly NameNode[];
}

export interface Scopes {
  /** @returns undefined for a global name */
  bindingOf(name: NameNode): Binding | undefined;
  /** The binding that a declared name stands for. */
  declaredBy(name: PatternName): Binding | undefined;
  /** A name declared at the top level of the file. */
  top(name: string): Binding | undefined;
}

type Names = Map<string, Made>;

/** While it is put together. */
interface Made extends Binding {
  again: readonly Node[];
  references: NameNode[];
}

const opensScope = (node: Node): boolean =>
  node.kind === 'program' || node.kind === 'function' || node.kind === 'block' || node.kind === 'class';

function scopeAround(node: Node, matches: (scope: Node) => boolean = opensScope): Node {
  let at = node.parent;
  while (at !== undefined && !matches(at)) at = at.parent;
  return at ?? node;
}

const functionScope = (node: Node): boolean => node.kind === 'function' || node.kind === 'program';

/** @param program linked (its nodes know their parents) */
export function scopesOf(program: ProgramNode): Scopes {
  // Made elsewhere, as what is found here would keep all that it is found with.
  const { bound, declared, top } = boundIn(program);
  return {
    bindingOf: (name) => bound.get(name),
    declaredBy: (name) => declared.get(name),
    top: (name) => top?.get(name),
  };
}

interface Bound {
  readonly bound: ReadonlyMap<NameNode, Binding>;
  readonly declared: ReadonlyMap<PatternName, Binding>;
  readonly top: ReadonlyMap<string, Binding> | undefined;
}

function boundIn(program: ProgramNode): Bound {
  const scopes = new Map<Node, Names>();
  const declared = new Map<PatternName, Made>();
  const names: NameNode[] = [];

  const declare = (scope: Node, declaration: PatternName, owner: Node): void => {
    const known = scopes.get(scope) ?? new Map<string, Made>();
    scopes.set(scope, known);
    // `var` and overloads may declare a name again: it stays one binding.
    const before = known.get(declaration.name);
    const binding = before ?? { name: declaration.name, declaration, owner, again: none, references: [] };
    if (before !== undefined && before.owner !== owner) before.again = [...before.again, owner];
    known.set(declaration.name, binding);
    declared.set(declaration, binding);
  };
  const declarePattern = (scope: Node, pattern: Pattern, owner: Node): void => {
    for (const name of namesIn(pattern)) declare(scope, name, owner);
  };

  walk(program, (node) => {
    switch (node.kind) {
      case 'name':
        names.push(node);
        break;
      case 'variable':
        declarePattern(scopeAround(node, node.declares === 'var' ? functionScope : opensScope), node.target, node);
        break;
      case 'param':
        declarePattern(scopeAround(node, functionScope), node.target, node);
        break;
      case 'function':
      case 'class':
        if (node.name !== undefined) declare(node.isDeclaration ? scopeAround(node) : node, node.name, node);
        break;
      case 'enum':
        declare(scopeAround(node), node.name, node);
        break;
      case 'import':
        for (const { local } of node.specifiers) declare(program, local, node);
        break;
      case 'block':
        for (const pattern of node.params) declarePattern(node, pattern, node);
        break;
      default:
    }
  });

  const bound = new Map<NameNode, Binding>();
  for (const name of names) {
    let at: Node | undefined = name.parent;
    for (; at !== undefined; at = at.parent) {
      const binding = scopes.get(at)?.get(name.name);
      if (binding === undefined) continue;
      bound.set(name, binding);
      binding.references.push(name);
      break;
    }
  }
  for (const binding of declared.values()) binding.references = binding.references.slice();
  return { bound, declared, top: scopes.get(program) };
}

/** The variable that a value is put into where it is declared: `const list = value`. */
export const variableOf = ({ parent }: Node, scopes: Scopes): Binding | undefined =>
  parent?.kind === 'variable' && parent.target.kind === 'patternName' ? scopes.declaredBy(parent.target) : undefined;

/** The same, or the one that it is put into later: `list = value`. */
export const nameFor = (value: Node, scopes: Scopes): Binding | undefined =>
  value.parent?.kind === 'assign' && value.parent.target.kind === 'name'
    ? scopes.bindingOf(value.parent.target)
    : variableOf(value, scopes);

/** Every name that a pattern declares. */
export function namesIn(pattern: Pattern): PatternName[] {
  if (pattern.kind === 'patternName') return [pattern];
  const targets =
    pattern.kind === 'arrayPattern'
      ? pattern.elements.flatMap((element) => element?.target ?? [])
      : [...pattern.properties.map(({ target }) => target), ...(pattern.rest === undefined ? [] : [pattern.rest])];
  return targets.flatMap((target) => (isPattern(target) ? namesIn(target) : []));
}

export const isPattern = (node: Node): node is Pattern =>
  node.kind === 'patternName' || node.kind === 'objectPattern' || node.kind === 'arrayPattern';

/** One step into a destructured value. */
export type PatternStep = { readonly property: string | undefined } | { readonly element: number } | { readonly rest: true };

/** How a pattern reaches one of its names: `{ a: [, b] }` reaches b by property a, element 1. undefined where it does not. */
export function stepsTo(
  pattern: Pattern,
  name: PatternName,
): { readonly steps: readonly PatternStep[]; readonly defaults: readonly Node[] } | undefined {
  if (pattern === name) return { steps: [], defaults: [] };
  if (pattern.kind === 'patternName') return undefined;
  const parts: { step: PatternStep; target: Node; default?: Node }[] =
    pattern.kind === 'arrayPattern'
      ? pattern.elements.flatMap((element, index) =>
          element === undefined ? [] : [{ ...element, step: element.isRest ? { rest: true as const } : { element: index } }],
        )
      : [
          ...pattern.properties.map((property) => ({ ...property, step: { property: property.name } })),
          ...(pattern.rest === undefined ? [] : [{ step: { rest: true as const }, target: pattern.rest }]),
        ];
  for (const { step, target, default: otherwise } of parts) {
    if (!isPattern(target)) continue;
    const inner = stepsTo(target, name);
    if (inner !== undefined) {
      return { steps: [step, ...inner.steps], defaults: [...(otherwise === undefined ? [] : [otherwise]), ...inner.defaults] };
    }
  }
  return undefined;
}
