/**
 * What a test runs, statement by statement: what it names, what that is made of, and so on. A name counts wherever its word stands, also as a type, so that
 * rather too much is run; what no name leads to is not.
 */
import { modifiers, tables } from '../../clients/testing/declared-tests.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { givenFirst, passedOnBy, specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memo } from '../../once.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { namesIn } from '../../syntax/scopes.ts';
import { isTestCall, testAround } from './reached.ts';
import { byStart, type Stretch, Stretches, within, without } from '../changes/stretches.ts';

/**
 * Whether a place is run by the test that another stands in, or by any of the file that has it beside them; `undefined` where others may
 * use it, or not all that they run is read.
 */
export type RunByNames = (test: { readonly call: Node; readonly module: SourceText }) => ((place: Place) => boolean) | undefined;

interface Place {
  readonly node: Node;
  readonly module: SourceText;
}

/** A file by its statements. */
interface Outline {
  /** By each name that they declare or export. */
  readonly declared: ReadonlyMap<string, readonly Stretch[]>;
  /** Those that are run when it is loaded. */
  readonly loaded: readonly Stretch[];
  /** What is imported, by each name that it has here. */
  readonly imported: ReadonlyMap<string, readonly Imported[]>;
  /** The calls that are given a text first, which may lead to a file. */
  readonly given: readonly CallNode[];
  /** The tests, and not what runs before all of them. */
  readonly tests: readonly CallNode[];
}

interface Imported {
  readonly specifier: string;
  readonly name: string;
}

export function runByNames(world: World): RunByNames {
  const outlines = memo(outlineOf);
  /** What is run with any test of a file: hooks, and what its statements do. */
  const besideTests = memo((module: SourceModule): Follow => {
    const { loaded, tests } = outlines(module);
    return new Follow(world, outlines).run(
      module,
      loaded.flatMap((each) => without(each, tests)),
    );
  });
  const runOf = (test: CallNode, module: SourceModule): Follow => {
    const { loaded, tests } = outlines(module);
    const own = test.args.slice(1);
    // Of a test around it what is no other test is run, too.
    const around = testsAround(test).at(-1);
    if (around === undefined) {
      const left = loaded.flatMap((each) => without(each, [...tests, test].toSorted(byStart)));
      return new Follow(world, outlines).run(module, [...left, ...own]);
    }
    const others = [...within(tests, around).filter((each) => !isAround(each, test)), test].toSorted(byStart);
    const left = around === test || !loaded.some((each) => isAround(each, around)) ? [] : without(around, others);
    return new Follow(world, outlines, besideTests(module)).run(module, [...left, ...own]);
  };
  const found = memo((test: CallNode): ((module: SourceModule) => Follow) => memo((module) => runOf(test, module)));
  const ofAllTests = memo((module: SourceModule): Follow | undefined =>
    isClosed(module)
      ? new Follow(world, outlines).run(
          module,
          module.tree.program.body.filter(({ kind }) => kind !== 'import'),
        )
      : undefined,
  );
  return ({ call, module }) => {
    if (!isScript(module)) return undefined;
    const test = testAround(call);
    const run = test === undefined ? ofAllTests(module) : found(test)(module);
    return run === undefined || run.isOpen ? undefined : ({ node, module: of }) => run.has(of, node);
  };
}

/** Whether a file has tests, and nothing that others could use. What has none, others may load for what it puts in place. */
const isClosed = ({ exports, calls }: SourceModule): boolean => exports.size === 0 && calls.some(isTestItself);

class Follow {
  readonly #world: World;
  readonly #outlines: (module: SourceModule) => Outline;
  /** What is run in any case, and was followed already. */
  readonly #base: Follow | undefined;
  readonly #run = new Map<SourceText, Stretches>();
  readonly #waiting: (readonly [SourceModule, Stretch])[] = [];
  /** Names that were asked of files, and files that were asked for whole: they may pass each other on in circles. */
  readonly #asked = new Set<string>();
  #isOpen: boolean;

  constructor(world: World, outlines: (module: SourceModule) => Outline, base?: Follow) {
    this.#world = world;
    this.#outlines = outlines;
    this.#base = base;
    this.#isOpen = base?.isOpen === true;
  }

