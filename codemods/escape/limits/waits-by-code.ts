/** What waits as long as v1's shorter window once too many calls were made: v2 counts by the hour. */
import { givesWait } from './retry-options.ts';
import { type ErrorRow, errorRows } from '../../../src/contract/errors.ts';
import { v1Windows } from '../../../src/contract/limits.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { BinaryNode, CallNode, Expression, FunctionNode, Node, PropertyNode } from '../../syntax/tree.ts';
import { defaultOf, numberOf, writtenAs } from './numbers.ts';
import { branchesOf, returnedBy } from '../flow/functions/returned.ts';

const tooMany = 429;
const rows: readonly ErrorRow[] = Object.values(errorRows);
// The daily limit's status is an open question, so its row may say otherwise: its code still speaks of a limit.
export const limitCodes: ReadonlySet<string> = new Set(
  rows.flatMap(({ where, status, code }) =>
    where === 'v1' && code !== undefined && (status === tooMany || code.includes('LIMIT')) ? [code] : [],
  ),
);

const limits = new RegExp([`\\b${tooMany}\\b`, 'TOO_?MANY_?REQUESTS', ...limitCodes].join('|'), 'i');

/** Whether a text reacts to too many calls at all. */
export const speaksOfLimit = (text: string): boolean => limits.test(text);

export const tooManyWords = /rate_?limit|too_?many|throttl|quota/i;

/** Whether what is asked is whether there were too many calls: `status === 429`, `error.isRateLimited`. */
export const asksForLimit = ({ start, end }: Node, { text }: SourceModule): boolean => {
  const asked = text.slice(start, end);
  return speaksOfLimit(asked) || tooManyWords.test(asked);
};

const minute = v1Windows.minute.length;
const seconds = minute / 1000;

/** Whether a text may say how long something waits, or when it runs. */
export const mayWait = (text: string): boolean =>
  /\b60(?:_?000)?\b|minute|interval|cron|repeat|schedule|backoff|-arrival-rate|\bevery\b/i.test(text);

/** Whether what is asked is whether tests are run: they wait for nothing. */
const asksForTests = ({ start, end }: Node, { text }: SourceModule): boolean =>
  /\bNODE_ENV\b|\bVITEST\b|\bJEST_WORKER_ID\b/.test(text.slice(start, end));

/** `60_000`, `60 * 1000`, `'minute'`, a constant that is, `status === 429 ? 60_000 : 500`, or `process.env.NODE_ENV === 'test' ? 0 : 60_000`. */
export function isMinute(node: Expression, module: SourceModule): boolean {
  if (node.kind === 'string') return node.value === 'minute';
  const written = writtenAs(node, module);
  if (written === undefined) return false;
  const ways =
    written.kind === 'conditional' && (asksForLimit(written.test, module) || asksForTests(written.test, module))
      ? branchesOf(written)
      : [written];
  return ways.some((way) => defaultOf(way, module) === minute);
}

/** `setTimeout(again, 60_000)`, `60 - now.getSeconds()`, `'Retry-After': '60'`. */
export function waitsAMinute(node: CallNode | PropertyNode | BinaryNode, module: SourceModule): boolean {
  if (node.kind === 'call') return callWaits(node, module);
  if (node.kind === 'binary') return isRestOfMinute(node, module);
  const { name = '', value } = node;
  if (isRetryAfter(name) || delaysInSeconds.test(name)) return isLong(value, module);
  return (waits.test(name) || givesWait.test(name)) && !isLogged(node) && isMinute(value, module);
}

/** `log.warn({ wait }, 'again')`: what is waited elsewhere. */
const isLogged = ({ parent }: PropertyNode): boolean =>
  parent?.parent?.kind === 'call' &&
  parent.parent.callee.kind === 'member' &&
  /^(?:log|trace|debug|info|warn|error)$/.test(parent.parent.callee.property ?? '');

const waits = /^(?:delay|wait\w*|(?:retry|backoff|sleep)_?(?:ms|time|delay|interval|millis\w*)|cool_?down\w*)$/i;
/** `message.retry({ delaySeconds: 60 })` of Cloudflare's queues, `DelaySeconds: 60` of SQS. */
const delaysInSeconds = /^(?:retry_?)?delay_?(?:secs?|seconds)$/i;
export const isRetryAfter = (name: string): boolean => /^retry[-_]?after(?:_?(?:s|secs?|seconds|ms))?$/i.test(name);
/** As packages for durations write it. */
const written = /^(?:1\s*m(?:in(?:ute)?)?|60\s*s(?:ec(?:ond)?s?)?)$/i;

