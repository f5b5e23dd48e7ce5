/** Programs that no browser runs: what has no host there is asked of nobody, while a page asks the server that it is from. */
import { posix } from 'node:path';
import { buildingPages, publicVariables, readsEnvFiles } from '../../clients/settings/page-variables.ts';
import { manifestOf, manifestsAround } from '../../evaluate/names/manifests.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { EnvValue } from '../../evaluate/values/values.ts';
import { flat } from '../../evaluate/values/text.ts';
import { type Request, wayOf } from '../../requests/requests.ts';
import { specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { Bases } from './routes.ts';
import { isEmptyByDefault, isVariable, isWrittenBeside } from './follows-default.ts';

/** What only a page has, or a file that is one. */
const paging = /\b(?:document|window|(?:local|session)Storage|navigator)\s*\.|\bimport\.meta\.env\b|['"]use client['"]/;
const pageFile = /\.(?:[jt]sx|vue|svelte|astro|html?)$/;

/** `"start": "node server.js"`: types and versions of Node have pages' packages, too. */
const running = /"bin"\s*:|\b(?:node|nodemon|tsx|ts-node) \S/;

/**
 * Whether a browser may run a file. A bundler writes a variable into a page, where it stands as in any program, so its packages have to say that it is
 * run by Node: where there is none, where it builds anything, or is offered to others, nobody knows.
 */
function mayBePage({ file, text }: SourceModule, world: World): boolean {
  const manifests = manifestsAround(file, world);
  const isRun = manifests.some((manifest) => running.test(manifest)) && !manifests.some((manifest) => buildingPages.test(manifest));
  return !isRun || pageFile.test(file) || paging.test(text) || world.isEntry?.(file) === true;
}

const known = new WeakMap<World, ReadonlySet<SourceText>>();

/** The files that pages are made of, with all that these import. */
function pagesIn(world: World): ReadonlySet<SourceText> {
  const before = known.get(world);
  if (before !== undefined) return before;
  const pages = new Set<SourceModule>([...world.modules.values()].filter((module) => mayBePage(module, world)));
  // A set that grows while it is walked.
  for (const page of pages) for (const specifier of specifiersOf(page)) addTo(pages, world.resolve(page, specifier));
  known.set(world, pages);
  return pages;
}

const mayBeOfPage = (request: Request, world: World): boolean =>
  [request, ...request.callers].some(({ module }) => pagesIn(world).has(module));

function addTo<Item>(items: Set<Item>, item: Item | undefined): void {
  if (item !== undefined) items.add(item);
}

/** A path alone, which is asked of the server that a page is from. */
const isRelative = ({ url = [] }: Request): boolean => /^\/(?!\/)|^[\w-]+(?:\/|$)/.test(flat(url));
/** No address at all: it is refused, or is that of the page itself, which answers nobody's calls. */
const isNone = ({ url }: Request): boolean => url !== undefined && flat(url) === '';

const variableOf = ({ url: [first] = [] }: Request): EnvValue | undefined => (isVariable(first) ? first.unknownPart : undefined);
const isEmpty = (variable: EnvValue | undefined): variable is EnvValue => variable !== undefined && isEmptyByDefault(variable);

/**
 * What is left of an address where nobody sets its variable, which no bundler hands to pages by its name: no proxy of pages proves it. In a program that no
 * browser runs nobody is asked, unless another variable or an option stands there, too: this may be another host's. Nor is anybody in a page that is built beside a
 * file which sets the variable, as whatever is built there has it, and nowhere by a variable that holds all of the address: `fetch(process.env.SEND_URL || '')`.
 * @param isPassedOn whether a proxy is seen that takes it
 */
export function withUnset(
  requests: readonly Request[],
  world: World,
  { setForBuilds, variablesOfOthers }: Pick<Bases, 'setForBuilds' | 'variablesOfOthers'>,
  isPassedOn: (request: Request) => boolean,
): ReadonlyMap<Request, Request> {
  const isSet = ({ name, module: { file } }: EnvValue): boolean => {
    const folders = setForBuilds?.get(name);
    const manifest = folders === undefined || !readsEnvFiles.test(name) ? undefined : manifestOf(file, world);
    return (
      manifest !== undefined && folders?.has(posix.dirname(manifest.file)) === true && variablesOfOthers?.get(name)?.has(file) !== true
    );
  };
  const open = requests.filter(({ url: [first] = [] }) => first !== undefined && 'unknownPart' in first);
  const byWay = Map.groupBy(open, wayOf);
  return new Map(
    requests.flatMap((each) => {
      const variables = isRelative(each) || isNone(each) ? (byWay.get(wayOf(each)) ?? []).map(variableOf) : [];
      const [first] = variables;
      const isOne = variables.every((variable) => isEmpty(variable) && variable.name === first?.name);
      if (isOne && first !== undefined && isSet(first) && isWrittenBeside(each.url?.[0], first) && !isPassedOn(each))
        return [[each, { ...each, isUnset: true }]];
      if (!variables.some((variable) => isEmpty(variable) && !publicVariables.test(variable.name))) return [];
      return [[each, { ...each, isUnset: isOne && (isNone(each) || !mayBeOfPage(each, world)) }]];
    }),
  );
}
