/** Methods, their calls and reads of properties by name alone: who calls what, where nothing says what it is called on. */
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression, ClassNode, MemberNode, Node, PatternName, PatternProperty } from '../../syntax/tree.ts';
import { type Callee, mayRead } from './callees.ts';
import type { At } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Named } from '../names/named.ts';
import type { World } from '../program.ts';

interface Methods {
  readonly functions: Callee[];
  /** Whether something else stands under the name, too, which may be a function. */
  isOpen: boolean;
}

/** `object.name`, called or not, or `{ name }` of a pattern. */
export interface Read {
  readonly node: MemberNode | PatternProperty;
  readonly module: SourceModule;
}

interface ByName {
  readonly methods: ReadonlyMap<string, Methods>;
  readonly reads: ReadonlyMap<string, readonly Read[]>;
  /** Of these, what was asked for of a class. */
  readonly ofFields: Map<ClassNode, Map<string, readonly Read[] | undefined>>;
}

/** More methods, or reads of a property, that only have the name are not looked at. */
const maxMethods = 8;
const maxReads = 100;

const known = new WeakMap<World, ByName>();

function byNameIn(world: World): ByName {
  const before = known.get(world);
  if (before !== undefined) return before;
  const methods = new Map<string, Methods>();
  const reads = new Map<string, Read[]>();
  for (const module of world.modules.values()) {
    const add = (name: string | undefined, value: Node | undefined): void => {
      if (name === undefined || value === undefined || plain.has(value.kind)) return;
      const all = methods.get(name) ?? { functions: [], isOpen: false };
      methods.set(name, all);
      if (value.kind === 'function') all.functions.push({ node: value, module });
      else all.isOpen = true;
    };
    const read = (name: string | undefined, node: Read['node']): void => {
      if (name === undefined) return;
      const all = reads.get(name);
      if (all === undefined) reads.set(name, [{ node, module }]);
      else all.push({ node, module });
    };
    const { program } = module.tree;
    for (const { name, value } of nodesOfKind(program, 'property')) add(name, value);
    for (const { name, value } of nodesOfKind(program, 'classMember')) add(name, value);
    for (const { target, value } of module.writes) if (target.kind === 'member') add(target.property, value);
    // `constructor(private readonly authorize: (headers: Headers) => void)`
    for (const { isField, target } of nodesOfKind(program, 'param')) if (isField && target.kind === 'patternName') add(target.name, target);
    for (const [name, exported] of module.exports) if ('declared' in exported) add(name, declaredAs(exported.declared, module));
    for (const node of nodesOfKind(program, 'member')) read(node.property, node);
    for (const node of nodesOfKind(program, 'patternProperty')) read(node.name, node);
  }
  const found: ByName = { methods, reads, ofFields: new Map() };
  known.set(world, found);
  return found;
}

/** What a file exports under a name that it declares, where it is written there. */
function declaredAs(name: PatternName, { scopes }: SourceModule): Node | undefined {
  const owner = scopes.declaredBy(name)?.owner;
  return owner?.kind === 'variable' && owner.target === name ? owner.init : owner;
}

/** What is no function. */
const plain: ReadonlySet<Node['kind']> = new Set(['string', 'template', 'literal', 'object', 'array', 'concat', 'binary', 'unary']);

/** The places that read a property; undefined where there are more than are looked at. */
export function readsOf(world: World, name: string): readonly Read[] | undefined {
  const reads = byNameIn(world).reads.get(name) ?? [];
  return reads.length > maxReads ? undefined : reads;
}

/** Those that may read it of an instance of a class: found once, as thousands of places read a name such as `_uri`. */
export function readsOfField(world: World, name: string, of: ClassNode): readonly Read[] | undefined {
  const { reads, ofFields } = byNameIn(world);
  const own = ofFields.get(of) ?? new Map<string, readonly Read[] | undefined>();
  ofFields.set(of, own);
  if (!own.has(name)) {
    const meant = reads.get(name)?.filter(({ node }) => node.kind !== 'member' || mayRead(node, of)) ?? [];
    own.set(name, meant.length > maxReads ? undefined : meant);
  }
  return own.get(name);
}

/** The functions that may be called as a method of a name; undefined where that is not known. */
export function methodsNamed(world: World, name: string): readonly Callee[] | undefined {
  const { functions, isOpen } = byNameIn(world).methods.get(name) ?? { functions: [], isOpen: false };
  return isOpen || functions.length > maxMethods ? undefined : functions;
}

/** Those of them that are written under it; undefined where they are too many. */
export function functionsNamed(world: World, name: string): readonly Callee[] | undefined {
  const { functions } = byNameIn(world).methods.get(name) ?? { functions: [] };
  return functions.length > maxMethods ? undefined : functions;
}

/** What else has the name of a variable or property. */
export function namedAs(world: World, list: Expression, at: At): readonly Named[] {
  const binding = list.kind === 'name' ? at.module.scopes.bindingOf(list) : undefined;
  const own = (binding?.references ?? [list]).map((node): Named => ({ node, at, isOwn: false }));
  const reads =
    list.kind === 'member' && list.property !== undefined ? readsOf(world, list.property)?.filter(({ node }) => node !== list) : [];
  const others = (reads ?? []).flatMap(({ node, module }): Named[] =>
    node.kind === 'member' ? [{ node, at: { module, frame: undefined }, isOwn: false }] : [],
  );
  return [...own, ...others];
}
