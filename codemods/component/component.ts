/** Reads, parses and analyses one component. Everything in and out is data, so that it can be done in any thread. */
import { mayHoldOldTypes } from '../escape/answers/old-types.ts';
import { resolve as pathOf } from 'node:path';
import { ApplyError } from '../edit/errors.ts';
import { failureOf } from '../edit/failure.ts';
import { keyOfEdits, splice } from '../edit/splice.ts';
import { decode } from '../edit/write.ts';
import { type Versions, versionOf } from '../edit/version.ts';
import { readFileSync } from 'node:fs';
import { SyntaxFault } from '../engines/engine.ts';
import type { Engines } from '../engines/choose.ts';
import { type FileKind, isDataFile } from '../find/kinds.ts';
import { setsStandIn } from '../clients/testing/stand-in-servers.ts';
import type { InGroup } from '../find/modules/ambient.ts';
import type { ImpliedImport } from '../find/modules/auto-imports.ts';
import { systemCode } from '../find/errors.ts';
import { entriesIn } from '../find/modules/entries.ts';
import { asLatin1, escaped, literalsOf } from '../find/words/literals.ts';
import { namesOf } from '../find/modules/open-imports.ts';
import { type Resolve } from '../find/modules/resolver.ts';
import { type Bases, needlesOf } from '../verdict/bases/routes.ts';
import type { Far } from '../evaluate/budget.ts';
import { type ParsedFile, parsedFile, type SourceModule } from '../evaluate/module.ts';
import { asCopied } from './candidates/example-values.ts';
import { unreadOfAmd, withoutAmd } from './relevance/amd.ts';
import { withExports, withImports } from './relevance/implied-imports.ts';
import type { Asker, World } from '../evaluate/program.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { namesPutIn } from '../evaluate/libraries/provided.ts';
import { variantsOf } from '../find/modules/variants.ts';
import type { Edit, Finding } from '../model.ts';
import { positionsOf } from '../syntax/position.ts';
import { workingOn } from '../working-on.ts';
import { memo, memoOf } from '../once.ts';
import { outlineOf } from './relevance/outline.ts';
import { analyse, type ComponentPlan } from './analyse.ts';
import { inLooks, type Look } from './looks.ts';
import { type Near, type Slice, slice, sliceFurther } from './relevance/relevance-slice.ts';
import type { Sources } from './relevance/sources.ts';
import { clientRules } from '../clients/registry.ts';
import { isAdvisable, mayBeAdvised, mayHoldAdvice } from '../escape/advice.ts';
import { mayWait } from '../escape/limits/waits-by-code.ts';
import { editedStatements } from './texts/edited-statements.ts';
import { mayBreak } from './texts/kept-syntax.ts';
import type { ScriptIn, Source } from './texts/script-reader.ts';

export interface ComponentFile {
  /** Relative to the working directory, with `/`. */
  readonly file: string;
  readonly kind: FileKind;
  readonly isCandidate: boolean;
  /** Whether it is not to be looked into, as it was minified or is too large. */
  readonly isUnread: boolean;
  /** Whether it is read as any other and must not be edited, nor is anything else told of it than that: a generator makes it. */
  readonly isGenerated?: boolean;
  /** The files of the component that import it. */
  readonly importers: readonly string[];
  /** Where files of the component decide for others without an import. */
  readonly ambient: readonly InGroup[];
  /** What its framework imports by itself. */
  readonly implied: readonly ImpliedImport[];
  /** Whether it stands in for something where tests run, and nowhere else. */
  readonly isFake?: boolean;
  /** Whether it is data that people copy to a file which nobody has here: who imports that has what it says of our service. */
  readonly isExample?: boolean;
  /** Whether what it exports may be loaded by a name that only the program knows, as something is. */
  readonly mayBeLoaded?: boolean;
  /** Whether it is a program in whose process no other file of the project runs. */
  readonly runsAlone?: boolean;
  /** Whether its declarations are those of other files, too. */
  readonly isShared?: boolean;
  /** If it is a server that stands in for the service: the files that ask it where the whole application is tested. Of a test, the programs that it starts. */
  readonly standsFor: readonly string[];
  /** The variables that they have its address from. */
  readonly addressedBy?: readonly string[];
  /** The files that it has a package load by their folder. */
  readonly loads?: readonly string[];
  /** Packages that may ask our service, and run with its mocks in files that are not read. */
  readonly askers?: readonly Asker[];
  /** Which code blocks of a document. */
  readonly parts?: readonly number[];
}

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

/** What reads files: loaded before, as it is large. */
export interface Readers {
  readonly engines: Engines;
  readonly scriptIn: ScriptIn;
}

/** What is the same for all components. */
export interface Asked {
  readonly cwd: string;
  readonly bases: Bases;
  /** Whether calls are to say how they were proven; by default they do. */
  readonly proofs?: boolean | undefined;
}

/** What bases have texts searched for: the same for all components of a run. */
const soughtFor = memoOf((bases: Bases) => {
  const needles = needlesOf(bases);
  return { needles, literals: literalsOf(needles) };
});