  /** Whether more may be run than is known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  has(module: SourceText, stretch: Stretch): boolean {
    return this.#run.get(module)?.has(stretch) === true || this.#base?.has(module, stretch) === true;
  }

  /** Follows what stands in some stretches of a file. */
  run(module: SourceModule, stretches: readonly Stretch[]): this {
    this.#run.set(module, new Stretches());
    for (const each of stretches) this.#add(module, each);
    if (this.#base === undefined) for (const specifier of specifiersOf(module)) this.#load(module, specifier);
    for (let next = this.#waiting.pop(); next !== undefined && !this.#isOpen; next = this.#waiting.pop()) this.#follow(...next);
    return this;
  }

  #isLoaded(module: SourceModule): boolean {
    return this.#run.has(module) || (this.#base !== undefined && this.#base.#isLoaded(module));
  }

  /** @returns whether that is asked for the first time */
  #ask(what: string): boolean {
    if (this.#asked.has(what) || (this.#base !== undefined && this.#base.#asked.has(what))) return false;
    this.#asked.add(what);
    return true;
  }

  #add(module: SourceModule, stretch: Stretch): void {
    if (this.#base?.has(module, stretch) === true) return;
    const known = this.#run.get(module) ?? new Stretches();
    this.#run.set(module, known);
    if (known.add(stretch)) this.#waiting.push([module, stretch]);
  }

  /** What is run as soon as a file is imported; of one that is not read, nobody knows. */
  #load(from: SourceModule, specifier: string): SourceModule | undefined {
    const module = this.#world.resolve(from, specifier);
    if (module === undefined) this.#isOpen ||= this.#world.reached?.(from.file, specifier) !== undefined;
    if (module === undefined || this.#isLoaded(module)) return module;
    // What runs without an import is not followed by names.
    this.#isOpen ||= (this.#world.loads?.(module) ?? []).length > 0 || (this.#world.standsFor?.(module) ?? []).length > 0;
    this.#run.set(module, new Stretches());
    for (const each of this.#outlines(module).loaded) this.#add(module, each);
    for (const each of specifiersOf(module)) this.#load(module, each);
    return module;
  }

  #follow(module: SourceModule, stretch: Stretch): void {
    const { declared, imported, given } = this.#outlines(module);
    for (const word of new Set(module.text.slice(stretch.start, stretch.end).match(/[\w$]+/g))) {
      for (const each of declared.get(word) ?? []) this.#add(module, each);
      for (const { specifier, name } of imported.get(word) ?? []) this.#named(module, specifier, name);
    }
    for (const specifier of within(given, stretch).flatMap(givenFirst)) this.#whole(module, specifier);
  }

  #named(from: SourceModule, specifier: string, name: string): void {
    const module = this.#load(from, specifier);
    if (module === undefined || !this.#ask(`${module.file} ${name}`)) return;
    const own = this.#outlines(module).declared.get(name);
    for (const each of own ?? []) this.#add(module, each);
    const passedOn = nodesOfKind(module.tree.program, 'export').filter(({ source }) => source !== undefined);
    const listed = passedOn.flatMap((each) =>
      each.specifiers.filter((one) => (one.exported ?? one.name) === name).map((one) => ({ each, one })),
    );
    for (const { each, one } of listed) if (each.source !== undefined) this.#named(module, each.source.value, one.name);
    if (own !== undefined || listed.length > 0) return;
    // `export * from './services.js'`: whichever of them has it.
    for (const star of module.stars) this.#named(module, star, name);
    if (module.stars.length === 0) this.#whole(from, specifier);
  }

  #whole(from: SourceModule, specifier: string): void {
    const module = this.#load(from, specifier);
    if (module === undefined || !this.#ask(module.file)) return;
    this.#add(module, { start: 0, end: module.text.length });
    for (const passedOn of passedOnBy(module)) this.#whole(module, passedOn);
  }
}

/** The tests that a call stands in, or is, from within. */
function testsAround(call: CallNode): CallNode[] {
  const found: CallNode[] = [];
  for (let at: Node | undefined = call; at !== undefined; at = at.parent) if (at.kind === 'call' && isTestItself(at)) found.push(at);
  return found;
}

/** `it.only`, `test.each(rows)`, and not `test.beforeEach`, which runs before all of them. */
const isNamedAsTest = (callee: Node): boolean =>
  callee.kind === 'member' ? beside.has(callee.property ?? '') : callee.kind === 'call' ? isNamedAsTest(callee.callee) : true;
const beside = new Set([...modifiers, ...tables]);

const isTestItself = (call: CallNode): boolean => isTestCall(call) && isNamedAsTest(call.callee);

const isAround = (one: Stretch, other: Stretch): boolean => one.start <= other.start && other.end <= one.end;

const declaring = /\b(?:function\*?|class|enum|interface|type|namespace|const|let|var)\s+(?:([\w$]+)|(\{[^}]*\}|\[[^\]]*\]))/g;

