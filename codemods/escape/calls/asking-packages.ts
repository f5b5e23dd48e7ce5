/**
 * Packages that are not read and may ask our service by themselves, as its SDK does: what a test that runs one answers or expects may be about that. It
 * stays, and is named.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import { sdksOfOthers } from '../../clients/quiet-packages.ts';
import { keepsActual, mockingPackages } from '../../clients/testing/libraries.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isScript } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memo, memoOf } from '../../once.ts';
import type { CallNode, NameNode, Node } from '../../syntax/tree.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import { namedPlaces } from '../../verdict/named-places.ts';
import { namedAsOurs, wordsOf } from '../../verdict/bases/packages-of-ours.ts';
import type { Reach, UnreadPackage } from '../../verdict/expected/reached.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, namingOurs } from '../../verdict/bases/routes.ts';
import type { Problem } from '../problems.ts';

/** The files that ask; mocks of a path have one list of who does. */
const askersAmong = memoOf(
  (sites: readonly RequestSite[]) => new Set(sites.flatMap(({ request }) => (request.isMock ? [] : request.module))),
);

/** @returns what speaks against each mock of ours that is run beside such a package; what it shares with calls moves with these */
export function askedByPackages(sites: readonly RequestSite[], bases: Bases, reach: Reach): Problem[][] {
  const mocks = sites.filter(({ request, verdict, changes }) => request.isMock && verdict.kind === 'ours' && changes.length > 0);
  if (mocks.length === 0) return [];
  const asks = askingIn(sites, bases);
  const ofRequests = new Set(sites.flatMap(({ request, changes }) => (request.isMock ? [] : changes.map(keyOf))));
  const replaced = replacedIn();
  const found = mocks.flatMap((site): Problem[] => {
    const run = reach.byFile(site.request.module);
    const isOwnReached = site.follows !== undefined && [...askersAmong(site.follows)].some((module) => run.has(module));
    const by = reach
      .packagesBy(site.request)
      .find((each) => asks(each, isOwnReached) && ![...run].some((module) => replaced(module).has(each.specifier)));
    const place = by && placeOf(by);
    const [unseen] = site.isForStandIn === true ? [] : reach.askersOf(site.request.module);
    const asker = by && place ? { ...by, file: by.module.file, line: by.module.position(place.start).line } : unseen;
    if (asker === undefined) return [];
    const name =
      site.verdict.kind === 'ours' && site.verdict.endpoint !== undefined ? v1Endpoints[site.verdict.endpoint].path : v1Auth.field;
    const isShared = site.changes.some((change) => ofRequests.has(keyOf(change)));
    const [{ node, module: where } = { node: site.request.call, module: site.request.module }] = namedPlaces(site.request);
    return [
      {
        code: 'held-elsewhere',
        node,
        module: where,
        detail: { name, by: `${asker.file}:${asker.line}`, why: 'package', package: asker.specifier },
        ...(!isShared && { site }),
      },
    ];
  });
  return [...Map.groupBy(found, ({ module, node }) => `${module.file} ${module.position(node.start).line}`).values()];
}

/** Packages that a test has something else stand for. */
const replacedIn = (): ((module: SourceText) => ReadonlySet<string>) =>
  memoOf(
    (module) =>
      new Set(
        isScript(module)
          ? module.calls.flatMap(({ callee, args: [first], start, end }) =>
              first?.kind === 'string' &&
              callee.kind === 'member' &&
              mockingPackages.test(callee.property ?? '') &&
              !keepsActual.test(module.text.slice(start, end))
                ? first.value
                : [],
            )
          : [],
      ),
  );

const placeOf = ({ module, specifier }: UnreadPackage): Node | undefined =>
  nodesOfKind(module.tree.program, 'import').find(({ source }) => source.value === specifier) ?? requiredIn(module, specifier);

const requiredIn = (module: SourceModule, specifier: string): CallNode | undefined =>
  module.calls.find(({ callee, args: [first] }) => callee.kind === 'name' && first?.kind === 'string' && first.value === specifier);

