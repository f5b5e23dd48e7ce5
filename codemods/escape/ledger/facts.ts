/** What is known of a component once its calls are judged, as the ledger asks for it: each question is got ready when it is first asked. */
import { isOfNginx } from '../../engines/nginx.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { FindingCode } from '../../model.ts';
import { memo, once, whenAsked } from '../../once.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { type Bases, namingOurs } from '../../verdict/bases/routes.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { addressesOfOthers } from '../calls/foreign-variables.ts';
import type { Escape } from '../escapes.ts';
import { passedOn } from '../flow/addresses/passed-on.ts';
import { namesReadByServers } from '../headers/lists/own-names.ts';
import { keptFor } from '../headers/reads/kept-keys.ts';
import { askedBeside, movedBeside } from '../paths/repeats.ts';
import { letInBeside } from '../servers/let-in.ts';
import type { NamedAtStandIns } from '../servers/stand-in-servers.ts';
import { accountsOf, besideDecisions } from './accounted.ts';
import { clientFiles } from './client-files.ts';
import { besideIn, leadingTo } from './help-texts.ts';
import { changedState, type Literal, type State } from './ledger-entry.ts';
import { besideMoved } from './path-tables.ts';
import { openPlaces } from './reach.ts';
import { stubbedIn } from './stubs.ts';
import { speaksOfOurs } from './texts-of-ours.ts';

export interface Judged extends Pick<CallGraph, 'expensive'> {
  readonly ev: Evaluation;
  readonly sites: readonly RequestSite[];
  readonly changes: ChangesByPlace;
  readonly refusedFor: (change: Change) => FindingCode | undefined;
  /** Whether a file holds suspicious literals, or was only read for what it imports. */
  readonly isCandidate: (file: string) => boolean;
  readonly bases: Bases;
  /** What is told already of places that are edited or read. */
  readonly reported: readonly Pick<Escape, 'node' | 'code'>[];
  readonly standIns: NamedAtStandIns;
}

export type Facts = ReturnType<typeof factsOf>;

export function factsOf(judged: Judged) {
  const moves = { ...judged, ...movesOf(judged) };
  return {
    ...moves,
    ...accountsOf(judged, moves.moved),
    ...ofServers(moves),
    ...ofTexts(moves),
    isGivenByPath: besideDecisions(judged.reported),
  };
}

type Moves = Judged & ReturnType<typeof movesOf>;

/** What moves, what is on v2 already, and which files these are in or beside. */
function movesOf({ ev, sites, changes, refusedFor }: Judged) {
  const isMade = (change: Change): boolean => refusedFor(change) === undefined;
  const changedIn = (literal: Literal): State | undefined => changedState(literal, changes, refusedFor);
  const moved = changesByPlace(changes.all.filter(isMade));
  const onV2 = sites.filter(({ verdict, request }) => verdict.kind === 'v2' && !request.isMock);
  // What a run tells beside the calls that it moves, the next one tells beside those that it moved.
  const isAnyMoved = moved.all.length > 0 || onV2.length > 0;
  const movedIn = new Set([...moved.all, ...onV2.flatMap(placesOf)].map(({ module }) => module));
  const movedFiles = new Set([...movedIn].map(({ file }) => file));
  const isBeside = besideIn(ev.world, movedFiles);
  return {
    moved,
    onV2,
    isAnyMoved,
    movedIn,
    movedFiles,
    isMoved: (site: RequestSite): boolean => site.verdict.kind === 'v2' || site.changes.some(isMade),
    isLeading: leadingTo(ev.world, movedFiles),
    /** Of tests, and of what these are helped by. */
    isRunning: (module: SourceModule): boolean => isAnyMoved && isTest(module) && isBeside(module),
    changedIn,
    isLeft: (literal: Literal): boolean => changedIn(literal) === undefined,
  };
}

/** Of servers, those that tests put in the service's place among them. */
const ofServers = ({ ev, sites, bases, isAnyMoved, isMoved }: Moves) => ({
  /** The texts by which servers read the header, wherever these stand. */
  namesRead: once(() => namesReadByServers(ev)),
  isLetIn: whenAsked(() => letInBeside(sites, bases)),
  isPassedOn: whenAsked(() => passedOn(sites, bases)),
  isAtOthers: whenAsked(() => addressesOfOthers(sites)),
  /** Whether something moves that goes to a stand-in. */
  isFaked: sites.some((site) => site.isForStandIn === true && isMoved(site)),
  /** Files with mocks that move. */
  mocking: new Set(sites.flatMap((site) => (site.request.isMock && isMoved(site) ? [site.request.module.file] : []))),
  /** What a server in front says of v1 is no text of a program that calls something else. It may be included by others. */
  isServer: memo(
    ({ tree, text }: SourceModule): boolean =>
      isOfNginx(tree.program) && (isAnyMoved || namingOurs(bases)(text) || !text.includes('proxy_pass')),
  ),
});

/** Of texts beside what moves, and of files that speak of us. */
const ofTexts = ({ ev, sites, bases, moved, onV2, isMoved, isRunning, isLeft }: Moves) => ({
  speaksOfUs: memo((module: SourceModule) => speaksOfOurs(module, bases)),
  isBesideMoved: besideMoved(moved, onV2.length > 0),
  isKept: whenAsked(() => keptFor(sites, isMoved, bases)),
  isMovedBeside: whenAsked(() => movedBeside(moved.all)),
  isAskedBeside: whenAsked(() => askedBeside(sites.filter((site) => !site.request.isMock && isMoved(site)))),
  isOfClient: whenAsked(() => clientFiles(ev, moved, sites, onV2)),
  /** Whether it may be a call of ours that nobody accounts for. */
  isOpen: whenAsked(() => openPlaces(ev, bases, stubbedIn(ev.world, isRunning, isLeft))),
});
