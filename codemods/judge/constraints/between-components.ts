/**
 * What binds groups of edits that no import joins: variables of the environment, places that two analyses of a file both change, and
 * endpoints that mocks stand for. All that uses one of them moves, or nothing of it does.
 */
import type { Call, Edit, Finding, LedgerEntry, Span } from '../../model.ts';
import type { Left, RouteUse, Use, VariableUse } from '../../uses-between-components.ts';
import { Groups } from '../../verdict/changes/groups.ts';
import type { Asked } from './open-mocks.ts';

/** What a component, or a file beside the code, has to do with others. */
export interface Member {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  readonly variables: readonly VariableUse[];
  readonly routes: readonly RouteUse[];
  /** What would have changed, and is left. */
  readonly refused: readonly Left[];
  /** Whether its edits come from calls that were followed, and not from what a file says alone. */
  readonly isCode: boolean;
}

/** Why a group is left alone that its own files have nothing against. */
export interface Held {
  readonly code: 'held-elsewhere' | 'unconsumed' | 'base-not-proven';
  readonly detail: Finding['detail'];
}

export interface Constraints {
  /** The group that a group is part of. */
  of(group: string): string;
  /** Why a group may not be made; undefined where it may. */
  held(group: string): Held | undefined;
}

/**
 * @param unread uses in files that could not be read
 * @param guards places that decide by a path which calls have on the program's own server
 * @param asked what mocks may stand for
 * @returns which groups are one, and which of these are not made
 */
export function constraintsOf(
  members: readonly Member[],
  unread: readonly VariableUse[],
  guards: readonly Use[] = [],
  asked?: Asked,
): Constraints {
  const groups = new Groups();
  const held = new Map<string, Held>();
  const constraints: Constraints = { of: (group) => groups.of(group), held: (group) => held.get(groups.of(group)) };
  const named = Map.groupBy(
    [...members.flatMap((member) => member.variables), ...unread],
    ({ name, isGiven = false }) => `${isGiven} ${name}`,
  );
  const variables = new Map([...named].filter(([, [use]]) => use?.isGiven !== true));
  joinPlaces(members, groups);
  for (const uses of variables.values())
    groups.join(uses.flatMap(({ group, needsValue }) => (needsValue && group !== undefined ? group : [])));
  holdRefused(members, groups, held);
  for (const { group, asked } of members.flatMap(({ routes }) => routes)) {
    const guard = group === undefined ? undefined : guards.find(({ name }) => name === asked);
    if (group !== undefined && guard !== undefined) held.set(groups.of(group), because(guard));
  }
  for (const uses of named.values()) holdDefaults(uses, constraints, held);
  // Whatever stays may hold back more.
  for (let before = -1; before !== held.size;) {
    before = held.size;
    for (const uses of variables.values()) holdVariable(uses, constraints, held);
    holdUnconsumed(members, constraints, held);
  }
  holdMocks(
    members.flatMap(({ routes }) => routes),
    asked,
    constraints,
    held,
  );
  return constraints;
}

const keyOf = ({ file, start, end }: Span): string => `${file}\0${start}\0${end}`;

/** A JSON file that code imports is analysed twice: by itself, and as a module. */
function joinPlaces(members: readonly Member[], groups: Groups): void {
  const byPlace = new Map<string, string>();
  for (const edit of members.flatMap(({ edits }) => edits)) {
    const before = byPlace.get(keyOf(edit));
    if (before === undefined) byPlace.set(keyOf(edit), edit.group);
    else groups.join([before, edit.group]);
  }
}

function holdRefused(members: readonly Member[], groups: Groups, held: Map<string, Held>): void {
  const refused = Map.groupBy(
    members.flatMap((member) => member.refused),
    ({ file }) => file,
  );
  if (refused.size === 0) return;
  for (const { file, start, end, group } of members.flatMap(({ edits }) => edits)) {
    const found = refused.get(file)?.find((span) => span.start <= end && start <= span.end);
    if (found === undefined) continue;
    const { by, why, name = file } = found;
    held.set(groups.of(group), { code: 'held-elsewhere', detail: { name, ...(by !== undefined && { by }), ...(why && { why }) } });
  }
}

