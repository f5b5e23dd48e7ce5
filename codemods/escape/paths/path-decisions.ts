/**
 * Code that decides by a path of v1 what becomes of a request: whether it gets its key, in an interceptor or around the place that
 * sets it, what a hook of its client does with it, or whether the program's own server lets it pass. The path that it compares with is not the request's text, so it would stay
 * when the request moves, and the request would go out without its key.
 */
import { isPathOfContract } from '../../clients/contracts.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { choiceOf, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import type { Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import { answeredBy } from '../../verdict/next-page-links.ts';
import { beforeVersion } from '../../verdict/bases/mounts.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Escape } from '../escapes.ts';
import { isShown } from '../flow/harmless-calls.ts';
import { calledByHooks, type HookedClient } from '../flow/functions/hooks.ts';
import { isBaseOfPackage } from './bases-of-packages.ts';
import { isOfMessage } from './messages.ts';
import { guardsOf } from './own-guards.ts';
import { followerOf, type IsAnswer } from './text-follower.ts';
import { decidingIn } from './version-decisions.ts';
import { isIncoming, takesBoth } from './repeats.ts';
import { headerPlacesOf, testsOf } from './header-places.ts';
import { isVersionAlone, pathsIn } from './path-texts.ts';
import { isGivenOurs, ofLibrary, sentThrough } from './sent-through.ts';

export function pathDecisionsOf(ev: Evaluation, sites: readonly RequestSite[], changes: ChangesByPlace, bases: Bases): Escape[] {
  const real = sites.filter(({ verdict, request, changes: [first] }) => verdict.kind === 'ours' && !request.isMock && first !== undefined);
  if (real.length === 0) return [];
  const used = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const decisions = [...ev.world.modules.values()].flatMap((module) =>
    pathsIn(module)
      .filter(
        (node) =>
          !used.has(node) &&
          !isShown(node) &&
          !isStored(node) &&
          !isAnswered(node, module) &&
          !isOfMessage(node, module) &&
          !isPathOfContract(node) &&
          !isBaseOfPackage(node, module, ev.world) &&
          !isEdited(node, module, changes) &&
          !isForeign(node, bases),
      )
      .filter((node) => !takesBoth(node, module) && ignoredAt(module, node.start, node.end) === undefined)
      .map((node) => ({ node, module })),
  );
  if (decisions.length === 0) return [];
  const follow = followerOf(ev, answersOf(ev, real));
  const tests = headerPlacesOf(ev, real).flatMap((place) => testsOf(ev, place));
  const hooked = calledByHooks(ev);
  const letPast = guardsOf(ev, real);
  // One by which nobody is seen to ask may have been put in the place of others: `axios.create = (options) => { const client = make(options); … }`.
  const asking = new Set(sites.flatMap(({ request }) => request.origins));
  const isSeen = ({ origins = [], isAlone }: HookedClient): boolean => isAlone === true && origins.every((origin) => asking.has(origin));
  return decisions.flatMap((decision): Escape[] => {
    const found = new Set<Change>();
    const { places, isCut } = follow(decision, isVersionAlone(decision.node));
    const isDeciding = decidingIn(places, isCut, ev);
    const isAsked = isCut || !isAskedFor(ev, decision, places) || real.some((site) => mayBeOf(decision.node, site));
    for (const place of places) {
      // What only a test says decides about nothing that the program sends.
      if (isShown(place.node) || (isTest(decision.module) && !isTest(place.module))) continue;
      for (const change of letPast(decision, place)) found.add(change);
      if (!isAsked) continue;
      // A version by itself is part of many addresses, of others too.
      const functions = isVersionAlone(decision.node) && !isDeciding(place.node) ? [] : [...functionsAround(place.node)];
      const clients = functions.flatMap((fn) => hooked(fn, place.module)).filter((client) => isGivenOurs(client, real));
      for (const client of clients)
        for (const change of sentThrough([isSeen(client) ? client : ofLibrary(client)], real)) found.add(change);
      for (const { test, module, change } of tests) {
        const isIn = module === place.module && test.start <= place.node.start && place.node.end <= test.end;
        if (isIn && (clients.length > 0 || !isIncoming(test, module)) && !isAnotherText(ev, place)) found.add(change);
      }
    }
    return [...found].map((change) => ({ change, ...decision, name: '', code: 'decides-by-path' }));
  });
}

/** A whole path, or an address, up to the version and behind it. */
const isPrefix = /^(?:https?:\/\/[\w.:-]+)?(?:\/[\w-]+)*\/v1(?:\/[\w/-]*)?$/;

/** Whether what is read of a text is nothing but what something else is asked to begin with: `req.url.startsWith(environment.backendUrl)`. */
function isAskedFor(ev: Evaluation, decision: Place, places: readonly Place[]): boolean {
  const { parent } = decision.node;
  const field = parent?.kind === 'property' ? parent.name : undefined;
  const isKept = field !== undefined || parent?.kind === 'variable';
  return places.every((place) => {
    const { node } = place;
    if ((node === decision.node && isKept) || isNameOfFunction(ev, place)) return true;
    let at = node;
    const names: (string | undefined)[] = [];
    if (at.kind === 'member') names.push(at.property);
    for (; at.parent?.kind === 'member' && at.parent.object === at; at = at.parent) names.push(at.parent.property);
    if (field !== undefined && !names.includes(field)) return names.length > 0 || passing.has(at.parent?.kind);
    const call = at.parent;
    if (call?.kind !== 'call' || call.args[0] !== at || call.callee.kind !== 'member') return false;
    return call.callee.property === 'startsWith' && /^(?:name|member)$/.test(call.callee.object.kind);
  });
}

