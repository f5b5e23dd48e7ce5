/** What a schema lets a variable be, beside its default: `API_VERSION: z.enum(['v1'])`, `str({ choices: ['v1'] })`. It moves with the value. */
import { fileNamed, standsFor } from '../../evaluate/names/aliases.ts';
import type { World } from '../../evaluate/program.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { variable } from '../../evaluate/settings/settings.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, NameNode, Node, ObjectNode, StringNode } from '../../syntax/tree.ts';
import type { Change } from '../changes/spans.ts';

/** How libraries call it. */
const limiting = /^(?:enum|literal|valid|only|equal|oneOf|picklist|union|choices|format)$/;

/** What a value of a schema stands in up to the property that has the variable's name. */
const within: ReadonlySet<Node['kind']> = new Set(['array', 'call', 'member', 'object', 'property']);

/** @returns the variable that an expression is one of the choices of */
export function chosenFor(node: Node): string | undefined {
  let isLimited = false;
  for (let at = node; at.parent !== undefined && within.has(at.parent.kind); at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && !limiting.test(parent.name ?? ''))
      return isLimited && variable.test(parent.name ?? '') ? parent.name : undefined;
    isLimited ||= parent.kind === 'property' || (parent.kind === 'call' && parent.callee !== at && limiting.test(calledIn(parent)));
    // fluent-json-schema: `.prop('API_VERSION', S.string().enum(['v1']))`
    const [key] = parent.kind === 'call' && parent.callee !== at && calledIn(parent) === 'prop' ? parent.args : [];
    if (key?.kind === 'string') return isLimited && variable.test(key.value) ? key.value : undefined;
    // convict: `{ format: ['v1'], env: 'API_VERSION' }`
    const named = isLimited && parent.kind === 'object' ? variableIn(parent) : undefined;
    if (named !== undefined) return named;
  }
  return undefined;
}

const calledIn = ({ callee }: CallNode): string =>
  callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';

function variableIn({ properties }: ObjectNode): string | undefined {
  const named = properties.find((each) => each.kind === 'property' && each.name === 'env');
  return named?.kind === 'property' && named.value.kind === 'string' ? named.value.value : undefined;
}

export interface Choice {
  readonly name: string;
  readonly node: Node;
  readonly module: SourceModule;
  /** All texts that stand beside it, and itself. */
  readonly others: ReadonlySet<string>;
}

/** The choices of these variables: texts as they stand there, and names of constants. */
export function choicesOf(world: World, names: ReadonlySet<string>): Choice[] {
  return [...world.modules.values()].flatMap((module) =>
    [...module.texts, ...nodesOfKind(module.tree.program, 'name')].flatMap((node) => {
      const name = chosenFor(node);
      return name === undefined || !names.has(name) ? [] : { name, node, module, others: textsBeside(node) };
    }),
  );
}

/** `{ choices: ['v1'], default: 'v1' }` and `.choices(['v1']).default('v1')` of an option: what else changes with a default. */
export function changesBesideDefault({ module, ...change }: Change): Change[] {
  const { node, root } = defaultAt(module, change) ?? {};
  if (!isScript(module) || node === undefined || root === undefined) return [];
  const found: Change[] = [];
  const moved = movedText(node.value, node.start + 1, [change]);
  const others = new Set<string>();
  const add = (each: StringNode): void => {
    others.add(each.value);
    const by = each.start - node.start;
    if (each.value === node.value) found.push({ ...change, module, start: change.start + by, end: change.end + by });
  };
  const look = (within: Node): void =>
    walk(within, (each) => {
      if (each.kind === 'function') return false;
      if (each === node || (each.kind !== 'string' && each.kind !== 'name') || !isLimitedIn(each, within)) return;
      if (each.kind === 'string') add(each);
      else for (const text of listedBy(each, module)) add(text);
    });
  look(root);
  const named = schemaOf(root, module)?.init;
  if (named !== undefined) look(named);
  return others.has(moved) ? [] : found;
}

/** Of a change of a default, the name of the schema that its choices stand in, if these change with it: so do they for whoever else has that. */
export function schemaBeside(change: Change): { readonly name: NameNode; readonly module: SourceModule } | undefined {
  const { module } = change;
  const { root } = defaultAt(module, change) ?? {};
  if (root === undefined || !isScript(module)) return undefined;
  const { name, init } = schemaOf(root, module) ?? {};
  if (name === undefined || init === undefined) return undefined;
  const isInSchema = changesBesideDefault(change).some(({ start, end }) => init.start <= start && end <= init.end);
  return isInSchema ? { name, module } : undefined;
}

