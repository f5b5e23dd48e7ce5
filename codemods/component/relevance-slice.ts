/**
 * Which files of a component have to be looked at. What is suspicious flows through names: into what mentions them, and out of what
 * they are made of. A file that mentions none of these names can neither carry what would be edited nor use it.
 */
import type { SourceModule } from '../evaluate/module.ts';
import { mentionsAny, type Outline, outlineOf, type Unit, wordsIn, writtenIn } from './outline.ts';

export interface SliceFile {
  readonly file: string;
  readonly isCandidate: boolean;
  /** The files of the component that import it. */
  readonly importers: readonly string[];
  /** Files of the component that it decides for or that decide for it without an import. */
  readonly ambient: readonly string[];
}

export interface Sources {
  /** Reads and parses a file; undefined where that cannot be done. */
  load(file: string): SourceModule | undefined;
  /** A file's text, as it is without parsing. */
  text(file: string): string;
  resolve(from: string, specifier: string): string | undefined;
  /** Whether a text holds something suspicious. */
  isSuspicious(text: string): boolean;
  /** Whether it holds part of a path, which is suspicious where something suspicious mentions it. */
  holdsPart(text: string): boolean;
  /** Whether a person may have to be told of something in it, whatever it has to do with the rest. */
  isReportable(text: string): boolean;
  /** Whether it may make clients or requests: whoever uses these has to be seen. */
  speaksHttp(text: string): boolean;
}

/** @returns the files that matter, parsed, in the given order */
export function slice(files: readonly SliceFile[], sources: Sources): SourceModule[] {
  const slicer = new Slicer(files, sources);
  for (const { file, isCandidate } of files) if (isCandidate || sources.isReportable(sources.text(file))) slicer.visit(file);
  slicer.run();
  return files.flatMap(({ file }) => slicer.moduleOf(file) ?? []);
}

interface Visited {
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
interface Taken {
  /** Names of the file, by the other's exports that they stand for; `*` is all of it. */
  readonly names: Map<string, string[]>;
  /** Exported names, in the same way. */
  readonly exported: Map<string, string[]>;
  /** Statements that require or import it. */
  readonly units: Unit[];
  /** `export * from`. */
  isPassedOn: boolean;
}

/** A name that something asks another file for. */
interface Need {
  readonly file: string;
  readonly name: string;
  readonly by: Unit;
  /** Whether what stands behind the name is changed, too. */
  readonly isWritten: boolean;
}

class Slicer {
  readonly #files: ReadonlyMap<string, SliceFile>;
  readonly #sources: Sources;
  readonly #visited = new Map<string, Visited | undefined>();
  readonly #needs: Need[] = [];
  readonly #asked = new Set<string>();
  readonly #askedBy = new Map<Unit, Set<string>>();
  readonly #following: { readonly file: string; readonly visited: Visited; readonly unit: Unit }[] = [];
  /** Exports that have turned out to be tainted, which nobody was told of yet. */
  readonly #fresh = new Map<string, Set<string>>();
  /** The importers of a file that write into names, by these. */
  readonly #writers = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #writtenBy = new Map<string, ReadonlySet<string>>();
  readonly #stars = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #speaking = new Map<string, boolean>();

  constructor(files: readonly SliceFile[], sources: Sources) {
    this.#files = new Map(files.map((each) => [each.file, each]));
    this.#sources = sources;
  }

  moduleOf(file: string): SourceModule | undefined {
    return this.#visited.get(file)?.outline.module;
  }

  /** Works off what waits: each statement, each name that is asked for and each export comes up once. */
  run(): void {
    for (;;) {
      const next = this.#following.pop();
      const need = next === undefined ? this.#needs.pop() : undefined;
      const [fresh] = next === undefined && need === undefined ? this.#fresh : [];
      if (next !== undefined) this.#follow(next.file, next.visited, next.unit);
      else if (need !== undefined) this.#meet(need);
      else if (fresh !== undefined) this.#pass(...fresh);
      else return;
    }
  }

