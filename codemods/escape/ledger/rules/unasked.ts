/** Literals that nobody is seen to ask by: what stands in them and around them says whose they are. Where ours are near, the rest is a person's. */
import { v1Auth } from '../../../../src/contract/auth.ts';
import { isHeaderOfContract } from '../../../clients/contracts.ts';
import { isHandedOn } from '../../../clients/servers/nginx-headers.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { routeHeads } from '../../../verdict/bases/routes.ts';
import { isForOthers } from '../../calls/foreign-variables.ts';
import { setsHeader } from '../../headers/hooks/given-headers.ts';
import { isExpected, isTitle } from '../../paths/repeats.ts';
import { askedOfStatement } from '../../statements.ts';
import { isRun } from '../commands.ts';
import type { Facts } from '../facts.ts';
import { isGuardedForOthers } from '../guarded-headers.ts';
import { isHelp } from '../help-texts.ts';
import { isBesideV2, isLoose } from '../loose.ts';
import { isHeaderName, isOfRequest, isPathOf, isRequestLine, isRoute, type Suspicious, textIn } from '../suspicious.ts';
import { holdsOurs, isOfOtherService, isOurAddress } from '../texts-of-ours.ts';
import { listed, ofOthers, type Rules, told } from './rule.ts';

export const unasked: Rules = {
  /** Its host, the variable it stands under, or the test before it is another service's. */
  ofOtherService: (at, { ev, sites, bases }) =>
    (isOfOtherService(at.node, bases) ||
      isForOthers(at.node, ev.world, sites) ||
      (isHeaderName(at) && isGuardedForOthers(at.node, bases))) &&
    ofOthers,

  /** A shell is handed the command, which asks as a call does. */
  run: (at, facts) =>
    isRun(facts.ev, at.node, textIn(at.node), at.module) &&
    (isLoose(at, facts) || holdsOurs(facts.ev, at, facts.bases)) &&
    told('unconsumed', { how: 'run' }),

  /** The contract of calls that move asks for v1's header. */
  ofContract: ({ node, module }, { movedFiles }) =>
    isHeaderOfContract(node, module) && movedFiles.has(module.file) && told('old-type', { how: 'schema' }),

  /** nginx hands on what came, and Authorization by itself. */
  handedOn: (at, facts) => isLoose(at, facts) && isHandedOn(at.node, at.module) && told('reads-header', { how: 'handed on' }),

  /** Outside of tests, an address of ours that nobody is seen to ask is given to something that was not seen. */
  address: ({ node, module }, { bases }) => !isTest(module) && isOurAddress(node, bases) && { ...told('unconsumed'), isGivenAddress: true },

  /** It is ours by what it says or stands beside, and whoever asks by it was not seen. */
  loose: (at, facts) => isLoose(at, facts) && told('unconsumed'),

  /** People are shown an address of ours. */
  example: (at, { ev, bases }) => holdsOurs(ev, at, bases) && told('mentioned'),

  /** A test expects a message with a route of what it runs. */
  expectedMessage: (at, { isAnyMoved, isLeading }) =>
    isAnyMoved &&
    isSentence(at) &&
    saidRoute.test(textIn(at.node)) &&
    isExpected(at.node, at.module) &&
    isLeading(at.module) &&
    told('repeats-path'),

  /** A mock of a test may look its answers up by it. */
  ofTest: (at, facts) => isOfTest(at, facts) && told('repeats-path'),

  /** It stands in one chain with what another host is asked for. */
  besideOthers: ({ node }, { theirs, chainAround }) => theirs.has(chainAround(node)) && ofOthers,

  /** A client tells people of its calls. Messages repeat each other: the first of a file is told, and what helps those who run it. */
  sentence: (at, { isOfClient }, { isAgain }) =>
    isSentence(at) && isOfClient(at.module, at.node) && (isAgain && !isHelp(at.node) ? listed('mentioned') : told('mentioned')),

  /** Something is given the header of which nobody knows whom it asks. */
  givenHeader: (at, { ev, bases, isOpen }) => !isOpen(at) && setsHeader(ev, at, bases) && 'waits',

  /** Nothing of ours is in reach, nor is a call that sends the key to an unknown base by such a path. */
  outOfReach: (at, { isOpen, keyed }) => !isOpen(at) && !(isRoute(at.node) && keyed.has(functionAround(at.node))) && 'as it is',

  /** The header of a call whose path was told is found with that. */
  besideTold: ({ node }, _facts, { isNamed }) => !isPathOf(node) && isNamed(node) && listed('unconsumed'),

  /** What is left may be a call of ours that was not understood. */
  other: () => told('unconsumed'),
};

/** A text with the header or a route that is read by people: no name, no list of names, and nothing about another's address. */
function isSentence({ node }: Suspicious): boolean {
  const text = textIn(node).trim();
  if (!/\s/.test(text) || /https?:\/\//.test(text)) return false;
  if (saidRoute.test(text)) return true;
  return text.toLowerCase().includes(v1Auth.field) && !/^[\w-]+(?:\s*,\s*[\w-]+)*$/.test(text);
}

/** `PUT /v1/contacts/… answered 500` */
const saidRoute = new RegExp(`(?:^|[\\s(\`])(?:${routeHeads.join('|')})(?![\\w-])`);

/** What a test has for requests that it runs. */
function isOfTest({ node, module, start, end }: Suspicious, { isRunning }: Facts): boolean {
  if (!(isRequestLine(node) || isOfRequest(node)) || isTitle(node) || !isRunning(module)) return false;
  return !saysV2(node, module) || !isBesideV2(writtenAround(node, module), module.text.slice(start, end));
}

const writtenAround = askedOfStatement((text) => text);
/** What says nothing of v2 has nothing of it beside v1, whichever of its lines is asked about. */
const saysV2 = askedOfStatement((text) => text.includes('/v2'));
