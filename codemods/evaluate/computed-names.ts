/** The names of properties that are computed. */
import type { Expression, Node } from '../syntax/tree.ts';
import { forAllCallers } from './all-callers.ts';
import type { At, Evaluation } from './evaluation.ts';
import { isScript } from './module.ts';
import type { SourceText } from './source-text.ts';
import { type Entry, optionsOf, partsOf, plainText, type Value } from './values.ts';

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

/** `config.get('messaging.header')` of a parameter that nobody is seen to give: what there is under a name is the same for all who ask, whoever calls. */
function isFoundByName(ev: Evaluation, computed: Expression, at: At): boolean {
  const asked = computed.kind === 'call' && computed.callee.kind === 'member' ? computed.callee.object : undefined;
  return asked !== undefined && optionsOf(ev.evaluate(asked, at)).every(({ type }) => type === 'unknown');
}

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
