/** Taint: which edited literals a value carries, however deep. Code that gets the value gets these. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { givenBy, type Mutation } from '../../evaluate/libraries/client-rule.ts';
import { membersIn } from '../../evaluate/classes/class-index.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { urlOfPath } from '../../evaluate/language/url-taken-apart.ts';
import { superclassOf } from '../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { placeOfPart } from '../../evaluate/values/text.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { isLeftOut } from '../../requests/left-out.ts';
import {
  type ClassValue,
  type Entry,
  type FunctionValue,
  type HttpValue,
  type InstanceValue,
  type ObjectValue,
  optionsOf,
  type Part,
  partsOf,
  type Value,
} from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, FunctionNode, MemberDeclaration } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { editedAt } from './edited-literals.ts';
import { ruleNamed } from '../../evaluate/libraries/rules.ts';

/**
 * @param isApart leaves out what clients with a base carry: one without asks anybody, for whoever gets it
 * @returns the changes in what a value is made of, or in what its methods return
 */
export type Taint = (value: Value, isApart?: boolean) => readonly Change[];

/** Methods that ask for any path that they are given. */
const asking = /^(?:get|post|put|patch|delete|head|options|request|fetch)$/;

/** Deeper tables than this are data of programs that this is not about. */
const deepest = 8;
/** And how far through what is no object of its own: lists in lists, what is read of what a client was made with. */
const deepestNext = 80;

/**
 * @param mutations what is done to clients apart from where they are made: it goes where they go
 * @param isTaken whether other code than a class itself takes something of a name from its instances
 */