/**
 * Of a change of a default, the name of a schema that stands in another file or in a table, and allows what the default was and not what it becomes:
 * `schemas.version.default('v1')`.
 */
export function schemaApart(world: World, change: Change): { readonly name: NameNode; readonly module: SourceModule } | undefined {
  const { module } = change;
  const { node, root } = defaultAt(module, change) ?? {};
  if (node === undefined || root === undefined || !isScript(module)) return undefined;
  const name = rootOf(root);
  if (name === undefined || schemaOf(root, module) !== undefined) return undefined;
  const init = (standsFor(world, name, module) ?? fileNamed(world, name, module))?.node;
  const allowed = new Set<string>();
  if (init !== undefined)
    walk(init, (each) => {
      if (each.kind === 'string' && isLimitedIn(each, init)) allowed.add(each.value);
    });
  return allowed.has(node.value) && !allowed.has(movedText(node.value, node.start + 1, [change])) ? { name, module } : undefined;
}

/** The text that is a default, and the object or call that it is the default in. */
function defaultAt(
  module: Change['module'],
  change: Pick<Change, 'start' | 'end'>,
): { readonly node: StringNode; readonly root: CallNode | ObjectNode } | undefined {
  if (!isScript(module) || !isDefault.test(module.text.slice(Math.max(0, change.start - maxBefore), change.start))) return undefined;
  const node = module.texts.find(({ start, end }) => start < change.start && change.end < end);
  const { parent } = node ?? {};
  const root = parent?.kind === 'property' ? parent.parent : parent;
  return node?.kind !== 'string' || (root?.kind !== 'object' && root?.kind !== 'call') ? undefined : { node, root };
}

/** What `version` is in `version.default('v1')`: `const version = z.enum(['v1'])`. */
function schemaOf(root: Node, { scopes }: SourceModule): { readonly name: NameNode; readonly init: CallNode } | undefined {
  const name = rootOf(root);
  const owner = name && scopes.bindingOf(name)?.owner;
  if (name === undefined || owner?.kind !== 'variable' || owner.declares !== 'const' || owner.init?.kind !== 'call') return undefined;
  return { name, init: owner.init };
}

function rootOf(root: Node): NameNode | undefined {
  let at = root;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' ? at : undefined;
}

/** The texts of a list that stands under a name of its own in the file. */
function listedBy(name: NameNode, { scopes }: SourceModule): StringNode[] {
  const owner = scopes.bindingOf(name)?.owner;
  const list = owner?.kind === 'variable' && owner.declares === 'const' && owner.init?.kind === 'array' ? owner.init.elements : [];
  return list.filter((each) => each?.kind === 'string');
}

const isDefault = /\bdefault\s*[:(]\s*['"][^'"\n]*$/;
/** Characters of an address before its version, and what is before these. */
const maxBefore = 200;

/** The texts of v1 that a schema allows, and the patterns that it demands: `z.literal('v1')`, `pattern: '/v1$'`. */
export function limitedToV1(module: SourceModule): StringNode[] {
  // Most files have none.
  if (!/v1/.test(module.text) || !/\b(?:enum|literal|valid|equal|oneOf|picklist|choices|format|pattern)\b/.test(module.text)) return [];
  return nodesOfKind(module.tree.program, 'string').filter((node) => {
    const { parent, value } = node;
    if (/^\/?v1\/?$/.test(value)) return isLimitedIn(node, module.tree.program) && !textsBeside(node).has(value.replace('v1', 'v2'));
    return parent?.kind === 'property' && parent.name === 'pattern' && parent.value === node && /(?<![\w-])v1(?![\w-])/.test(value);
  });
}

function isLimitedIn(node: Node, root: Node): boolean {
  for (let at = node; at !== root && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (
      parent.kind === 'property'
        ? limiting.test(parent.name ?? '')
        : parent.kind === 'call' && parent.callee !== at && limiting.test(calledIn(parent))
    )
      return true;
  }
  return false;
}

/** @param at where the text begins in its file */
export const movedText = (text: string, at: number, changes: readonly Pick<Change, 'start' | 'end' | 'text'>[]): string =>
  changes
    .toSorted((one, other) => other.start - one.start)
    .reduce((before, change) => before.slice(0, change.start - at) + change.text + before.slice(change.end - at), text);

function textsBeside(node: Node): Set<string> {
  let root = node;
  while (root.parent !== undefined && within.has(root.parent.kind) && root.parent.kind !== 'object') root = root.parent;
  const found = new Set<string>();
  walk(root, (each) => void (each.kind === 'string' && found.add(each.value)));
  return found;
}