function outlineOf({ tree: { program }, text, calls }: SourceModule): Outline {
  const declared = new Map<string, Stretch[]>();
  const loaded: Stretch[] = [];
  const declare = (name: string, stretch: Stretch): void => {
    const known = declared.get(name);
    if (known === undefined) declared.set(name, [stretch]);
    else known.push(stretch);
  };
  let at = 0;
  for (const statement of [...program.body, { start: text.length, end: text.length, kind: 'end' } as const]) {
    // What was left out, as nothing near a base mentions it, may still lead from one place to another.
    const between = { start: at, end: statement.start };
    for (const [, name, pattern = ''] of text.slice(between.start, between.end).matchAll(declaring))
      for (const each of name === undefined ? (pattern.match(/[\w$]+/g) ?? []) : [name]) declare(each, between);
    at = Math.max(at, statement.end);
    if (statement.kind === 'end' || statement.kind === 'import') continue;
    const names = namesOf(statement);
    for (const name of names) declare(name, statement);
    if (names.length === 0 || isRunAtOnce(statement)) loaded.push(statement);
  }
  const imports = nodesOfKind(program, 'import').flatMap(({ source, specifiers }) =>
    specifiers.map(({ imported, local }) => ({ local: local.name, specifier: source.value, name: imported })),
  );
  return {
    declared,
    loaded,
    imported: Map.groupBy(imports, ({ local }) => local),
    given: calls.filter((call) => givenFirst(call).length > 0).toSorted(byStart),
    tests: calls.filter(isTestItself).toSorted(byStart),
  };
}

/** What a statement declares or exports. */
function namesOf(statement: Node): string[] {
  switch (statement.kind) {
    case 'function':
    case 'class':
      return statement.name === undefined ? [] : [statement.name.name];
    case 'variable':
      return namesIn(statement.target).map(({ name }) => name);
    case 'enum':
      return [statement.name.name];
    case 'export':
      return statement.source === undefined ? statement.specifiers.map(({ name, exported = name }) => exported) : ['*'];
    case 'exportDeclaration':
      return [...statement.declarations.flatMap(namesOf), ...(statement.isDefault ? ['default'] : [])];
    case 'assign':
      return exportedBy(statement.target);
    case 'other':
      return statement.what.endsWith('Statement') && statement.what !== 'ExpressionStatement' ? [] : statement.children.flatMap(namesOf);
    default:
      return [];
  }
}

/** `exports.list = …` */
const exportedBy = (target: Node): string[] =>
  target.kind === 'member' && target.object.kind === 'name' && target.object.name === 'exports' && target.property !== undefined
    ? [target.property]
    : [];

/** Whether a declaration calls something when its file is loaded, or puts something elsewhere: `static { jobs.contacts = … }`. */
function isRunAtOnce(statement: Node): boolean {
  let found = false;
  walk(statement, (node) => {
    found ||= node.kind === 'call' || (node.kind === 'assign' && node !== statement);
    return !found && (node.kind !== 'function' || isStaticBlock(node.parent));
  });
  return found;
}

const isStaticBlock = (member: Node | undefined): boolean => member?.kind === 'classMember' && member.role === 'static block';
