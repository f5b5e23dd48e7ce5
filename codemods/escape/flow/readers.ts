/** Every place that names a binding, in its own file and in those that take it from there. */
import { lastName } from '../../clients/names.ts';
import { filesLaidOver } from '../../clients/settings/convict.ts';
import { filesTakenOf } from '../../clients/settings/nconf.ts';
import { filesReadIn } from '../../clients/settings/own-files.ts';
import { fileAbove } from '../../clients/settings/project-config.ts';
import type { Place } from '../../evaluate/budget.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isOwnExports } from '../../evaluate/names/exports.ts';
import { modulesGivenBy } from '../../evaluate/names/given-modules.ts';
import { commonJsName, type SourceModule } from '../../evaluate/module.ts';
import { isRequire } from '../../evaluate/names/specifiers.ts';
import { importedByName, openedBy, openImportsIn } from '../../find/modules/open-imports.ts';
import type { Binding } from '../../syntax/scopes.ts';
import { memoOf, once } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { ImportNode, Node } from '../../syntax/tree.ts';

export interface Readers {
  /** The references to a binding; of an exported one also those of other files. */
  of(binding: Binding, module: SourceModule): readonly Place[];
  /** What other files take from a file. Which of its exports it is, their values say. */
  ofModule(module: SourceModule): readonly Place[];
  /** Those of these that are what is exported as a whole: `import client from './client'`, in CommonJS `require('./client')`. */
  ofWhole(exported: Place): readonly Place[];
  /** Where a file is loaded by a pattern, or with others of its folder. */
  loading(module: SourceModule): readonly Place[];
  /** Where a file in CommonJS takes its own exports: `exports.base`; none where a binding is no export. */
  ofItself(module: SourceModule, binding?: Binding): readonly Place[];
}

/** What other files take from one. */
interface Takers {
  /** By the exported name. */
  readonly named: Map<string, Place[]>;
  /** All of it at once: `import * as api`, `require('./api')`. */
  readonly whole: Place[];
  /** Those of these that take other files, too. */
  readonly loading: Place[];
  /** Files that pass on what they take, each with what and under which names. */
  readonly passing: Map<SourceModule, PassedOn[]>;
}

interface PassedOn {
  /** The name that it is taken under, `*` for all. */
  readonly name: string;
  /** The name that it is passed on under; undefined for `export * from`, under their own. */
  readonly as: string | undefined;
}

/** Asked for by several, and by most for nothing, as nothing is edited. */
export const readersIn = memoOf((ev: Evaluation): Readers => {
  const takersOf = once(() => takersIn(ev));
  const passedOn = new Map<string, readonly Place[]>();
  /**
   * What is taken from the files that pass on what a file exports, and from those that pass on theirs.
   * @param names what is meant of it, `undefined` for all: other things that these files pass on have nothing of that
   */
  const takenThrough = (module: SourceModule, names: readonly string[] | undefined): readonly Place[] => {
    const key = idOf(module, names);
    const known = passedOn.get(key);
    if (known !== undefined) return known;
    const places: Place[] = [];
    const takers = takersOf();
    const seen = new Set<string>();
    const waiting = [{ from: module, names }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const [by, passed] of takers.get(next.from)?.passing ?? []) {
        const further = next.names && namesOn(passed, next.names);
        const [of, id] = [takers.get(by), idOf(by, further)];
        if (of === undefined || by === module || further?.length === 0 || seen.has(id)) continue;
        seen.add(id);
        places.push(...(further === undefined ? placesOf(of) : [...further.flatMap((name) => of.named.get(name) ?? []), ...of.whole]));
        waiting.push({ from: by, names: further });
      }
    passedOn.set(key, places);
    return places;
  };
  return {
    of(binding, module) {
      const own = binding.references.map((node) => ({ node, module }));
      const names = exportedNames(binding, module);
      const of = names.length === 0 ? undefined : takersOf().get(module);
      if (of === undefined) return own;
      // Of a file in CommonJS the default is all of it.
      const taken = module.exports.has('default') ? names : [...names, 'default'];
      return [...own, ...taken.flatMap((name) => of.named.get(name) ?? []), ...of.whole, ...takenThrough(module, taken)];
    },
    ofModule(module) {
      const of = takersOf().get(module);
      return of === undefined ? [] : [...placesOf(of), ...takenThrough(module, undefined)];
    },
    ofWhole({ node: { parent }, module }) {
      if (parent?.kind === 'assign' && commonJsName(parent.target) !== '*') return [];
      const { named, whole = [] } = takersOf().get(module) ?? {};
      return [...(named?.get('default') ?? []), ...(module.whole === undefined ? [] : whole)];
    },
    loading: (module) => takersOf().get(module)?.loading ?? [],
    ofItself: (module, binding) => (binding === undefined || isExported(binding, module) ? ownExportsIn(module) : []),
  };
});

