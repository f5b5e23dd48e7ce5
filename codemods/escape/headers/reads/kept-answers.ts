/** Answers that a library keeps under a key, and a program that asks for them by that key itself: `this.cache.delete(digest(url + this.key))`. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { MemberNode, Node, PatternProperty, PropertyNode } from '../../../syntax/tree.ts';

/** What people call what keeps them; what sets one up for a client gives back the client. */
const keeping = /^(?!setup).*(?:cache|storage|store|keyv|redis|kv|lru|memcached?)(?:client|db|adapter|data)?s?$/i;
const asking =
  /^(?:[mh]|multi)?(?:get|has|set|del|remove|unlink|peek|take|keys|entries|values|scan|iterator|forEach|find|expire|invalidate|evict|purge|drop|forget|data$)/i;

/** What keeps them for several programs, or in a way of its own, under whatever name. */
const stores: ReadonlySet<string> = new Set(['redis', 'ioredis', 'keyv', 'memcached', 'memjs', 'lru-cache', 'node-cache', 'cache-manager']);

/** Whether a file may make such a key to look for what is kept, or to take it away, or shares what keeps it with files that may. */
export function asksKept({ world }: Evaluation, { tree: { program }, file, exports }: SourceModule): boolean {
  return (
    [...exports.keys()].some((name) => keeping.test(name)) ||
    nodesOfKind(program, 'member').some(isAsked) ||
    nodesOfKind(program, 'property').some(isByKey) ||
    nodesOfKind(program, 'patternProperty').some(isRenamed) ||
    nodesOfKind(program, 'import').some(
      ({ source, specifiers }) =>
        stores.has(source.value) ||
        (specifiers.some(({ local }) => keeping.test(local.name)) && world.reached?.(file, source.value) !== undefined),
    )
  );
}

/** `http.storage.remove(key)`, `const kept = http.storage` */
function isAsked(member: MemberNode): boolean {
  const { object, computed, parent } = member;
  const property = nameOf(member);
  if (parent?.kind === 'variable' && keeping.test(property)) return true;
  return keeping.test(nameOf(object)) && (computed !== undefined || asking.test(property));
}

/** `{ cache: answers }`, which is asked by another name, or `{ cache: { update: { [key]: 'delete' } } }`, as axios-cache-interceptor has it. */
function isByKey({ name, value, parent }: PropertyNode): boolean {
  const table = parent?.parent;
  if (name === undefined) return table?.kind === 'property' && table.name === 'update';
  return value.kind === 'name' && keeping.test(name) && !keeping.test(value.name);
}

/** `const { storage: kept } = http` */
const isRenamed = ({ name, target }: PatternProperty): boolean =>
  keeping.test(name ?? '') && !(target.kind === 'patternName' && keeping.test(target.name));

function nameOf(node: Node): string {
  if (node.kind === 'member') return node.property ?? (node.computed?.kind === 'string' ? node.computed.value : '');
  if (node.kind === 'call') return nameOf(node.callee);
  return node.kind === 'name' ? node.name : '';
}
