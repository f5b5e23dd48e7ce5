/** What a module exports, through re-exports and in both module systems. */
import { namesOf, openImportsIn } from '../../find/modules/open-imports.ts';
import { combined } from '../libraries/combined.ts';
import { variantsIn } from './given-modules.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { commonJsName, type Export, type SourceModule } from '../module.ts';
import { writtenFromOutside } from '../writes/external-writes.ts';
import { withStar } from './stars.ts';
import type { World } from '../program.ts';
import type { AssignNode, Expression, Node } from '../../syntax/tree.ts';
import { type Provenance } from '../values/provenance.ts';
import { after, choiceOf, optionsOf, type Value } from '../values/values.ts';

/**
 * @param name `default`, `*` for all exports together, or the name
 * @param seen modules asked before, as re-exports may go in circles
 */
export function exportedValue(ev: Evaluation, module: SourceModule, name: string, seen: Set<SourceModule> = new Set()): Value | undefined {
  if (name === '*') return { type: 'namespace', module };
  if (seen.has(module)) return undefined;
  seen.add(module);
  try {
    return valueIn(ev, module, name, seen);
  } finally {
    seen.delete(module);
  }
}

function valueIn(ev: Evaluation, module: SourceModule, name: string, seen: Set<SourceModule>): Value | undefined {
  const at: At = { module, frame: undefined };
  const own = module.exports.get(name);
  if (own !== undefined) {
    const value = valueOf(ev, own, at, seen);
    // Whoever has all exports in hand may write one: `require('./config').base = …`.
    return value && 'node' in own ? choiceOf([...withOthers(ev, value, name, at), ...writtenFromOutside(ev, name, module)]) : value;
  }
  if (module.whole !== undefined) {
    const { whole } = module;
    const all = withOthers(ev, ev.evaluate(whole, at), '*', at);
    return choiceOf(name === 'default' ? all : all.map((each) => ev.member(each, name, whole, at)));
  }
  for (const from of withStar(ev.world, module, name)) {
    const found = exportedValue(ev, from, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

const again = new WeakMap<SourceModule, ReadonlyMap<string | undefined, readonly AssignNode[]>>();

/** What is exported last by a name, and what is before: `if (isLocal) exports.base = …`. Compilers begin with nothing. */
function withOthers(ev: Evaluation, last: Value, name: string, at: At): readonly Value[] {
  const { module } = at;
  const written = again.get(module) ?? Map.groupBy(module.writes, ({ target }) => commonJsName(target));
  again.set(module, written);
  const before = (written.get(name) ?? []).slice(0, -1).filter(({ value }) => !isNothing(value));
  return [last, ...before.flatMap(({ value }) => optionsOf(ev.evaluate(value, at))).filter(({ type }) => type !== 'literal')];
}

/** `exports.one = exports.other = void 0` */
const isNothing = (value: Expression): boolean =>
  value.kind === 'assign' ? isNothing(value.value) : value.kind === 'unary' && value.operator === 'void';

/** What `exports` and `module.exports` are in a file of CommonJS itself; undefined of any other expression. */
export function ownExports(ev: Evaluation, node: Node, module: SourceModule): Value | undefined {
  if (!isOwnExports(node, module)) return undefined;
  // What is exported one by one, or as an object to which more is added.
  if (module.whole === undefined || module.whole.kind === 'object') return { type: 'namespace', module };
  return exportedValue(ev, module, 'default');
}

/** Whether a node is `exports` or `module.exports` of a file that exports so. */
export function isOwnExports(node: Node, { exports, whole, scopes }: SourceModule): boolean {
  if (exports.size === 0 && whole === undefined) return false;
  if (node.kind === 'name') return node.name === 'exports' && scopes.bindingOf(node) === undefined;
  if (node.kind !== 'member' || node.property !== 'exports') return false;
  return node.object.kind === 'name' && node.object.name === 'module' && scopes.bindingOf(node.object) === undefined;
}

function valueOf(ev: Evaluation, target: Export, at: At, seen: Set<SourceModule>): Value | undefined {
  if ('node' in target) return ev.evaluate(target.node, at);
  if ('reference' in target) return ev.evaluate(target.reference, at);
  if ('declared' in target) {
    const binding = at.module.scopes.declaredBy(target.declared);
    return binding === undefined ? undefined : ev.binding(binding, at);
  }
  return importedValue(ev, at.module, target.specifier, target.name, seen);
}

/** Where Deno and pages have packages of npm from, before their names, and what stands before a name of AMD. */
const registries = /^(?:amd:|npm:\/?|https:\/\/(?:esm\.(?:sh|run)|cdn\.skypack\.dev|unpkg\.com|cdn\.jsdelivr\.net\/npm)\/)/;

/** Deno's own packages, which had addresses before they had names: `https://deno.land/std@0.224.0/assert/mod.ts`. */
const standard = /^(?:https:\/\/deno\.land\/std(?:@[^/]*)?|jsr:\/?@std)\/([\w-]+)(?:@[^/]*)?(?:\/[\w/-]+(?:\.ts)?)?$/;

/** The package that a specifier names, without where it is from and in which version: `node:http`, `npm:axios@1`, `https://esm.sh/axios@1.6?target=deno`. */
export const packageOf = (specifier: string): string =>
  registries.test(specifier)
    ? specifier.replace(registries, '').replace(/(?<=.)@[^/?]*|\?.*$|\/\+esm$/g, '')
    : specifier.replace(/^node:/, '').replace(standard, '@std/$1');

/** The package that a specifier of a file names, also by an import map. */
export const packageFrom = (world: World, from: SourceModule, specifier: string): string =>
  packageOf(world.mapped?.(from, specifier) ?? specifier);

/** What `import { name } from specifier` gives: a value of the project, or something of a package. */
export function importedValue(
  ev: Evaluation,
  from: SourceModule,
  specifier: string,
  name: string,
  seen?: Set<SourceModule>,
): Value | undefined {
  const module = ev.world.resolve(from, specifier);
  if (module === undefined) {
    if (/^[./#]/.test(specifier) && !combined(ev.rules).modules.has(specifier)) return undefined;
    return { type: 'external', source: packageFrom(ev.world, from, specifier), path: name === 'default' || name === '*' ? [] : [name] };
  }
  const copied = combined(ev.rules).copiedInto(module, name);
  if (copied !== undefined) return { type: 'external', source: copied, path: [name] };
  const settings = name === 'default' || name === '*' ? combined(ev.rules).settingsIn(ev, specifier, module, from) : undefined;
  if (settings !== undefined) return settings;
  const own = exportedValue(ev, module, name, seen);
  const others = own === undefined ? [] : variantsIn(ev, module).flatMap((variant) => exportedValue(ev, variant, name, seen) ?? []);
  return own === undefined || others.length === 0 ? own : choiceOf([own, ...others]);
}

/** What `require(specifier)` gives. */
export function requiredValue(
  ev: Evaluation,
  from: SourceModule,
  specifier: string,
  node: Value['provenance'] & object,
): Value | undefined {
  const module = ev.world.resolve(from, specifier);
  if (module === undefined) return importedValue(ev, from, specifier, '*');
  const settings = combined(ev.rules).settingsIn(ev, specifier, module, from);
  const whole = settings ?? (module.whole === undefined ? undefined : exportedValue(ev, module, 'default'));
  return whole === undefined ? { type: 'namespace', module } : after(whole, node satisfies Provenance);
}

/** What `require('./' + env + '.json')` gives: one of the files that there are. */
export function openValue(ev: Evaluation, from: SourceModule, node: Node): Value | undefined {
  const [name] = openImportsIn(from.text.slice(node.start, node.end));
  const specifiers = name === undefined ? [] : namesOf(from.file, name, ev.world.modules.keys());
  const values = specifiers.map((specifier) => requiredValue(ev, from, specifier, { node, module: from, rest: undefined }));
  return values.length > 0 && values.every((value) => value !== undefined) ? choiceOf(values) : undefined;
}
