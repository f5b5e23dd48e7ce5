/** Since when names of a record mean the same: what is asked or cleared in between puts another call there. */
import type { SourceModule } from '../../../evaluate/module.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';

/** Where something may have been asked last before a place, in the function that it stands in. */
export const disturbedBefore = (place: Node): number => lastBefore(place, mayAsk);

/** Where what was recorded may have been taken away last. */
export const clearedBefore = (place: Node, { text }: SourceModule): number =>
  lastBefore(place, ({ start, end }) => clearing.test(text.slice(start, end)));

const clearing = /\.length\s*=(?!=)|(?:^|[^\w$.])[\w$]+\s*=\s*\[\]|\b(?:splice|shift|pop|unshift|\w*(?:[cC]lear|[rR]eset|[rR]estore)\w*)\(/;

function lastBefore(place: Node, isMeant: (statement: Node) => boolean): number {
  for (let at = place; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind !== 'block') continue;
    const found = parent.body.slice(0, Math.max(parent.body.indexOf(at), 0)).findLast(isMeant);
    if (found !== undefined) return found.start;
  }
  return -1;
}

/** Whether a statement waits for something, or calls what is no expectation and reads nothing. */
function mayAsk(statement: Node): boolean {
  let found = false;
  walk(statement, (node) => {
    found ||= node.kind === 'await' || (node.kind === 'call' && !isReading(node));
    return !found;
  });
  return found;
}

const reading = /^(?:expect|assert|t|URL|URLSearchParams|Headers|String|Object|JSON)$/;

function isReading({ callee }: CallNode): boolean {
  let at: Node = callee;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  if (at.kind !== 'name') return false;
  // `calls.at(-1)`, `last.headers.get('…')`; what is called by its name alone may ask.
  return reading.test(at.name) || callee.kind === 'member';
}