/** `calculateDelay: ({ error }) => (error.response?.statusCode === 429 ? 60_000 : 500)`: the minute that such a function gives back. */
export function minuteGivenBack(fn: FunctionNode, module: SourceModule): Expression | undefined {
  const name = nameOf(fn) || nameOf(fn.parent);
  if (!givesWait.test(name) && !(waiting.test(name) && speaksOfLimit(module.text))) return undefined;
  return returnedBy(fn).find((each) => isMinute(each, module));
}

const waiting = /delay|back_?off|wait|cool_?down|pause/i;

const limiting = /limit|throttl|quota/i;

/** Whether a text may count calls by the minute itself. */
export const mayCountMinutes = (text: string): boolean => /\b60(?:_?000\b|\s*\*\s*1_?000\b)/.test(text) && limiting.test(text);

/** `now - since > 60_000` in what is called a limiter: elsewhere it may be the age of anything. */
export function isOwnWindow({ operator, left, right, parent }: BinaryNode, module: SourceModule): boolean {
  if (!/^[<>]=?$/.test(operator)) return false;
  const isAge = (one: Expression, other: Expression): boolean => one.kind === 'binary' && one.operator === '-' && isMinute(other, module);
  if (!isAge(left, right) && !isAge(right, left)) return false;
  if (limiting.test(module.file.slice(module.file.lastIndexOf('/') + 1))) return true;
  for (let at: Node | undefined = parent; at !== undefined; at = at.parent) if (limiting.test(nameOf(at))) return true;
  return false;
}

const nameOf = (node: Node | undefined): string =>
  node?.kind === 'function' || node?.kind === 'class'
    ? (node.name?.name ?? '')
    : node?.kind === 'property' || node?.kind === 'classMember'
      ? (node.name ?? '')
      : node?.kind === 'variable' && node.target.kind === 'patternName'
        ? node.target.name
        : '';

function callWaits({ callee, args }: CallNode, module: SourceModule): boolean {
  const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
  const [first, second] = args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));
  if (/^(?:start|end)OfMinute$/.test(name)) return true;
  if (/^set(?:UTC)?Minutes$/.test(name) && first !== undefined) return isMinuteAfter(first, module);
  if (/^(?:startOf|endOf)$/.test(name)) return first?.kind === 'string' && /^minutes?$|^m$/.test(first.value);
  // `response.header('Retry-After', '60')`
  if (first?.kind === 'string' && isRetryAfter(first.value) && second !== undefined) return isLong(second, module);
  // `worker.rateLimit(60_000)` of BullMQ; `ratelimit(5, '1 m')` makes what holds calls of one's own server back.
  if (/^rateLimit$/i.test(name)) return callee.kind === 'member' && first !== undefined && isMinute(first, module);
  if (!/timeout|timer|sleep|delay|wait|pause|retry|backoff/i.test(name)) return false;
  return args.some((arg) => arg.kind !== 'spread' && (arg.kind === 'string' ? written.test(arg.value) : isMinute(arg, module)));
}

/** `60 - now.getSeconds()`, `60_000 - (Date.now() % 60_000)`, `Math.ceil(Date.now() / 60_000) * 60_000`: up to where v1 begins to count anew. */
function isRestOfMinute({ operator, left, right }: BinaryNode, module: SourceModule): boolean {
  if (operator === '%') return isMinute(right, module);
  if (operator === '*') return isMinute(right, module) && isWholeMinutes(left, module);
  return operator === '-' && isLong(left, module) && right.kind === 'call' && isSeconds(right);
}

/** `Math.ceil(Date.now() / 60_000)`, with one more or less, too. */
function isWholeMinutes(node: Expression, module: SourceModule): boolean {
  if (node.kind === 'concat') return isWholeMinutes(node.left, module);
  const [counted] =
    node.kind === 'call' && node.callee.kind === 'member' && /^(?:ceil|floor)$/.test(node.callee.property ?? '') ? node.args : [];
  return counted?.kind === 'binary' && counted.operator === '/' && isMinute(counted.right, module);
}

/** `at.setMinutes(at.getMinutes() + 1, 0, 0)` */
const isMinuteAfter = (node: Expression, module: SourceModule): boolean =>
  node.kind === 'concat' &&
  numberOf(node.right, module) === 1 &&
  node.left.kind === 'call' &&
  node.left.callee.kind === 'member' &&
  /^get(?:UTC)?Minutes$/.test(node.left.callee.property ?? '');

const isSeconds = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && /^(?:get(?:UTC)?Seconds|seconds?)$/.test(callee.property ?? '');

/** A minute in whatever is counted. */
export function isLong(node: Expression, module: SourceModule): boolean {
  const value = node.kind === 'string' ? Number(node.value) : numberOf(node, module);
  return value === minute || value === seconds;
}