/** @throws only where the tool itself is wrong: what a file does is reported as a failure */
export function analyseComponent(
  { cwd, bases, proofs }: Asked,
  files: readonly ComponentFile[],
  resolve: Resolve,
  { engines, scriptIn }: Readers,
): ComponentResult {
  const failures = new Map<string, Finding>();
  const unread = new Set<string>();
  const unreadBlocks = new Map<string, readonly number[]>();
  const about = new Map(files.map((each) => [each.file, each]));
  const { needles, literals } = soughtFor(bases);
  const isNear = (text: string): boolean => needles.length === 0 || literals.holdsNeedle(text);
  /** Most are looked at before they are parsed. */
  const texts = memo((file) => textOf(cwd, file));
  /** A base of ours, or a path, a version or the name of a header without an address: what an example has is so in its copies. */
  const isOfCopies = (text: string): boolean =>
    isNear(asLatin1(text)) || ofService.test(text) || (!text.includes('://') && literals.holdsAny(asLatin1(text)));
  const isAdvised = memo((file) => about.has(file) && mayHoldAdvice(texts(file).text));
  const sources: Sources = {
    load(file) {
      workingOn(file, 'read');
      const {
        kind = 'script',
        parts,
        isCandidate,
        isUnread,
        isGenerated,
        implied = [],
        isShared,
        isFake,
        isExample,
      } = about.get(file) ?? {};
      if (isUnread === true) {
        unread.add(file);
        return undefined;
      }
      const isKept = isExample === true ? isOfCopies : undefined;
      const program = programOf({ file, kind, text: texts(file).text, parts }, { engines, scriptIn });
      const leftOut = parts?.filter((part) => program?.includes(part) === false) ?? [];
      if (leftOut.length > 0) unreadBlocks.set(file, leftOut);
      const read = readModule(texts(file), { file, kind, parts: program, implied, isShared, isKept }, { engines, scriptIn });
      if (kind === 'script' && callsInTexts(texts(file).text)) unread.add(file);
      if (
        (kind === 'markup' || (kind === 'markdown' && parts === undefined)) &&
        scriptIn({ file, kind, text: texts(file).text }).isCut === true
      )
        unread.add(file);
      if (!('code' in read)) {
        if (unreadOfAmd(read.tree, read.text).some((each) => resolve(file, each) !== undefined)) unread.add(file);
        return outlineOf({ ...read, isFake });
      }
      // A code block need not be a whole program, and what JSON holds is reported with its own file.
      const isShown = parts !== undefined || kind === 'markdown';
      if (isCandidate === true && isGenerated !== true && !isShown && !isDataFile.test(file)) failures.set(file, read);
      if (parts !== undefined) unreadBlocks.set(file, parts);
      // Scripts of a workflow, and of a page, are texts again where one of them cannot be read.
      else if (kind === 'yaml' || isShown) unreadBlocks.set(file, scriptIn({ file, kind, text: texts(file).text }).parts ?? []);
      if (parts === undefined) unread.add(file);
      return undefined;
    },
    text: (file) => texts(file).text,
    resolve,
    named: (file, specifiers) => specifiers.flatMap((each) => namesOf(file, each, about.keys())),
    insteadOf: (file) => variantsOf(file, about.keys(), variants),
    isSuspicious: (text) => literals.holdsAny(text),
    isNear,
    holdsPart: (text) => literals.holdsPart(text),
    isReportable: (text) => setsStandIn(text) || mayHoldOldTypes(text),
    isAdvisable,
    mayBeReported: mayBeAdvised,
    mayBeReportedIn: (file) => about.has(file) && (isAdvised(file) || mayWait(texts(file).text)),
    speaksHttp: (text) => http.test(text),
    namesPutIn: (modules, asked) => namesPutIn(clientRules, modules, asked),
  };
  const isEntry = entriesIn(cwd, resolve);
  const candidates = new Set(
    files
      .filter(({ file, isCandidate, isGenerated }) => isCandidate && isGenerated !== true && !isDataFile.test(file))
      .map(({ file }) => file),
  );
  const isCandidate = (file: string): boolean => candidates.has(file);
  const isGenerated = (file: string): boolean => about.get(file)?.isGenerated === true;
  const analysed = ({ modules: sliced, isFollowed, near, isWhole, looked }: Slice): Look => {
    const modules = new Map(sliced.map((module) => [module.file, module]));
    const world: World = {
      modules,
      resolve(from, specifier) {
        const target = resolve(from.file, specifier);
        return target === undefined ? undefined : modules.get(target);
      },
      mapped: (from, specifier) => resolve.mapped?.(from.file, specifier) ?? specifier,
      reached(from, specifier) {
        const file = resolve(from, specifier);
        return file === undefined ? undefined : { file, text: texts(file).text };
      },
      isEntry,
      mayBeLoaded: ({ file }) => about.get(file)?.mayBeLoaded === true,
      runsAlone: ({ file }) => about.get(file)?.runsAlone === true,
      askers: ({ file }) => about.get(file)?.askers ?? [],
      addressedBy: ({ file }) => about.get(file)?.addressedBy ?? [],
      loads: ({ file }) => about.get(file)?.loads?.flatMap((each) => modules.get(each) ?? []) ?? [],
      standsFor: ({ file }) => about.get(file)?.standsFor.flatMap((each) => modules.get(each) ?? []) ?? [],
    };
    const isBaseNear = needles.length === 0 || sliced.some(({ text }) => isNear(text));
    const unseen = unseenIn(files, [...unread]);
    const far = needles.length === 0 ? undefined : farFrom(near, sliced);
    return {
      modules,
      plan: analyse(world, bases, { isCandidate, isAdvised, isFollowed, isGenerated, unseen, isBaseNear, far }, proofs),
      isWhole,
      looked,
    };
  };
  const { modules, plan } = inLooks(analysed(slice(files, sources)), (further) => {
    const own = sliceFurther(files, sources, further);
    return own && analysed(own);
  });
  return {
    ...plan,
    failures: [...failures.values()],
    unread: [...unread],
    unreadBlocks: [...unreadBlocks].flatMap(([file, blocks]) => blocks.map((block) => ({ file, block }))),
    parsed: modules.size,
    versions: versionsOf(modules, plan),
    // Documents are not proven to parse: what stands in them need not be whole programs.
    checked: checkedOf(files[0]?.parts === undefined ? plan.edits : [], modules, (module, own) => {
      const { file, text } = module;
      const { kind = 'script' } = about.get(file) ?? {};
      if (kind === 'script' && mayBreak(module, own).length === 0) return;
      // Of what is not code as a whole, what is code depends on all of it.
      for (const part of (kind === 'script' ? editedStatements(module, own) : undefined) ?? [splice(text, own)]) {
        const { path, script, value } = scriptIn({ file, kind, text: part });
        if (value === undefined) engines.check(path, script);
        else value();
      }
    }),
  };
}

