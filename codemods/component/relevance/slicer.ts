/** The way of the relevance slice through a component: from statement to statement, by the names that these declare and mention. */
import type { SourceModule } from '../../evaluate/module.ts';
import { Receivers } from './receivers.ts';
import { Deciders, type Reached } from './deciders.ts';
import { Far } from './far.ts';
import { isHook, isIdleTest, isNamed, mayName } from './marks.ts';
import { memo } from '../../once.ts';
import { membersTaken } from './members.ts';
import { localsOf, takes, type Unit } from './outline.ts';
import { Pruned } from './pruned.ts';
import { keepersIn, keptIn } from './keepers.ts';
import { Shared } from '../shared.ts';
import { isSet } from './setters.ts';
import type { SliceFile, Sources } from './sources.ts';
import { isWithin, meantBy, type Need, type Place, standingFor, type Visited, visitedOf } from './visited.ts';
import { Stars } from './stars.ts';
import { Writers } from './writers.ts';

export class Slicer {
  readonly #files: Map<string, SliceFile>;
  readonly #receivers: Receivers;
  readonly #sources: Sources;
  readonly #visited = new Map<string, Visited | undefined>();
  readonly #needs: Need[] = [];
  readonly #asked = new Set<string>();
  readonly #askedBy = new Map<Unit, Set<string>>();
  readonly #following: { readonly file: string; readonly visited: Visited; readonly unit: Unit }[] = [];
  /** Exports that have turned out to be tainted, and whose importers were not visited yet. */
  readonly #fresh = new Map<string, Set<string>>();
  readonly #writers: Writers;
  readonly #stars: Stars;
  readonly #shared: Shared;
  /** Statements that take from elsewhere what something is put into. */
  readonly #keeping = new Set<Unit>();
  readonly #taking = new Map<string, (offset: number) => boolean>();
  /** Files that only pass on what is asked for of others. */
  readonly #passing = new Set<string>();
  readonly #pruned: Pruned;
  readonly #deciders: Deciders;
  readonly #isIdleTest: (file: string) => boolean;
  /** What is read where all that may be edited has been found, and what is looked for is only reported; undefined until then. */
  #far: Far | undefined;
  readonly #reportable: ReadonlySet<string>;
  #looked = 0;
  readonly #isEager: boolean;
  /**
   * @param reportable the files that are read in any case
   * @param isEager whether who uses what is needed, and may turn out to be edited, is looked for at once
   */
  constructor(files: readonly SliceFile[], sources: Sources, reportable: ReadonlySet<string>, isEager: boolean) {
    this.#isEager = isEager;
    this.#reportable = reportable;
    this.#files = new Map(files.map((each) => [each.file, each]));
    this.#sources = sources;
    this.#pruned = new Pruned(sources);
    this.#receivers = new Receivers(sources);
    this.#shared = new Shared(sources);
    this.#writers = new Writers(this.#files, sources);
    this.#stars = new Stars(sources);
    this.#deciders = new Deciders(files);
    this.#isIdleTest = memo((file) => !reportable.has(file) && isIdleTest(this.#files.get(file), sources));
  }

  /** A file as far as it matters. */
  moduleOf(file: string): SourceModule | undefined {
    const visited = this.#visited.get(file);
    return visited && this.#pruned.moduleOf(visited);
  }

  /** Whether something of a file is suspicious, uses what is, or is what that is made of, or passes that on. */
  isUsed(file: string): boolean {
    const { tainted, needed } = this.#visited.get(file) ?? {};
    return (tainted?.size ?? 0) + (needed?.size ?? 0) > 0 || this.#passing.has(file);
  }

  /** How long the files are that were looked at. */
  get looked(): number {
    return this.#looked;
  }

  /** How long what matters so far is, and what stands beside it in the files that are followed. */
  lengths(): { readonly characters: number; readonly beside: number } {
    let [characters, beside] = [0, 0];
    for (const visited of this.#visited.values()) {
      if (visited === undefined) continue;
      const { tainted, needed, outline } = visited;
      const own = [...new Set([...tainted, ...needed])].reduce((sum, { start, end }) => sum + end - start, 0);
      characters += own;
      if (tainted.size > 0) beside += outline.module.text.length - own;
    }
    return { characters, beside };
  }

  /** Whether a file speaks of names that others put something under. */
  takes(file: string): boolean {
    return this.#taking.has(file);
  }

