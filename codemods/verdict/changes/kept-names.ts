/**
 * Constants of the header's name that others use, too: these keep theirs, and where ours give the header its name is written out. A table of
 * headers that two services share, or that a package offers, is no part of our client.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { type Entry, optionsOf, partsOf, type TextPart, type Value } from '../../evaluate/values/values.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { keyOf } from './groups.ts';
import type { RequestSite } from '../request-sites.ts';
import { type Change, nameFor } from './spans.ts';

/** Where a name stands. */
export interface NamedPlace {
  readonly node: Expression;
  readonly module: SourceModule;
}

/** The place of a text: of a constant. */
const placeOf = ({ source }: TextPart): string | undefined => (source === undefined ? undefined : `${source.module.file} ${source.start}`);

/** Constants by their place, each with what would change it. */
export type Constants = ReadonlyMap<string, readonly Change[]>;

/**
 * @param readByServers where the header is read of what arrives at a server of the project
 * @returns the constants that others have, and that ours can do without
 */
export function sharedNames(ev: Evaluation, sites: readonly RequestSite[], readByServers: () => readonly NamedPlace[]): Constants {
  const ours = new Map<string, { readonly changes: Set<Change>; readonly entries: Entry[] }>();
  for (const site of sites) {
    if (site.verdict.kind !== 'ours') continue;
    for (const entry of site.keys) {
      const place = constantOf(entry);
      const change = site.changes.find((each) => entry.key?.source !== undefined && isAt(each, entry.key));
      if (place === undefined || change === undefined) continue;
      const known = ours.get(place) ?? { changes: new Set(), entries: [] };
      known.changes.add(change);
      known.entries.push(entry);
      ours.set(place, known);
    }
  }
  if (ours.size === 0) return new Map();
  const others = new Set([
    ...usedByOthers(sites, new Set([...ours.values()].flatMap(({ entries }) => entries.map(({ node }) => node)))),
    ...offered(ev, ours),
    ...readByServers().flatMap(({ node, module }) => textsIn(ev.evaluate(node, { module, frame: undefined }), ev)),
  ]);
  return new Map(
    [...ours].flatMap(([place, { changes, entries }]) =>
      others.has(place) && entries.every((entry) => nameAt(ev, entry) !== undefined) ? [[place, [...changes]] as const] : [],
    ),
  );
}

/** @returns the constants without those by which ours are asked for the header, where that is not written out with it */
export function withoutAsked(ev: Evaluation, sites: readonly RequestSite[], constants: Constants, asked: readonly NamedPlace[]): Constants {
  const writtenOut = new Set(sites.flatMap(({ keys }) => keys.map(namedBy)));
  const staying = new Set(
    asked.flatMap(({ node, module }) => (writtenOut.has(node) ? [] : textsIn(ev.evaluate(node, { module, frame: undefined }), ev))),
  );
  return new Map([...constants].filter(([place]) => !staying.has(place)));
}

/** A name that stands elsewhere than where the header is given. */
export function constantOf({ key, node, module }: Entry): string | undefined {
  const source = key?.source;
  if (key === undefined || source === undefined || !isScript(module)) return undefined;
  return source.module === module && node.start <= source.start && source.start < node.end ? undefined : placeOf(key);
}

const isAt = ({ what, module, start }: Change, { source }: TextPart): boolean =>
  what === 'header name' && source?.module === module && source.start === start;

const isOther = ({ verdict: { kind } }: RequestSite): boolean => kind !== 'ours' && kind !== 'v2' && kind !== 'passes-on';

/** Those that requests of others give, at places of their own. */
function usedByOthers(sites: readonly RequestSite[], given: ReadonlySet<Node>): string[] {
  return sites.flatMap((site) =>
    isOther(site) ? site.keys.flatMap((entry) => (given.has(entry.node) ? [] : (constantOf(entry) ?? []))) : [],
  );
}

/** Those that a package offers to code that need not be among the files. */
function offered(ev: Evaluation, ours: ReadonlyMap<string, unknown>): string[] {
  const { modules, isEntry } = ev.world;
  return [...modules.values()].flatMap((module) => {
    const names = [...module.exports.keys()];
    if (names.length + module.stars.length === 0 || isEntry?.(module.file) !== true) return [];
    return textsIn({ type: 'namespace', module }, ev).filter((place) => ours.has(place));
  });
}

/** Deeper tables than this are no tables of headers. */
const deepest = 4;

