/** When two values say the same, whatever way each of them came: what a join makes one of. */
import type { Arguments, Frame } from '../calls/frame.ts';
import type { Entry, Part, Value } from './values.ts';

/** Values that differ deeper than this count as different. */
const maxDepth = 4;

/** What values have to share to be the same: values with different keys never are. */
export function keyOf(value: Value): unknown {
  switch (value.type) {
    case 'text':
      return value.parts.map(keyOfPart).join('\u0001');
    case 'literal':
      return value.value;
    case 'external':
      return `${value.source}:${value.path.join('.')}`;
    case 'list':
      return value.nodes[0] ?? value.items.length;
    case 'instance':
      return value.of.node;
    case 'namespace':
      return value.module;
    case 'method':
      return keyOf(value.receiver);
    case 'choice':
      return value.options.length;
    default:
      return value.node;
  }
}

/** What it says, and where that begins in its file. */
function keyOfPart(part: Part): string {
  if ('text' in part) return `${part.text}\u0002${part.source?.start}`;
  const { unknownPart } = part;
  return 'node' in unknownPart ? `\0${unknownPart.node?.start}` : '\0';
}

/** @param depth how deep values within values are compared */
export function isSame(a: Value, b: Value, depth = maxDepth): boolean {
  if (a === b) return true;
  if (a.type !== b.type || a.why !== b.why || a.isLaidOut !== b.isLaidOut || a.left?.by !== b.left?.by || depth === 0) return false;
  const same = (one: Value | undefined, other: Value | undefined): boolean =>
    one === other || (one !== undefined && other !== undefined && isSame(one, other, depth - 1));
  const all = (some: readonly Value[] = [], others: readonly Value[] = []): boolean =>
    some === others || (some.length === others.length && some.every((each, index) => same(each, others[index])));
  switch (a.type) {
    case 'text':
      return b.type === 'text' && isSameText(a.parts, b.parts, depth);
    case 'literal':
      return b.type === 'literal' && Object.is(a.value, b.value);
    case 'object':
      return b.type === 'object' && a.node === b.node && areSameEntries(a.entries, b.entries) && all(a.unknown, b.unknown);
    case 'list':
      return b.type === 'list' && a.isOpen === b.isOpen && a.placed === b.placed && isSameArray(a.nodes, b.nodes) && all(a.items, b.items);
    case 'function':
      return b.type === 'function' && a.node === b.node && isSameFrame(a.frame, b.frame, depth) && same(a.self, b.self);
    case 'class':
      return b.type === 'class' && a.node === b.node && isSameFrame(a.frame, b.frame, depth);
    case 'instance':
      return (
        b.type === 'instance' &&
        same(a.of, b.of) &&
        a.during === b.during &&
        (a.args === undefined) === (b.args === undefined) &&
        all(a.args, b.args)
      );
    case 'choice':
      return b.type === 'choice' && all(a.options, b.options);
    case 'env':
      return b.type === 'env' && a.name === b.name && a.node === b.node;
    case 'external':
      return b.type === 'external' && a.source === b.source && isSameArray(a.path, b.path) && all(a.given, b.given);
    case 'param':
    case 'unknown':
      return a.node !== undefined && 'node' in b && a.node === b.node;
    case 'namespace':
      return b.type === 'namespace' && a.module === b.module;
    case 'method':
      return b.type === 'method' && isSameArray(a.path, b.path) && same(a.receiver, b.receiver) && all(a.given, b.given);
    case 'http':
      return b.type === 'http' && isSameRequest(a, b, same, all);
  }
}

function isSameText(some: readonly Part[], others: readonly Part[], depth: number): boolean {
  if (some.length !== others.length) return false;
  return some.every((a, index) => {
    const b = others[index];
    if (a === b) return true;
    if (b === undefined) return false;
    if ('unknownPart' in a || 'unknownPart' in b)
      return 'unknownPart' in a && 'unknownPart' in b && isSame(a.unknownPart, b.unknownPart, depth - 1);
    return a.text === b.text && a.source?.node === b.source?.node && a.source?.start === b.source?.start;
  });
}

type Http = Extract<Value, { type: 'http' }>;