export function taintOf(
  ev: Evaluation,
  changes: ChangesByPlace,
  { mutations }: Pick<CallGraph, 'mutations'>,
  isTaken: (name: string) => boolean = () => true,
): Taint {
  const within = (module: SourceText, from: number, to: number): readonly Change[] =>
    changes.at(module, from, to).filter(({ start, end }) => from < end && start < to);
  // What is read from the environment may be followed, too: a copy of what is edited where the variable is set. A helper reads any at one place.
  const inVariable = (value: Value): readonly Change[] => {
    if (value.type !== 'env') return [];
    const { node, module, name } = value;
    return within(module, node.start, node.end).filter(({ start, end, text }) => text === name || start !== node.start || end !== node.end);
  };
  // The path of an address has the version with it: `new URL(process.env.API_URL).pathname`.
  const inUnknown = (value: Value): readonly Change[] => {
    const url = urlOfPath(value);
    return url === undefined ? inVariable(value) : partsOf(url).flatMap(inText);
  };
  const inText = (part: Part | undefined): readonly Change[] => {
    if (part !== undefined && 'unknownPart' in part) return inUnknown(part.unknownPart);
    const at = placeOfPart(part);
    return at === undefined ? [] : within(at.module, at.start, at.end);
  };
  /** A name that is written out where a constant says it. */
  const inName = (entry: Entry): readonly Change[] => {
    const { node, module, valueNode } = entry;
    if (!isKeyHeader(entry.name)) return [];
    const [from, to] = node.kind === 'property' ? [node.keyStart, node.keyEnd] : [node.start, valueNode?.start ?? node.end];
    return within(module, from, to).filter(({ what }) => what === 'header name');
  };

  let depth = 0;
  const inside = (value: Value, isApart: boolean, seen: ReadonlySet<unknown>): readonly Change[] => {
    // A client that has its headers of another's defaults, and that of another's: whoever asks is told that it was followed no further.
    if (depth > deepestNext) {
      ev.budget.cut();
      return [];
    }
    depth++;
    try {
      return heldBy(value, isApart, seen);
    } finally {
      depth--;
    }
  };
  const heldBy = (value: Value, isApart: boolean, seen: ReadonlySet<unknown>): readonly Change[] => {
    const next = (...values: readonly Value[]): Change[] =>
      values.flatMap((each) =>
        optionsOf(each).flatMap((option) => (seen.size === 0 ? ofOption(option, isApart) : inside(option, isApart, seen))),
      );
    const into = (key: unknown, values: () => readonly (Value | undefined)[]): Change[] => {
      if (seen.has(key) || seen.size > deepest) return [];
      const more = new Set(seen).add(key);
      return values().flatMap((each) => (each === undefined ? [] : optionsOf(each).flatMap((option) => inside(option, isApart, more))));
    };
    switch (value.type) {
      case 'text':
        return partsOf(value).flatMap(inText);
      case 'env':
        return inVariable(value);
      case 'object':
        return [
          ...value.entries.flatMap((entry) => [...inText(entry.key), ...inName(entry)]),
          ...into(value.node, () => [
            ...value.entries.map((entry) => entry.value()),
            // `{ ...api.defaults.headers }`
            ...value.unknown.filter(({ type }) => type === 'method'),
          ]),
        ];
      case 'list':
        return next(...value.items);
      case 'function':
        return into(value.node, () => returnedBy(ev, value));
      case 'class':
      case 'instance':
        return into(value.type === 'class' ? value.node : value.of.node, () => membersOf(ev, value, isTaken));
      case 'namespace':
        return into(value.module, () => exportsOf(ev, value.module));
      case 'method': {
        const read = headersReadBy(ev, value);
        if (read.length > 0) return next(...read);
        return value.receiver.type === 'function' || (value.receiver.type === 'http' && asking.test(value.path.at(-1) ?? ''))
          ? next(value.receiver)
          : inUnknown(value);
      }
      case 'http': {
        // A request that is made takes nothing along.
        if (value.stage === 'request' || (isApart && value.base !== undefined)) return [];
        const isDone = ({ node, module, frame }: Mutation): boolean => !isLeftOut(ev, node, module, value, frame);
        const done = value.origins.flatMap((origin) => (typeof origin === 'string' ? [] : (mutations.get(origin) ?? []).filter(isDone)));
        return [
          ...into(value.node, () => [
            value.base,
            value.url,
            ...value.headers,
            ...done.flatMap((mutation) => givenBy(mutation).map((node) => ev.evaluate(node, mutation))),
          ]),
          ...done.flatMap(({ module, node, frame }) =>
            within(module, node.start, node.end).filter((change) => {
              const edited = editedAt(module, change);
              return edited === undefined || !isLeftOut(ev, edited, module, value, frame);
            }),
          ),
        ];
      }
      default:
        return [];
    }
  };
  // A table of paths is named wherever one of them is taken, a client at each of its calls: with all that is done to it.
  const tables = { apart: new WeakMap<object, Known>(), all: new WeakMap<object, Known>() };
  const ofOption = (value: Value, isApart: boolean): readonly Change[] => {
    if (value.type !== 'object' && value.type !== 'http') return distinct(inside(value, isApart, new Set()));
    const known = tables[isApart ? 'apart' : 'all'];
    const key = value.type === 'object' ? value.entries : value.origins;
    const same = known.get(key);
    if (same !== undefined && holdsSame(same.value, value)) return same.changes;
    const before = ev.budget.cuts;
    const changes = distinct(inside(value, isApart, new Set()));
    // What was not followed to its end says so each time.
    if (ev.budget.cuts === before) known.set(key, { value, changes });
    return changes;
  };
  return (value, isApart = false) => {
    const [first, ...others] = optionsOf(value);
    if (first === undefined || others.length === 0) return first === undefined ? [] : ofOption(first, isApart);
    return distinct([first, ...others].flatMap((option) => ofOption(option, isApart)));
  };
}

/** `api.defaults`, `api.defaults.headers.common`: the headers that a client was made with, for whoever reads them. */
export function headersReadBy({ rules }: Evaluation, value: Value): readonly Value[] {
  const on = value.type === 'method' ? value.receiver : undefined;
  if (value.type !== 'method' || on?.type !== 'http' || on.stage !== 'client' || on.mock !== undefined) return [];
  const defaults = ruleNamed(rules, on.client)?.defaults;
  const way = [...(defaults ?? []), 'headers', 'common'];
  return defaults !== undefined && value.path.every((name, index) => name === way[index]) ? on.headers : [];
}

