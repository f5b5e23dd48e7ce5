/** A file by its top-level statements: which names each declares and mentions. Words count as mentions, so nothing is missed. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { askedByAmd } from './amd.ts';
import { importedByName } from '../../find/modules/open-imports.ts';
import { requiredByName, specifiersIn } from '../../find/modules/imports.ts';
import { dataFilesIn, layersIn } from '../../find/modules/read-files.ts';
import { memo, once } from '../../once.ts';
import type { ParsedFile } from '../../evaluate/module.ts';
import { link, nodesOfKind, walk } from '../../syntax/link.ts';
import { namesIn, scopesOf } from '../../syntax/scopes.ts';
import { writtenIn, writtenInTree } from './written.ts';
import { constructorOf } from '../../evaluate/classes/class-index.ts';
import type { Node, ProgramNode } from '../../syntax/tree.ts';

/** A statement with the comments and decorators before it. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly node: Node;
  /** The names that it declares. */
  readonly names: readonly string[];
  readonly isImport: boolean;
  /** Whether it declares nothing but functions and classes: what they do to others they do through what they mention. */
  isCode(): boolean;
  /** The names of the file, declared or imported, that it refers to. */
  mentions(): readonly string[];
  /** The names that its parameters are typed with: what is given there may be what these stand for, but nothing is made of them. */
  types(): ReadonlySet<string>;
  /** Of these, what a container gives to the classes that say so by a decorator. */
  injected(): ReadonlySet<string>;
  /** What it requires or imports in the middle of code, or exports from elsewhere. */
  readonly specifiers: readonly string[];
  /** Every word in it. */
  words(): ReadonlySet<string>;
  /** Names that something is written into: see `writtenIn`. */
  written(): ReadonlySet<string>;
  /** Whether settings that it names get there what a file holds: `nconf.file('config.json')`. */
  readonly isLayer: boolean;
}

export interface Outline {
  readonly module: ParsedFile;
  readonly units: readonly Unit[];
  /** The statements that declare a name. */
  readonly declaring: ReadonlyMap<string, readonly Unit[]>;
  /** The statements that declare a name, and in a test those that set it: `let server; beforeAll(async () => { server = await startServer(); });`. */
  saying(name: string): readonly Unit[];
  /** The statements that refer to a name of the file, be it as a type. */
  mentioning(name: string): readonly Unit[];
  /** What a name that is imported stands for. */
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  /** The statement at an offset. */
  unitAt(offset: number): Unit | undefined;
}

export function outlineOf(module: ParsedFile): Outline {
  const { text, tree } = module;
  const imports = new Map<string, { specifier: string; name: string }>();
  const own = new Set<string>();
  const { body } = tree.program;
  for (const node of body) {
    for (const name of declaredIn(node)) own.add(name);
    if (node.kind === 'import')
      for (const { imported, local } of node.specifiers) imports.set(local.name, { specifier: node.source.value, name: imported });
  }
  for (const name of imports.keys()) own.add(name);
  // What stands around the code of a document is prose; around that of a component it is the template, which uses its names.
  const isDocument = /\.mdx?$/.test(module.file);
  const ends = body.map(({ end }, index) => (index === body.length - 1 && !isDocument ? text.length : end));
  for (const [index, end] of ends.entries()) ends[index] = Math.max(end, ends[index - 1] ?? 0);
  const refersTo = isPlain.test(module.file) ? referencesIn : (_: Node, named: readonly string[]) => named;
  const reads = [...dataFilesIn(text), ...requiredByName(text), ...importedByName(text)];
  const layers = layersIn(text).files;
  const units = body.map((node, index) => {
    const place = { start: ends[index - 1] ?? (isDocument ? node.start : 0), end: ends[index] ?? text.length };
    const unit = text.slice(place.start, place.end);
    // Behind or before what is imported a template may stand.
    const code = node.kind === 'import' ? text.slice(place.start, node.start) + text.slice(node.end, place.end) : unit;
    const named = node.kind === 'import' && isPlain.test(module.file) ? [] : mentionsIn(code, own);
    // A path may have a name that stands elsewhere.
    const read = reads.flatMap(({ start, specifier }) => (place.start <= start && start < place.end ? specifier : []));
    const isLayer = layers.some(({ start }) => place.start <= start && start < place.end);
    return {
      ...place,
      ...unitOf(module.file, unit, node, [askedByAmd(node) ?? [], read].flat()),
      isLayer,
      named,
      mentions: once(() => (named.length === 0 ? named : refersTo(node, named))),
    };
  });
  const declaring = unitsBy(units, ({ names }) => names);
  const holding = unitsBy(units, ({ named }) => named);
  const mentioning = (name: string): readonly Unit[] =>
    (holding.get(name) ?? []).filter((unit) => unit.mentions().includes(name) || unit.types().has(name));
  const saying = memo((name: string): readonly Unit[] => {
    const declared = declaring.get(name) ?? [];
    const isSet = isTest(module) && declared.some((unit) => /(?<![\w.$])let\s[^=]*$/.test(unit.text));
    return isSet ? [...declared, ...mentioning(name).filter((unit) => unit.written().has(name))] : declared;
  });
  return { module, units, declaring, saying, mentioning, imports, unitAt: (offset) => units[firstBehind(ends, offset)] };
}

/** What a file may call an exported name of another: by that name, and as it imports it. */
export const localsOf = ({ imports }: Outline, name: string): readonly string[] => [
  name,
  ...Array.from(imports).flatMap(([local, each]) => (each.name === name ? local : [])),
];

