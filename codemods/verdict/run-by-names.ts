/**
 * What a test runs, statement by statement: what it names, what that is made of, and so on. A name counts wherever its word stands, also as a type, so that
 * rather too much is run; what no name leads to is not.
 */
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { World } from '../evaluate/program.ts';
import { givenFirst, passedOnBy, specifiersOf } from '../evaluate/specifiers.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { memo } from '../once.ts';
import { nodesOfKind, walk } from '../syntax/link.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { namesIn } from '../syntax/scopes.ts';
import { isTestCall, testAround } from './reached.ts';

/**
 * Whether a place is run by the test that another stands in, or by any of the file that has it beside them; `undefined` where others may
 * use it, or not all that they run is read.
 */
export type RunByNames = (test: { readonly call: Node; readonly module: SourceText }) => ((place: Place) => boolean) | undefined;

interface Place {
  readonly node: Node;
  readonly module: SourceText;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A file by its statements. */
interface Outline {
  /** By each name that they declare or export. */
  readonly declared: ReadonlyMap<string, readonly Stretch[]>;
  /** Those that are run when it is loaded. */
  readonly loaded: readonly Stretch[];
}

export function runByNames(world: World): RunByNames {
  const outlines = memo(outlineOf);
  const found = memo((test: CallNode): ((module: SourceModule) => Run | undefined) =>
    memo((module) => new Follow(world, outlines).run(test, module)),
  );
  const foundBeside = memo((module: SourceModule) => (isClosed(module) ? new Follow(world, outlines).runAll(module) : undefined));
  return ({ call, module }) => {
    if (!isScript(module)) return undefined;
    const test = testAround(call);
    const run = test === undefined ? foundBeside(module) : found(test)(module);
    return run && (({ node, module: of }) => (run.get(of) ?? []).some(({ start, end }) => start <= node.start && node.end <= end));
  };
}

/** Whether a file has tests, and nothing that others could use. What has none, others may load for what it puts in place. */
const isClosed = ({ exports, calls }: SourceModule): boolean =>
  exports.size === 0 && calls.some((call) => isTestCall(call) && isNamedAsTest(call.callee));

type Run = ReadonlyMap<SourceText, readonly Stretch[]>;

class Follow {
  readonly #world: World;
  readonly #outlines: (module: SourceModule) => Outline;
  readonly #run = new Map<SourceModule, Stretch[]>();
  readonly #waiting: (readonly [SourceModule, Stretch])[] = [];
  /** Names that were asked of files, and files that were asked for whole: they may pass each other on in circles. */
  readonly #asked = new Set<string>();
  #isOpen = false;

  constructor(world: World, outlines: (module: SourceModule) => Outline) {
    this.#world = world;
    this.#outlines = outlines;
  }

  run(test: CallNode, module: SourceModule): Run | undefined {
    return this.#runOf(module, [...besideTests(module, test), ...test.args.slice(1)]);
  }

  /** Of all tests of a file. */
  runAll(module: SourceModule): Run | undefined {
    return this.#runOf(
      module,
      module.tree.program.body.filter(({ kind }) => kind !== 'import'),
    );
  }

  #runOf(module: SourceModule, stretches: readonly Stretch[]): Run | undefined {
    this.#run.set(module, []);
    for (const each of stretches) this.#add(module, each);
    for (const specifier of specifiersOf(module)) this.#load(module, specifier);
    for (let next = this.#waiting.pop(); next !== undefined && !this.#isOpen; next = this.#waiting.pop()) this.#follow(...next);
    return this.#isOpen ? undefined : this.#run;
  }

  #add(module: SourceModule, stretch: Stretch): void {
    const known = this.#run.get(module) ?? [];
    this.#run.set(module, known);
    if (known.some(({ start, end }) => start <= stretch.start && stretch.end <= end)) return;
    known.push(stretch);
    this.#waiting.push([module, stretch]);
  }

  /** What is run as soon as a file is imported; of one that is not read, nobody knows. */
  #load(from: SourceModule, specifier: string): SourceModule | undefined {
    const module = this.#world.resolve(from, specifier);
    if (module === undefined) this.#isOpen ||= this.#world.reached?.(from.file, specifier) !== undefined;
    if (module === undefined || this.#run.has(module)) return module;
    // What runs without an import is not followed by names.
    this.#isOpen ||= (this.#world.loads?.(module) ?? []).length > 0 || (this.#world.standsFor?.(module) ?? []).length > 0;
    this.#run.set(module, []);
    for (const each of this.#outlines(module).loaded) this.#add(module, each);
    for (const each of specifiersOf(module)) this.#load(module, each);
    return module;
  }

  #follow(module: SourceModule, { start, end }: Stretch): void {
    const words = new Set(module.text.slice(start, end).match(/[\w$]+/g));
    const { declared } = this.#outlines(module);
    for (const word of words) for (const each of declared.get(word) ?? []) this.#add(module, each);
    for (const { source, specifiers } of nodesOfKind(module.tree.program, 'import'))
      for (const { imported, local } of specifiers) if (words.has(local.name)) this.#named(module, source.value, imported);
    for (const call of module.calls)
      if (start <= call.start && call.end <= end) for (const specifier of givenFirst(call)) this.#whole(module, specifier);
  }

  #named(from: SourceModule, specifier: string, name: string): void {
    const module = this.#load(from, specifier);
    if (module === undefined || this.#asked.has(`${module.file} ${name}`)) return;
    this.#asked.add(`${module.file} ${name}`);
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
    if (module === undefined || this.#asked.has(module.file)) return;
    this.#asked.add(module.file);
    this.#add(module, { start: 0, end: module.text.length });
    for (const passedOn of passedOnBy(module)) this.#whole(module, passedOn);
  }
}

/** Of a file of tests what is run with any of them: hooks, and what its statements do. */
function besideTests(module: SourceModule, test: CallNode): Stretch[] {
  const others = module.calls.filter((call) => call !== test && isTestCall(call) && isNamedAsTest(call.callee) && !isAround(call, test));
  return [...outlineOf(module).loaded].flatMap(({ start, end }) => {
    const inside = [test, ...others]
      .filter((each) => start <= each.start && each.end <= end)
      .toSorted((one, other) => one.start - other.start);
    const [left, from] = inside.reduce<[Stretch[], number]>(
      ([found, begin], each) => [each.start > begin ? [...found, { start: begin, end: each.start }] : found, Math.max(begin, each.end)],
      [[], start],
    );
    return from < end ? [...left, { start: from, end }] : left;
  });
}

/** `it.only`, `test.each(rows)`, and not `test.beforeEach`, which runs before all of them. */
const isNamedAsTest = (callee: Node): boolean =>
  callee.kind === 'member' ? modifiers.has(callee.property ?? '') : callee.kind === 'call' ? isNamedAsTest(callee.callee) : true;
const modifiers: ReadonlySet<string> = new Set(['concurrent', 'each', 'failing', 'fails', 'for', 'only', 'sequential', 'skip', 'todo']);

const isAround = (one: Node, other: Node): boolean => one.start <= other.start && other.end <= one.end;

const declaring = /\b(?:function\*?|class|enum|interface|type|namespace|const|let|var)\s+(?:([\w$]+)|(\{[^}]*\}|\[[^\]]*\]))/g;

function outlineOf({ tree: { program }, text }: SourceModule): Outline {
  const declared = new Map<string, Stretch[]>();
  const loaded: Stretch[] = [];
  const declare = (name: string, stretch: Stretch): void => void declared.set(name, [...(declared.get(name) ?? []), stretch]);
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
  return { declared, loaded };
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