  /** The files with statements that were followed so far. */
  followed(): ReadonlySet<string> {
    return new Set(Array.from(this.#visited).flatMap(([file, visited]) => ((visited?.tainted.size ?? 0) > 0 ? file : [])));
  }

  /** @returns whether a place stands in one of the statements that matter until now */
  within(unitsOf: (visited: Visited) => Iterable<Unit>): (file: string, offset: number) => boolean {
    // Only where they stand: the statements themselves would keep all that was read on the way.
    const places = new Map(Array.from(this.#visited, ([file, visited]) => [file, isWithin(visited ? unitsOf(visited) : [])] as const));
    return (file, offset) => places.get(file)?.(offset) === true;
  }

  /** Looks for everybody who may use what stands at a place. */
  follow({ file, start }: Place): void {
    const visited = this.visit(file);
    const unit = visited?.outline.unitAt(start);
    if (visited !== undefined && unit !== undefined) this.#taint(file, visited, unit);
  }

  /** Looks at what a file says of names that others put something under. */
  share(file: string, isTaker: (text: string) => boolean): void {
    const visited = !this.#isIdleTest(file) && isTaker(this.#sources.text(file)) ? this.visit(file) : undefined;
    if (visited === undefined) return;
    const taking = visited.outline.units.filter(({ text }) => isTaker(text));
    this.#taking.set(file, isWithin(taking));
    for (const unit of taking) {
      if (isHook(unit)) this.#taint(file, visited, unit);
      else this.#need(file, visited, unit);
    }
  }

  /** @returns whether a statement speaks of names that others put something under */
  taking(): (file: string, offset: number) => boolean {
    const taking = this.#taking;
    return (file, offset) => taking.get(file)?.(offset) === true;
  }

  /**
   * From here on, what is found is only reported.
   * @param least how long files may be that are read in any case
   */
  goFar(least: number): void {
    this.#far = new Far(this.#files.values(), this.#reportable, this.#sources, least);
    for (const [file, visited] of this.#visited) if (visited !== undefined) this.#seed(file, visited);
    this.runFrom(this.#reportable);
  }

  /** Looks at files, one after the other: what is asked for of one is at hand while it is the last that was parsed. */
  runFrom(files: Iterable<string>, most = Infinity): void {
    for (const file of files) {
      this.visit(file);
      this.run(most);
    }
    this.run(most);
  }

  /**
   * Works off what waits: each statement, each name that is asked for and each export comes up once.
   * @param most how long the files may be that are looked at
   * @returns whether it came to the end
   */
  run(most = Infinity): boolean {
    while (this.#looked <= most) {
      const next = this.#following.pop();
      // Who asks is what a report is about: there it comes before what that is made of.
      const [fresh] = next === undefined && (this.#far !== undefined || this.#needs.length === 0) ? this.#fresh : [];
      const need = next === undefined && fresh === undefined ? this.#needs.pop() : undefined;
      if (next !== undefined) this.#follow(next.file, next.visited, next.unit);
      else if (need !== undefined) this.#meet(need);
      else if (fresh !== undefined) this.#pass(...fresh);
      else return true;
    }
    return false;
  }

  visit(file: string): Visited | undefined {
    const known = this.#visited.get(file);
    if (known !== undefined || !this.#files.has(file) || this.#visited.has(file)) return known;
    const outline = this.#sources.load(file);
    const visited = outline && visitedOf(outline, this.#sources);
    this.#visited.set(file, visited);
    if (visited === undefined) return undefined;
    const { length } = visited.outline.module.text;
    if (!this.#receivers.has(file)) this.#looked += length;
    this.#far?.read(file, length);
    if (this.#reportable.has(file)) this.#pruned.anyway(visited);
    this.#seed(file, visited);
    // What was found before it was looked at.
    for (const from of visited.taken.keys()) this.#take(file, visited, from, this.#visited.get(from)?.exported ?? new Set());
    return visited;
  }

  /** Takes along those who decide for a statement without a name, and for whom it decides. */
  #reach({ outline }: Visited, unit: Unit, how: Reached): void {
    for (const { file, unitsOf } of this.#deciders.beside(outline, unit, how)) {
      const visited = this.#decider(file);
      if (visited === undefined) continue;
      for (const other of unitsOf(visited.outline))
        if (how === 'tainted') this.#taint(file, visited, other);
        else this.#need(file, visited, other);
    }
  }

  /** A file that says what others hold, as far as there is room for it where nothing would be edited. */
  #decider(file: string): Visited | undefined {
    return this.#visited.has(file) || this.#far?.mayDecide(file) !== false ? this.visit(file) : undefined;
  }

  /** Taints what is suspicious by itself: near a base first. */
  #seed(file: string, visited: Visited): void {
    if (this.#files.get(file)?.isCandidate !== true) return;
    const { module, units } = visited.outline;
    const isAny = this.#far !== undefined || visited.tainted.size > 0;
    const isSeed = (text: string): boolean => (isAny ? this.#sources.isSuspicious(text) : this.#sources.isNear(text));
    const seeds = units.filter(({ text }) => isSeed(text));
    for (const unit of seeds) this.#taint(file, visited, unit);
    if (seeds.length === 0 && isSeed(module.text)) for (const unit of units) this.#taint(file, visited, unit);
  }

  #taint(file: string, visited: Visited, unit: Unit): void {
    if (visited.tainted.has(unit)) return;
    visited.tainted.add(unit);
    this.#following.push({ file, visited, unit });
    // What is suspicious beside what is near may well be of the same request.
    if (visited.tainted.size === 1) this.#seed(file, visited);
    this.#reach(visited, unit, 'tainted');
  }

  /** A name of a file that stands for something tainted: what mentions it is tainted, too. */
  #taintName(file: string, visited: Visited, name: string): void {
    if (visited.names.has(name)) return;
    visited.names.add(name);
    const isKept = visited.outline.declaring.get(name)?.every((unit) => this.#isKept(file, unit)) ?? false;
    if (!isKept) for (const exported of visited.exportedAs.get(name) ?? []) this.#export(file, visited, exported);
    for (const unit of visited.outline.mentioning(name)) this.#taint(file, visited, unit);
  }

  /** Whether who uses a function need not be seen: far from a base, whoever calls a file that uses what is suspicious has nothing to report. */
  #isKept(file: string, unit: Unit): boolean {
    return (
      this.#far !== undefined && !(isHook(unit) && this.#taking.has(file)) && unit.isCode() && this.#files.get(file)?.isCandidate !== true
    );
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
    // A test may repeat what a file has, or hands on.
    const mayBeRepeated = this.#files.get(file)?.isCandidate === true || this.#visited.get(file)?.tainted.size === 0;
    for (const importer of this.#files.get(file)?.importers ?? []) {
      const visited = this.#visited.get(importer);
      if (visited !== undefined) this.#take(importer, visited, file, names);
      else if (!this.#visited.has(importer) && this.#mayUse(importer, names) && (mayBeRepeated || !this.#isIdleTest(importer)))
        this.visit(importer);
    }
  }

  #mayUse(importer: string, names: ReadonlySet<string>): boolean {
    if (this.#far?.mayUse(importer) === false) return false;
    return mayName(this.#sources.text(importer), names);
  }

  /** What a file takes from another of what has turned out to be tainted there. */
  #take(file: string, visited: Visited, from: string, names: ReadonlySet<string>): void {
    const taken = visited.taken.get(from);
    if (taken === undefined || names.size === 0) return;
    for (const unit of taken.units) this.#taint(file, visited, unit);
    for (const local of standingFor(taken.names, names)) this.#taintName(file, visited, local);
    for (const exported of standingFor(taken.exported, names)) this.#export(file, visited, exported);
    if (taken.isPassedOn) for (const name of names) this.#export(file, visited, name);
  }

  /** @param isKeeping whether something is put there that is followed */
  #need(file: string, visited: Visited, unit: Unit, isKeeping = false): void {
    if (isKeeping) this.#keeping.add(unit);
    for (const each of isKeeping ? keptIn(visited.outline, unit) : []) this.#taint(file, visited, each);
    if (visited.needed.has(unit) || visited.tainted.has(unit)) return;
    if (this.#mayBeEdited(visited, unit)) return this.#taint(file, visited, unit);
    visited.needed.add(unit);
    this.#following.push({ file, visited, unit });
    this.#reach(visited, unit, 'needed');
  }

  #mayBeEdited(visited: Visited, unit: Unit): boolean {
    if (this.#far !== undefined) return this.#sources.isSuspicious(unit.text);
    return isSet(visited.outline, unit) || (this.#isEager && (this.#sources.isSuspicious(unit.text) || this.#shared.has(visited, unit)));
  }

  /** What a statement is made of; what it writes to is tainted as it is itself. */
  #follow(file: string, visited: Visited, unit: Unit): void {
    const { imports, saying } = visited.outline;
    // Far from a base nothing is handed to files of no component.
    if (this.#far === undefined) this.#receivers.follow(visited, unit);
    if (visited.tainted.has(unit)) {
      for (const name of unit.names) this.#taintName(file, visited, name);
      if (!this.#isKept(file, unit)) for (const name of visited.exportedAs.get(unit) ?? []) this.#export(file, visited, name);
    }
    const keepers = this.#far !== undefined ? new Set<string>() : keepersIn(visited, unit, this.#sources.isSuspicious);
    for (const each of this.#sources.named(file, unit.specifiers))
      this.#ask(file, each, { name: '*', by: unit, isWritten: this.#keeping.has(unit) && 'kept' }, unit.names);
    for (const name of [...unit.mentions(), ...unit.injected()]) {
      const imported = imports.get(name);
      const isPut = unit.isLayer || unit.written().has(name);
      const isWritten = (visited.tainted.has(unit) && isNamed(name) && isPut) || (keepers.has(name) && 'kept');
      if (isWritten === true) this.#taintName(file, visited, name);
      for (const each of saying(name)) this.#need(file, visited, each, isWritten === 'kept');
      if (imported === undefined) continue;
      const members = imported.name === '*' ? membersTaken(unit, name, file) : undefined;
      for (const each of members ?? [imported.name]) this.#ask(file, imported.specifier, { name: each, by: unit, isWritten }, [name]);
    }
  }

  /** @param locals what it is called where it is asked for; none where it is only passed on */
  #ask(from: string, specifier: string, need: Omit<Need, 'file'>, locals: readonly string[] = []): void {
    const file = this.#sources.resolve(from, specifier);
    if (file === undefined || !(this.#files.has(file) || this.#isHanded(file, from, locals)) || !this.#mayAnswer(file)) return;
    if (locals.length === 0) this.#passing.add(from);
    const key = `${file}\0${need.name}\0${need.isWritten}`;
    // What is meant by all of a file hangs on who asks; files that re-export each other ask in circles.
    const asked = need.name === '*' ? (this.#askedBy.get(need.by) ?? new Set<string>()) : this.#asked;
    if (asked.has(key)) return;
    asked.add(key);
    if (need.name === '*') this.#askedBy.set(need.by, asked);
    // What another build has in its place is asked for the same.
    for (const each of [file, ...this.#sources.insteadOf(file)]) this.#needs.push({ ...need, file: each });
  }

  /** Takes a file along that is none of the component, where something is handed to what another takes of it. */
  #isHanded(file: string, from: string, locals: readonly string[]): boolean {
    const isTaken = this.#far === undefined && this.#receivers.take(file, { from, by: this.#visited.get(from), locals }, this.#looked);
    if (isTaken) this.#files.set(file, { file, isCandidate: false, importers: [], ambient: [] });
    return isTaken;
  }

  /** The files that were taken along, in order. */
  beside(): readonly string[] {
    return this.#receivers.files();
  }

  /** Whether a file may say where a request goes: all files do where something may be edited. */
  #mayAnswer(file: string): boolean {
    return this.#visited.has(file) || this.#far?.mayAnswer(file) !== false;
  }

  #meet({ file, name, by, isWritten }: Need): void {
    // Since it was asked for, others may have taken all that there was.
    const visited = this.#mayAnswer(file) ? this.visit(file) : undefined;
    if (visited === undefined) return;
    const named = name === '*' ? this.#namedBy(visited, by) : [];
    for (const each of named.length === 0 ? [name] : named) this.#meetName(visited, { file, name: each, by, isWritten });
  }

  /** What of a file somebody has words for who asks for all of it. */
  #namedBy({ outline: { module, declaring } }: Visited, by: Unit): string[] {
    if (module.whole !== undefined) return [];
    const stars = this.#stars.of(module);
    return [...by.words()].filter((word) => module.exports.has(word) || declaring.has(word) || stars.has(word));
  }

  #meetName(visited: Visited, { file, name, by, isWritten }: Need): void {
    const { module, declaring, imports } = visited.outline;
    for (const unit of meantBy(visited, name)) {
      if (isWritten === true) this.#taint(file, visited, unit);
      else this.#need(file, visited, unit, isWritten === 'kept');
    }
    const target = module.exports.get(name);
    if (target === undefined) {
      // Only the file that has the name is needed.
      const stars = name === '*' ? module.stars : (this.#stars.of(module).get(name) ?? []);
      for (const star of stars) this.#ask(file, star, { name, by, isWritten });
    } else if ('specifier' in target) this.#ask(file, target.specifier, { name: target.name, by, isWritten });
    else if ('reference' in target && !declaring.has(target.reference.name)) {
      const imported = imports.get(target.reference.name);
      if (imported !== undefined) this.#ask(file, imported.specifier, { name: imported.name, by, isWritten });
    }
    for (const importer of this.#writers.of(file).get(name) ?? []) {
      const writer = this.#decider(importer);
      if (writer === undefined) continue;
      const { outline } = writer;
      const isFrom = (specifier: string): boolean => this.#sources.resolve(importer, specifier) === file;
      const isWriting = (unit: Unit, local: string): boolean => unit.written().has(local) && takes(outline, unit, local, isFrom);
      for (const local of localsOf(outline, name))
        for (const unit of outline.units) if (isWriting(unit, local)) this.#taint(importer, writer, unit);
    }
  }
}