/** What one value carries, and all that came from it by other ways. */
interface Known {
  readonly value: ObjectValue | HttpValue;
  readonly changes: readonly Change[];
}

/** Whether values with the same entries, or the same origins, are made of the same things. */
const holdsSame = (one: Known['value'], other: Known['value']): boolean =>
  one.type === 'http' && other.type === 'http'
    ? one.node === other.node &&
      one.stage === other.stage &&
      one.base === other.base &&
      one.url === other.url &&
      one.headers === other.headers
    : one.type === other.type && one.node === other.node;

const distinct = (changes: readonly Change[]): readonly Change[] => (changes.length < 2 ? changes : [...new Set(changes)]);

function exportsOf(ev: Evaluation, module: SourceModule): (Value | undefined)[] {
  const passedOn = module.stars.flatMap((specifier) => ev.world.resolve(module, specifier) ?? []);
  return [
    ...[...module.exports.keys(), ...(module.whole === undefined ? [] : ['default'])].map((name) => exportedValue(ev, module, name)),
    ...passedOn.map((from): Value => ({ type: 'namespace', module: from })),
  ];
}

/** What a function returns, for any caller. */
function returnedBy(ev: Evaluation, { node, module, frame }: FunctionValue): Value[] {
  return returnsOf(node).map((returned) => ev.evaluate(returned, { module, frame }));
}

function returnsOf(fn: FunctionNode): readonly Expression[] {
  if (fn.body === undefined) return [];
  if (fn.body.kind !== 'block') return [fn.body];
  const found: Expression[] = [];
  walk(fn.body, (node) => {
    if (node.kind === 'return' && node.argument !== undefined) found.push(node.argument);
    return node.kind !== 'function' && node.kind !== 'class';
  });
  return found;
}

/** What others can take from an instance, or from a class itself. */
function membersOf(ev: Evaluation, value: ClassValue | InstanceValue, isTaken: (name: string) => boolean): Value[] {
  const of = value.type === 'class' ? value : value.of;
  const at = { module: of.module, frame: undefined };
  const names = [...memberNames(ev, of, value.type === 'class')].filter((name) => value.type === 'class' || isTaken(name));
  return names.map((name) => ev.member(value, name, of.node, at));
}

function memberNames(ev: Evaluation, of: ClassValue, isStatic: boolean): Set<string> {
  const { node, module } = of;
  const names = new Set<string>();
  const members = membersIn(node, module);
  for (const member of members) {
    if (member.isStatic === isStatic && isOpen(member, module)) names.add(member.name);
    if (isStatic || member.value === undefined) continue;
    walk(member.value, ({ kind, ...assign }) => {
      const target = kind === 'assign' && 'target' in assign ? assign.target : undefined;
      if (target?.kind === 'member' && target.object.kind === 'this' && target.property !== undefined) names.add(target.property);
    });
  }
  const superclass = superclassOf(ev, of);
  if (superclass?.type === 'class') for (const name of memberNames(ev, superclass, isStatic)) names.add(name);
  const hidden = members.filter((member) => member.name !== undefined && !isOpen(member, module));
  for (const { name } of hidden) if (name !== undefined) names.delete(name);
  return new Set([...names].filter((name) => !/^[#_]/.test(name)));
}

/** Whether code outside of the class is meant to use a member. */
const isOpen = (member: MemberDeclaration, { text }: SourceModule): member is MemberDeclaration & { readonly name: string } =>
  member.name !== undefined &&
  member.role !== 'constructor' &&
  member.role !== 'set' &&
  !/^\s*(?:@[\w.]+(?:\([^()]*\))?\s*)*(?:private|protected)\b/.test(text.slice(member.start, member.start + 200));
