/** Parameters of n8n's nodes that are one of the values that a description lists: `{ displayName: 'Resource', name: 'resource', type: 'options', options: [{ value: 'contact' }] }`. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { World } from '../../../evaluate/program.ts';
import { choiceOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { walk } from '../../../syntax/link.ts';
import type { ObjectNode } from '../../../syntax/tree.ts';
import { presentIn } from './n8n-descriptions.ts';

/** What a parameter may be, by every field that has its name; undefined where one of them leaves it to people or to an expression. */
export function chosenFor(ev: Evaluation, name: string): Value | undefined {
  const values = fieldsOfWorld(ev.world).flatMap(({ node, at }): readonly (Value | undefined)[] => {
    const field = ev.evaluate(node, at);
    const textOf = (key: string): string | undefined => {
      const found = presentIn(ev, field, key, at);
      return found && plainText(found);
    };
    const named = textOf('name');
    if (named === undefined) return isWhole(node) ? [undefined] : [];
    if (named !== name) return [];
    return textOf('type') === 'options' && !takesAny(node) ? listedBy(ev, field, at) : [undefined];
  });
  const known = values.filter((each) => each !== undefined);
  return known.length === 0 || known.length < values.length ? undefined : choiceOf(known);
}

/** `typeOptions: { allowArbitraryValues: true }`, and options of the field that are not written there. */
const takesAny = ({ properties }: ObjectNode): boolean =>
  properties.some(
    (each) =>
      each.kind === 'property' &&
      each.name === 'typeOptions' &&
      (each.value.kind !== 'object' || each.value.properties.some((own) => own.kind !== 'property' || own.name === 'allowArbitraryValues')),
  );

/** The values to choose from, with undefined where not all of them are known, or an expression may take their place. */
function listedBy(ev: Evaluation, field: Value, at: At): readonly (Value | undefined)[] {
  const listed = presentIn(ev, field, 'options', at);
  const fixed = field.type === 'object' ? ev.member(field, 'noDataExpression', field.node, at) : undefined;
  if (listed?.type !== 'list' || listed.isOpen || fixed?.type !== 'literal' || fixed.value !== true) return [undefined];
  return listed.items.map((each) => {
    const value = presentIn(ev, each, 'value', at);
    return value === undefined || plainText(value) === undefined ? undefined : value;
  });
}

/** Fields, and what may be one by what is spread into it. */
const fieldsOfWorld = memoOf(({ modules }: World) =>
  [...modules.values()].flatMap((module) => {
    const found: { readonly node: ObjectNode; readonly at: At }[] = [];
    if (!/\bdisplayName\b|\boptions\b/.test(module.text)) return found;
    walk(module.tree.program, (node) => {
      if (node.kind !== 'object') return;
      const isSpread = node.properties.some(({ kind }) => kind === 'spread') && overriding.some((name) => has(node, name));
      if (isWhole(node) || isSpread) found.push({ node, at: { module, frame: undefined } });
    });
    return found;
  }),
);

/** What a field that is spread has in another way there: `{ ...resource, noDataExpression: false }`. */
const overriding = ['options', 'type', 'typeOptions', 'noDataExpression', 'name'];

/** What people see of a field is its `displayName`, which the values to choose from have not. */
const isWhole = (node: ObjectNode): boolean => has(node, 'displayName') && has(node, 'type');

const has = ({ properties }: ObjectNode, name: string): boolean =>
  properties.some((each) => each.kind === 'property' && each.name === name);