  /** @param isReached whether something decides for it, or it for something, without a name */
  visit(file: string, isReached = false): Visited | undefined {
    const known = this.#visited.get(file);
    const about = this.#files.get(file);
    if (known !== undefined || about === undefined || this.#visited.has(file)) {
      if (known !== undefined && isReached) this.#taintAll(file, known);
      return known;
    }
    const module = this.#sources.load(file);
    const visited = module && this.#visitedOf(file, outlineOf(module));
    this.#visited.set(file, visited);
    if (visited === undefined) return undefined;
    for (const other of about.ambient) this.visit(other, true);
    const { units } = visited.outline;
    const seeds = about.isCandidate ? units.filter(({ text }) => this.#sources.isSuspicious(text)) : [];
    for (const unit of seeds) this.#taint(file, visited, unit);
    if (isReached || (about.isCandidate && seeds.length === 0)) this.#taintAll(file, visited);
    // What was found before it was looked at.
    for (const from of visited.taken.keys()) this.#take(file, visited, from, this.#visited.get(from)?.exported ?? nothing);
    return visited;
  }

  #visitedOf(file: string, outline: Outline): Visited {
    const { module, imports, units, unitAt } = outline;
    const taken = new Map<string, Taken>();
    const from = (specifier: string): Taken => {
      const target = this.#sources.resolve(file, specifier) ?? '';
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
    for (const unit of units) for (const specifier of unit.specifiers) from(specifier).units.push(unit);
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

  #taintAll(file: string, visited: Visited): void {
    if (visited.tainted.size === visited.outline.units.length) return;
    for (const unit of visited.outline.units) this.#taint(file, visited, unit);
  }

  #taint(file: string, visited: Visited, unit: Unit): void {
    if (visited.tainted.has(unit)) return;
    visited.tainted.add(unit);
    this.#following.push({ file, visited, unit });
  }

  /** A name of a file that stands for something tainted: what mentions it is tainted, too. */
  #taintName(file: string, visited: Visited, name: string): void {
    if (visited.names.has(name)) return;
    visited.names.add(name);
    for (const exported of visited.exportedAs.get(name) ?? []) this.#export(file, visited, exported);
    for (const unit of visited.outline.mentioning.get(name) ?? []) this.#taint(file, visited, unit);
  }

