/** A file on the way of the relevance slice: what of it matters so far, and what it takes from others. */
import { firstBehind, type Outline, type Unit } from './outline.ts';
import type { Sources } from './sources.ts';

/** Where something stands. */
export interface Place {
  readonly file: string;
  readonly start: number;
}

/** A name that something asks another file for. */
export interface Need {
  readonly file: string;
  readonly name: string;
  readonly by: Unit;
  /** Whether what stands behind the name is changed, too; `kept`: something is put into it. */
  readonly isWritten: boolean | 'kept';
}

export interface Visited {
  readonly outline: Outline;
  /** Statements that are suspicious, or use what is. */
  readonly tainted: Set<Unit>;
  /** Statements that tainted ones are made of. */
  readonly needed: Set<Unit>;
  /** Names of the file that stand for something tainted. */
  readonly names: Set<string>;
  /** Exported names that stand for something tainted. */
  readonly exported: Set<string>;
  /** Exported names, by the statement or the name of the file that they stand for. */
  readonly exportedAs: ReadonlyMap<Unit | string, readonly string[]>;
  /** What it takes from other files. */
  readonly taken: ReadonlyMap<string, Taken>;
}

/** What one file takes from another. */
export interface Taken {
  /** Names of the file, by the other's exports that they stand for; `*` is all of it. */
  readonly names: Map<string, string[]>;
  /** Exported names, in the same way. */
  readonly exported: Map<string, string[]>;
  /** Statements that require or import it. */
  readonly units: Unit[];
  /** `export * from`. */
  isPassedOn: boolean;
}

/** @param sources what the specifiers of the file mean */
export function visitedOf(outline: Outline, { resolve, named }: Pick<Sources, 'resolve' | 'named'>): Visited {
  const { module, imports, units, unitAt } = outline;
  const taken = new Map<string, Taken>();
  const from = (specifier: string): Taken => {
    const target = resolve(module.file, specifier) ?? '';
    const known = taken.get(target) ?? {
      names: new Map<string, string[]>(),
      exported: new Map<string, string[]>(),
      units: [],
      isPassedOn: false,
    };
    taken.set(target, known);
    return known;
  };
  for (const [local, { specifier, name }] of imports) push(from(specifier).names, name, local);
  for (const unit of units) for (const specifier of named(module.file, unit.specifiers)) from(specifier).units.push(unit);
  for (const star of module.stars) from(star).isPassedOn = true;
  const exportedAs = new Map<Unit | string, string[]>();
  for (const [name, target] of module.exports) {
    const unit = 'node' in target ? unitAt(target.node.start) : undefined;
    if (unit !== undefined) push(exportedAs, unit, name);
    else if ('specifier' in target) push(from(target.specifier).exported, target.name, name);
    else if (!('node' in target)) push(exportedAs, 'declared' in target ? target.declared.name : target.reference.name, name);
  }
  const whole = module.whole === undefined ? undefined : unitAt(module.whole.start);
  if (whole !== undefined) push(exportedAs, whole, '*');
  // What is none of the files is asked for by nobody.
  taken.delete('');
  return { outline, tainted: new Set(), needed: new Set(), names: new Set(), exported: new Set(), exportedAs, taken };
}

/** The statements that an exported name stands for. */
export function meantBy({ outline: { module, declaring, units, unitAt } }: Visited, name: string): readonly Unit[] {
  const target = module.exports.get(name);
  if (target === undefined) {
    const own = name === '*' || module.whole !== undefined ? undefined : declaring.get(name);
    if (own !== undefined) return own;
    // All of it, or what is exported in a way of its own. What is neither is a type.
    return name === '*' || module.whole !== undefined || module.mayBeCommonJs ? units : [];
  }
  if ('specifier' in target) return [];
  if ('node' in target) return [unitAt(target.node.start)].filter((unit) => unit !== undefined);
  return declaring.get('declared' in target ? target.declared.name : target.reference.name) ?? [];
}

/** Statements that may make clients or requests, or use those that do. */
export function clientsIn({ module, units, imports, mentioning }: Outline, speaksHttp: (text: string) => boolean): ReadonlySet<Unit> {
  const clients = new Set<Unit>();
  if (!speaksHttp(module.text)) return clients;
  for (const unit of units) if (speaksHttp(unit.text)) clients.add(unit);
  for (const [name, { specifier }] of imports) if (speaksHttp(`'${specifier}'`)) for (const unit of mentioning(name)) clients.add(unit);
  // A set that grows while it is walked: new members come up later.
  for (const { names } of clients) for (const name of names) for (const unit of mentioning(name)) clients.add(unit);
  return clients;
}

/** What stands for one of the names, looked for from the side that has fewer. */
export function standingFor(taken: ReadonlyMap<string, readonly string[]>, names: ReadonlySet<string>): string[] {
  if (names.has('*')) return [...taken.values()].flat();
  const found = taken.size < names.size ? [...taken.keys()].filter((name) => names.has(name)) : [...names];
  return [...found, '*'].flatMap((name) => taken.get(name) ?? []);
}

export function push<Key>(lists: Map<Key, string[]>, key: Key, item: string): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

/** Whether a statement declares more than functions: what one holds besides is put into it elsewhere in its file. */
export const holdsValues = ({ mentioning }: Outline, unit: Unit): boolean =>
  !unit.isCode() || unit.names.some((name) => mentioning(name).some((other) => other !== unit && other.written().has(name)));

/** Whether an offset stands in one of some statements; it keeps nothing of them. */
export function isWithin(units: Iterable<Unit>): (offset: number) => boolean {
  const inOrder = [...units].toSorted((one, other) => one.start - other.start);
  const starts = inOrder.map(({ start }) => start);
  const ends = inOrder.map(({ end }) => end);
  return (offset) => (starts[firstBehind(ends, offset)] ?? Infinity) <= offset;
}
