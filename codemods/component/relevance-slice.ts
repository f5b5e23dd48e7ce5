/**
 * Which files of an island have to be looked at. What is suspicious flows through names: into what mentions them, and out of what
 * they are made of. A file that mentions none of these names can neither carry what would be edited nor use it.
 */
import type { SourceModule } from '../evaluate/module.ts';
import { type Outline, outlineOf, type Unit } from './outline.ts';

export interface SliceFile {
  readonly file: string;
  readonly isCandidate: boolean;
  /** The files of the island that import it. */
  readonly importers: readonly string[];
  /** Files of the island that it decides for or that decide for it without an import. */
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
  isTelling(text: string): boolean;
  /** Whether it may make clients or requests: whoever uses these has to be seen. */
  speaksHttp(text: string): boolean;
}

/** @returns the files that matter, parsed, in the given order */
export function slice(files: readonly SliceFile[], sources: Sources): SourceModule[] {
  const slicer = new Slicer(files, sources);
  for (const { file, isCandidate } of files) if (isCandidate || sources.isTelling(sources.text(file))) slicer.visit(file);
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
  readonly #waiting = new Set<string>();
  readonly #needs: Need[] = [];
  readonly #asked = new Set<string>();
  readonly #askedBy = new Map<Unit, Set<string>>();
  readonly #following: { readonly file: string; readonly visited: Visited; readonly unit: Unit }[] = [];

  constructor(files: readonly SliceFile[], sources: Sources) {
    this.#files = new Map(files.map((each) => [each.file, each]));
    this.#sources = sources;
  }

  moduleOf(file: string): SourceModule | undefined {
    return this.#visited.get(file)?.outline.module;
  }

  /** Works off what waits; each file again whenever something that it names turns out to be tainted. */
  run(): void {
    for (;;) {
      const next = this.#following.pop();
      const need = next === undefined ? this.#needs.pop() : undefined;
      const [file] = next === undefined && need === undefined ? this.#waiting : [];
      if (next !== undefined) this.#follow(next.file, next.visited, next.unit);
      else if (need !== undefined) this.#meet(need);
      else if (file !== undefined) this.#spread(file);
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
    const visited = module && {
      outline: outlineOf(module),
      tainted: new Set<Unit>(),
      needed: new Set<Unit>(),
      names: new Set<string>(),
      exported: new Set<string>(),
    };
    this.#visited.set(file, visited);
    if (visited === undefined) return undefined;
    this.#waiting.add(file);
    for (const other of about.ambient) this.visit(other, true);
    const { units } = visited.outline;
    const seeds = about.isCandidate ? units.filter(({ text }) => this.#sources.isSuspicious(text)) : [];
    for (const unit of seeds) this.#taint(file, visited, unit);
    if (isReached || (about.isCandidate && seeds.length === 0)) this.#taintAll(file, visited);
    return visited;
  }

  #taintAll(file: string, visited: Visited): void {
    for (const unit of visited.outline.units) this.#taint(file, visited, unit);
  }

  /** Within a file until nothing more is tainted, then to those that import it. */
  #spread(file: string): void {
    this.#waiting.delete(file);
    const visited = this.#visited.get(file);
    if (visited === undefined) return;
    const { outline, tainted, names } = visited;
    for (let before = -1; before !== tainted.size + names.size;) {
      before = tainted.size + names.size;
      for (const [local, { specifier, name }] of outline.imports) if (this.#isTainted(file, specifier, name)) names.add(local);
      for (const unit of outline.units) {
        const mentions = [...unit.words].some((each) => names.has(each));
        if (mentions || unit.specifiers.some((specifier) => this.#isTainted(file, specifier, '*'))) this.#taint(file, visited, unit);
      }
    }
    const fresh = this.#exportsOf(file, visited).filter((name) => !visited.exported.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) visited.exported.add(name);
    for (const importer of this.#files.get(file)?.importers ?? []) this.#offer(importer, fresh);
  }

  #isTainted(from: string, specifier: string, name: string): boolean {
    const target = this.#sources.resolve(from, specifier);
    const exported = target === undefined ? undefined : this.#visited.get(target)?.exported;
    if (exported === undefined || exported.size === 0) return false;
    return name === '*' || exported.has('*') || exported.has(name);
  }

  #exportsOf(file: string, { outline, tainted, names }: Visited): string[] {
    const { module, unitAt } = outline;
    const found = [...module.exports].flatMap(([name, target]): string[] => {
      if ('node' in target) return isIn(tainted, unitAt(target.node.start)) ? [name] : [];
      if ('specifier' in target) return this.#isTainted(file, target.specifier, target.name) ? [name] : [];
      return names.has('declared' in target ? target.declared.name : target.reference.name) ? [name] : [];
    });
    for (const star of module.stars) {
      const target = this.#sources.resolve(file, star);
      found.push(...((target === undefined ? undefined : this.#visited.get(target)?.exported) ?? []));
    }
    if (module.whole !== undefined && isIn(tainted, unitAt(module.whole.start))) found.push('*');
    return found;
  }

  /** A file that may name what has turned out to be tainted. */
  #offer(importer: string, names: readonly string[]): void {
    if (this.#visited.has(importer)) this.#waiting.add(importer);
    else if (names.includes('default') || names.includes('*') || namesAny(this.#sources.text(importer), names)) this.visit(importer);
  }

  #taint(file: string, visited: Visited, unit: Unit): void {
    if (visited.tainted.has(unit)) return;
    visited.tainted.add(unit);
    for (const name of unit.names) visited.names.add(name);
    this.#waiting.add(file);
    this.#following.push({ file, visited, unit });
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
    for (const specifier of unit.specifiers) this.#ask(file, specifier, { name: '*', by: unit, isWritten: false });
    for (const name of unit.words) {
      const imported = imports.get(name);
      if (imported === undefined && !declaring.has(name)) continue;
      const isWritten = visited.tainted.has(unit) && writes(unit.text, name);
      if (isWritten) visited.names.add(name);
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
    const isClient = isWritten || this.#sources.speaksHttp(module.text);
    for (const unit of this.#meant(visited, name, by)) {
      if (isClient) this.#taint(file, visited, unit);
      else this.#need(file, visited, unit);
    }
    const target = module.exports.get(name);
    if (target === undefined) {
      // Only the file that has the name is needed.
      for (const star of module.stars) {
        const further = this.#sources.resolve(file, star);
        const hasIt = further !== undefined && this.#files.has(further) && (name === '*' || this.#sources.text(further).includes(name));
        if (hasIt) this.#ask(file, star, { name, by, isWritten });
      }
    } else if ('specifier' in target) this.#ask(file, target.specifier, { name: target.name, by, isWritten });
    else if ('reference' in target && !declaring.has(target.reference.name)) {
      const imported = imports.get(target.reference.name);
      if (imported !== undefined) this.#ask(file, imported.specifier, { name: imported.name, by, isWritten });
    }
    for (const importer of this.#files.get(file)?.importers ?? []) {
      if (!this.#visited.has(importer) && writes(this.#sources.text(importer), name)) this.visit(importer, true);
    }
  }

  /** The statements that an exported name stands for. */
  #meant({ outline: { module, declaring, units, unitAt } }: Visited, name: string, by: Unit): readonly Unit[] {
    const target = module.exports.get(name);
    if (target === undefined) {
      // All of it, or what is exported in a way of its own: what the other side has words for, if it has any.
      const named = name === '*' && module.whole === undefined ? units.filter((unit) => unit.names.some((each) => by.words.has(each))) : [];
      return named.length > 0 ? named : units;
    }
    if ('specifier' in target) return [];
    if ('node' in target) return [unitAt(target.node.start)].filter((unit) => unit !== undefined);
    return declaring.get('declared' in target ? target.declared.name : target.reference.name) ?? [];
  }
}

const isIn = (units: ReadonlySet<Unit>, unit: Unit | undefined): boolean => unit !== undefined && units.has(unit);

/** Whether a file may name any of the exports: by their names, or all at once. */
function namesAny(text: string, names: readonly string[]): boolean {
  return /\*\s*(?:as|from)\b|\brequire\b|\bimport\s*\(/.test(text) || names.some((name) => text.includes(name));
}

/** Whether something is written into what a name stands for: `name.a = b`, `Object.assign(name, …)`, `name.set(…)`. */
function writes(text: string, name: string): boolean {
  if (name === '*' || name === 'default' || name === '') return false;
  // Place by place: a pattern with the name in it would look at every character, and names are many.
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (holdsAt(noPart, text, at) && holdsAt(written, text, end)) return true;
    if (holdsAt(assignedTo, text, at) && !holdsAt(letter, text, end)) return true;
  }
  return false;
}

const noPart = /(?<![\w$.])/y;
const letter = /[\w$]/y;
const written = /\s*(?:\??\.\s*\w+|\[[^\]\n]*\])*\s*(?:[+|&?]{0,2}=(?![=>])|\.\s*(?:set|append|push|use|delete)\s*\()/y;
const assignedTo = /(?<=\bassign\s*\(\s*)/y;

function holdsAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
