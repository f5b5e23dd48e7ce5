/** The files beside the code: their texts, and what reads them. */
import { readFileSync } from 'node:fs';
import { basename, resolve as pathOf } from 'node:path';
import { ApplyError } from '../edit/errors.ts';
import { failureOf } from '../edit/failure.ts';
import { decode } from '../edit/write.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { ReadFile, TextFile } from '../formats/reader.ts';
import { codeSettingsIn } from '../formats/code-settings.ts';
import { packageFolders } from '../find/packages/package-folders.ts';
import { isChartHelper, isChartTemplate } from '../find/files/charts.ts';
import { isCompose } from '../find/files/compose.ts';
import { type Scan, withNames } from '../find/scan.ts';
import type { UnreadBlocks } from './analyse-texts.ts';
import { variablesOfEndpoints } from '../verdict/bases/composed-of-variables.ts';
import type { variablesOfOthers } from './variable-owners.ts';
import type { Walk } from '../find/walk.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import type { Finding } from '../model.ts';
import { type IsMadeHere, madeImages } from './made-images.ts';
import { setWhateverIsBuilt } from './set-for-builds.ts';
import { withOtherPrograms } from './other-programs.ts';
import { type IsHere, scriptsHere } from './scripts-here.ts';
import { unreadable } from './skipped-files.ts';

/** What is known of a run before any script is parsed. */
export interface Surroundings {
  readonly found: Scan;
  /** The bases with the variables that files prove to hold one. */
  readonly named: Bases;
  readonly texts: readonly TextFile[];
  /** Files beside the code that could not be read. */
  readonly faults: readonly Finding[];
  readonly isMadeHere: IsMadeHere;
  readonly isHere: IsHere;
  /** Looks at all of them; `env` is what the code proves, too. */
  analyseTexts(bases: Bases, told: ReadonlySet<string>, unread: UnreadBlocks): readonly TextPlan[];
  /** The same with all files that read more variables. */
  watching(names: readonly string[]): Promise<Surroundings>;
}

/** What .env files and configuration say of variables counts for the code: files that read these variables are analysed, too. */
export async function readSurroundings(
  first: Scan,
  { cwd, files, names }: Pick<Walk, 'cwd' | 'files' | 'names'>,
  bases: Bases,
): Promise<Surroundings> {
  const settings = first.settings.flatMap(({ path, kind }) => fileAt(cwd, path, kind));
  const known = new Map<string, ReadFile>();
  const isMadeHere = madeImages(files, (file) => first.texts.utf8(file));
  const isHere = scriptsHere({ cwd, names });
  const read = await readAround(first, known, { cwd, bases, settings, isMadeHere, isHere });
  const { provenEnvs: proven, setTo, setToV1, setToV2, setToStandIn, setToPaths, setForOthers } = read;
  // Whose each is says who reads it.
  const doubtful = read.doubtfulEnvs();
  const ofEndpoints = variablesOfEndpoints(read, bases);
  const more = [...proven, ...doubtful, ...ofEndpoints, ...setToV2].filter((name) => !bases.env.has(name));
  const named = {
    ...bases,
    env: new Set([...bases.env, ...proven]),
    setTo,
    setToV1,
    setToV2,
    setToStandIn,
    setToPaths,
    setForOthers,
    files: filesOfSettings(first),
  };
  const found = withNames(first, cwd, more.map(nameInFiles));
  const whole = found === first ? read : await readAround(found, known, { cwd, bases: named, settings, isMadeHere, isHere });
  // What the user named is ours whoever has it.
  const variablesOfOthers = whole.variablesOfOthers(
    new Set([...proven, ...doubtful, ...ofEndpoints].filter((name) => !bases.env.has(name))),
    packageFolders(files),
  );
  const isOfOthers = (file: string, name: string): boolean => variablesOfOthers.get(name)?.has(file) === true;
  const env = doubtful.size === 0 ? named.env : new Set([...named.env, ...whole.provenWith(isOfOthers)]);
  const envByFiles = new Set([...env].filter((name) => !bases.env.has(name)));
  return {
    ...whole.surroundings,
    named: { ...named, env, envByFiles, setForBuilds: setWhateverIsBuilt(whole.setForBuilds, files, first), variablesOfOthers },
  };
}

/** What a file calls a variable of a justfile that is read as one with others. */
const nameInFiles = (name: string): string => name.replace(/^just\..*\./, '');

