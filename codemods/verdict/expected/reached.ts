/** What a test runs, as far as names and imports say: it expects requests of that, and of nothing else. */
import { cases } from '../../clients/testing/declared-tests.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { importedBy, specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { Asker, World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { memo, once } from '../../once.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { isForConstants } from './constants-of-packages.ts';
import { namedIn } from './named.ts';

/** A place in a test, and the files that are run there. */
export interface Reach {
  /** By the test that the place stands in: what it names, and what that is made of in its file. */
  byTest(place: { readonly call: Node; readonly module: SourceText }): ReadonlySet<SourceText>;
  /** By a file itself, whoever uses it. */
  byImports(module: SourceText): ReadonlySet<SourceText>;
  /** By its whole file; of what only tests use, by all of these. */
  byFile(module: SourceText): ReadonlySet<SourceText>;
  /** Whether a file, and all that it runs, imports nothing beside files of the project and packages of which it is known what they ask: nobody asks for it unseen. */
  isAlone(module: SourceText): boolean;
  /** The packages of which it is not known what they ask, in what the test runs that the place stands in, or in what its file runs. */
  packagesBy(place: { readonly call: Node; readonly module: SourceText }): readonly UnreadPackage[];
  /** Packages that may ask our service in files that are not read, where these run with the mocks of a file. */
  askersOf(module: SourceText): readonly Asker[];
  /** Whether a file is a test, or is called as what stands in for something and serves tests alone. */
  isOfTests(module: SourceText): boolean;
  /** … and no server is started on its way to the tests but by these: what a runner is set up with serves tests that do not name it. */
  isStartedByTests(module: SourceText): boolean;
}

export interface UnreadPackage {
  readonly specifier: string;
  /** The file that imports it. */
  readonly module: SourceModule;
}

/**
 * @param isKnown tells the packages that ask for nothing unseen
 * @returns the files that are imported, by way of any number of others
 */
export function reachedIn(world: World, isKnown: (specifier: string) => boolean): Reach {
  const imports = importsIn(world);
  const { isOfTests, isStartedByTests } = servingTests(world, imports);
  /** Of a server that runs beside a whole application: whatever uses the clients that ask there. */
  const askingAt = (module: SourceText): readonly SourceText[] =>
    (world.standsFor?.(module) ?? []).flatMap((client) => [...imports.usingOf(client)].filter((user) => !isOfTests(user)));
  const byFile = memo((module: SourceText) =>
    imports.from(isOfTests(module) ? [...imports.usingOf(module), ...askingAt(module)] : [module]),
  );
  const byTest = byTestIn(world, imports);
  const packages = unreadIn(world, isKnown);
  return {
    isOfTests,
    isStartedByTests,
    byImports: (module) => imports.from([module]),
    byFile,
    isAlone: (module) =>
      [...byFile(module)].every(
        (each) =>
          !isScript(each) || importedBy(each).every((specifier) => isKnown(specifier) || world.resolve(each, specifier) !== undefined),
      ),
    byTest,
    askersOf: (module) => {
      const seen = new Set(Array.from(byFile(module), ({ file }) => file));
      return (world.askers?.(module) ?? []).filter(({ file, isWithAll }) => isWithAll || !seen.has(file));
    },
    packagesBy(place) {
      const at = testAt(place);
      if (at === undefined) return [...byFile(place.module)].flatMap(packages);
      const specifiers = [...namedIn(at.test, at.module).specifiers];
      return [
        ...packages(at.module).filter(({ specifier }) => specifiers.some((each) => each.has(specifier))),
        ...[...byTest(place)].flatMap(packages),
      ];
    },
  };
}

/** Which files lead to which: by imports, by what they have loaded, and to what they stand for. */
interface Imports {
  /** All that some files lead to, and themselves. */
  from(begin: readonly SourceText[]): ReadonlySet<SourceText>;
  usersOf(module: SourceText): readonly SourceText[];
  /** The file itself with the tests that lead to it. */
  usingOf(module: SourceText): ReadonlySet<SourceText>;
}

function closedBy(begin: readonly SourceText[], next: (module: SourceText) => readonly SourceText[]): ReadonlySet<SourceText> {
  const reached = new Set(begin);
  // A set that grows while it is walked.
  for (const module of reached) for (const target of next(module)) reached.add(target);
  return reached;
}