function isSameRequest(
  a: Http,
  b: Http,
  same: (a: Value | undefined, b: Value | undefined) => boolean,
  all: (a: readonly Value[], b: readonly Value[]) => boolean,
): boolean {
  const methods = [a.method, b.method].map((method) => (typeof method === 'string' ? undefined : method));
  const isSameMethod = a.method === b.method || (methods[0] !== undefined && same(methods[0], methods[1]));
  const plain = ['client', 'stage', 'node', 'join'] as const;
  const notes = [...new Set([...Object.keys(a.notes ?? {}), ...Object.keys(b.notes ?? {})])];
  return (
    plain.every((name) => a[name] === b[name]) &&
    isSameMethod &&
    isSameArray(a.origins, b.origins) &&
    same(a.base, b.base) &&
    same(a.url, b.url) &&
    (a.mock === undefined) === (b.mock === undefined) &&
    a.mock?.expects === b.mock?.expects &&
    same(a.mock?.echoes, b.mock?.echoes) &&
    a.proxy?.isCut === b.proxy?.isCut &&
    same(a.proxy?.mount, b.proxy?.mount) &&
    all(a.headers, b.headers) &&
    notes.every((name) => same(a.notes?.[name], b.notes?.[name]))
  );
}

function isSameFrame(a: Frame | undefined, b: Frame | undefined, depth: number): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || depth === 0 || a.owner !== b.owner || a.call !== b.call) return false;
  const same = (one: Value | undefined, other: Value | undefined): boolean =>
    one === other || (one !== undefined && other !== undefined && isSame(one, other, depth - 1));
  return same(a.self, b.self) && (a.args === b.args || areSameArguments(a.args, b.args, same)) && isSameFrame(a.outer, b.outer, depth - 1);
}

function areSameArguments(
  a: Arguments | undefined,
  b: Arguments | undefined,
  same: (one: Value | undefined, other: Value | undefined) => boolean,
): boolean {
  const [some, others] = [a?.all() ?? [], b?.all() ?? []];
  return (a === undefined) === (b === undefined) && some.length === others.length && some.every((each, index) => same(each, others[index]));
}

const isSameArray = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some === others || (some.length === others.length && some.every((each, index) => each === others[index]));

const areSameEntries = (some: readonly Entry[], others: readonly Entry[]): boolean =>
  some === others || (some.length === others.length && some.every((entry, index) => isSameEntry(entry, others[index])));

/** Whether two entries are one: made by the same code, in the same call of what it stands in. */
export function isSameEntry(a: Entry, b: Entry | undefined): boolean {
  if (a === b) return true;
  if (b === undefined || a.node !== b.node || a.name !== b.name || a.key?.text !== b.key?.text) return false;
  if (a.isShared !== b.isShared || a.isBack !== b.isBack) return false;
  const [by, other] = [a.value.by, b.value.by];
  return (
    a.value === b.value || (by !== undefined && by.length === other?.length && by.every((each, index) => hangsOnSame(each, other[index])))
  );
}

type Cause = NonNullable<Entry['value']['by']>[number];
const isFrame = (cause: Cause): cause is Frame => cause !== undefined && 'owner' in cause;
const hangsOnSame = (a: Cause, b: Cause): boolean => a === b || (isFrame(a) && isFrame(b) && isSameFrame(a, b, 2));

/** How many things a value is made of, each of which is looked at when it is made or compared. */
export function sizeOf(value: Value): number {
  switch (value.type) {
    case 'choice':
      return value.options.length;
    case 'object':
      return value.entries.length + value.unknown.length;
    case 'list':
      return value.items.length;
    default:
      return 0;
  }
}

/** Lists within lists: whoever looks at them goes down into each. Objects say what they have when they are asked. */
const deepestList = 80;
const depths = new WeakMap<Value, number>();

/** Whether it is made of lists of which each is in the next, further than anybody follows. */
export const isTooDeep = (value: Value): boolean => depthOf(value) > deepestList;

function depthOf(value: Value): number {
  if (value.type !== 'list' && value.type !== 'choice') return 0;
  const known = depths.get(value);
  if (known !== undefined) return known;
  const parts = value.type === 'list' ? value.items : value.options;
  const depth = parts.reduce((most, part) => Math.max(most, depthOf(part)), 0) + 1;
  depths.set(value, depth);
  return depth;
}
