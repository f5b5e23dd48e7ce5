/**
 * Guards by a path of v1 that move with all requests that they are asked about: `if (config.url.startsWith('/v1/')) config.headers['x-api-key'] = key`. They
 * become part of what these change, so that one that stays keeps all of them.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import type { Callers } from '../../requests/recursion.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, StringNode } from '../../syntax/tree.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { directiveAt } from '../../verdict/directive-comments.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { isWithout } from '../flow/addresses/address-tests.ts';
import { type Address, addressesAt, type Asked } from '../flow/addresses/asked-addresses.ts';
import { movedIn } from '../flow/dataflow-query.ts';
import { membershipOf, textOfMember } from '../flow/holders/memberships.ts';
import { valuesAt } from '../flow/functions/passed-values.ts';
import { takesBoth } from './repeats.ts';

/** A question about what a path begins with, or is. */
export interface Guard {
  readonly module: SourceModule;
  readonly literal: Node;
  /** What it asks about. */
  readonly subjects: readonly Node[];
  readonly text: string;
  readonly isAnywhere: boolean;
  /** Whether it is the whole of it. */
  readonly isWhole?: boolean;
}

/** @returns the sites, with the guards that move among what they change */
export function withMovingGuards(ev: Evaluation, callers: Callers, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const changes = changesByPlace(sites.flatMap((site) => (site.verdict.kind === 'ours' ? site.changes : [])));
  if (changes.all.length === 0) return sites;
  const asked: Asked = {
    ev,
    requests: sites.map(({ request }) => request),
    values: (place) => ev.budget.question(place, () => valuesAt(ev, callers, place)).value,
  };
  const added = new Map<string, Change[]>();
  for (const module of ev.world.modules.values()) {
    const guards = guardsIn(module).filter((guard) => isOpen(guard, bases));
    for (const guard of guards)
      for (const { key, change } of changesWith(guard, asked, changes)) added.set(key, [...(added.get(key) ?? []), change]);
  }
  if (added.size === 0) return sites;
  return sites.map((site) => {
    const more = new Set(site.changes.flatMap((change) => added.get(keyOf(change)) ?? []));
    return more.size === 0 ? site : { ...site, changes: [...site.changes, ...more] };
  });
}

/** Whether nobody says what becomes of it, v2 is not asked for beside it, and no other host would have to stand in it. */
const isOpen = ({ module, literal, text }: Guard, bases: Bases): boolean =>
  directiveAt(module, literal.start, literal.end) === undefined &&
  !takesBoth(literal, module) &&
  (bases.v2 === undefined || text.startsWith('/'));

/** `/v1/`, `/v1/messages`, `https://api.example.com/v1` */
const ofVersion = /^(?:https?:\/\/[\w.:-]+)?\/v1(?:\/[\w/-]*)?$/;

export function guardsIn(module: SourceModule): Guard[] {
  const strings = nodesOfKind(module.tree.program, 'string').flatMap((literal): Guard[] => {
    const { parent, value: text } = literal;
    const compared = comparedWith(literal);
    if (compared !== undefined)
      return ofVersion.test(text) ? [{ module, literal, subjects: [compared], text, isAnywhere: false, isWhole: true }] : [];
    if (parent?.kind !== 'call' || parent.callee.kind !== 'member' || parent.args.length !== 1 || !ofVersion.test(text)) return [];
    const { object: subject, property } = parent.callee;
    return property === 'startsWith' || property === 'includes'
      ? [{ module, literal, subjects: [subject], text, isAnywhere: property === 'includes' }]
      : [];
  });
  const patterns = nodesOfKind(module.tree.program, 'literal').flatMap((literal): Guard[] => {
    const call = literal.parent?.kind === 'member' && literal.parent.property === 'test' ? literal.parent.parent : undefined;
    const [subject] = call?.kind === 'call' && call.callee === literal.parent ? call.args : [];
    const source = typeof literal.value === 'object' && literal.value !== null ? literal.value.pattern : '';
    const text = beginningOf(source);
    return subject === undefined || !ofVersion.test(text)
      ? []
      : [{ module, literal, subjects: [subject], text, isAnywhere: !source.startsWith('^') }];
  });
  return [...strings, ...patterns, ...membersIn(module)];
}

/** The same behind a method: `POST /v1/contacts`, `GET /v1/contacts/:id`. */
const ofRoute = /^[A-Z]+[ :]\s*\/v1\/[\w/:{}.-]*$/;

