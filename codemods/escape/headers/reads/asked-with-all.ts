/**
 * Code that asks of all headers at once whether they are there: `if (Object.values(headers).some((value) => !value)) throw …`. Of a key that may be missing,
 * `Bearer ${key}` is there. What only leaves out those that are missing, as it copies the others, asks for nothing: without a key neither version answers.
 */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { copyingOf } from '../../../evaluate/writes/copies.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import { isNull } from '../../../syntax/defaults.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Expression, Node } from '../../../syntax/tree.ts';
import { isTested, mayBeMissing } from '../../../verdict/changes/empty-keys.ts';
import { type Change, isNameChange } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';

/** @returns where they are asked, and the name that is edited */
export function askedWithAll(query: DataflowQuery, changes: readonly Change[]): (Place & { readonly change: Change })[] {
  if (!changes.some(isNameChange)) return [];
  return [...query.ev.world.modules.values()].filter(isScript).flatMap((module) =>
    module.calls.flatMap((call) => {
      const headers = listedBy(call);
      if (headers === undefined || !asksWhetherThere(call, module) || copyingOf(call, module) !== undefined) return [];
      const place = { node: headers, module };
      const change = query.carried(place).find(isNameChange);
      return change !== undefined && query.values(place).some((value) => optionsOf(value).some((each) => mayLackKey(query, each)))
        ? [{ ...place, change }]
        : [];
    }),
  );
}

/** `Object.values(headers)`, `Object.entries(headers)`; what was left out before is counted by `Object.keys(headers).length`, too. */
function listedBy({ callee, args: [first] }: CallNode): Expression | undefined {
  const isListing =
    callee.kind === 'member' &&
    callee.object.kind === 'name' &&
    callee.object.name === 'Object' &&
    /^(?:keys|values|entries)$/.test(callee.property ?? '');
  return isListing && first?.kind !== 'spread' ? first : undefined;
}

const listedAs = ({ callee }: CallNode): string | undefined => (callee.kind === 'member' ? callee.property : undefined);

const mayLackKey = ({ ev }: DataflowQuery, value: ReturnType<typeof optionsOf>[number]): boolean =>
  value.type === 'object' &&
  value.entries.some(
    ({ name, valueNode, module }) =>
      isKeyHeader(name) && valueNode !== undefined && isScript(module) && mayBeMissing(ev, valueNode, module),
  );

function asksWhetherThere(listing: CallNode, module: SourceModule): boolean {
  const { parent } = listing;
  if (parent?.kind === 'variable')
    return parent.each === undefined
      ? namesFor(parent.target, module).some((use) => asksIn(use, listing, module))
      : isValueTested(parent.target, listing, module) && isBrokenOff(parent.parent);
  return asksIn(listing, listing, module);
}

/** `const values = Object.values(headers)`: where that is named. */
const namesFor = (target: Node, { scopes }: SourceModule): readonly Expression[] =>
  target.kind === 'patternName' ? (scopes.declaredBy(target)?.references ?? []) : [];

/** @param use the listing, or a name of it */
function asksIn(use: Expression, listing: CallNode, module: SourceModule): boolean {
  const { parent } = use;
  if (parent?.kind === 'variable' && parent.each !== undefined)
    return isValueTested(parent.target, listing, module) && isBrokenOff(parent.parent);
  const call = parent?.kind === 'member' && parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
  if (parent?.kind !== 'member' || call === undefined) return parent?.kind === 'member' && parent.property === 'length';
  const { property = '' } = parent;
  const [first] = call.args;
  if (first === undefined || first.kind === 'spread') return false;
  if (/^(?:includes|indexOf|lastIndexOf)$/.test(property)) return isNothing(first);
  // `values.some(isMissing)`
  if (first.kind === 'name') return /^(?:some|every|find\w*)$/.test(property);
  const fn = first.kind === 'function' ? first : undefined;
  const [param] = fn?.params ?? [];
  if (param === undefined || !isValueTested(param.target, listing, module)) return false;
  // What is left of pairs goes on, and what is left of values says what was there.
  if (property === 'filter') return listedAs(listing) === 'values' || isCounted(call);
  return /^(?:some|every|find\w*)$/.test(property) || (property === 'forEach' && isBrokenOff(fn?.body));
}

const isCounted = ({ parent }: CallNode): boolean => parent?.kind === 'member' && parent.property === 'length';

/** Whether something ends at what is found, as no copying does. */
function isBrokenOff(body: Node | undefined): boolean {
  let isEnd = false;
  if (body !== undefined)
    walk(body, (node) => {
      isEnd ||= (node.kind === 'other' && node.what === 'ThrowStatement') || (node.kind === 'return' && body.parent?.kind !== 'function');
      isEnd ||= node.kind === 'call' && /^(?:process\.)?(?:exit|abort)$/.test(nameOfCallee(node));
      return !isEnd;
    });
  return isEnd;
}

const nameOfCallee = ({ callee }: CallNode): string =>
  callee.kind === 'name'
    ? callee.name
    : callee.kind === 'member' && callee.object.kind === 'name'
      ? `${callee.object.name}.${callee.property}`
      : '';

const isNothing = (node: Expression): boolean => isNull(node) || (node.kind === 'string' && node.value === '');

/** Whether the value of each is asked for, by the name that a function or a loop has for it. */
function isValueTested(target: Node, listing: CallNode, { scopes }: SourceModule): boolean {
  const by = listedAs(listing);
  const pair = target.kind === 'arrayPattern' ? target.elements[1]?.target : undefined;
  const name = by === 'values' ? target : by === 'entries' ? pair : undefined;
  return name?.kind === 'patternName' && scopes.declaredBy(name)?.references.some(isAsked) === true;
}

/** `!value`, `value && …`, `value === ''`, `isNil(value)`, `value.length`, `(value) => value` */
function isAsked(value: Expression): boolean {
  const { parent } = value;
  if (isTested(value)) return true;
  if (parent?.kind === 'binary') return isNothing(parent.left === value ? parent.right : parent.left);
  if (parent?.kind === 'call') return parent.callee.kind === 'name' && /^is[A-Z]/.test(parent.callee.name);
  if (parent?.kind === 'member') return /^(?:length|trim)$/.test(parent.property ?? '');
  return (
    parent?.kind === 'logical' ||
    (parent?.kind === 'unary' && parent.operator === 'typeof') ||
    (parent?.kind === 'function' && parent.body === value)
  );
}
