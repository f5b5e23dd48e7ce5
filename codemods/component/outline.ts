/** A file by its top-level statements: which names each declares and mentions. Words count as mentions, so nothing is missed. */
import { specifiersIn } from '../find/imports.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { namesIn } from '../syntax/scopes.ts';
import type { Node } from '../syntax/tree.ts';

/** A statement with the comments and decorators before it. */
export interface Unit {
  readonly text: string;
  /** The names that it declares. */
  readonly names: readonly string[];
  /** Every word in it. */
  readonly words: ReadonlySet<string>;
  /** What it requires or imports in the middle of code, or exports from elsewhere. */
  readonly specifiers: readonly string[];
}

export interface Outline {
  readonly module: SourceModule;
  readonly units: readonly Unit[];
  /** The statements that declare a name. */
  readonly declaring: ReadonlyMap<string, readonly Unit[]>;
  /** What a name that is imported stands for. */
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  /** The statement at an offset. */
  unitAt(offset: number): Unit | undefined;
}

export function outlineOf(module: SourceModule): Outline {
  const { text, tree } = module;
  const units: Unit[] = [];
  const ends: number[] = [];
  const declaring = new Map<string, Unit[]>();
  const imports = new Map<string, { specifier: string; name: string }>();
  const { body } = tree.program;
  for (const [index, node] of body.entries()) {
    if (node.kind === 'import') {
      for (const { imported, local } of node.specifiers) imports.set(local.name, { specifier: node.source.value, name: imported });
    }
    const start = ends.at(-1) ?? 0;
    const end = index === body.length - 1 ? text.length : Math.max(start, node.end);
    const unit = unitOf(text.slice(start, end), node);
    units.push(unit);
    ends.push(end);
    for (const name of unit.names) declaring.set(name, [...(declaring.get(name) ?? []), unit]);
  }
  return { module, units, declaring, imports, unitAt: (offset) => units[ends.findIndex((end) => offset < end)] };
}

const word = /[A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF]*/g;

function unitOf(text: string, node: Node): Unit {
  const isImport = node.kind === 'import';
  return {
    text,
    names: declaredIn(node),
    words: new Set(isImport ? [] : text.match(word)),
    specifiers: isImport || !/\b(?:import|require|from)\b/.test(text) ? [] : specifiersIn(Buffer.from(text).toString('latin1')),
  };
}

function declaredIn(node: Node): string[] {
  switch (node.kind) {
    case 'variable':
      return namesIn(node.target).map(({ name }) => name);
    case 'function':
    case 'class':
      return node.name === undefined ? [] : [node.name.name];
    case 'enum':
      return [node.name.name];
    case 'exportDeclaration':
      return node.declarations.flatMap(declaredIn);
    default:
      return [];
  }
}
