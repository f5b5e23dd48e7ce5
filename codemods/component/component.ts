/** Reads, parses and analyses one component. Everything in and out is data, so that it can be done in any thread. */
import { keyOfEdits, splice } from '../edit/splice.ts';
import { type Versions, versionOf } from '../edit/version.ts';
import { SyntaxFault } from '../engines/engine.ts';
import type { Far } from '../evaluate/budget.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { World } from '../evaluate/program.ts';
import type { FileKind } from '../find/kinds.ts';
import { entriesIn } from '../find/modules/entries.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Edit, Finding } from '../model.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { analyse, type ComponentPlan } from './analyse.ts';
import { type ComponentFile, isEditable } from './component-file.ts';
import { soughtFor, sourcesOf } from './component-sources.ts';
import { FileReader, type Readers } from './file-reader.ts';
import { inLooks, type Look } from './looks.ts';
import { type Near, type Slice, slice, sliceFurther } from './relevance/relevance-slice.ts';
import { editedStatements } from './texts/edited-statements.ts';
import { mayBreak } from './texts/kept-syntax.ts';

export interface ComponentResult extends ComponentPlan {
  readonly failures: readonly Finding[];
  /** Files that may use anything of what they import, as nobody could read them. */
  readonly unread: readonly string[];
  /** Code blocks of documents that are no program together, by their numbers. */
  readonly unreadBlocks: readonly { readonly file: string; readonly block: number }[];
  readonly parsed: number;
  /** Of the files that its edits and findings stand in. */
  readonly versions: Versions;
  /** Files that parse with their edits, by the key of these. */
  readonly checked: ReadonlyMap<string, string>;
}

/** What is the same for all components. */
export interface Asked {
  readonly cwd: string;
  readonly bases: Bases;
  /** Whether calls are to say how they were proven; by default they do. */
  readonly proofs?: boolean | undefined;
}

/** @throws only where the tool itself is wrong: what a file does is reported as a failure */
export function analyseComponent(
  { cwd, bases, proofs }: Asked,
  files: readonly ComponentFile[],
  resolve: Resolve,
  readers: Readers,
): ComponentResult {
  const sought = soughtFor(bases);
  const reader = new FileReader(cwd, files, resolve, readers, sought.isOfCopies);
  const sources = sourcesOf(reader, resolve, sought);
  const isEntry = entriesIn(cwd, resolve);
  const candidates = new Set(files.filter(isEditable).map(({ file }) => file));
  const isCandidate = (file: string): boolean => candidates.has(file);
  const isGenerated = (file: string): boolean => reader.about.get(file)?.isGenerated === true;
  const analysed = ({ modules: sliced, isFollowed, near, isWhole, looked }: Slice): Look => {
    const modules = new Map(sliced.map((module) => [module.file, module]));
    const world = { ...worldOf(modules, reader, resolve), isEntry };
    const isBaseNear = !sought.hasBases || sliced.some(({ text }) => sought.isNear(text));
    const unseen = unseenIn(files, [...reader.unread]);
    const far = sought.hasBases ? farFrom(near, sliced) : undefined;
    const around = { isCandidate, isAdvised: reader.isAdvised, isFollowed, isGenerated, unseen, isBaseNear, far };
    return { modules, plan: analyse(world, bases, around, proofs), isWhole, looked };
  };
  const { modules, plan } = inLooks(analysed(slice(files, sources)), (further) => {
    const own = sliceFurther(files, sources, further);
    return own && analysed(own);
  });
  // Documents are not proven to parse: what stands in them need not be whole programs.
  const isProven = files[0]?.parts === undefined;
  return {
    ...plan,
    failures: [...reader.failures.values()],
    unread: [...reader.unread],
    unreadBlocks: [...reader.unreadBlocks].flatMap(([file, blocks]) => blocks.map((block) => ({ file, block }))),
    parsed: modules.size,
    versions: versionsOf(modules, plan),
    checked: checkedOf(isProven ? plan.edits : [], modules, (module, own) =>
      check(module, own, reader.about.get(module.file)?.kind, readers),
    ),
  };
}

