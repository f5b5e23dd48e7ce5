/**
 * What holds the whole environment, followed within a file and to what it imports of others: `const env = process.env`, `{ env: process.env }`,
 * `Object.assign({}, process.env)`, `dotenv.config().parsed`, the `env` that a Worker is called with.
 */
import { environmentsOfPlatforms, exportingEnvironment, givingEnvironment } from '../../clients/settings/environment.ts';
import type { Scopes } from '../../syntax/scopes.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression, FunctionNode, MemberNode, NameNode, Node, ObjectNode, Pattern, ProgramNode } from '../../syntax/tree.ts';

export interface ParsedFile {
  readonly file: string;
  readonly program: ProgramNode;
  readonly scopes: Scopes;
}

/** A node, and the file that it is in. */
export interface Placed {
  readonly node: Node;
  readonly of: ParsedFile;
}

/** The file of the project that an import leads to, if any. */
export type FileBehind = (from: string, specifier: string) => ParsedFile | undefined;

/** Names for one thing that lead on to another are few; what goes round in a circle ends here. */
const maxSteps = 12;

/** What gives back all that it is given, under other names at most. */
const passingOn =
  /^(?:assign|entries|fromEntries|freeze|structuredClone|(?:pick|omit)By|omit|merge|defaults|map(?:Keys|Values)|clone(?:Deep)?|filter|map)$/;

/** Whether an argument is the whole environment, or an object or a list that has it somewhere. */
export function holdsEnvironment(place: Placed, behind: FileBehind, isWhole: IsWhole = isEnvironment, steps = maxSteps): boolean {
  const { node, of } = place;
  if (steps === 0) return false;
  if (isWhole(node, of)) return true;
  const holds = (other: Node | undefined): boolean =>
    other !== undefined && holdsEnvironment({ node: other, of }, behind, isWhole, steps - 1);
  switch (node.kind) {
    case 'object':
      return node.properties.some((each) => holds(each.kind === 'spread' ? each.argument : each.value));
    case 'array':
      return node.elements.some(holds);
    case 'spread':
    case 'await':
      return holds(node.argument);
    case 'logical':
      return holds(node.left) || holds(node.right);
    case 'conditional':
      return holds(node.whenTrue) || holds(node.whenFalse);
    case 'call':
      if (!passingOn.test(calledOf(node.callee))) return false;
      return node.args.some(holds) || (node.callee.kind === 'member' && node.callee.object.kind === 'call' && holds(node.callee.object));
    case 'member':
    case 'name': {
      const found = meantBy(place, behind, steps - 1);
      return found !== undefined && (found.node !== node || found.of !== of) && holdsEnvironment(found, behind, isWhole, steps - 1);
    }
    default:
      return false;
  }
}

/** Whether that is what is looked for, and not only made of it. */
export type IsWhole = (node: Node, of: ParsedFile) => boolean;

const isEnvironment: IsWhole = (node, of) =>
  node.kind === 'call'
    ? givingEnvironment.some((each) => isFromLibrary(node.callee, of, each)) || isNamed(node.callee, 'Deno.env.toObject')
    : (node.kind === 'name' || node.kind === 'member') && isEnvironmentItself(node, of);

/** `process.env`, and under the name that a file has for it; the second of what a Worker is called with, `c.env` of Hono. */
function isEnvironmentItself(node: NameNode | MemberNode, of: ParsedFile): boolean {
  if (node.kind === 'name') {
    const owner = of.scopes.bindingOf(node)?.owner;
    if (owner === undefined) return false;
    return (
      isImportedFrom(owner, node.name, exportingEnvironment, 'env') || isDestructured(owner, node.name, of) || isOfWorker(owner, node.name)
    );
  }
  if (environmentsOfPlatforms.some((whole) => isNamed(node, whole))) return true;
  if (node.property !== 'env' || node.object.kind !== 'name') return false;
  const owner = of.scopes.bindingOf(node.object)?.owner;
  if (owner?.kind === 'param') return /^(?:c|ctx|context|event|platform)$/.test(node.object.name);
  return owner !== undefined && isProcess(node.object, of);
}

const processModule = /^(?:node:)?process$/;
/** `process` of the machine, or what is imported as that. */
export function isProcess(node: Node, of: ParsedFile): boolean {
  if (node.kind === 'call') return isRequired(node, processModule);
  if (node.kind !== 'name') return false;
  const owner = of.scopes.bindingOf(node)?.owner;
  if (owner === undefined) return node.name === 'process';
  if (owner.kind === 'variable') return owner.target.kind === 'patternName' && owner.init !== undefined && isProcess(owner.init, of);
  return ['default', '*'].some((each) => isImportedFrom(owner, node.name, processModule, each));
}

/** `const { env } = require('process')`, `const { env } = c` */
const isDestructured = (owner: Node, name: string, of: ParsedFile): boolean =>
  owner.kind === 'variable' &&
  owner.init !== undefined &&
  keyOf(owner.target, name) === 'env' &&
  (isProcess(owner.init, of) || (owner.init.kind === 'name' && of.scopes.bindingOf(owner.init)?.owner.kind === 'param'));

