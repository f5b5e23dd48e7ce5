/** The names of properties that are computed. */
import type { Expression, Node } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isScript, type SourceModule } from '../module.ts';
import type { SourceText } from '../values/source-text.ts';
import { type Entry, optionsOf, partsOf, plainText, type Value } from '../values/values.ts';

/** The names that an expression may be, here and for other callers. */
export function computedKeys(ev: Evaluation, computed: Expression, at: At): Pick<Entry, 'name' | 'key' | 'provenance' | 'isShared'>[] {
  const keys = keysOf(ev.evaluate(computed, at));
  const whole = ev.evaluate(computed, { module: at.module, frame: undefined });
  const isOther = ({ name }: (typeof keys)[number]): boolean => name !== keys[0]?.name;
  // On one way a choice has but one name: `{ [isTheirs ? 'x-own-key' : 'x-api-key']: key }`.
  const isChosen = (): boolean =>
    keysOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(computed, { module: at.module, frame }))).some(isOther);
  const mayBeOther = whole.type === 'choice' || (whole.type === 'param' && isFoundByName(ev, computed, at));
  const isShared = keys.length > 1 || (mayBeOther ? isChosen() : whole.type === 'param' || isOfOthers(whole, computed, at));
  return isShared ? keys.map((key) => ({ ...key, isShared })) : keys;
}

/** What a loop through headers that callers give has of each: others have other names there. */
function isOfOthers(whole: Value, computed: Expression, { module }: At): boolean {
  if (plainText(whole) !== undefined) return false;
  const owner = computed.kind === 'name' ? module.scopes.bindingOf(computed)?.owner : undefined;
  return ofNoCaller.has(whole.type) || owner?.kind === 'param' || (owner?.kind === 'variable' && owner.each !== undefined);
}

const ofNoCaller: ReadonlySet<Value['type']> = new Set(['method', 'text']);

/**
 * `config.get('messaging.header')` of a parameter that nobody is seen to give: what there is under a name is the same for all who ask, whoever calls. So is
 * a part of it, `config.get('messaging').header`, also by the name of a constant.
 */
function isFoundByName(ev: Evaluation, computed: Expression, at: At): boolean {
  const found = wholeOf(computed, at.module);
  const asked = found?.kind === 'call' && found.callee.kind === 'member' ? found.callee.object : undefined;
  if (asked === undefined || !optionsOf(ev.evaluate(asked, at)).every(({ type }) => type === 'unknown')) return false;
  return found === computed || !mayBeAskedByAnyName(ev, computed);
}

/** Whether a file speaks of such a part, and asks somebody unknown for a whole by a name that is not written there: `config.get(name).header`. */
function mayBeAskedByAnyName(ev: Evaluation, part: Expression): boolean {
  // A part that is taken apart may go by another name there.
  const name = part.kind === 'member' ? (part.property ?? '') : '';
  return [...ev.world.modules.values()].some((module) => module.text.includes(name) && asksByAnyName(ev, module));
}

const asksByAnyName = (ev: Evaluation, module: SourceModule): boolean =>
  module.calls.some(({ callee, args: [asked] }) => {
    if (callee.kind !== 'member' || !/^get(?:OrThrow)?$/.test(callee.property ?? '') || asked === undefined || asked.kind === 'string')
      return false;
    const at: At = { module, frame: undefined };
    const isWritten = asked.kind !== 'spread' && plainText(ev.evaluate(asked, at)) !== undefined;
    return !isWritten && optionsOf(ev.evaluate(callee.object, at)).some(({ type }) => type === 'unknown' || type === 'param');
  });

/** What a part is taken of by the names of its properties. */
function wholeOf(part: Expression, { scopes }: At['module']): Expression | undefined {
  let at: Expression | undefined = part;
  for (let depth = 0; at !== undefined && depth < maxParts; depth++) {
    if (at.kind === 'member' && at.property !== undefined) at = at.object;
    else if (at.kind === 'name') {
      const owner: Node | undefined = scopes.bindingOf(at)?.owner;
      at = owner?.kind === 'variable' && owner.declares === 'const' && owner.each === undefined ? owner.init : undefined;
    } else return at;
  }
  return undefined;
}

const maxParts = 10;

/** A name that is computed: with its only part, if it has just one, as only that can be edited as a whole. */
export function keysOf(value: Value): Pick<Entry, 'name' | 'key' | 'provenance'>[] {
  return optionsOf(value).map((option) => {
    const [part, more] = partsOf(option);
    const key = part !== undefined && more === undefined && 'text' in part ? part : undefined;
    return { name: plainText(option), key, ...(key?.provenance === undefined ? {} : { provenance: key.provenance }) };
  });
}

/** The same of a pair, `[name, key]`: others may have another name there, unless it is written out or stands in a constant. */
export const keysOfPair = (name: Value, node: Node | undefined, module: SourceText): ReturnType<typeof computedKeys> =>
  keysOf(name).map((key) => (isFixed(key.key?.source?.node, node, module) ? key : { ...key, isShared: true }));

function isFixed(written: Node | undefined, node: Node | undefined, module: SourceText): boolean {
  if (written === undefined || node === undefined || node === written || !isScript(module)) return true;
  let root = node;
  while (root.kind === 'member' && root.computed === undefined) root = root.object;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  const isConstant = root.kind === 'this' || owner?.kind === 'variable' || owner?.kind === 'import';
  return isConstant && !chosen.has(written.parent?.kind);
}

/** What gives a text that is one of several. */
const chosen: ReadonlySet<Node['kind'] | undefined> = new Set([
  'conditional',
  'logical',
  'param',
  'patternProperty',
  'call',
  'return',
  'function',
]);
