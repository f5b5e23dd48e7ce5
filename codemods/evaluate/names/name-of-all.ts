/** A header of a function that puts it in under the name that its callers give, where all of them write this one: `put(headers, 'x-api-key', settings)`. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Expression } from '../../syntax/tree.ts';
import { callsOf, isPassedOn } from '../calls/all-callers.ts';
import { mayBeCalledOtherwise } from '../calls/other-calls.ts';
import type { Evaluation } from '../evaluation.ts';
import { isTest } from '../libraries/test-files.ts';
import { isScript, type SourceModule } from '../module.ts';
import type { Entry, TextPart } from '../values/values.ts';
import { handedOn } from '../writes/setter-calls.ts';
import { computedKeys } from './computed-names.ts';

/** Each request would have the names of all. */
const maxCallers = 400;

/**
 * Names and value stand apart, and move together: with the names of all, no caller is left whose value is changed under another.
 * @param computed what makes its name
 */
export function namedByAll(ev: Evaluation, entry: Entry, computed: Expression): Entry {
  const { isShared, name, module } = entry;
  if (isShared !== true || !isKeyHeader(name) || !isScript(module)) return entry;
  const names = (): readonly TextPart[] | undefined => namesGiven(ev, computed, module);
  return names() === undefined ? entry : { ...entry, isShared: false, names };
}

/** @returns undefined where not all who call are known, or one of them gives another name, or one that cannot be edited */
function namesGiven(ev: Evaluation, computed: Expression, module: SourceModule): readonly TextPart[] | undefined {
  const named = handedOn(computed, module);
  if (named === undefined || isPassedOn(ev, named.fn) || mayBeCalledOtherwise(ev, named.fn)) return undefined;
  const calls = callsOf(ev, named.fn);
  if (calls.length > maxCallers || calls.every((call) => isTest(call.module) && !isTest(module))) return undefined;
  const given = calls.map((call): TextPart | undefined => {
    const arg = call.node.args.some(({ kind }) => kind === 'spread') ? undefined : call.node.args[named.index];
    if (arg === undefined || arg.kind === 'spread') return undefined;
    const [only, other] = computedKeys(ev, arg, { module: call.module, frame: undefined });
    return other === undefined && only?.isShared !== true && isKeyHeader(only?.name) && only?.key?.source?.isExact === true
      ? only.key
      : undefined;
  });
  return given.every((each) => each !== undefined) ? given : undefined;
}