/** @returns whether a package may ask us: by its name, or as it is given our base or our key. By a name alone that says no more than that it is an SDK, where nothing else is seen to ask */
function askingIn(sites: readonly RequestSite[], bases: Bases): (each: UnreadPackage, isOwnReached: boolean) => boolean {
  const isOfService = namedAsOurs(bases);
  const names = namingOurs(bases);
  // Of calls that are on v2 it is the same key.
  const entries = sites.flatMap(({ verdict, keys, authorizations }) => [...keys, ...(verdict.kind === 'v2' ? authorizations : [])]);
  const keys = new Set(entries.flatMap(({ valueNode, module }) => (valueNode ? variablesIn(module, valueNode) : [])));
  const isGiven = ({ module, specifier }: UnreadPackage): boolean =>
    madeBy(module, specifier)
      .flatMap(givenPlainly)
      .some((node) => names(module.text.slice(node.start, node.end)) || variablesIn(module, node).some((name) => keys.has(name)));
  const known = memoOf((module: SourceModule) => memo((specifier: string) => isOfService(specifier) || isGiven({ module, specifier })));
  return (each, isOwnReached) => {
    if (!isUsed(each) || sdksOfOthers.test(each.specifier)) return false;
    return known(each.module)(each.specifier) || (!isOwnReached && wordsOf(each.specifier).own.includes('sdk'));
  };
}

/** `process.env.MESSAGING_KEY`, `env['MESSAGING_KEY']` */
const variablesIn = ({ text }: SourceText, { start, end }: Pick<Node, 'start' | 'end'>): string[] =>
  Array.from(text.slice(start, end).matchAll(/\benv(?:\.|\[['"])(\w{3,})/g), ([, name = '']) => name);

interface Given {
  readonly name: NameNode;
  /** What the package calls it. */
  readonly exported: string | undefined;
}

/** The names in a file that a package gives it. */
function namesOf(module: SourceModule, specifier: string): readonly Given[] {
  const imported = nodesOfKind(module.tree.program, 'import').flatMap(({ source, isType, specifiers }) =>
    isType || source.value !== specifier ? [] : specifiers.map(({ local, imported: exported }) => ({ local, exported })),
  );
  const required = nodesOfKind(module.tree.program, 'variable').flatMap(({ init, target }) =>
    init !== undefined && isRequireOf(init, specifier)
      ? namesIn(target).map((local) => ({ local, exported: exportedAs(local, init) }))
      : [],
  );
  return [...imported, ...required].flatMap(({ local, exported }) =>
    (module.scopes.declaredBy(local)?.references ?? []).map((name) => ({ name, exported })),
  );
}

/** `const { createClient: make } = require('pkg')`, `const make = require('pkg').createClient` */
const exportedAs = ({ parent }: Node, init: Node): string | undefined =>
  parent?.kind === 'patternProperty' ? parent.name : init.kind === 'member' ? init.property : undefined;

/** `require('pkg')`, `require('pkg').Client`, `await import('pkg')` */
function isRequireOf(node: Node, specifier: string): boolean {
  if (node.kind === 'member') return isRequireOf(node.object, specifier);
  if (node.kind === 'await') return isRequireOf(node.argument, specifier);
  const [first] = node.kind === 'call' ? node.args : [];
  return node.kind === 'call' && node.callee.kind === 'name' && first?.kind === 'string' && first.value === specifier;
}

const isUsed = ({ module, specifier }: UnreadPackage): boolean => namesOf(module, specifier).length > 0;

/** What is made by a package: `new Client(…)`, `createClient(…)`, `Client.create(…)`. */
const madeBy = (module: SourceModule, specifier: string): readonly CallNode[] =>
  namesOf(module, specifier).flatMap(({ name, exported }) => {
    let at: Node = name;
    while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
    const call = at.parent;
    if (call?.kind !== 'call' || call.callee !== at) return [];
    const called = at.kind === 'member' ? at.property : exported;
    return call.isNew || /^(?:create|make|init|connect|configure|setup|build)|client$|sdk$/i.test(called ?? '') ? [call] : [];
  });

/** What it is given by itself, or under a name. */
const givenPlainly = ({ args }: CallNode): readonly Node[] =>
  args
    .flatMap((arg): readonly Node[] =>
      arg.kind === 'object' ? arg.properties.flatMap((each) => (each.kind === 'property' ? each.value : [])) : [arg],
    )
    .filter(isPlain);

const isPlain = ({ kind }: Node): boolean =>
  kind === 'string' || kind === 'template' || kind === 'name' || kind === 'member' || kind === 'logical';