/** A function in which it is asked, by its name. */
const isNameOfFunction = (ev: Evaluation, { node, module }: Place): boolean =>
  node.kind === 'name' &&
  isScript(module) &&
  optionsOf(ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value).every(
    ({ type }) => type === 'function',
  );

/** What hands an object on as it is, to places that are looked at themselves. */
const passing: ReadonlySet<Node['kind'] | undefined> = new Set(['variable', 'import', 'export', 'exportDeclaration']);

/**
 * Whether a prefix that texts are asked for, with something before the version, may be that of a request: `/api/v1` is of no address that has a host or another path
 * there. What a variable or somebody else may put in the place of its base, or a server passes on, may be anything.
 */
function mayBeOf(node: Node, { request: { url = [], asked, through = [] }, verdict, variable, given }: RequestSite): boolean {
  const before = node.kind === 'string' && isPrefix.test(node.value) ? beforeVersion(node.value) : undefined;
  const version = verdict.kind === 'ours' ? verdict.version : undefined;
  const isOpen = variable !== undefined || given.length > 0 || (through.length > 0 && asked === undefined);
  if (before === undefined || before === '' || version === undefined || isOpen) return true;
  const known = asked === undefined ? flat(url).slice(0, version.start - 1) : (beforeVersion(flat(asked)) ?? unknownPart);
  return known.includes(unknownPart) || known === '' || before.endsWith(known.slice(-before.length));
}

/** `if (!settings.get('apiKey'))`, beside what holds the version under another name. */
function isAnotherText(ev: Evaluation, { node, module }: Place): boolean {
  if (!isScript(module)) return false;
  const texts = ev.budget
    .question({ node, module }, () => optionsOf(ev.evaluate(node, { module, frame: undefined })))
    .value.flatMap((option) => plainText(option) ?? []);
  return texts.length > 0 && !texts.some((text) => /v1/i.test(text));
}

/** `settings.set('apiUrl', 'https://api.example.com/v1')`: an address that is kept under a name decides about no request. */
const isStored = (node: Node): boolean =>
  node.kind === 'string' &&
  /^https?:/.test(node.value) &&
  node.parent?.kind === 'call' &&
  node.parent.args.indexOf(node) === 1 &&
  node.parent.callee.kind === 'member' &&
  /^set(?:Item)?$/.test(node.parent.callee.property ?? '');

/** `res.location('/v1/contacts/1')`, `reply.redirect('/v1/status')`: what the own server answers decides about no request. */
function isAnswered(node: Node, { scopes }: SourceModule): boolean {
  let at = node;
  while (at.parent !== undefined && within.has(at.parent.kind)) at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call' || call.callee === at || call.callee.kind !== 'member') return false;
  if (!/^(?:location|redirect|json|send|set|header|setHeader)$/.test(call.callee.property ?? '')) return false;
  let root: Node = call.callee;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root.kind === 'name' && /^(?:res|resp|response|reply)$/.test(root.name) && scopes.bindingOf(root)?.owner?.kind === 'param';
}

const within: ReadonlySet<Node['kind']> = new Set(['object', 'property', 'array', 'template', 'concat', 'conditional']);

const isEdited = (node: Node, module: SourceModule, changes: ChangesByPlace): boolean => {
  const { start, end } = node.kind === 'property' ? { start: node.keyStart, end: node.keyEnd } : node;
  return changes.at(module, start, end).some((change) => start <= change.start && change.end <= end);
};

const isForeign = (node: Node, bases: Bases): boolean => node.kind === 'string' && matchUrl(node.value, bases).kind === 'foreign';

/** Whether a call asks for what it is given, or by the client that it is called on, and gives the answer to that: nothing of it is made of the path. */
function answersOf(ev: Evaluation, real: readonly RequestSite[]): IsAnswer {
  const sent = new Set<Node>(real.map(({ request }) => request.call));
  const asking = new Set<Node>(real.flatMap(({ request: { call, callers } }) => [call, ...callers.map(({ node }) => node)]));
  const known = new Map<Node, boolean>();
  return (call, from, module) => {
    const isClients = from === call.callee && from.kind === 'member' && sent.has(call);
    if (!isClients && (from === call.callee || !asking.has(call))) return false;
    const before = known.get(call);
    if (before !== undefined) return before;
    const { value } = ev.budget.question({ node: call, module }, () => ev.evaluate(call, { module, frame: undefined }));
    const isAnswer = isOfAnswers(ev, value);
    known.set(call, isAnswer);
    return isAnswer;
  };
}

/** Whether all of a value is taken from answers, or put together of such: `{ data: await response.json(), status: response.status }`. */
function isOfAnswers(ev: Evaluation, value: Value): boolean {
  const parts = optionsOf(value).flatMap((each) =>
    each.type === 'object' && each.unknown.length === 0 ? each.entries.map((entry) => entry.value()) : [each],
  );
  return (answeredBy(ev, choiceOf(parts))?.size ?? 0) > 0;
}