/** `fetch(request, env)`, `onRequest({ request, env })`, by the name that the platform calls it. */
function isOfWorker(owner: Node, name: string): boolean {
  if (owner.kind !== 'param') return false;
  const { parent: called, target } = owner;
  if (called?.kind !== 'function') return false;
  const by = nameOf(called) ?? '';
  if (target.kind === 'objectPattern') return keyOf(target, name) === 'env' && /^on[A-Z]?[Rr]equest/.test(by);
  return called.params[1] === owner && /^(?:fetch|scheduled|queue|email|tail|trace)$/.test(by);
}

const nameOf = (called: FunctionNode): string | undefined =>
  called.parent?.kind === 'property' || called.parent?.kind === 'classMember'
    ? called.parent.name
    : called.parent?.kind === 'variable' && called.parent.target.kind === 'patternName'
      ? called.parent.target.name
      : called.name?.name;

/** Under what key an object has what a name is made of. */
const keyOf = (pattern: Pattern, name: string): string | undefined =>
  pattern.kind === 'objectPattern'
    ? pattern.properties.find(({ target }) => target.kind === 'patternName' && target.name === name)?.name
    : undefined;

/** What a name or a property stands for. */
function meantBy({ node, of }: Placed, behind: FileBehind, steps: number): Placed | undefined {
  if (steps <= 0) return undefined;
  if (node.kind === 'member') {
    const object = node.object.kind === 'object' ? { node: node.object, of } : meantBy({ node: node.object, of }, behind, steps - 1);
    if (object?.node.kind === 'object') return valueOf(object.node, node.property, object.of);
    // `dotenv.config().parsed`
    return object?.node.kind === 'call' && node.property === 'parsed' ? object : undefined;
  }
  if (node.kind !== 'name') return { node, of };
  const owner = of.scopes.bindingOf(node)?.owner;
  if (owner?.kind === 'param') return owner.default && { node: owner.default, of };
  if (owner?.kind === 'variable' && owner.init !== undefined) return madeOf(owner.init, owner.target, node.name, of, behind, steps);
  if (owner?.kind !== 'import') return undefined;
  const other = behind(of.file, owner.source.value);
  const imported = owner.specifiers.find(({ local }) => local.name === node.name)?.imported;
  return other === undefined || imported === undefined ? undefined : exportOf(other, imported, behind, steps - 1);
}

function madeOf(init: Expression, target: Pattern, name: string, of: ParsedFile, behind: FileBehind, steps: number): Placed | undefined {
  const key = keyOf(target, name);
  if (target.kind === 'patternName') return meantBy({ node: init, of }, behind, steps - 1) ?? { node: init, of };
  if (target.kind !== 'objectPattern') return undefined;
  // `const { PORT, ...others } = process.env`
  if (key === undefined) return { node: init, of };
  const object = meantBy({ node: init, of }, behind, steps - 1);
  if (object?.node.kind === 'object') return valueOf(object.node, key, object.of);
  return object?.node.kind === 'call' && key === 'parsed' ? object : undefined;
}

function valueOf({ properties }: ObjectNode, name: string | undefined, of: ParsedFile): Placed | undefined {
  const found = properties.find((each) => each.kind === 'property' && each.name !== undefined && each.name === name);
  return found?.kind === 'property' ? { node: found.value, of } : undefined;
}

function exportOf(of: ParsedFile, name: string, behind: FileBehind, steps: number): Placed | undefined {
  if (name === 'default') {
    const value = nodesOfKind(of.program, 'exportDeclaration').find(({ isDefault }) => isDefault)?.declarations[0];
    return value === undefined ? undefined : (meantBy({ node: value, of }, behind, steps) ?? { node: value, of });
  }
  const owner = of.scopes.top(name)?.owner;
  return owner?.kind === 'variable' && owner.init !== undefined ? madeOf(owner.init, owner.target, name, of, behind, steps) : undefined;
}

const isImportedFrom = (owner: Node, local: string, source: RegExp, imported: string): boolean =>
  owner.kind === 'import' &&
  source.test(owner.source.value) &&
  owner.specifiers.some((each) => each.local.name === local && each.imported === imported);

function isRequired(node: Node, source: RegExp): boolean {
  if (node.kind !== 'call' || node.callee.kind !== 'name' || node.callee.name !== 'require') return false;
  const [specifier] = node.args;
  return specifier?.kind === 'string' && source.test(specifier.value);
}

/** `dotenv.config()`, `parse(readFileSync('.env'))` */
function isFromLibrary(callee: Node, of: ParsedFile, library: string): boolean {
  if (!/^(?:config|parse)$/.test(calledOf(callee)) && callee.kind === 'member') return false;
  const root = callee.kind === 'member' ? callee.object : callee;
  if (isRequired(root, new RegExp(`^${library}$`))) return true;
  const owner = root.kind === 'name' ? of.scopes.bindingOf(root)?.owner : undefined;
  return (
    (owner?.kind === 'import' && owner.source.value === library) ||
    (owner?.kind === 'variable' && owner.init !== undefined && isRequired(owner.init, new RegExp(`^${library}$`)))
  );
}

const calledOf = (callee: Node): string => (callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '');

/** Whether that is written so: `Deno.env.toObject`. */
function isNamed(node: Node, whole: string): boolean {
  const at = whole.lastIndexOf('.');
  if (at === -1) return node.kind === 'name' && node.name === whole;
  return node.kind === 'member' && node.property === whole.slice(at + 1) && isNamed(node.object, whole.slice(0, at));
}
