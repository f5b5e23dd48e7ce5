/** What waits as long as v1's shorter window once too many calls were made: v2 counts by the hour. */
import { type ErrorRow, errorRows } from '../../src/contract/errors.ts';
import { v1Windows } from '../../src/contract/limits.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { BinaryNode, CallNode, Expression, PropertyNode } from '../syntax/tree.ts';
import { numberOf } from './numbers.ts';

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

const minute = v1Windows.minute.length;
const seconds = minute / 1000;

/** `60_000`, `60 * 1000`, `'minute'`, or a constant that is. */
export function isMinute(node: Expression, module: SourceModule): boolean {
  if (node.kind === 'string') return node.value === 'minute';
  return numberOf(node, module) === minute;
}

/** `setTimeout(again, 60_000)`, `60 - now.getSeconds()`, `'Retry-After': '60'`. */
export function waitsAMinute(node: CallNode | PropertyNode | BinaryNode, module: SourceModule): boolean {
  if (node.kind === 'call') return callWaits(node, module);
  if (node.kind === 'binary') return isRestOfMinute(node, module);
  const { name = '', value } = node;
  if (retryAfter.test(name)) return isLong(value, module);
  return waits.test(name) && isMinute(value, module);
}

const waits = /^(?:delay|wait\w*|(?:retry|backoff|sleep)_?(?:ms|time|delay|interval|millis\w*)|cool_?down\w*)$/i;
const retryAfter = /^retry[-_]?after(?:_?(?:s|secs?|seconds|ms))?$/i;
/** As packages for durations write it. */
const written = /^(?:1\s*m(?:in(?:ute)?)?|60\s*s(?:ec(?:ond)?s?)?)$/i;

function callWaits({ callee, args }: CallNode, module: SourceModule): boolean {
  const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
  const [first, second] = args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));
  if (/^(?:start|end)OfMinute$/.test(name)) return true;
  if (/^(?:startOf|endOf)$/.test(name)) return first?.kind === 'string' && /^minutes?$|^m$/.test(first.value);
  // `response.header('Retry-After', '60')`
  if (first?.kind === 'string' && retryAfter.test(first.value) && second !== undefined) return isLong(second, module);
  if (!/timeout|timer|sleep|delay|wait|pause|retry|backoff/i.test(name)) return false;
  return args.some((arg) => arg.kind !== 'spread' && (arg.kind === 'string' ? written.test(arg.value) : isMinute(arg, module)));
}

/** `60 - now.getSeconds()`, `60_000 - (Date.now() % 60_000)`: up to where v1 begins to count anew. */
function isRestOfMinute({ operator, left, right }: BinaryNode, module: SourceModule): boolean {
  if (operator === '%') return isMinute(right, module);
  return operator === '-' && isLong(left, module) && right.kind === 'call' && isSeconds(right);
}

const isSeconds = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && /^(?:get(?:UTC)?Seconds|seconds?)$/.test(callee.property ?? '');

/** A minute in whatever is counted. */
function isLong(node: Expression, module: SourceModule): boolean {
  const value = node.kind === 'string' ? Number(node.value) : numberOf(node, module);
  return value === minute || value === seconds;
}