const idOf = ({ file }: SourceModule, names: readonly string[] = ['*']): string => [file, ...names].join(' ');

/** The names under which some are passed on. */
const namesOn = (passed: readonly PassedOn[], names: readonly string[]): string[] => [
  ...new Set(
    passed.flatMap(({ name, as }) => {
      if (as === undefined) return names.filter((each) => each !== 'default');
      return name === '*' || names.includes(name) ? [as] : [];
    }),
  ),
];

const placesOf = ({ named, whole }: Takers): Place[] => [...[...named.values()].flat(), ...whole];

function takersIn(ev: Evaluation): ReadonlyMap<SourceModule, Takers> {
  const takers = new Map<SourceModule, Takers>();
  const takersOf = (module: SourceModule): Takers => {
    const known = takers.get(module) ?? {
      named: new Map<string, Place[]>(),
      whole: [],
      loading: [],
      passing: new Map<SourceModule, PassedOn[]>(),
    };
    takers.set(module, known);
    return known;
  };
  for (const module of ev.world.modules.values()) {
    for (const node of module.tree.program.body) {
      if ((node.kind !== 'import' && node.kind !== 'export') || node.source === undefined) continue;
      for (const target of modulesGivenBy(ev, module, node.source.value)) {
        if (node.kind === 'import') addImported(takersOf(target), node, module);
        else for (const { name, exported: as } of node.specifiers) addPassed(takersOf(target), module, { name, as });
      }
    }
    for (const { by, file } of combined(ev.rules).takes) {
      const taken = fileAbove(ev.world, module, file);
      if (taken !== undefined) for (const node of takingIn(module, by)) takersOf(taken).whole.push({ node, module });
    }
    for (const { node, file } of filesReadIn(ev, module)) takersOf(file).whole.push({ node, module });
    for (const { file, ...place } of [...filesTakenOf(ev, module), ...filesLaidOver(ev, module)]) takersOf(file).whole.push(place);
    for (const { node, files } of loadedBy(ev, module))
      for (const of of files.map(takersOf)) {
        of.whole.push({ node, module });
        of.loading.push({ node, module });
      }
    for (const call of module.calls) {
      const [specifier] = call.args;
      const isTaking = isRequire(call, module) || call.callee.kind === 'other';
      if (!isTaking || specifier?.kind !== 'string') continue;
      for (const target of modulesGivenBy(ev, module, specifier.value)) takersOf(target).whole.push({ node: call, module });
    }
  }
  return takers;
}

