/** What a server of the tests keeps in a field of its class, wherever a test reads it: `this.requests.push(…)`, `server.requests[0].key`. */
import { type Read, readsOfField } from '../../../evaluate/calls/by-name.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import { placesOfField } from '../../../evaluate/classes/class-index.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { ClassNode, Node } from '../../../syntax/tree.ts';

interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

/** The places that hold a field of `this` in a class of the tests; undefined where it is not known of each whose field it is. */
export function placesOfOwnField(ev: Evaluation, self: Node, name: string | undefined, module: SourceModule): readonly Place[] | undefined {
  const of = self.kind === 'this' && isTest(module) ? classAround(self) : undefined;
  const reads = of === undefined || name === undefined ? undefined : readsOfField(ev.world, name, of);
  if (of === undefined || name === undefined || reads === undefined) return undefined;
  const found: Place[] = placesOfField(of, module, name).flatMap(({ places }) => places.map((node) => ({ node, module })));
  for (const read of reads) {
    const isOwn = isReadOf(ev, of, read);
    if (isOwn === undefined) return undefined;
    if (isOwn) found.push(read);
  }
  return found;
}

/** Whether it is read of an instance of a class; undefined where that is not known. */
function isReadOf(ev: Evaluation, of: ClassNode, { node, module }: Read): boolean | undefined {
  if (node.kind !== 'member') return undefined;
  const kinds = new Set(optionsOf(ev.evaluate(node.object, { module, frame: undefined })).map((value) => isInstanceOf(value, of)));
  const [only] = kinds;
  return kinds.size === 1 ? only : undefined;
}

function isInstanceOf(value: Value, of: ClassNode): boolean | undefined {
  if (value.type === 'instance') return value.of.node === of ? true : value.of.node.superclass === undefined ? false : undefined;
  return value.type === 'unknown' || value.type === 'param' || value.type === 'method' ? undefined : false;
}
