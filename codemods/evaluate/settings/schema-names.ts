/**
 * What a schema goes by under a name, or in what a function of the project is given: `z.enum(versions)`, `z.union([Stable, Preview])`, `oneOf(['v1'])`. The list
 * may stand in another file, in JSON, or be a parameter.
 */
import { walk } from '../../syntax/link.ts';
import type { CallNode, NameNode, Node, StringNode } from '../../syntax/tree.ts';
import { declarationOf } from '../names/aliases.ts';
import type { Place } from '../budget.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';

/** How libraries call texts of which it has to be one. */
export const limiting = /^(?:(?:native)?enums?_?|literal|valid|only|equal|oneOf|picklist|allow)$/i;
/** How they call what stands in the place of what is missing, and what is only said of a setting. */
const besideDemands = /^(?:_?default|prefault|catch|fallback|describe|description|meta|label|notes?|example|error|messages?)$/;
/** What declares a name that stands for something of the project's own. */
const declaring: ReadonlySet<Node['kind']> = new Set(['variable', 'function', 'enum', 'class']);
/** Declarations that are looked through for what a schema goes by; behind more there may be anything. */
const mostNamed = 50;
/** What a move changes. */
export const ofV1 = /(?<![\w-])v1(?![\w-])|x-api-key/i;

/** Whether what a name stands for changes together with the setting anyway. */
export type IsSettled = (named: Place, from: SourceModule, isSchema: boolean) => boolean;

/** @returns places that say v1, or that nobody can read, and by which the schema goes */
export function namedDemands(world: World, schema: Place, isSettled: IsSettled): Place[] {
  const found: Place[] = [];
  const seen = new Set<Node>();
  const look = (within: Node, module: SourceModule): void =>
    walk(within, (node) => {
      if (node.kind === 'function' || node.kind === 'object') return false;
      for (const place of node.kind === 'name' ? namedBy(world, node, module) : []) {
        const { node: named } = place;
        if (seen.has(named)) continue;
        seen.add(named);
        const isSchema = isContinued(node, within);
        if (!isSettled(place, schema.module, isSchema)) found.push(...whereV1(world, place));
        if (isSchema && named.kind === 'variable' && named.init?.kind === 'call') look(named.init, place.module);
      }
      if (node.kind !== 'call') return true;
      if (besideDemands.test(nameOf(node))) {
        look(node.callee, module);
        return false;
      }
      if (limiting.test(nameOf(node))) found.push(...openIn(world, node, module));
      const root = rootOf(node.callee);
      const isOwn = root.kind === 'name' && namedBy(world, root, module).length > 0;
      if (isOwn && textsIn(node).some(({ value }) => /^\/?v1\/?$/.test(value))) found.push({ node, module });
      return true;
    });
  look(schema.node, schema.module);
  return found;
}

/** Whether an expression is made of a name by its methods: `version` in `version.optional()`. */
function isContinued(name: Node, within: Node): boolean {
  let at: Node = name;
  while (
    at !== within &&
    ((at.parent?.kind === 'member' && at.parent.object === at) || (at.parent?.kind === 'call' && at.parent.callee === at))
  )
    at = at.parent;
  return at === within;
}

/** What a name stands for: a declaration, or the whole of a file of which it is what that exports, as a list in JSON is. */
function namedBy(world: World, name: NameNode, module: SourceModule): Place[] {
  const meant = declarationOf(world, name, module);
  if (meant === undefined) return [];
  const { owner } = meant.binding;
  const source = sourceOf(owner);
  const file = source === undefined ? undefined : world.resolve(meant.module, source);
  if (file !== undefined) return [{ node: file.tree.program, module: file }];
  return source === undefined && declaring.has(owner.kind) ? [{ node: owner, module: meant.module }] : [];
}

/** Where a name comes from, by `import` or `require`. */
function sourceOf(owner: Node | undefined): string | undefined {
  if (owner?.kind === 'import') return owner.source.value;
  if (owner?.kind !== 'variable' || owner.init?.kind !== 'call' || nameOf(owner.init) !== 'require') return undefined;
  const [from] = owner.init.args;
  return from?.kind === 'string' ? from.value : undefined;
}

/** The declarations behind an expression, itself among them, that say v1; behind very many there may be anything. */
export function whereV1(world: World, place: Place): Place[] {
  const all = behind(world, place);
  return all.length > mostNamed
    ? [place]
    : all.filter(({ node, module }) => ofV1.test(module.text.slice(node.start, node.end)) || takesV1Only(node));
}

/** A set of characters or a group behind the `v`, with all that is escaped in it. */
const partOfVersion = /v(\[(?:\\.|[^\]\\])*\]|\((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()[\\])*\))/gi;

/** `/^v[01]$/`, `/\/v(0|1)\//`: a pattern of versions among which v2 is none. */
function takesV1Only(within: Node): boolean {
  let found = false;
  walk(within, (node) => {
    if (node.kind !== 'literal' || typeof node.value !== 'object' || node.value === null) return;
    for (const [, digits = ''] of node.value.pattern.matchAll(partOfVersion)) {
      const one = new RegExp(`^${digits}`);
      found ||= one.test('1') && !one.test('2');
    }
  });
  return found;
}

/** @returns of the texts of which it has to be one, what a package, a file or a caller gives, or a function makes: `z.enum(versions)` of a parameter */
function openIn(world: World, call: CallNode, module: SourceModule): Place[] {
  let root = rootOf(call.callee);
  while (root.kind === 'call') root = rootOf(root.callee);
  const library = root.kind === 'name' ? sourceOf(module.scopes.bindingOf(root)?.owner) : undefined;
  return call.args.flatMap((node) => behind(world, { node, module })).filter((place) => isOpen(world, place, library));
}

function isOpen(world: World, { node, module }: Place, library: string | undefined): boolean {
  let open = false;
  walk(node, (name) => {
    // What a function makes of each is read by nobody here: `z.enum([0, 1].map((digit) => …))`.
    if (name.kind === 'call' && name.args.some(({ kind }) => kind === 'function')) open = true;
    if (name.kind === 'function' || open) return false;
    const owner = name.kind === 'name' ? module.scopes.bindingOf(name)?.owner : undefined;
    const source = sourceOf(owner);
    open = owner?.kind === 'param' || (source !== undefined && source !== library && world.resolve(module, source) === undefined);
    return true;
  });
  return open;
}

function behind(world: World, place: Place): Place[] {
  const seen = new Map<Node, Place>([[place.node, place]]);
  for (const { node, module } of seen.values()) {
    walk(node, (name) => {
      if (name.kind !== 'name' || seen.size > mostNamed) return;
      for (const each of namedBy(world, name, module)) if (!seen.has(each.node)) seen.set(each.node, each);
    });
  }
  return [...seen.values()];
}

export function textsIn({ args }: CallNode): StringNode[] {
  const found: StringNode[] = [];
  for (const arg of args) walk(arg, (each) => void (each.kind === 'string' && found.push(each)));
  return found;
}

export const nameOf = ({ callee }: CallNode): string =>
  callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';

export function rootOf(node: Node): Node {
  let root = node;
  while (root.kind === 'member') root = root.object;
  return root;
}