/** `import.meta.glob('./jobs/*.js')`, `require(join(__dirname, 'jobs', file))`: all that may be meant. */
function loadedBy(ev: Evaluation, module: SourceModule): { readonly node: Node; readonly files: readonly SourceModule[] }[] {
  const { modules } = ev.world;
  const { calls, text, file } = module;
  return calls.flatMap((node) => {
    const { callee, start, end } = node;
    const root = callee.kind === 'member' ? callee.object : callee;
    const isLoading =
      callee.kind === 'other' || lastName(root) === 'require' || (callee.kind === 'member' && callee.property?.startsWith('glob') === true);
    if (!isLoading || (node.args[0]?.kind === 'string' && callee.kind !== 'member')) return [];
    const opened = openImportsIn(text.slice(start, end)).flatMap((name) => openedBy(file, name, modules.keys()));
    const [given] = node.args;
    const written =
      given?.kind === 'call' && given.args[0]?.kind === 'string'
        ? [given.args[0].value]
        : importedByName(text).flatMap((each) => (each.start === start ? each.specifier : []));
    const named = callee.kind === 'other' ? written.flatMap((name) => ev.world.resolve(module, name)?.file ?? []) : [];
    const names = [...opened, ...named];
    return [{ node, files: names.flatMap((name) => modules.get(name) ?? []) }];
  });
}

/** `useRuntimeConfig()`, `Constants.expoConfig` */
const takingIn = ({ calls, tree }: SourceModule, by: RegExp): readonly Node[] => [
  ...calls.filter(({ callee }) => by.test(lastName(callee))),
  ...nodesOfKind(tree.program, 'member').filter((node) => by.test(node.property ?? '') && !isCallee(node)),
];

const isCallee = (node: Node): boolean => node.parent?.kind === 'call' && node.parent.callee === node;

/** Not where they are made; compilers also say of them what they are. */
const ownExportsIn = (module: SourceModule): Place[] =>
  [...nodesOfKind(module.tree.program, 'name'), ...nodesOfKind(module.tree.program, 'member')].flatMap((node) => {
    if (!isOwnExports(node, module)) return [];
    const { parent } = node;
    const written = parent?.kind === 'member' && parent.object === node ? parent : node;
    const isMade = written.parent?.kind === 'assign' && written.parent.target === written;
    const isDefined =
      parent?.kind === 'call' && parent.args[0] === node && /^(?:defineProperty|__export\w*)$/.test(lastName(parent.callee));
    return isMade || isDefined ? [] : [{ node, module }];
  });

function addPassed({ passing }: Takers, module: SourceModule, passed: PassedOn): void {
  const known = passing.get(module);
  if (known === undefined) passing.set(module, [passed]);
  else known.push(passed);
}

function addImported(takers: Takers, { specifiers }: ImportNode, module: SourceModule): void {
  const { named, whole } = takers;
  for (const { imported, local } of specifiers) {
    const binding = module.scopes.declaredBy(local);
    if (binding === undefined) continue;
    const places = imported === '*' ? whole : (named.get(imported) ?? []);
    if (imported !== '*') named.set(imported, places);
    for (const reference of binding.references) places.push({ node: reference, module });
    // `import { a } from './a'; export { a }`
    for (const as of exportedNames(binding, module)) addPassed(takers, module, { name: imported, as });
  }
}

/** The names under which other files can take a binding, by what an export may say that it is. */
const exported = new WeakMap<SourceModule, ReadonlyMap<unknown, readonly string[]>>();

export function exportedNames(binding: Binding, module: SourceModule): readonly string[] {
  const byTarget = exported.get(module) ?? namesByTarget(module);
  exported.set(module, byTarget);
  return [binding.declaration, binding, binding.owner].flatMap((target) => byTarget.get(target) ?? []);
}

function namesByTarget({ exports, scopes }: SourceModule): ReadonlyMap<unknown, readonly string[]> {
  const names = new Map<unknown, string[]>();
  const add = (target: unknown, name: string): void => {
    const known = names.get(target);
    if (known === undefined) names.set(target, [name]);
    else known.push(name);
  };
  for (const [name, target] of exports) {
    if ('declared' in target) add(target.declared, name);
    else if ('reference' in target) add(scopes.bindingOf(target.reference), name);
    else if ('node' in target) add(target.node.kind === 'name' ? (scopes.bindingOf(target.node) ?? target.node) : target.node, name);
  }
  return names;
}

/** Whether other files can take a binding. */
export const isExported = (binding: Binding, module: SourceModule): boolean => exportedNames(binding, module).length > 0;
