/** What AxiosHeaders has beside the methods of Headers: https://axios-http.com/docs/headers. */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { CallNode, Expression } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { bare, gone } from '../../evaluate/writes/loss.ts';
import { isNullish } from '../../evaluate/language/or-default.ts';
import { type Entry, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';

/** `headers.setAuthorization(value)`, `headers.clear(/^x-/)`: what one of its own methods sets or takes away. */
export function ownMethodsOfHeaders(ev: Evaluation, method: string | undefined, call: CallNode, at: At): readonly Entry[] {
  const [given] = call.args;
  if (given === undefined || given.kind === 'spread') return [];
  if (method === 'setAuthorization') {
    const value = ev.evaluate(given, at);
    return [optionsOf(value).every(isNone) ? gone(v2Auth.fieldName, call, at) : bare(v2Auth.fieldName, call, value, at)];
  }
  if (method !== 'clear') return [];
  const [v1, v2] = [v1Auth.field, v2Auth.field].map((name) => isMatched(ev, given, name, at));
  // A pattern that takes both takes the key under whichever name.
  if (v1 !== undefined && v1 === v2) return [];
  return [gone(v2 === true ? v2Auth.fieldName : v1Auth.field, call, at)];
}

/** What stands for no header. */
const isNone = (value: Value): boolean => isNullish(value) || (value.type === 'literal' && value.value === false);

/** @returns undefined where that is not known */
function isMatched(ev: Evaluation, matcher: Expression, name: string, at: At): boolean | undefined {
  if (matcher.kind === 'literal' && typeof matcher.value === 'object' && matcher.value !== null) {
    const { pattern, flags } = matcher.value;
    // Where nothing in it repeats, it costs nothing.
    return /[*+{]/.test(pattern) ? undefined : new RegExp(pattern, flags).test(name);
  }
  const text = plainText(ev.evaluate(matcher, at));
  return text === undefined ? undefined : name.includes(text.toLowerCase());
}