/** Whether a name is in a statement what its file takes from another, and not one of its own. */
export function takes({ imports, declaring }: Outline, unit: Unit, name: string, isFrom: (specifier: string) => boolean): boolean {
  const imported = imports.get(name);
  if (imported !== undefined) return unit.mentions().includes(name) && isFrom(imported.specifier);
  return [unit, ...(declaring.get(name) ?? [])].some(({ specifiers }) => specifiers.some(isFrom));
}

function unitsBy<Each>(units: readonly Each[], namesOf: (unit: Each) => readonly string[]): ReadonlyMap<string, readonly Each[]> {
  const found = new Map<string, Each[]>();
  for (const unit of units) {
    for (const name of namesOf(unit)) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [unit]);
      else known.push(unit);
    }
  }
  return found;
}

/** The index of the first end behind an offset, of ends in their order. */
export function firstBehind(ends: readonly number[], offset: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const word = /[A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF]*/g;

/** Files of which the tree holds all names: what a component's template uses is none of its script. */
export const isPlain = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml)$/;

/** Those of the words in a statement that refer to what stands outside of it, or that it declares itself. */
function referencesIn(node: Node, named: readonly string[]): readonly string[] {
  const own = new Set(declaredIn(node));
  const [words, referred, declared] = [new Set(named), new Set<string>(), new Set<string>()];
  walk(node, (each) => {
    if (each.kind === 'name' && words.has(each.name)) referred.add(each.name);
    else if (each.kind === 'patternName' && words.has(each.name)) declared.add(each.name);
  });
  const isEither = (name: string): boolean => !own.has(name) && referred.has(name) && declared.has(name);
  // Only of a name that is declared inside as well is it a question what it stands for.
  const open = named.some(isEither) ? openIn(node) : referred;
  return named.filter((name) => own.has(name) || open.has(name));
}

/** The names in a statement that nothing in it declares where they stand. */
function openIn(node: Node): ReadonlySet<string> {
  const program: ProgramNode = { kind: 'program', body: [node], start: node.start, end: node.end };
  link(program);
  const scopes = scopesOf(program);
  return new Set(nodesOfKind(program, 'name').flatMap((name) => (scopes.bindingOf(name) === undefined ? name.name : [])));
}

function typesIn(node: Node): ReadonlySet<string> {
  const found = new Set<string>();
  walk(node, (each) => {
    if (each.kind === 'param' && each.typeName !== undefined) found.add(each.typeName);
  });
  return found;
}

/** `@injectable() class Contacts { constructor(http: Transport) {} }`: nothing here knows what stands around it. */
function injectedIn(node: Node): ReadonlySet<string> {
  const found = new Set<string>();
  walk(node, (each) => {
    const params = each.kind === 'class' && each.decorators.length > 0 ? (constructorOf(each)?.params ?? []) : [];
    for (const { typeName } of params) if (typeName !== undefined) found.add(typeName);
  });
  return found;
}

const nobody: ReadonlySet<string> = new Set();

/** @param read files of data that it reads, and others that it requires under another name */
function unitOf(file: string, text: string, node: Node, read: readonly string[]): Omit<Unit, 'start' | 'end' | 'mentions' | 'isLayer'> {
  const isImport = node.kind === 'import';
  const words = once(() => (isImport ? new Set<string>() : wordsIn(text)));
  return {
    text,
    node,
    names: declaredIn(node),
    isImport,
    isCode: once(() => isCode(node)),
    types: once(() => typesIn(node)),
    injected: once(() => (text.includes('@') ? injectedIn(node) : nobody)),
    specifiers:
      isImport || !/\b(?:import|require|from|readFile|readFileSync|readJson|readJsonSync|file)\b/.test(text)
        ? read
        : [...specifiersIn(Buffer.from(text).toString('latin1')), ...read],
    words,
    written: once(() => (isPlain.test(file) ? writtenInTree(node, writtenIn(text, file)) : writtenIn(text, file))),
  };
}

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(word));

function mentionsIn(text: string, own: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const each of text.match(word) ?? []) if (own.has(each)) found.add(each);
  return [...found];
}

/** Whether one of the names is a word of a text: few names are looked for before all words are, as most texts hold none of them. */
export function mentionsAny(text: string, names: ReadonlySet<string>): boolean {
  if (names.size <= maxNamesLookedFor && !Array.from(names).some((name) => text.includes(name))) return false;
  for (const [each] of text.matchAll(word)) if (names.has(each)) return true;
  return false;
}

/** Above, it costs more to look for each than to read all words. */
const maxNamesLookedFor = 20;

/** Functions, and classes that hold nothing themselves. */
function isCode(node: Node | undefined): boolean {
  switch (node?.kind) {
    case 'function':
      return true;
    case 'class':
      return !node.members.some(({ role, isStatic }) => role === 'static block' || (isStatic && role === 'field'));
    case 'variable':
      return isCode(node.init);
    case 'exportDeclaration':
      return node.declarations.every(isCode);
    case 'assign':
      return isCode(node.value);
    case 'other':
      return node.what === 'ExpressionStatement' && isCode(node.children[0]);
    default:
      return false;
  }
}

function declaredIn(node: Node): string[] {
  switch (node.kind) {
    case 'variable':
      return namesIn(node.target).map(({ name }) => name);
    case 'function':
    case 'class':
      return node.name === undefined ? [] : [node.name.name];
    case 'enum':
      return [node.name.name];
    case 'exportDeclaration':
      return node.declarations.flatMap(declaredIn);
    default:
      return [];
  }
}