/** Nothing moves with a variable that anything reads or sets which stays. */
function holdVariable(uses: readonly VariableUse[], constraints: Constraints, held: Map<string, Held>): void {
  const moving = uses.find(({ group, needsValue }) => needsValue && group !== undefined && constraints.held(group) === undefined);
  const stays = ({ group }: VariableUse): boolean => group === undefined || constraints.held(group) !== undefined;
  const staying = uses.find(stays);
  if (moving?.group === undefined || staying === undefined) return;
  // Where a file sets it to another host, that is why those who read it stay.
  const other = uses.find(({ isOther }) => isOther === true);
  held.set(
    constraints.of(moving.group),
    other === undefined ? because(rooted(staying, constraints)) : because({ ...other, why: 'host' }, other.base),
  );
}

/** `env.URL || 'https://ours'`, or `env.URL` that one file sets to ours, where another sets URL to another host: what is asked may go there, which nobody knows to have v2. */
function holdDefaults(uses: readonly VariableUse[], constraints: Constraints, held: Map<string, Held>): void {
  const other = uses.find(({ isOther }) => isOther === true);
  if (other === undefined) return;
  for (const { group, isByDefault } of uses)
    if (group !== undefined && constraints.held(group) === undefined)
      held.set(constraints.of(group), isByDefault === true ? because(other) : because({ ...other, why: 'host' }, other.base));
}

const because = ({ name, file, line, cause, why = 'setting', isFixed }: Use, base?: string): Held => {
  const by = `${file}:${line}`;
  const root = cause !== undefined && cause !== by && { root: cause };
  return {
    code: 'held-elsewhere',
    detail: { name, by, why, ...root, ...(base !== undefined && { base }), ...(isFixed === true && { allow: 'no' }) },
  };
};

/** What stays with others does so for what keeps these. */
function rooted(use: Use, constraints: Constraints): Use {
  const { detail } = (use.group === undefined ? undefined : constraints.held(use.group)) ?? {};
  const cause = detail?.['root'] ?? detail?.['by'];
  return cause === undefined ? use : { ...use, cause };
}

/** An address alone says nothing of who asks it: with v1's header, it would get no answer from v2. */
function holdUnconsumed(members: readonly Member[], constraints: Constraints, held: Map<string, Held>): void {
  const sends = ({ isCode }: Member, { what }: Edit): boolean => isCode || what === 'header name';
  const consumed = new Set(members.flatMap((each) => each.edits.flatMap((edit) => (sends(each, edit) ? constraints.of(edit.group) : []))));
  for (const { group } of members.flatMap(({ edits }) => edits)) {
    const root = constraints.of(group);
    if (!consumed.has(root) && !held.has(root)) held.set(root, { code: 'unconsumed', detail: {} });
  }
}

/** A mock moves only with the calls that it stands for: a client that nobody saw may stay on v1. These do not hang on it. */
function holdMocks(routes: readonly RouteUse[], asked: Asked | undefined, constraints: Constraints, held: Map<string, Held>): void {
  const stays = ({ group }: Use): boolean => group === undefined || constraints.held(group) !== undefined;
  const calls = Map.groupBy(
    routes.filter(({ isMock }) => !isMock),
    ({ name }) => name,
  );
  const called = new Set([...calls.values()].flat().flatMap((call) => (call.group === undefined ? [] : constraints.of(call.group))));
  for (const mock of routes.filter(({ isMock }) => isMock)) {
    const { name, group, isOfAnyHost, isOfPage } = mock;
    if (group === undefined || held.has(constraints.of(group))) continue;
    const about = (calls.get(name) ?? []).filter(({ isPastPages }) => isOfPage !== true || isPastPages !== true);
    // What names no host may be about any call of its endpoint, and about what the program serves.
    if (isOfAnyHost === true && (asked?.isSeen(mock, about) !== true || about.some((call) => !call.isOurs || stays(call)))) {
      held.set(constraints.of(group), { code: 'base-not-proven', detail: { route: name } });
      continue;
    }
    const open = about.filter(({ isOther }) => isOther !== true);
    const possible = asked?.about(mock, open) ?? open;
    const staying = possible.find(stays) ?? asked?.leftWhereNamed(mock);
    if (possible.length === 0) {
      // What has all that moves from a client whose calls are seen, as a mock of its instance has, goes with these.
      if (!called.has(constraints.of(group))) held.set(constraints.of(group), { code: 'unconsumed', detail: {} });
    } else if (staying !== undefined) held.set(constraints.of(group), because({ ...rooted(staying, constraints), why: 'expected' }));
  }
}
