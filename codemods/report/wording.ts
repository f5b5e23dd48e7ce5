/** What findings mean, in words. With `case-wording.ts` the only place that has them: findings are data, and every output takes its words from here. */
import { bearer as bearerOf, v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { Finding, FindingCode } from '../model.ts';
import { remedyOfBase } from './case-bases.ts';
import { byTestRunner, ofNoEndpoint, wordingOfCase } from './case-wording.ts';
import { allowComment, allowIt, ignoreComment, orIgnore, withoutAllow } from './shared-wording.ts';

/** What a finding asks of a person: v1 is still called there, something is to be checked, nothing is to be done, or the tool failed. */
export type Kind = 'left' | 'look' | 'alone' | 'failed';
export type Severity = 'error' | 'warning' | 'note';

export interface Wording {
  readonly kind: Kind;
  readonly title: string;
  readonly reason: string;
  readonly remedy: string;
}

/** What an output says of one finding: `{name|otherwise}` is filled in. */
export interface Words extends Wording {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Where the guide says more. */
  readonly anchor: string;
}

const { field } = v1Auth;
const { fieldName: authorization } = v2Auth;
const bearer = `${authorization}: ${bearerOf('<key>')}`;
const orAllow = `if what it holds may move along, ${allowIt}`;

/** `{name|otherwise}` stands for a detail of the finding. */
export const wordings = {
  'authorization-present': {
    kind: 'left',
    title: `${authorization} is sent beside ${field}`,
    reason: `v2 reads the key from ${authorization}, which already holds something else; which of the two v2 shall get cannot be known here.`,
    remedy: `Send ${bearer} alone, or give the calls of this service headers of their own; then run again.`,
  },
  'shared-with-other-host': {
    kind: 'left',
    title: 'The client also calls another host',
    reason: `{name|What it sends} goes to {host|the other host} too, which would get the key as a ${v2Auth.scheme} token.`,
    remedy:
      'If {host|that host} is this service as well – a stage of it, or what stands in for it –, run again with --v1-base for it, too; if it is not, give the calls of this service a client with headers of its own; then run again.',
  },
  escapes: {
    kind: 'left',
    title: 'What would be edited is used by more than the calls that are known',
    reason:
      '{name|It} is handed to code that was not read, kept or exported where others may use it, compared with a text, or read again before a request goes out: what is done with it there would not move along.',
    remedy: `Keep it to the calls of this service, or change path, base, header and what uses them by hand; ${orAllow}.`,
  },
  'decides-by-path': {
    kind: 'left',
    title: 'Decides by a path of v1 what becomes of a request',
    reason: `Calls that pass here would have paths of v2, which this does not know: they would go out without ${authorization}, go past what guards them, or be treated as others.`,
    remedy: `Let it take paths of v2, too, or decide by something else, and run again; ${orAllow}.`,
  },
  'too-complex': {
    kind: 'left',
    title: 'The code takes too many steps to follow',
    reason:
      'What its expressions can be was not followed to the end, so something else may use what would change here. Most steps were taken at {at|this place}.',
    remedy: `Write what is asked there more simply, or change path, base and header by hand; ${orAllow}.`,
  },
  'dynamic-path': {
    kind: 'left',
    title: 'Which path is asked cannot be read',
    reason:
      'The base is that of v1, but the path is put together at run time, is a pattern, is passed on with its version by a proxy for callers that were not seen, or shares a part with something that is not v1.',
    remedy: `Write the path as a text or template from /v1/ on and run again, or change it by hand, the pattern of a mock together with the client; ${orAllow}.`,
  },
  'dynamic-method': {
    kind: 'left',
    title: 'The method is only known at run time',
    reason: 'The path is one of v1, but whether v1 has the method there cannot be read from the code, and v2 has methods that v1 has not.',
    remedy: `Write the method as a text, or let every caller that is seen here give one, and run again, or change the call by hand; ${orAllow}.`,
  },
  'unknown-route': {
    kind: 'left',
    title: 'v1 has no such endpoint',
    reason: `${ofNoEndpoint}, so none of v2 succeeds it.`,
    remedy: `Look up in MIGRATION.md which endpoint of v2 does what is meant, and change the call by hand; ${orAllow}.`,
  },
  'key-not-found': {
    kind: 'left',
    title: `The call is on v1, but where it sets ${field} was not found`,
    reason: `A path of v2 without ${bearer} would be answered with 401, so the call was left as it is.`,
    remedy: `Set ${field} where the call or its client is made and run again, or change path and header together by hand.`,
  },
  'key-not-text': {
    kind: 'left',
    title: 'The key is not a single text',
    reason: `What is given for ${field} is {what|no text}, and ${v2Auth.scheme} can only stand before a text.`,
    remedy: `Change it to one text and run again, or write ${bearer} by hand.`,
  },
  'base-not-proven': {
    kind: 'look',
    title: 'Looks like a call of v1, but its base is not known',
    reason:
      '{route|It} looks like v1, but other services have the same paths and the same header; without a known base nothing is changed.',
    remedy: remedyOfBase({}),
  },
  'base-split': {
    kind: 'left',
    title: 'The base is made of parts that others use too',
    reason: '{name|A part of it} also serves something that is not this service, so changing it would change that as well.',
    remedy: 'Give this service a base of its own and run again, or change the parts by hand.',
  },
  'base-overwritten': {
    kind: 'left',
    title: 'Another host may be put in the place of the base',
    reason: '{name|What holds it} is written to here in a way that cannot be followed, so calls may go to another host than the base says.',
    remedy: `Give the calls of this service a base that nothing writes to and run again, or change path, base and header by hand; ${orAllow}.`,
  },
  'new-endpoint': {
    kind: 'look',
    title: 'v1 refuses this call, and v2 carries it out',
    reason:
      '{route|The endpoint} is new in v2. The call shares its base, its header or a part of its path with calls of v1 and moves along with them: from then on it does what it asks for.',
    remedy: `See who calls it, and that it is meant, before the new code runs; ${orIgnore}.`,
  },
  'env-elsewhere': {
    kind: 'look',
    title: 'The base, or its version, comes from a variable or an option that is set elsewhere',
    reason: 'The code is moved to v2, but {name|the variable} gets its value {where|outside of these files}.',
    remedy: 'Set {name|it} to {value|the base of v2} wherever the program runs, at the same time as the new code.',
  },
  'reads-variable': {
    kind: 'left',
    title: 'Reads a variable whose value would change',
    reason:
      '{name|The variable} holds a base of v1, its version, a path or the name of its header, and is used here in a way that stays on v1 or cannot be followed, so the variable and all that reads it stay as they are.',
    remedy: `Give what stays here a variable of its own, or move it by hand together with {name|the variable}; ${orAllow}.`,
  },
  'escaped-literal': {
    kind: 'left',
    title: 'The text is written with escapes',
    reason: 'What stands in the file is not letter by letter what it means, so no part of it can be replaced safely.',
    remedy: 'Write it without escapes and run again, or change it by hand.',
  },
  'minute-limit': {
    kind: 'look',
    title: 'Is made for the limit per minute',
    reason: 'v1 counts calls per minute and day, v2 per hour.',
    remedy: `Reckon with the hourly limit of your plan (MIGRATION.md lists them); ${orIgnore}.`,
  },
  'limit-code': {
    kind: 'look',
    title: 'Reacts to an error code of the limits of v1',
    reason: 'Whether v2 answers with {code|this code} is not documented.',
    remedy: `React to status 429 instead; ${orIgnore}.`,
  },
  'retry-per-minute': {
    kind: 'look',
    title: 'Retries as suits a limit per minute',
    reason: 'v1 answers again after a minute at most; the window of v2 is an hour.',
    remedy: `Wait as long as the answer says, and give up or queue before an hour is over; ${orIgnore}.`,
  },
  polls: {
    kind: 'look',
    title: 'Asks again and again, and v2 counts by the hour',
    reason: 'One that asks like this makes {calls|many} calls an hour, and the smallest plan of v2 has {limit|few} for all together.',
    remedy: `Ask for all at once, less and less often, or not at all where a webhook tells; ${orIgnore}.`,
  },
  'answer-shape': {
    kind: 'look',
    title: 'Depends on the shape of an answer',
    reason: 'What answers of v2 hold is not documented; {what|this} may be called differently there.',
    remedy: `Compare with an answer of v2 before you ship; ${orIgnore}.`,
  },
  'browser-key': {
    kind: 'look',
    title: 'The key is sent to browsers',
    reason: 'Whoever opens the page can read it, on v2 as on v1.',
    remedy: `Call the service from a server of yours, and make a new key once the page is gone; ${orIgnore}.`,
  },
  'slash-at-end': {
    kind: 'look',
    title: 'Asks for a path with a slash at its end',
    reason: 'It is moved with the slash; the reference shows {route|such a path} without one, for v1 and for v2.',
    remedy: `Take the slash away, where nothing is put behind it, or see that v2 answers it so; ${orIgnore}.`,
  },
  'reads-header': {
    kind: 'look',
    title: `Reads ${field} of a call`,
    reason: `Calls that are moved to v2 send ${authorization} in its place.`,
    remedy: `If it is such a call that arrives here, read ${bearer}; ${orIgnore}.`,
  },
  'redacts-header': {
    kind: 'look',
    title: `Keeps ${field} out of logs, and not ${authorization}`,
    reason: `Calls that are moved to v2 send their key as ${authorization}, so it would begin to appear where ${field} did not.`,
    remedy: `Add {add|${authorization}}, in small letters, too, where letters count; ${orIgnore}.`,
  },
  unconsumed: {
    kind: 'look',
    title: 'Belongs to v1, but no call was seen that uses it',
    reason: 'Calls in files that were not looked at, or in code that cannot be followed, may depend on it.',
    remedy: `Give the folder that uses it to the same run, remove it, or change path, base and header by hand, and together: v2 answers 401 to ${field}; ${orIgnore}.`,
  },
  'repeats-path': {
    kind: 'look',
    title: 'Compares, replaces or signs a path of v1',
    reason: 'Where calls are on v2, a path that is compared with theirs or signed along with them is no longer the same.',
    remedy: `If it is about calls of this service, write it as v2 has it, or let it take both; ${orIgnore}.`,
  },
  mentioned: {
    kind: 'look',
    title: 'Text beside a base or calls of yours speaks of v1',
    reason: 'It is no call, and is left as it is: whoever reads it, a person or a tool, is told to use v1.',
    remedy: `Write it as v2 has it; ${orIgnore}.`,
  },
  'old-type': {
    kind: 'look',
    title: 'A type speaks of v1',
    reason: 'It stays with what stays beside it, and the path or header of a call that is moved to v2 may no longer be of this type.',
    remedy: `Write it as v2 has it, or let your compiler say whether it matters; ${orIgnore}.`,
  },
  'old-key': {
    kind: 'look',
    title: `Asks v2 with ${field}`,
    reason: `v2 answers 401 to it: its address is of v2, and its key is sent as v1 takes it.`,
    remedy: `Send ${bearer} in its place, if v2 has such an endpoint; ${orIgnore}.`,
  },
  'made-again': {
    kind: 'look',
    title: 'Moves a file that says it is generated',
    reason: 'It asks v2 from now on, and v1 again as soon as it is made again, then with the header of v2.',
    remedy: 'Change what it is made from, too: the document or the options of its generator.',
  },
  'make-again': {
    kind: 'look',
    title: 'Stays on v1, in a file that says it is generated',
    reason: 'What a person changes there is lost as soon as it is made again.',
    remedy: `Make it anew of a document of v2, which npx migrate-v2 openapi --out openapi.json writes; then let the program give the client its key as a token, so that ${bearer} is sent, and run again.`,
  },
  'held-back': {
    kind: 'left',
    title: 'Shares its client or headers with a call that a comment leaves alone',
    reason: 'What both use cannot change for one of them alone, so this call is still on v1.',
    remedy: `Give it a client or headers of its own and run again, or remove the comment ${ignoreComment}.`,
  },
  'held-elsewhere': {
    kind: 'left',
    title: 'Goes by something that stays on v1 elsewhere',
    reason: '{name|What it uses} is also used at {by|another place}, which is left for a person, so this is still on v1.',
    remedy: 'See to {by|that place} first and run again, or change both by hand.',
  },
  ignored: {
    kind: 'alone',
    title: `Left alone, as a comment says`,
    reason: '{reason|no reason is given}',
    remedy: `Remove the comment ${ignoreComment} once it is to be changed.`,
  },
  allowed: {
    kind: 'alone',
    title: 'May move along, as a comment says',
    reason: '{reason|no reason is given}',
    remedy: `Remove the comment ${allowComment} once all is moved.`,
  },
  generated: {
    kind: 'look',
    title: 'Uses v1, in a file that was generated or comes from elsewhere',
    reason: '{reason|it is not written by hand}; what is changed here is lost when it is made or fetched again',
    remedy: `Change what it is made from, or get a version of it for v2; ${orIgnore}.`,
  },
  'other-host': {
    kind: 'alone',
    title: "Another service's",
    reason: 'It belongs to {host|another host}, which has a header or a path of the same name.',
    remedy: 'Nothing. If it is this service after all, name its base with --v1-base.',
  },
  'own-server': {
    kind: 'alone',
    title: 'A server of your own',
    reason: 'It answers calls under such a path or reads such a header, and calls nobody.',
    remedy: 'Nothing.',
  },
  syntax: {
    kind: 'failed',
    title: 'The file could not be parsed',
    reason: '{reason|it is not valid in its language}',
    remedy: '{remedy|correct it and run again, or leave it out with --exclude}',
  },
  unreadable: {
    kind: 'failed',
    title: 'The file could not be read',
    reason: '{reason|the system did not say why}',
    remedy: '{remedy|give this user the right to read it, or leave it out with --exclude}',
  },
  unwritable: {
    kind: 'failed',
    title: 'The file could not be written',
    reason: '{reason|the system did not say why}; {state|it is as it was, and so is all that would change together with it}',
    remedy: '{remedy|give this user the right to write it}, and run again',
  },
  'too-large': {
    kind: 'failed',
    title: 'The file is too large to be looked at',
    reason: '{reason|it has too many bytes}',
    remedy: 'Look for v1 in it by hand, or leave it out with --exclude.',
  },
  'worker-died': {
    kind: 'failed',
    title: 'The process that looked at the file ended',
    reason: '{reason|it said no more}',
    remedy: 'Run again with --jobs 1; if it happens again, leave the file out with --exclude.',
  },
} as const satisfies Record<FindingCode, Wording>;

const severities: Readonly<Record<Kind, Severity>> = { left: 'error', look: 'warning', alone: 'note', failed: 'error' };

/** How much a kind of finding weighs. */
export const severityOf = (kind: Kind): Severity => severities[kind];

/** What the ledger counts for itself, whether there is a finding or not. */
export const isForeign = (code: string): code is 'other-host' | 'own-server' => code === 'other-host' || code === 'own-server';

/** What a comment of the user's says, and not the tool. */
export const isSettled = (code: FindingCode): boolean => code === 'ignored' || code === 'allowed';

/** What is found, and may well ask v1, though nothing says so for sure. */
export const mayAskV1 = (code: FindingCode): boolean => code === 'base-not-proven' || code === 'unconsumed' || code === 'generated';

const goesWithCalls: ReadonlySet<FindingCode> = new Set(['repeats-path', 'reads-header', 'redacts-header']);

/** Whether it is there because calls beside it are moved, and fails or leaks until it is changed as well. */
export const goesWithMoved = ({ code, detail }: Pick<Finding, 'code' | 'detail'>): boolean =>
  goesWithCalls.has(code) ||
  (code === 'unconsumed' && detail['how'] === 'moved') ||
  (code === 'old-type' && detail['how'] === 'value') ||
  (code === 'generated' && (detail['reason'] === byTestRunner || Object.hasOwn(detail, 'action')));

/** Whether a finding says of a whole file, and not only of its place, that nothing in it is changed. */
export const isOfWholeFile = (code: FindingCode): boolean => code === 'generated' || wordings[code].kind === 'failed';

const isCode = (reason: string): reason is FindingCode => Object.hasOwn(wordings, reason);

/** What a reason of the ledger means: a finding's code, or that no call has to do with it. */
export function ledgerTitle(reason: string): string {
  if (isCode(reason)) return wordings[reason].title;
  return reason === 'no-call' ? 'Text that no call was seen to use' : reason;
}

/** The section of the documents about a code. */
export const anchorOf = (code: string): string => `docs/findings.md#${code}`;

/** A template with its details, as a sentence; a detail that is not there is what stands behind the bar. */
function fill(template: string, detail: Finding['detail']): string {
  const filled = template.replace(/\{(\w+)\|([^}]*)\}/g, (_all, name: string, otherwise: string) =>
    Object.hasOwn(detail, name) && detail[name] ? detail[name] : otherwise,
  );
  // A name of the code stays as it is written there.
  const isName = template.startsWith('{name|') && Boolean(detail['name']);
  const text = isName ? filled : filled.trim().replace(/^[a-z](?=[a-z]*(?:[ ;]|$))/, (letter) => letter.toUpperCase());
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * The calls that stay because of a finding.
 * @param isWhole all that are known; else at most some of them, but where they can be one of each file
 */
export function holderInWords({ detail }: Pick<Finding, 'detail'>, isWhole = false): string | undefined {
  const { holds, calls } = detail;
  if (holds === undefined || calls === undefined) return undefined;
  const all = calls.split(', ');
  const files = new Set(all.map((call) => call.replace(/:\d+$/, ''))).size;
  const shown = isWhole ? all : all.slice(0, Math.max(maxHeld, Math.min(files, maxHeldFiles)));
  return `holds ${holds} ${holds === '1' ? 'call' : 'calls'}: ${shown.join(', ')}${Number(holds) > shown.length ? ' …' : ''}`;
}

/** How many calls are shown of what a finding holds, and how many where each is of another file. */
const maxHeld = 5;
const maxHeldFiles = 12;

/** Whether a call on this line stays because of a finding. */
export const isHeldBy = ({ detail }: Pick<Finding, 'detail'>, place: string): boolean =>
  detail['calls']?.split(', ').includes(place) === true;

/** Says what a finding is about. Details are as they were found: the outputs escape them. */
export function wordsOf({ code, detail }: Pick<Finding, 'code' | 'detail'>): Words {
  const { kind, title, reason, remedy } = { ...wordings[code], ...wordingOfCase({ code, detail }) };
  const isInVain = detail['allow'] === 'no';
  return {
    code,
    kind,
    severity: severityOf(kind),
    title,
    reason: fill(reason, detail),
    remedy: fill(isInVain ? withoutAllow(remedy) : remedy, detail),
    anchor: anchorOf(code),
  };
}
