/** What has something, for all that is known, where the evaluation does not say what it is: by the syntax, and by what everybody knows of the language. */
import type { CallNode, Node } from '../../../syntax/tree.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { keyOf } from '../../../verdict/changes/groups.ts';
import type { EscapedPlace } from '../escaped-place.ts';

/** Methods of texts, lists, maps, iterators and promises that give back what they have, or a part of it. */
const givingBack = new Set(
  'at concat drop entries findLast flat get match matchAll next padEnd padStart pop repeat reverse shift splice substr take toArray toReversed toSorted toSpliced values with catch finally'.split(
    ' ',
  ),
);

/** A pattern that takes out the host alone: `/^https?:\/\/([^/]+)/`. */
const hostAlone = /^\^?https\??:\\\/\\\/\(\[\^\\?\/[^\]]*\]\+\)\\?\/?$/;

/** Whether a call gives back what it is called on, or a part of it that edits are about. */
export function givesBack({ callee, args: [pattern] }: CallNode): boolean {
  if (callee.kind !== 'member' || !givingBack.has(callee.property ?? '')) return false;
  const value = callee.property === 'match' && pattern?.kind === 'literal' ? pattern.value : undefined;
  return !(typeof value === 'object' && value !== null && hostAlone.test(value.pattern));
}

/** `new Headers(headers)`, `Object.fromEntries(pairs)`: the same in another form. */
export const isAnotherForm = ({ callee, isNew }: CallNode): boolean =>
  callee.kind === 'name'
    ? isNew && /^(?:Headers|URLSearchParams|Map)$/.test(callee.name)
    : callee.kind === 'member' &&
      callee.object.kind === 'name' &&
      callee.object.name === 'Object' &&
      /^(?:assign|fromEntries)$/.test(callee.property ?? '');

/** `new Error('…', { cause: init })` */
export const isCause = ({ callee, isNew }: CallNode, arg: Node): boolean =>
  isNew && callee.kind === 'name' && callee.name.endsWith('Error') && arg.kind === 'object';

/** Where a property is read of what some places name: `call.defaults`. */
export const readsOf = (places: readonly Place[], property: string | undefined): readonly Place[] =>
  places.flatMap(({ node, module }) => {
    const { parent } = node;
    const isRead = parent?.kind === 'member' && parent.object === node && parent.property === property && parent.parent?.kind !== 'assign';
    return isRead ? [{ node: parent, module }] : [];
  });

/** What may have left: one place of a line, as several hand on the same. */
export function oncePerLine(lost: readonly EscapedPlace[]): readonly EscapedPlace[] {
  const lines = Map.groupBy(lost, ({ change, node, module }) => `${keyOf(change)} ${module.file}:${module.position(node.start).line}`);
  return [...lines.values()].flatMap(([first]) => first ?? []);
}
