/** What a test runs, as far as names and imports say: it expects requests of that, and of nothing else. */
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { importedBy, specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { Asker, World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { memo } from '../../once.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
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
  const targets = new Map<SourceText, readonly SourceText[]>();
  const targetsOf = (module: SourceText): readonly SourceText[] => {
    const imported = (): SourceText[] =>
      isScript(module) ? specifiersOf(module).flatMap((specifier) => world.resolve(module, specifier) ?? []) : [];
    const found = targets.get(module) ?? [...imported(), ...(world.loads?.(module) ?? []), ...(world.standsFor?.(module) ?? [])];
    targets.set(module, found);
    return found;
  };
  const known = new Map<string, ReadonlySet<SourceText>>();
  const reachedFrom = (begin: readonly SourceText[]): ReadonlySet<SourceText> => {
    const key = begin.map(({ file }) => file).join('\0');
    const before = known.get(key);
    if (before !== undefined) return before;
    const reached = new Set(begin);
    // A set that grows while it is walked.
    for (const module of reached) for (const target of targetsOf(module)) reached.add(target);
    known.set(key, reached);
    return reached;
  };
  const tests = new Map<Node, ReadonlySet<SourceText>>();
  let users: ReadonlyMap<SourceText, readonly SourceText[]> | undefined;
  const usersOf = (module: SourceText): readonly SourceText[] => {
    users ??= usersIn(world, targetsOf);
    return users.get(module) ?? [];
  };
  /** The file itself with the tests that lead to it. */
  const usingOf = (module: SourceText): ReadonlySet<SourceText> => {
    const using = new Set([module]);
    for (const each of using) for (const user of usersOf(each)) using.add(user);
    return using;
  };
  const isOfTests = (module: SourceText): boolean => {
    if (isTest(module) || (world.standsFor?.(module) ?? []).length > 0) return true;
    if (!standsIn.test(module.file) || usersOf(module).length === 0) return false;
    return usersOf(module).every((user) => isTest(user) || standsIn.test(user.file));
  };
  /** Of a server that runs beside a whole application: whatever uses the clients that ask there. */
  const askingAt = (module: SourceText): readonly SourceText[] =>
    (world.standsFor?.(module) ?? []).flatMap((client) => [...usingOf(client)].filter((user) => !isOfTests(user)));
  const isNamed = (module: SourceText): boolean =>
    isScript(module) && (module.calls.some(isTestCall) || (usersOf(module).length > 0 && !starting.test(module.text)));
  const files = new Map<SourceText, ReadonlySet<SourceText>>();
  const byFile: Reach['byFile'] = (module) => {
    const found = files.get(module) ?? reachedFrom(isOfTests(module) ? [...usingOf(module), ...askingAt(module)] : [module]);
    files.set(module, found);
    return found;
  };
  const isUnread = ({ specifier, module }: UnreadPackage): boolean =>
    !/^[./#]/.test(specifier) && !isKnown(specifier) && world.resolve(module, specifier) === undefined;
  const packages = memo((module: SourceText): readonly UnreadPackage[] =>
    isScript(module) ? [...new Set(importedBy(module))].map((specifier) => ({ specifier, module })).filter(isUnread) : [],
  );
  const filesOf = memo((module: SourceModule) =>
    memo((specifiers: ReadonlySet<string>) => [...specifiers].flatMap((specifier) => world.resolve(module, specifier) ?? [])),
  );
  const byTest: Reach['byTest'] = ({ call, module }) => {
    const test = isScript(module) ? testAround(call) : undefined;
    if (test === undefined || !isScript(module)) return reachedFrom([module]);
    const found = tests.get(test) ?? reachedFrom([...new Set([...namedIn(test, module).specifiers].flatMap(filesOf(module)))]);
    tests.set(test, found);
    return found;
  };
  return {
    isOfTests,
    isStartedByTests: (module) => isOfTests(module) && [...usingOf(module)].every(isNamed),
    byImports: (module) => reachedFrom([module]),
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
    packagesBy({ call, module }) {
      const test = isScript(module) ? testAround(call) : undefined;
      if (test === undefined || !isScript(module)) return [...byFile(module)].flatMap(packages);
      const specifiers = [...namedIn(test, module).specifiers];
      return [
        ...packages(module).filter(({ specifier }) => specifiers.some((each) => each.has(specifier))),
        ...[...byTest({ call, module })].flatMap(packages),
      ];
    },
  };
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

const testing = /^(?:it|test|specify)$/;
export const isTestCall = ({ callee }: CallNode): boolean => testing.test(rootOf(callee));
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