  #export(file: string, { exported }: Visited, name: string): void {
    if (exported.has(name)) return;
    exported.add(name);
    const fresh = this.#fresh.get(file);
    if (fresh === undefined) this.#fresh.set(file, new Set([name]));
    else fresh.add(name);
  }

  /** Tells the importers of a file what has turned out to be tainted. */
  #pass(file: string, names: ReadonlySet<string>): void {
    this.#fresh.delete(file);
    for (const importer of this.#files.get(file)?.importers ?? []) {
      const visited = this.#visited.get(importer);
      if (visited !== undefined) this.#take(importer, visited, file, names);
      else if (!this.#visited.has(importer) && mayName(this.#sources.text(importer), names)) this.visit(importer);
    }
  }

  /** What a file takes from another of what has turned out to be tainted there. */
  #take(file: string, visited: Visited, from: string, names: ReadonlySet<string>): void {
    const taken = visited.taken.get(from);
    if (taken === undefined || names.size === 0) return;
    for (const unit of taken.units) this.#taint(file, visited, unit);
    for (const local of meant(taken.names, names)) this.#taintName(file, visited, local);
    for (const exported of meant(taken.exported, names)) this.#export(file, visited, exported);
    if (taken.isPassedOn) for (const name of names) this.#export(file, visited, name);
  }

  #need(file: string, visited: Visited, unit: Unit): void {
    if (visited.needed.has(unit) || visited.tainted.has(unit)) return;
    if (this.#sources.isSuspicious(unit.text) || this.#sources.holdsPart(unit.text)) return this.#taint(file, visited, unit);
    visited.needed.add(unit);
    this.#following.push({ file, visited, unit });
  }

  /** What a statement is made of; what it writes to is tainted as it is itself. */
  #follow(file: string, visited: Visited, unit: Unit): void {
    const { declaring, imports } = visited.outline;
    if (visited.tainted.has(unit)) {
      for (const name of unit.names) this.#taintName(file, visited, name);
      for (const name of visited.exportedAs.get(unit) ?? []) this.#export(file, visited, name);
    }
    for (const specifier of unit.specifiers) this.#ask(file, specifier, { name: '*', by: unit, isWritten: false });
    for (const name of unit.mentions) {
      const imported = imports.get(name);
      const isWritten = visited.tainted.has(unit) && isNamed(name) && unit.written().has(name);
      if (isWritten) this.#taintName(file, visited, name);
      for (const each of declaring.get(name) ?? []) this.#need(file, visited, each);
      if (imported !== undefined) this.#ask(file, imported.specifier, { name: imported.name, by: unit, isWritten });
    }
  }

  #ask(from: string, specifier: string, need: Omit<Need, 'file'>): void {
    const file = this.#sources.resolve(from, specifier);
    if (file === undefined || !this.#files.has(file)) return;
    const key = `${file}\0${need.name}\0${need.isWritten}`;
    // What is meant by all of a file hangs on who asks; files that re-export each other ask in circles.
    const asked = need.name === '*' ? (this.#askedBy.get(need.by) ?? new Set<string>()) : this.#asked;
    if (asked.has(key)) return;
    asked.add(key);
    if (need.name === '*') this.#askedBy.set(need.by, asked);
    this.#needs.push({ ...need, file });
  }

  #meet({ file, name, by, isWritten }: Need): void {
    const visited = this.visit(file);
    if (visited === undefined) return;
    const { module, declaring, imports } = visited.outline;
    const isClient = isWritten || this.#speaksHttp(module);
    for (const unit of this.#meant(visited, name, by)) {
      if (isClient) this.#taint(file, visited, unit);
      else this.#need(file, visited, unit);
    }
    const target = module.exports.get(name);
    if (target === undefined) {
      // Only the file that has the name is needed.
      const stars = name === '*' ? module.stars : (this.#starsOf(file, module).get(name) ?? []);
      for (const star of stars) this.#ask(file, star, { name, by, isWritten });
    } else if ('specifier' in target) this.#ask(file, target.specifier, { name: target.name, by, isWritten });
    else if ('reference' in target && !declaring.has(target.reference.name)) {
      const imported = imports.get(target.reference.name);
      if (imported !== undefined) this.#ask(file, imported.specifier, { name: imported.name, by, isWritten });
    }
    for (const importer of this.#writersOf(file).get(name) ?? []) if (!this.#visited.has(importer)) this.visit(importer, true);
  }

  /** What a file passes on as a whole, by the words that stand in it. */
  #starsOf(file: string, { stars }: SourceModule): ReadonlyMap<string, readonly string[]> {
    const known = this.#stars.get(file);
    if (known !== undefined) return known;
    const byWord = new Map<string, string[]>();
    for (const star of new Set(stars)) {
      const further = this.#sources.resolve(file, star);
      if (further === undefined || !this.#files.has(further)) continue;
      for (const word of wordsIn(this.#sources.text(further))) push(byWord, word, star);
    }
    this.#stars.set(file, byWord);
    return byWord;
  }

  #speaksHttp({ file, text }: SourceModule): boolean {
    const known = this.#speaking.get(file) ?? this.#sources.speaksHttp(text);
    this.#speaking.set(file, known);
    return known;
  }

  #writersOf(file: string): ReadonlyMap<string, readonly string[]> {
    const known = this.#writers.get(file);
    if (known !== undefined) return known;
    const writers = new Map<string, string[]>();
    for (const importer of this.#files.get(file)?.importers ?? []) {
      if (this.#visited.has(importer)) continue;
      const names = this.#writtenBy.get(importer) ?? writtenIn(this.#sources.text(importer));
      this.#writtenBy.set(importer, names);
      for (const name of names) if (isNamed(name)) push(writers, name, importer);
    }
    this.#writers.set(file, writers);
    return writers;
  }

  /** The statements that an exported name stands for. */
  #meant({ outline: { module, declaring, units, unitAt } }: Visited, name: string, by: Unit): readonly Unit[] {
    const target = module.exports.get(name);
    if (target === undefined) {
      // All of it, or what is exported in a way of its own: what the other side has words for, if it has any.
      const named = name === '*' && module.whole === undefined ? [...by.words()].flatMap((each) => declaring.get(each) ?? []) : [];
      return named.length > 0 ? [...new Set(named)] : units;
    }
    if ('specifier' in target) return [];
    if ('node' in target) return [unitAt(target.node.start)].filter((unit) => unit !== undefined);
    return declaring.get('declared' in target ? target.declared.name : target.reference.name) ?? [];
  }
}

/** Whether a file may name any of the exports: by their names, or all at once. */
const mayName = (text: string, names: ReadonlySet<string>): boolean =>
  names.has('default') || names.has('*') || /\*\s*(?:as|from)\b|\brequire\b|\bimport\s*\(/.test(text) || mentionsAny(text, names);

const nothing: ReadonlySet<string> = new Set();

/** What stands for one of the names, looked for from the side that has fewer. */
function meant(taken: ReadonlyMap<string, readonly string[]>, names: ReadonlySet<string>): string[] {
  if (names.has('*')) return [...taken.values()].flat();
  const found = taken.size < names.size ? [...taken.keys()].filter((name) => names.has(name)) : [...names];
  return [...found, '*'].flatMap((name) => taken.get(name) ?? []);
}

/** What is no name in the text of whoever imports it. */
const isNamed = (name: string): boolean => name !== '*' && name !== 'default' && name !== '';

function push<Key>(lists: Map<Key, string[]>, key: Key, item: string): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}