/** A version, before a path or alone, and v2's header: what a run before has moved is ours, too. */
const ofService = /^\/?v[12](?:\/|$)|^authorization$/i;

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

const { variants, callsInTexts } = combined(clientRules);
const clients = clientRules.filter(({ isForTests }) => isForTests !== true);
const anyOf = (names: readonly string[]): string => names.map(escaped).join('|');

/** The names of all that makes clients and requests; `${` is a template. */
const http = new RegExp(
  [
    `['"\`](?:node:)?(?:${anyOf(clients.flatMap(({ modules }) => modules ?? []))})['"\`/]`,
    `(?<![\\w$])(?:${anyOf(clients.flatMap(({ globals, types }) => [...(globals ?? []), ...(types ?? [])]))})(?![\\w$]|(?<=\\$)\\{)`,
  ].join('|'),
);

/** A file as it was read. */
interface FileText {
  /** As far as it can be read: what it may use counts even so. */
  readonly text: string;
  readonly failure?: Finding;
}

function textOf(cwd: string, file: string): FileText {
  let bytes: Buffer;
  try {
    bytes = readFileSync(pathOf(cwd, file));
  } catch (error) {
    const failure: Finding = { code: 'unreadable', file, start: 0, end: 0, line: 1, column: 1, detail: { reason: systemCode(error) } };
    return { text: '', failure };
  }
  try {
    return { text: decode(bytes) };
  } catch (error) {
    if (!(error instanceof ApplyError)) throw error;
    return { text: bytes.toString(), failure: failureOf(file, error) };
  }
}

function readModule(
  { text, failure }: FileText,
  {
    file,
    kind,
    parts,
    implied,
    isShared = false,
    isKept,
  }: Omit<Source, 'text'> & Pick<ComponentFile, 'implied' | 'isShared'> & { readonly isKept: ((text: string) => boolean) | undefined },
  { engines, scriptIn }: Readers,
): ParsedFile | Finding {
  if (failure !== undefined) return failure;
  try {
    const source = { file, kind, text, parts };
    const { path: dialect, script, value } = scriptIn(source);
    const written = value?.() ?? withoutAmd(engines.parse(dialect, script).tree, script);
    const tree = isKept === undefined ? written : asCopied(written, isKept);
    const whole = isShared ? withExports(tree) : tree;
    return parsedFile(file, text, implied.length === 0 ? whole : withImports(whole, implied));
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const { message: reason, at } = error;
    return { code: 'syntax', file, start: at, end: at, ...positionsOf(text)(at), detail: { reason } };
  }
}

/** The code blocks without those that are none of a program: cut short, or made up. One alone is found to be so where it is read. */
const programOf = ({ parts, ...source }: Source, { engines, scriptIn }: Readers): Source['parts'] =>
  parts?.filter((part) => {
    if (parts.length === 1) return true;
    try {
      const { path, script } = scriptIn({ ...source, parts: [part] });
      engines.check(path, script);
      return true;
    } catch (error) {
      if (error instanceof SyntaxFault) return false;
      throw error;
    }
  });