function textsIn(value: Value, ev: Evaluation, depth = 0): string[] {
  if (depth > deepest) return [];
  return optionsOf(value).flatMap((option): string[] => {
    switch (option.type) {
      case 'text':
        return partsOf(option).flatMap((part) => ('text' in part ? (placeOf(part) ?? []) : []));
      case 'object':
        return option.entries.flatMap((entry) => textsIn(entry.value(), ev, depth + 1));
      case 'namespace':
        return exportsOf(ev, option.module).flatMap((each) => textsIn(each, ev, depth + 1));
      default:
        return [];
    }
  });
}

const exportsOf = (ev: Evaluation, module: SourceModule): Value[] => [
  ...[...module.exports.keys()].flatMap((name) => exportedValue(ev, module, name) ?? []),
  ...module.stars.flatMap((specifier): Value[] => {
    const from = ev.world.resolve(module, specifier);
    return from === undefined ? [] : [{ type: 'namespace', module: from }];
  }),
];

/** Where an entry says the name, and how it is written out there; undefined where others may mean another name there. */
function nameAt(ev: Evaluation, entry: Entry): Omit<Change, 'what'> | undefined {
  const { key, module, node } = entry;
  const named = namedBy(entry);
  if (key === undefined || !isScript(module) || (named?.kind !== 'name' && named?.kind !== 'member')) return undefined;
  const [only, more] = optionsOf(ev.evaluate(named, { module, frame: undefined }));
  const [part, rest] = only === undefined ? [] : partsOf(only);
  if (part === undefined || more !== undefined || rest !== undefined || 'unknownPart' in part || placeOf(part) !== placeOf(key))
    return undefined;
  const text = nameFor(key, entry);
  if (node.kind === 'property') return { module, start: node.keyStart, end: node.keyEnd, text };
  const quote = (module.text.match(/"/g)?.length ?? 0) > (module.text.match(/'/g)?.length ?? 0) ? '"' : "'";
  return { module, start: named.start, end: named.end, text: `${quote}${text}${quote}` };
}

const computedIn = (target: Node): Expression | undefined => (target.kind === 'member' ? target.computed : undefined);

/** `{ [NAME]: key }`, `headers[NAME] = key`, `headers.set(NAME, key)`, `[NAME, key]`, `expect(headers[NAME]).toBe(key)`. */
export function namedBy({ node, valueNode, nameNode }: Entry): Expression | undefined {
  if (nameNode !== undefined) return nameNode;
  switch (node.kind) {
    case 'property':
      return node.computed;
    case 'assign':
      return computedIn(node.target);
    case 'member':
      return node.computed;
    case 'call': {
      const [first] = node.args;
      return first?.kind === 'spread' ? undefined : first;
    }
    case 'array': {
      const before = node.elements[node.elements.findIndex((each) => each !== undefined && each === valueNode) - 1];
      return before?.kind === 'spread' ? undefined : before;
    }
    default:
      return undefined;
  }
}

/** @returns the sites with the name written out where they give the header, and these constants as they are */
export function withNamesKept(ev: Evaluation, sites: readonly RequestSite[], kept: Constants): readonly RequestSite[] {
  if (kept.size === 0) return sites;
  const gone = new Set([...kept.values()].flat().map(keyOf));
  const mapped = new Map<RequestSite, RequestSite>();
  const lists = new Map<readonly RequestSite[], readonly RequestSite[]>();
  const all = (of: readonly RequestSite[]): readonly RequestSite[] => {
    const found = lists.get(of) ?? of.map(each);
    lists.set(of, found);
    return found;
  };
  const each = (site: RequestSite): RequestSite => {
    const found = mapped.get(site) ?? keeping(site);
    mapped.set(site, found);
    return found;
  };
  const keeping = (site: RequestSite): RequestSite => {
    const writtenOut = site.keys.flatMap((entry): Change[] => {
      const place = constantOf(entry);
      const at = place !== undefined && kept.has(place) ? nameAt(ev, entry) : undefined;
      return at === undefined ? [] : [{ ...at, what: 'header name' }];
    });
    const next = { ...site, writtenOut, ...(site.follows === undefined ? {} : { follows: all(site.follows) }) };
    if (site.verdict.kind !== 'ours') return next;
    return { ...next, changes: [...site.changes.filter((change) => !gone.has(keyOf(change))), ...writtenOut] };
  };
  return all(sites);
}
