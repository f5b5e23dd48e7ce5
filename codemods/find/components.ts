/** Joins files that values can flow between, so that each component can be analysed on its own. */
import { namesOf } from './modules/open-imports.ts';
import type { Resolve } from './modules/resolver.ts';
import { variantsOf } from './modules/variants.ts';

export interface Imports {
  /** The files of the run that a file imports, in the order it names them. */
  readonly of: ReadonlyMap<string, readonly string[]>;
  /** The files that import a file. */
  readonly by: ReadonlyMap<string, readonly string[]>;
}

/**
 * The import graph.
 * @param specifiers what each file imports, as it is written (see `scan`)
 * @param modules everything that can be imported
 * @param stems see `variantsOf`
 */
export function importsOf(
  specifiers: ReadonlyMap<string, readonly string[]>,
  resolve: Resolve,
  modules: ReadonlySet<string> = new Set(),
  stems: readonly RegExp[] = [],
): Imports {
  const of = new Map<string, readonly string[]>();
  const by = new Map<string, string[]>();
  for (const [file, named] of specifiers) {
    const found = new Set(named.flatMap((name) => namesOf(file, name, modules)).flatMap((specifier) => resolve(file, specifier) ?? []));
    for (const target of found) for (const variant of variantsOf(target, modules, stems)) found.add(variant);
    found.delete(file);
    if (found.size > 0) of.set(file, [...found]);
    for (const target of found) {
      const importers = by.get(target);
      if (importers === undefined) by.set(target, [file]);
      else importers.push(file);
    }
  }
  return { of, by };
}

/**
 * The components: for each connected set of candidates the files that values flow through. These are the candidates, all that they
 * import (constants come from there), all that imports them (wrappers are called from there), and what else an importer may hand to a
 * wrapper: constants, and addresses of servers that it has a helper start.
 * @param parts files that hold part of a path without being candidates
 * @param servers files that name the machine itself
 * @param makers files that may make clients, or headers for them
 * @param loading for files that load others by their folder what these are: each is given what all of them put on one server
 * @returns sorted by their first file, each sorted by path; a file is in one component at most
 */
export function componentsOf(
  candidates: readonly string[],
  imports: Imports,
  parts: ReadonlySet<string>,
  servers: ReadonlySet<string> = new Set(),
  makers: ReadonlySet<string> = new Set(),
  loading: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly (readonly string[])[] {
  const members = reach(candidates, imports.of);
  for (const file of reach(candidates, imports.by)) members.add(file);
  // A client has its header or base from a candidate, and is handed to what asks by it: `new Messages(this)`.
  const composing = candidates.flatMap((file) => (imports.by.get(file) ?? []).filter((importer) => parts.has(importer)));
  for (const file of reach(composing, imports.of)) members.add(file);
  const loaded = [...members].flatMap((member) => loading.get(member) ?? []);
  for (const file of reach(loaded, imports.of)) members.add(file);
  addPassed(members, imports.of, new Set([...parts, ...servers]));
  // Whoever else uses such a constant has to be seen before it is changed; and who asks by a client that a member makes, whoever hands it on, as what a candidate
  // puts into its headers goes along there.
  for (const file of reach(
    [...members].filter((member) => parts.has(member) || makers.has(member)),
    imports.by,
  ))
    members.add(file);
  return connectedComponents(members, imports);
}

/** The files that can be reached, these included. */
export function reach(from: Iterable<string>, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(from);
  // A set that grows while it is walked: new members come up later.
  for (const file of reached) for (const next of edges.get(file) ?? []) reached.add(next);
  return reached;
}

/** Adds those of some files that a member imports, by way of one file at most. */
function addPassed(members: Set<string>, edges: ReadonlyMap<string, readonly string[]>, passed: ReadonlySet<string>): void {
  const leading = new Map<string, boolean>();
  const leads = (file: string): boolean => {
    const known = leading.get(file) ?? (edges.get(file) ?? []).some((next) => passed.has(next));
    leading.set(file, known);
    return known;
  };
  // A set that grows while it is walked: what a file leads to is added when that file comes up.
  for (const member of members) for (const next of edges.get(member) ?? []) if (passed.has(next) || leads(next)) members.add(next);
}

function connectedComponents(members: ReadonlySet<string>, { of, by }: Imports): string[][] {
  const seen = new Set<string>();
  const components: string[][] = [];
  for (const start of [...members].toSorted()) {
    if (seen.has(start)) continue;
    const component = new Set([start]);
    for (const file of component) {
      for (const next of [...(of.get(file) ?? []), ...(by.get(file) ?? [])]) if (members.has(next)) component.add(next);
    }
    for (const file of component) seen.add(file);
    components.push([...component].toSorted());
  }
  return components;
}