function importsIn(world: World): Imports {
  const targetsOf = memo((module: SourceText): readonly SourceText[] => [
    ...(isScript(module) ? specifiersOf(module).flatMap((specifier) => world.resolve(module, specifier) ?? []) : []),
    ...(world.loads?.(module) ?? []),
    ...(world.standsFor?.(module) ?? []),
  ]);
  const users = once(() => usersIn(world, targetsOf));
  const usersOf = (module: SourceText): readonly SourceText[] => users().get(module) ?? [];
  const known = new Map<string, ReadonlySet<SourceText>>();
  return {
    usersOf,
    usingOf: (module) => closedBy([module], usersOf),
    from(begin) {
      const key = begin.map(({ file }) => file).join('\0');
      const reached = known.get(key) ?? closedBy(begin, targetsOf);
      known.set(key, reached);
      return reached;
    },
  };
}

function servingTests(world: World, { usersOf, usingOf }: Imports): Pick<Reach, 'isOfTests' | 'isStartedByTests'> {
  const isOfTests = (module: SourceText): boolean => {
    if (isTest(module) || (world.standsFor?.(module) ?? []).length > 0) return true;
    if (!standsIn.test(module.file) || usersOf(module).length === 0) return false;
    return usersOf(module).every((user) => isTest(user) || standsIn.test(user.file));
  };
  const isNamed = (module: SourceText): boolean =>
    isScript(module) && (module.calls.some(isTestCall) || (usersOf(module).length > 0 && !starting.test(module.text)));
  return { isOfTests, isStartedByTests: (module) => isOfTests(module) && [...usingOf(module)].every(isNamed) };
}

/** The test that a place stands in, and its file. */
function testAt({ call, module }: Parameters<Reach['byTest']>[0]): { readonly test: CallNode; readonly module: SourceModule } | undefined {
  const test = isScript(module) ? testAround(call) : undefined;
  return test === undefined || !isScript(module) ? undefined : { test, module };
}

function byTestIn(world: World, { from }: Imports): Reach['byTest'] {
  const filesOf = memo((module: SourceModule) =>
    memo((specifiers: ReadonlySet<string>) => [...specifiers].flatMap((specifier) => world.resolve(module, specifier) ?? [])),
  );
  const tests = new Map<Node, ReadonlySet<SourceText>>();
  return (place) => {
    const at = testAt(place);
    if (at === undefined) return from([place.module]);
    const found = tests.get(at.test) ?? from([...new Set([...namedIn(at.test, at.module).specifiers].flatMap(filesOf(at.module)))]);
    tests.set(at.test, found);
    return found;
  };
}

/** The packages that a file imports itself and of which it is not known what they ask. */
function unreadIn(world: World, isKnown: (specifier: string) => boolean): (module: SourceText) => readonly UnreadPackage[] {
  const isUnread = ({ specifier, module }: UnreadPackage): boolean =>
    !/^[./#]/.test(specifier) && !isKnown(specifier) && world.resolve(module, specifier) === undefined;
  return memo((module: SourceText): readonly UnreadPackage[] =>
    isScript(module)
      ? [...new Set(importedBy(module))]
          .map((specifier) => ({ specifier, module }))
          .filter((each) => isUnread(each) && !isForConstants(each))
      : [],
  );
}

/** `fake-api`, `mockServer`, `stubs/`, `helpers/server`. */
const standsIn =
  /(?:^|[/._-]|[a-z](?=[A-Z]))(?:[Ff]ake|[Mm]ock|[Ss]tub|[Tt]est(?:ing)?|[Hh]elper|[Ss]upport|[Ff]ixture|[Hh]arness)s?(?=[/._A-Z-])/;

function usersIn(world: World, targetsOf: (module: SourceText) => readonly SourceText[]): ReadonlyMap<SourceText, readonly SourceText[]> {
  const users = new Map<SourceText, SourceText[]>();
  for (const module of world.modules.values())
    for (const target of targetsOf(module)) {
      const known = users.get(target);
      if (known === undefined) users.set(target, [module]);
      else known.push(module);
    }
  return users;
}

export const isTestCall = ({ callee }: CallNode): boolean => cases.has(rootOf(callee));
/** `beforeAll(() => server.listen())`, `beforeAll(server.listen)`, `const { listen } = setupServer(…)`. */
const starting = /\blisten\b/;

/** `it('…', () => …)`, `test.each(rows)('…', () => …)`. */
export function testAround(node: Node): CallNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const call = at.kind === 'function' ? at.parent : undefined;
    if (call?.kind === 'call' && call.callee !== at && isTestCall(call)) return call;
  }
  return undefined;
}

function rootOf(callee: Node): string {
  let at = callee;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' ? at.name : '';
}
