/** Reads the files of a walk once and finds, without parsing, which of them can matter. */
import { basename } from 'node:path';
import { setsVariables } from './words/code-settings.ts';
import { copyOf } from './packages/examples.ts';
import { isOfNodeConfig } from './modules/node-config-files.ts';
import { lookInto } from './files/content.ts';
import { systemCode } from './errors.ts';
import { pageCode } from './modules/document-pages.ts';
import { importsIn, loadsAny, type NamedImports } from './modules/imports.ts';
import { startsServices } from './files/compose.ts';
import { isChartHelper, isChartTemplate, isValues } from './files/charts.ts';
import { type FileKind, kindOfText, readsVariables, isCopied, isTerraform } from './kinds.ts';
import { type Hits, type Literals, literalsOf } from './words/literals.ts';
import { isReadAside, namedInComments, skippedByText } from './files/skipped.ts';
import { openedBy } from './modules/open-imports.ts';
import { Texts } from './files/texts.ts';
import type { Fault, FoundFile, Walk } from './walk.ts';

export interface Scan {
  /** Files that hold a literal, sorted by path. */
  readonly candidates: readonly Suspect[];
  /** What each script and component imports, if anything: specifiers as they are written. */
  readonly specifiers: ReadonlyMap<string, readonly string[]>;
  /** The same with what is written before each. */
  readonly imports: ReadonlyMap<string, NamedImports>;
  /** Scripts, components and JSON files that can be imported: what `resolve` may find. */
  readonly modules: ReadonlySet<string>;
  /** Modules that hold part of a path (`/messages`, `v1`), candidates or not. */
  readonly parts: ReadonlySet<string>;
  /** Modules that make a client, headers, or what may keep a client for others: all who ask by these send what any of them puts there. */
  readonly makers: ReadonlySet<string>;
  /** Modules that name the machine itself or what nobody has, candidates or not: helpers of tests, which have servers there. */
  readonly servers: ReadonlySet<string>;
  /** Whether some script loads others by names which only the program knows. */
  readonly loadsAny: boolean;
  /** Files that put something of their own in the place of what sends every request, and speak of Authorization. */
  readonly patchers: readonly string[];
  /** `.env` files, settings of a page, addresses in Terraform and in what gives parameters to templates, and code that sets variables that hold none, and while no base is known such as set one: what they set a variable to counts all the same. */
  readonly settings: readonly Pick<Suspect, 'path' | 'kind'>[];
  /** Files that hold none, but may read variables of the environment. */
  readonly open: readonly FoundFile[];
  /** Files without an extension whose first line says that they are programs in other languages. */
  readonly programs: readonly string[];
  /** Scripts and markup among the candidates that are not parsed, though the program runs them as they are. */
  readonly unread: readonly string[];
  /** … and those of them that are read all the same, and never edited, as a generator makes them: imported, and by what they import. */
  readonly generated: ReadonlySet<string>;
  readonly faults: readonly Fault[];
  /** Of all files, these and others. */
  readonly texts: Texts;
}

/** A file that holds a literal. */
export interface Suspect {
  readonly path: string;
  readonly kind: FileKind;
  readonly hits: Hits;
  /** Set where it is to be reported as this, and not analysed. */
  readonly skipReason?: { readonly code: 'generated' | 'unreadable' | 'too-large'; readonly reason: string };
  /** Whether it is set aside, and read all the same where others import it, or it imports them. */
  readonly isReadAside?: boolean;
  /** Whether it is set aside, and has nothing of v1 but the header's name in comments: what a generator was told of. */
  readonly isSaid?: boolean;
}

const importable: ReadonlySet<FileKind> = new Set(['script', 'markup', 'json', 'markdown']);
/** Of these a program may parse one that it names; most are for other programs. */
const nameable: ReadonlySet<FileKind> = new Set(['yaml', 'toml']);

/** … by a part of its name. */
const isOpenData = /\*.*\.(?:ya?ml|toml)$/;