function worldOf(modules: ReadonlyMap<string, SourceModule>, reader: FileReader, resolve: Resolve): World {
  const modulesOf = (files: readonly string[]): readonly SourceModule[] => files.flatMap((each) => modules.get(each) ?? []);
  return {
    modules,
    resolve(from, specifier) {
      const target = resolve(from.file, specifier);
      return target === undefined ? undefined : modules.get(target);
    },
    mapped: (from, specifier) => resolve.mapped?.(from.file, specifier) ?? specifier,
    reached(from, specifier) {
      const file = resolve(from, specifier);
      return file === undefined ? undefined : { file, text: reader.text(file) };
    },
    mayBeLoaded: ({ file }) => reader.about.get(file)?.mayBeLoaded === true,
    runsAlone: ({ file }) => reader.about.get(file)?.runsAlone === true,
    askers: ({ file }) => reader.about.get(file)?.askers ?? [],
    addressedBy: ({ file }) => reader.about.get(file)?.addressedBy ?? [],
    loads: ({ file }) => modulesOf(reader.about.get(file)?.loads ?? []),
    standsFor: ({ file }) => modulesOf(reader.about.get(file)?.standsFor ?? []),
  };
}

/** What is read, and not near a base. */
function farFrom({ has, characters, beside, closest }: Near, modules: readonly SourceModule[]): Far {
  const others = modules.reduce((sum, { text }) => sum + text.length, -characters - beside);
  return {
    beside,
    characters: Math.max(0, others),
    has: ({ node, module }) => !has(module.file, node.start),
    closest: closest.map((own) => ({
      characters: modules.reduce((sum, { file, text }) => (own.has(file) ? sum + text.length : sum), 0),
      has: (file) => own.has(file),
    })),
  };
}

/** The files that what could not be read may use, each with one that may: all that it imports, and what these import. */
function unseenIn(files: readonly ComponentFile[], unread: readonly string[]): ReadonlyMap<string, string> {
  const reached = new Map(unread.map((file) => [file, file]));
  if (unread.length === 0) return reached;
  const imported = Map.groupBy(
    files.flatMap(({ file, importers }) => importers.map((importer) => ({ file, importer }))),
    ({ importer }) => importer,
  );
  // A map that grows while it is walked: new members come up later.
  for (const [from, by] of reached) for (const { file } of imported.get(from) ?? []) if (!reached.has(file)) reached.set(file, by);
  return reached;
}

function versionsOf(modules: ReadonlyMap<string, SourceModule>, { edits, findings }: ComponentPlan): Versions {
  const named = new Set([...edits, ...findings].map(({ file }) => file));
  return new Map([...modules].flatMap(([file, { text }]) => (named.has(file) ? [[file, versionOf(text)] as const] : [])));
}

/** Where the texts are at hand; whatever does not parse, or is edited otherwise in the end, is looked at once more. */
function checkedOf(
  edits: readonly Edit[],
  modules: ReadonlyMap<string, SourceModule>,
  check: (module: SourceModule, own: readonly Edit[]) => void,
): ComponentResult['checked'] {
  const checked = new Map<string, string>();
  for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
    const module = modules.get(file);
    if (module === undefined) continue;
    try {
      check(module, own);
      checked.set(file, keyOfEdits(own));
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
    }
  }
  return checked;
}

/** @throws where a file does not parse with its edits */
function check(module: SourceModule, edits: readonly Edit[], kind: FileKind = 'script', { engines, scriptIn }: Readers): void {
  const { file, text } = module;
  if (kind === 'script' && mayBreak(module, edits).length === 0) return;
  // Of what is not code as a whole, what is code depends on all of it.
  for (const part of (kind === 'script' ? editedStatements(module, edits) : undefined) ?? [splice(text, edits)]) {
    const { path, script, value } = scriptIn({ file, kind, text: part });
    if (value === undefined) engines.check(path, script);
    else value();
  }
}