/** What programs may read by its name. */
const filesOfSettings = ({ candidates }: Scan): ReadonlySet<string> =>
  new Set(
    candidates.flatMap(({ path, kind, hits }) =>
      kind !== 'script' && kind !== 'markdown' && hits.needles.length > 0 ? basename(path) : [],
    ),
  );

/** What files say of variables. */
interface Proven {
  readonly provenEnvs: ReadonlySet<string>;
  /** The same, once it is known what is set for programs of others. */
  provenWith(isOfOthers: NonNullable<Bases['isOfOthers']>): ReadonlySet<string>;
  doubtfulEnvs(): ReadonlySet<string>;
  readonly setTo: NonNullable<Bases['setTo']>;
  readonly setToV1: ReadonlySet<string>;
  readonly setToV2: ReadonlySet<string>;
  readonly setForBuilds: ReadonlyMap<string, ReadonlySet<string>>;
  readonly setToStandIn: ReadonlyMap<string, ReadonlySet<string>>;
  readonly setToPaths: ReadonlyMap<string, ReadonlySet<string>>;
  readonly setForOthers: NonNullable<Bases['setForOthers']>;
  variablesOfOthers(
    names: ReadonlySet<string>,
    packageOf: (place: { readonly file: string }) => string,
  ): NonNullable<Bases['variablesOfOthers']>;
}

interface Known {
  readonly cwd: string;
  readonly bases: Bases;
  /** Files that only say what variables are set to. */
  readonly settings: readonly TextFile[];
  readonly isMadeHere: IsMadeHere;
  readonly isHere: IsHere;
}

/** @param known files that were read already, each once */
async function readAround(
  found: Scan,
  known: Map<string, ReadFile>,
  about: Known,
): Promise<{ readonly surroundings: Surroundings } & Proven> {
  const { cwd, bases, settings } = about;
  const { texts, faults } = textsIn(found, cwd);
  const files = [...texts, ...settings];
  const isSetting = new Set(settings.map(({ file }) => file));
  const loaded = await loadedFor(files);
  const isAmongOthers = (kind: TextFile['kind']): boolean => files.some((text) => text.kind === kind);
  for (const file of loaded.readFiles(
    files.filter((each) => !known.has(each.file)),
    [...texts, ...(['shell', 'bruno', 'yaml', 'other'] as const).flatMap((kind) => (isAmongOthers(kind) ? openOf(kind, found, cwd) : []))],
  ))
    // What is read for what it sets alone need not be whole.
    known.set(file.source.file, isSetting.has(file.source.file) ? { ...file, reading: { ...file.reading, fault: undefined } } : file);
  const read = withOtherPrograms(
    files.flatMap(({ file }) => known.get(file) ?? []),
    about.isMadeHere,
    about.isHere,
    bases.allowed,
  );
  return {
    surroundings: {
      found,
      named: bases,
      texts,
      faults,
      isMadeHere: about.isMadeHere,
      isHere: about.isHere,
      analyseTexts: (all, told, unread) => loaded.analyseTexts(read, all, told, unread),
      async watching(names) {
        const wider = { ...about, bases: { ...this.named, watched: new Set(names) } };
        return (await readAround(withNames(found, cwd, names), known, wider)).surroundings;
      },
    },
    provenEnvs: loaded.provenEnvs(read, bases),
    provenWith: (isOfOthers) => loaded.provenEnvs(read, { ...bases, isOfOthers }),
    doubtfulEnvs: () => loaded.doubtfulEnvs(read, bases),
    setTo: loaded.setTo(read, bases),
    setToV1: loaded.setToV1(read),
    setToV2: loaded.setToV2(read, bases),
    setForBuilds: loaded.setForBuilds(read, bases),
    setToStandIn: loaded.setToStandIn(read, bases),
    setToPaths: loaded.setToPaths(read, bases),
    setForOthers: new Map(
      read.map(({ source: { file }, reading: { settings } }) => [
        file,
        new Set(settings.flatMap(({ isOfOthers, requests }) => (isOfOthers === true ? requests.map(({ call }) => call.start) : []))),
      ]),
    ),
    variablesOfOthers: (names, packageOf) => loaded.variablesOfOthers(names, read, found, packageOf, bases),
  };
}

