/** What is known of a place in the code while edits are followed: what it can be, what of the edits it has, whether a request does. */
import type { Answer, Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { optionsOf, type Part, type TextPart, type Value } from '../../evaluate/values/values.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { versionEndIn, versionMoved } from '../../evaluate/values/version-ends.ts';
import { once } from '../../once.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { unknownPart, placeOfPart } from '../../evaluate/values/text.ts';
import { namesTaken } from './property-reads.ts';
import { askingCalls, onWay } from './request-ways.ts';
import { type Stranger, strangerAmong } from './strangers.ts';
import { type Taint, taintOf } from './taint.ts';
import { joinedValuesAt, keptValues, valuesAt } from './functions/passed-values.ts';
import type { Request } from '../../requests/requests.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { elsewhereTo } from '../../verdict/bases/foreign-addresses.ts';
import { variableOf } from '../../verdict/bases/set-variables.ts';
import type { Change } from '../../verdict/changes/spans.ts';

export interface DataflowQuery {
  readonly ev: Evaluation;
  /** Everything that a place can be, on all call paths to it. */
  values(place: Place): readonly Value[];
  /** The edits of what it can be. */
  carried(place: Place): readonly Change[];
  /** Whether it is, or gives, what callers of another function gave that. */
  isKept(place: Place): boolean;
  /** Whether it can be something that the evaluation does not know: it may have whatever goes into it. */
  isLost(place: Place): boolean;
  /** Whether nothing of it is known. */
  isAllLost(place: Place): boolean;
  /** The edits of values. */
  carriedBy(values: readonly Value[]): readonly Change[];
  /** The edits of all that any caller gives: more than it can have, for where call paths were too many. */
  mayCarry(place: Place): readonly Change[];
  /** Of edits those that code which is not followed may take of a place: not what only classes read of their own instances, by names that nobody else asks for. */
  unsealed(place: Place, carried: readonly Change[]): readonly Change[];
  /** Whether it has these in clients with a base of their own alone: calls of clients that come from elsewhere are found by unresolved-calls.ts. */
  hasClientsOnly(place: Place): boolean;
  /** Whether an object that no file imports may be loaded by the name of its file, as frameworks do with settings. */
  readonly isLoaded?: boolean;
  /** What a client at a place is that has an edited header, and nothing more of ours. */
  strangerAt(place: Place): Stranger | undefined;
  /** Whether something within it changes. */
  isEdited(place: Place): boolean;
  /** Whether a URL or a header of a request comes through here; of what may be lost there, those of others only take what they are seen to share. */
  isCovered(place: Place, carried: readonly Change[], isLost: boolean): boolean;
  /** Whether a request, whoever's it is, comes through here: what it shares with ours is told of that. */
  isOnWay(node: Node): boolean;
  /** Whether a node makes a request of ours or leads to one; undefined where it makes none. */
  isOurs(node: Node): boolean | undefined;
  /** Whether a call asks for the version at the end of a text, or takes that away, and does so of what it becomes. */
  asksVersion(call: CallNode, module: SourceModule): boolean;
  readonly requests: readonly Request[];
  /** Whether an address has the host of somebody else. */
  isElsewhere(address: readonly Part[]): boolean;
  /** The text of an address behind the edits. */
  moved(address: readonly Part[]): string;
  /** The variables of the environment that requests of ours begin with. */
  readonly variables: ReadonlySet<string>;
  /** The answers so far that are not whole, each with where most was spent: between two equal lengths all were. */
  readonly cut: readonly Place[];
}

/** Steps for one question: as many call paths lead to a place as a wrapper has callers. */
const maxSteps = 200_000;

/** @param sites all requests: those of others take what is on their way, and nothing else */
export function dataflowQueryOf(
  ev: Evaluation,
  found: CallGraph,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  bases: Bases,
): DataflowQuery {
  const cut: Place[] = [];
  const asking = askingOnce(ev, cut);
  const carries = taintOf(ev, changes, found);
  const values = asking((place) => valuesAt(ev, found.callers, place));
  const requests = askingCalls(sites, found);
  const variables = new Set(sites.flatMap((site) => variableOf(site)?.name ?? []));
  return {
    ev,
    values,
    ...editsAt(ev, found, changes, { carries, values, asking }),
    isLost: (place) => values(place).some((value) => optionsOf(value).some(isLostValue)),
    isAllLost: (place) => {
      const options = values(place).flatMap(optionsOf);
      return options.some(isLostValue) && options.every((option) => option.type === 'param' || isLostValue(option));
    },
    strangerAt: asking((place) => strangerAmong(values(place), carries, bases, variables)),
    isEdited: ({ node: { start, end }, module }) =>
      changes.at(module, start, end).some((change) => start <= change.start && change.end <= end),
    asksVersion: versionAskedIn(sites),
    ...onWay(ev, sites, changes),
    isOurs: (node) => requests.get(node),
    isElsewhere: elsewhereTo(bases),
    requests: sites.map(({ request }) => request),
    moved: movedIn(changes),
    variables,
    cut,
  };
}

type Asking = <T>(ask: (place: Place) => T) => (place: Place) => T;

/** Makes a question about places, which is asked once of each; that its answer is not whole, it says each time. */
const askingOnce =
  ({ budget }: Evaluation, cut: Place[]): Asking =>
  <T>(ask: (place: Place) => T) => {
    const known = new Map<Node, Answer<T>>();
    return (place) => {
      const answer = known.get(place.node) ?? budget.question(place, () => ask(place), maxSteps);
      known.set(place.node, answer);
      if (answer.isCut) cut.push(answer.place ?? place);
      return answer.value;
    };
  };

/** What of the edits there is in the values at a place. */
function editsAt(
  ev: Evaluation,
  found: CallGraph,
  changes: ChangesByPlace,
  { carries, values, asking }: { readonly carries: Taint; readonly values: DataflowQuery['values']; readonly asking: Asking },
): Pick<DataflowQuery, 'carried' | 'carriedBy' | 'isKept' | 'mayCarry' | 'unsealed' | 'hasClientsOnly'> {
  const { callers } = found;
  const carriesOpenly = taintOf(ev, changes, found, (name) => namesTaken(ev).has(name));
  const carriedBy = (all: readonly Value[]): readonly Change[] => {
    const [only] = all;
    return only !== undefined && all.length === 1 ? carries(only) : [...new Set(all.flatMap((value) => carries(value)))];
  };
  const sealedAt = asking((place) => {
    const all = joinedValuesAt(ev, callers, place);
    const taken = new Set(all.flatMap((value) => carriesOpenly(value)));
    return carriedBy(all).filter((change) => !taken.has(change));
  });
  return {
    carriedBy,
    carried: asking((place) => {
      if (makesRequest(ev, place)) return [];
      const all = values(place);
      const kept = keptValues(ev, callers, all, values);
      return kept.length === 0 ? carriedBy(all) : [...new Set([...carriedBy(all), ...carriedBy(kept)])];
    }),
    isKept: (place) => keptValues(ev, callers, values(place), values).length > 0,
    mayCarry: asking((place) => carriedBy(joinedValuesAt(ev, callers, place))),
    unsealed: (place, carried) => {
      const sealed = carried.length === 0 ? carried : sealedAt(place);
      return carried.filter((change) => !sealed.includes(change));
    },
    hasClientsOnly: asking((place) => values(place).every((value) => carries(value, true).length === 0)),
  };
}

function versionAskedIn(sites: readonly RequestSite[]): DataflowQuery['asksVersion'] {
  const moved = once(() => changesByPlace(sites.flatMap((site) => site.changes)));
  return (call, module) => {
    const end = versionEndIn(call);
    const change = end && versionMoved(end, module.text);
    return end !== undefined && (change === undefined || moved().at(module, change.start, change.end).length > 0);
  };
}

/** Whether a place makes a request whoever calls: that takes nothing along, so that nobody need be followed who may give it an address. */
function makesRequest(ev: Evaluation, { node, module }: Place): boolean {
  if (node.kind !== 'call') return false;
  const made = optionsOf(ev.evaluate(node, { module, frame: undefined }));
  return made.length > 0 && made.every((value) => value.type === 'http' && value.stage === 'request');
}

/** The text of an address behind the edits. */
export const movedIn =
  (changes: ChangesByPlace) =>
  (address: readonly Part[]): string =>
    address.map((part) => ('unknownPart' in part ? unknownPart : movedText(part, changes))).join('');

/** What is taken of something that is not known is not, either. */
function isLostValue(value: Value): boolean {
  switch (value.type) {
    case 'unknown':
      return true;
    case 'method':
      return value.receiver.type === 'http'
        ? value.receiver.stage === 'request'
        : /^(?:unknown|param|object|list|method|function|class)$/.test(value.receiver.type);
    case 'list':
      return value.items.length > 0 && value.items.every((item) => optionsOf(item).some(isLostValue));
    default:
      return false;
  }
}

function movedText(part: TextPart, changes: ChangesByPlace): string {
  const { text } = part;
  const at = placeOfPart(part);
  if (at === undefined) return text;
  const own = changes.at(at.module, at.start, at.end).filter((change) => at.start <= change.start && change.end <= at.end);
  return own
    .toSorted((one, other) => other.start - one.start)
    .reduce((made, change) => made.slice(0, change.start - at.start) + change.text + made.slice(change.end - at.start), text);
}