/** `limits[path]`, `['/v1/messages/send'].includes(path)`. */
function membersIn(module: SourceModule): Guard[] {
  const { program } = module.tree;
  if (!/['"](?:[A-Z]+[ :]\s*)?\/v1\//.test(module.text)) return [];
  const made = [...nodesOfKind(program, 'object'), ...nodesOfKind(program, 'array'), ...nodesOfKind(program, 'call')];
  return made.flatMap((each) => {
    const { members = [], asked = [] } = membershipOf(each, module) ?? {};
    return members.flatMap((literal): Guard[] => {
      const text = textOfMember(literal);
      return ofVersion.test(text) || ofRoute.test(text)
        ? [{ module, literal, subjects: asked, text, isAnywhere: false, isWhole: true }]
        : [];
    });
  });
}

/** `path === '/v1/messages/send'`, and `case '/v1/messages/send':`. */
export function comparedWith(literal: StringNode): Node | undefined {
  const { parent } = literal;
  if (parent?.kind === 'binary') return parent.left === literal ? parent.right : parent.left;
  const clauses = parent?.kind === 'other' && parent.what === 'CaseClause' ? parent.parent : undefined;
  return clauses?.kind === 'block' ? clauses.body[0] : undefined;
}

/** What all has that a pattern finds: the text before anything in it that stands for several; nothing, where it is one of several itself. */
function beginningOf(pattern: string): string {
  if (pattern.replaceAll(/\\.|\[[^\]]*\]|\([^()]*\)/g, '').includes('|')) return '';
  const [, begin = ''] = /^\^?((?:[\w/:-]|\\[/.:-])*)(?![?*+{])/.exec(pattern) ?? [];
  return begin.replaceAll('\\', '');
}

/** What it becomes, with each change of what it is asked about; nothing where something of that stays, or is not known. */
function changesWith(guard: Guard, asked: Asked, changes: ChangesByPlace): { readonly key: string; readonly change: Change }[] {
  const { module, literal, subjects } = guard;
  const addresses = subjects.map((node) => addressesAt(asked, { node, module }));
  if (addresses.includes(undefined)) return [];
  const moves = addresses.flatMap((each) => each ?? []).map((address) => versionsMoved(guard, address, changes));
  const found = new Set(moves.flatMap((each) => each ?? []).map(keyOf));
  if (moves.includes(undefined)) return [];
  const start = literal.start + module.text.slice(literal.start, literal.end).indexOf('v1');
  const change: Change = { module, start, end: start + 2, text: 'v2', what: 'path' };
  return [...found].map((key) => ({ key, change }));
}

/** Where a text begins that goes on in what is not known of an address: `/v1/contacts` in what `BASE + path` makes. */
function begunAt(whole: string, text: string): number {
  const [begin = ''] = whole.split(unknownPart, 1);
  if (begin === whole) return -1;
  for (let length = text.length; length > 0; length--) if (begin.endsWith(text.slice(0, length))) return begin.length - length;
  return -1;
}

/** The changes of the version that a guard finds in an address; none where it finds none and will find none; undefined where it stays, or is not known. */
function versionsMoved({ text, isAnywhere, isWhole }: Guard, address: Address, changes: ChangesByPlace): readonly Change[] | undefined {
  const whole = flat(address);
  if (isWhole === true && !whole.includes(unknownPart) && whole !== text)
    return movedIn(changes)(address) === text.replace('v1', 'v2') ? undefined : [];
  // What a hook gets may be without its base, and begin with a path.
  const isWithin = isAnywhere || (text.startsWith('/') && !whole.startsWith('/'));
  const found = whole.indexOf(text);
  const at = found === -1 ? begunAt(whole, text) : found;
  if (at === -1 || (!isWithin && at > 0)) {
    const behind = (parts: Address): string => (parts === sought ? text.replace('v1', 'v2') : movedIn(changes)(parts));
    const sought: Address = [{ text }];
    return isWithout({ moved: behind }, sought, address, isWithin) ? [] : undefined;
  }
  const start = at + text.indexOf('v1');
  const [part, ...more] = sliceParts(address, start, start + 2);
  if (part === undefined || more.length > 0 || !('text' in part) || part.source === undefined) return undefined;
  const { module, start: place } = part.source;
  const moving = changes.at(module, place, place + 2).filter((change) => change.start === place && change.end === place + 2);
  return moving.length === 0 ? undefined : moving;
}