interface Loaded {
  readFiles(files: readonly TextFile[], others: readonly TextFile[]): readonly ReadFile[];
  provenEnvs(files: readonly ReadFile[], bases: Bases): ReadonlySet<string>;
  doubtfulEnvs(files: readonly ReadFile[], bases: Bases): ReadonlySet<string>;
  setTo(files: readonly ReadFile[], bases: Bases): NonNullable<Bases['setTo']>;
  setToV1(files: readonly ReadFile[]): ReadonlySet<string>;
  setToV2(files: readonly ReadFile[], bases: Bases): ReadonlySet<string>;
  setForBuilds(files: readonly ReadFile[], bases: Bases): ReadonlyMap<string, ReadonlySet<string>>;
  setToStandIn(files: readonly ReadFile[], bases: Bases): ReadonlyMap<string, ReadonlySet<string>>;
  setToPaths(files: readonly ReadFile[], bases: Bases): ReadonlyMap<string, ReadonlySet<string>>;
  variablesOfOthers: typeof variablesOfOthers;
  analyseTexts(files: readonly ReadFile[], bases: Bases, told: ReadonlySet<string>, unread: UnreadBlocks): readonly TextPlan[];
}

const none = (): ReadonlySet<string> => new Set();
const noValues = (): ReadonlyMap<string, ReadonlySet<string>> => new Map();
const nothing: Loaded = {
  readFiles: () => [],
  provenEnvs: none,
  doubtfulEnvs: none,
  setTo: () => new Map(),
  setToV1: none,
  setToV2: none,
  setForBuilds: noValues,
  setToStandIn: noValues,
  setToPaths: noValues,
  variablesOfOthers: () => new Map(),
  analyseTexts: () => [],
};

/** Loads the parsers of all these formats only where there is something for them. */
async function loadedFor(files: readonly TextFile[]): Promise<Loaded> {
  return files.length === 0 ? nothing : import('./analyse-texts.ts');
}

interface Texts {
  readonly texts: readonly TextFile[];
  readonly faults: readonly Finding[];
}

/** The files beside the code that hold something, and code that sets variables. */
export function textsIn({ candidates }: Pick<Scan, 'candidates'>, cwd: string): Texts {
  const read = candidates
    // Of code, only what it may set a variable to.
    .filter(({ kind, skipReason, hits }) => skipReason === undefined && kind !== 'nginx' && (kind !== 'script' || hits.needles.length > 0))
    .map(({ path, kind }) => ({ file: path, kind, text: textOf(cwd, path) }))
    .filter(({ file, kind, text }) => kind !== 'script' || (typeof text === 'string' && codeSettingsIn(file, text).length > 0));
  return {
    texts: read.flatMap(({ text, ...about }) => (typeof text === 'string' ? { ...about, text } : [])),
    faults: read.flatMap(({ text }) => (typeof text === 'string' ? [] : text)),
  };
}

/** Files that hold nothing that is looked for: scripts of the shell may call functions of others, requests of a collection have its key. */
function openOf(wanted: 'shell' | 'bruno' | 'yaml' | 'other', { open, candidates }: Scan, cwd: string): TextFile[] {
  const held = new Set(candidates.map(({ path }) => path));
  if (wanted === 'yaml')
    return [...open, ...candidates].flatMap(({ path, kind }) =>
      (kind === 'yaml' && !held.has(path) && (isChartTemplate(path) || isCompose(path))) || isChartHelper(path)
        ? fileAt(cwd, path, wanted)
        : [],
    );
  const isWanted = (kind: Scan['open'][number]['kind']): boolean => kind === wanted || (wanted === 'shell' && kind === 'bare');
  return open.flatMap(({ path, kind }) => (isWanted(kind) && !held.has(path) ? fileAt(cwd, path, wanted) : []));
}

/** One that cannot be read says nothing. */
function fileAt(cwd: string, path: string, kind: TextFile['kind']): TextFile[] {
  const text = textOf(cwd, path);
  return typeof text === 'string' ? [{ file: path, kind, text }] : [];
}

/** @returns the finding where a file cannot be read */
export function textOf(cwd: string, path: string): string | Finding {
  try {
    return decode(readFileSync(pathOf(cwd, path)));
  } catch (error) {
    return error instanceof ApplyError ? failureOf(path, error) : unreadable({ path, reason: String(error) });
  }
}