/** `globalThis.fetch = …`, fetch-intercept, undici's dispatcher for all, `XMLHttpRequest.prototype.send = …`, `https.request = …`, a service worker's `fetch`. */
const patching =
  /\b(?:globalThis|window|self|global)\.fetch\s*=(?![=>])|['"]fetch-intercept['"]|\bsetGlobalDispatcher\(|\bXMLHttpRequest\.prototype\.\w+\s*=(?!=)|\bhttps?\.request\s*=(?!=)|\baddEventListener\(\s*['"]fetch['"]/;
/** A deployment by SAM or CloudFormation. */
const givesParameters = /\bparameter[-_]overrides\b/;
const isDeclaration = /\.d\.[cm]?ts$/;

/** Files between two times that it is said how far this is. */
const pace = 100;

/**
 * Scans the files of a walk.
 * @param needles hosts of configured bases, and names of environment variables that hold one
 * @param onFiles called now and then with how many files were looked into
 */
export function scan({ cwd, files }: Pick<Walk, 'cwd' | 'files'>, needles: readonly string[], onFiles?: (done: number) => void): Scan {
  const literals = literalsOf(needles);
  const found = new Found(new Texts(cwd), literals, needles.length > 0);
  for (const [index, file] of files.entries()) {
    if (index % pace === 0) onFiles?.(index);
    try {
      const looked = look(cwd, file, literals, found.texts);
      if (looked !== undefined) found.add(file, looked);
    } catch (error) {
      found.faults.push({ path: file.path, reason: systemCode(error) });
    }
  }
  const specifiers = new Map(Array.from(found.imports, ([file, named]) => [file, [...named.keys()]] as const));
  found.addNamed(specifiers);
  return { ...found, specifiers };
}

/** What was found so far. */
class Found implements Omit<Scan, 'specifiers'> {
  readonly candidates: Suspect[] = [];
  readonly imports = new Map<string, NamedImports>();
  readonly modules = new Set<string>();
  readonly parts = new Set<string>();
  readonly makers = new Set<string>();
  readonly servers = new Set<string>();
  loadsAny = false;
  readonly patchers: string[] = [];
  readonly settings: Pick<Suspect, 'path' | 'kind'>[] = [];
  readonly open: FoundFile[] = [];
  readonly programs: string[] = [];
  readonly unread: string[] = [];
  readonly generated = new Set<string>();
  readonly faults: Fault[] = [];
  readonly texts: Texts;
  readonly #data: string[] = [];
  readonly #literals: Literals;
  readonly #knowsBase: boolean;

  constructor(texts: Texts, literals: Literals, knowsBase: boolean) {
    this.texts = texts;
    this.#literals = literals;
    this.#knowsBase = knowsBase;
  }

  add(file: FoundFile, { kind, text, suspect }: Looked): void {
    const { path, aside } = file;
    if (file.kind === 'bare' && kind === 'other' && aside === undefined) this.programs.push(path);
    if (isCode.has(kind) && text.includes('uthorization') && patching.test(text)) this.patchers.push(path);
    if (suspect !== undefined) this.candidates.push(suspect);
    else if (aside === undefined) this.#addOpen(file, kind, text);
    if (nameable.has(kind) && aside === undefined && suspect?.skipReason === undefined) this.#data.push(path);
    if (!importable.has(kind) || aside !== undefined || (isCopied(path) && kind !== 'json')) return;
    const code = kind === 'markdown' ? pageCode(path, text) : text;
    if (code === undefined) return;
    if (!isDeclaration.test(path)) this.#addModule(path, kind, code, suspect);
    // Types decide nothing: those that speak of v1 are reported, and lead nowhere.
    else if (suspect !== undefined) this.modules.add(path);
  }

  /** Of the data those that code names, whole or by a part of the name. */
  addNamed(specifiers: Scan['specifiers']): void {
    if (this.#data.length === 0) return;
    const named = new Set([...specifiers.values()].flat().flatMap((name) => /[\w.-]+\.(?:ya?ml|toml)$/.exec(name) ?? []));
    const isConfigured = [...specifiers.values()].some((names) => names.includes('config'));
    const isNamed = (file: string): boolean =>
      named.has(basename(file)) || named.has(basename(copyOf(file) ?? '')) || (isConfigured && isOfNodeConfig(file));
    for (const file of this.#data.filter(isNamed)) this.modules.add(file);
    for (const [file, names] of specifiers)
      for (const name of names.filter((each) => isOpenData.test(each)))
        for (const each of openedBy(file, name, this.#data)) this.modules.add(each);
  }

  /** What says nothing of v1, and may set a variable, or read one. */
  #addOpen(file: FoundFile, kind: FileKind, text: string): void {
    const { path } = file;
    const setsOwn = isCode.has(kind) && setsVariables.test(text);
    const isTemplate = isChartHelper(path) || (kind === 'yaml' && isChartTemplate(path));
    const isDeployment = isTerraform(path) || isTemplate || isValues(path) || givesParameters.test(text);
    const isSetting = kind === 'env' || setsOwn || (isDeployment && text.includes('://')) || (!this.#knowsBase && setsBase(kind, text));
    if (isSetting) this.settings.push({ path, kind });
    // A script may read others beside.
    if (isTerraform(path) || isTemplate || ((setsOwn || !isSetting) && mayReadVariables(kind, text))) this.open.push(file);
  }

  #addModule(path: string, kind: FileKind, code: string, suspect: Suspect | undefined): void {
    const isJson = kind === 'json';
    const named = isJson ? undefined : importsIn(code);
    this.loadsAny ||= !isJson && loadsAny(code);
    // Of what is not looked into, it still counts what it imports.
    if (named !== undefined && named.size > 0) this.imports.set(path, named);
    if (suspect?.skipReason !== undefined) {
      if (!isJson) this.unread.push(path);
      if (!suspect.isReadAside) return;
      this.generated.add(path);
    }
    this.modules.add(path);
    if (this.#literals.holdsPart(code)) this.parts.add(path);
    if (making.test(code) || keeping.test(code)) this.makers.add(path);
    if (this.#literals.namesMachine(code)) this.servers.add(path);
  }
}

/** `axios.create({ … })`, `got.extend({ … })`, `request.defaults({ … })`, `superagent.agent()`; or headers that all may be given, whatever holds them. */
const making = /\.\s*(?:create|extend|defaults|agent)\s*\(|\bheaders\b|['"]?\b(?:accept|content-type|user-agent)\b['"]?\s*:/i;

/** `export const Context = createContext(null)`, `const clients = new Map()`, `let current`: a client may be put there by one file, and taken out by another. */
const keeping =
  /^export\s+default\s+(?:new\s+\w+|\w*[cC]reate\w*)\s*[(<]|^(?:export\s+)?(?:let\s|(?:const|var)\s+\w+\s*(?::[^=\n]+)?=\s*(?:new\s+\w+|Symbol|\w*[cC]reate\w*)\s*[(<])/m;

/** Programs name the environment that they read from; scripts and requests only the variable, which data sets, too: to a version alone. */
const mayReadVariables = (kind: FileKind, text: string): boolean =>
  readsVariables.has(kind) ||
  (isCode.has(kind) && /env|onfig|etting|getInput/.test(text)) ||
  (isData.has(kind) && (/\$[{(\w]|\{\{|(?<![\w.])v1(?![\w.])/.test(text) || startsServices(text)));

/** `API = "https://api.example.com/v1"` of `wrangler.toml`, of Compose and the like. */
const setsBase = (kind: FileKind, text: string): boolean => isData.has(kind) && /https?:\/\/[\w.:/-]+\/v1\/?["'\s]/.test(text);

const isCode: ReadonlySet<FileKind> = new Set(['script', 'markup']);
const isData: ReadonlySet<FileKind> = new Set(['json', 'yaml', 'toml']);

/**
 * A scan as if more had been looked for.
 * @param names variables that files of the scan prove to hold a base
 */
export function withNames(found: Scan, cwd: string, names: readonly string[]): Scan {
  if (names.length === 0) return found;
  const { candidates, unread, generated } = scan({ cwd, files: found.open }, names);
  // Code with nothing but a header or a path may set one of these, too.
  const known = found.candidates.map((suspect): Suspect => {
    const { path, kind, hits, skipReason } = suspect;
    if (kind !== 'script' || hits.needles.length > 0 || skipReason !== undefined) return suspect;
    const text = found.texts.latin1(path);
    return { ...suspect, hits: { ...hits, needles: names.filter((name) => text.includes(name)) } };
  });
  return {
    ...found,
    candidates: [...known, ...candidates].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    unread: [...found.unread, ...unread],
    generated: new Set([...found.generated, ...generated]),
  };
}

interface Looked {
  readonly kind: FileKind;
  readonly text: string;
  readonly suspect: Suspect | undefined;
}

/** @returns undefined where it turns out to be no file for us */
function look(cwd: string, file: FoundFile, literals: Literals, texts: Texts): Looked | undefined {
  const { text, hits, skipReason } = lookInto(`${cwd}/${file.path}`, literals);
  if (skipReason === undefined) texts.keep(file.path, text);
  const kind = kindOfText(file.kind, text);
  // Without a name that says so, what is no text is a program that was built.
  if (kind === undefined || (file.kind === 'bare' && kind === 'plain' && skipReason !== undefined)) return undefined;
  if (hits === undefined) return { kind, text, suspect: undefined };
  const suspect = { path: file.path, kind, hits };
  // What a build left is set aside as that, whatever it consists of: nobody has to look at a cache.
  if (skipReason !== undefined && file.aside === undefined) {
    const code = skipReason === 'more than 5 MB' ? 'too-large' : 'unreadable';
    return { kind, text, suspect: { ...suspect, skipReason: { code, reason: skipReason } } };
  }
  const reason = file.aside ?? skippedByText(text, kind === 'script');
  if (reason === undefined) return { kind, text, suspect };
  const isRead = kind === 'script' && isReadAside(reason, text);
  const isSaid = !(hits.route || hits.code || hits.needles.length > 0) && namedInComments(text);
  return { kind, text, suspect: { ...suspect, skipReason: { code: 'generated', reason }, isReadAside: isRead, isSaid } };
}
