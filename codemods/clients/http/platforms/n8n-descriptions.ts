/** What a project describes for n8n: credentials, with how they are sent, and nodes, with what all of their requests have and whose credentials these are sent with. */
import { importsIn } from '../../../find/modules/imports.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { orDefault } from '../../../evaluate/language/or-default.ts';
import {
  choiceOf,
  type Entry,
  nothing,
  type ObjectValue,
  optionsOf,
  plainText,
  unknown,
  type Value,
} from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { headersSetBy, isGivenAway, replacedBy } from '../../callbacks.ts';
import { walk } from '../../../syntax/link.ts';
import type { ClassNode, ObjectNode, PropertyNode } from '../../../syntax/tree.ts';

/** A member of an object that is there. */
export function presentIn(ev: Evaluation, value: Value, key: string, at: At): Value | undefined {
  const found = value.type === 'object' ? ev.member(value, key, value.node, at) : undefined;
  return found?.type === 'literal' ? undefined : found;
}

export interface Credentials {
  readonly node: ClassNode;
  readonly at: At;
}

/** The classes that describe credentials, and how these are sent. */
export const credentialsIn = (ev: Evaluation): readonly Credentials[] => credentialsOfWorld(ev.world);

const credentialsOfWorld = memoOf(({ modules }: World) =>
  [...modules.values()].flatMap((module) =>
    module.classes.flatMap((node): Credentials[] =>
      node.members.some((each) => each.name === 'authenticate') ? [{ node, at: { module, frame: undefined } }] : [],
    ),
  ),
);

/** The name by which requests ask for credentials. */
export function nameOf(ev: Evaluation, { node, at }: Credentials): Value {
  const named = node.members.find((each) => each.name === 'name')?.value;
  return named === undefined ? unknown(node, at.module) : ev.evaluate(named, at);
}

/**
 * Those that a value may name, none for a name that no class of the project has; undefined where nobody knows what it names.
 * @param wanted `'messagingApi'`, or what may be one of several
 */
export function credentialsNamed(ev: Evaluation, wanted: Value): readonly (Credentials | undefined)[] | undefined {
  const names = optionsOf(wanted).map(plainText);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return names.map((name) => credentialsIn(ev).find((each) => plainText(nameOf(ev, each)) === name));
}

/** The fields of the form that people fill in: each is set elsewhere, and may have a default. */
export function fieldsOf(ev: Evaluation, { node, at }: Credentials): Entry[] {
  const { value } = node.members.find((each) => each.name === 'properties') ?? {};
  const form = value && ev.evaluate(value, at);
  return (form?.type === 'list' ? form.items : []).flatMap((field): Entry[] => {
    const [name, otherwise] = ['name', 'default'].map((key) => presentIn(ev, field, key, at));
    const text = name && plainText(name);
    if (text === undefined || field.type !== 'object') return [];
    // A list to choose from has other hosts, too, or the same that is set, and both would have to be edited.
    const isChosen = presentIn(ev, field, 'options', at) !== undefined;
    const set: Value = { type: 'env', name: `$credentials.${text}`, node: field.node, module: field.module, isStored: true };
    return [
      {
        name: text,
        key: undefined,
        node: field.node,
        module: field.module,
        valueNode: undefined,
        value: () => (isChosen ? unknown(field.node, field.module) : orDefault(set, otherwise ?? nothing)),
      },
    ];
  });
}

/**
 * The headers that credentials add: `authenticate = { type: 'generic', properties: { headers } }`, or a method that writes them into the request. One that puts another
 * address there, too, says nothing.
 */
export function headersOf(ev: Evaluation, { node, at }: Credentials): ObjectValue | undefined {
  const { value } = node.members.find((each) => each.name === 'authenticate') ?? {};
  const found = value && ev.evaluate(value, at);
  if (found?.type === 'function') {
    // What is no description of credentials may have such a method, too.
    if (node.members.every((each) => each.name !== 'properties')) return undefined;
    const isMoved = isGivenAway(ev, found, 1) || ['url', 'baseURL', 'uri'].some((name) => replacedBy(ev, found, 1, name).length > 0);
    return isMoved ? undefined : headersSetBy(ev, found, 1, ['headers']);
  }
  const properties = found && presentIn(ev, found, 'properties', at);
  const headers = properties && presentIn(ev, properties, 'headers', at);
  return headers?.type === 'object' ? headers : undefined;
}

/** The headers of credentials, where there are no others. */
export function onlyHeaders(ev: Evaluation): readonly ObjectValue[] {
  const all = credentialsIn(ev).flatMap((each) => headersOf(ev, each) ?? []);
  return all.length === 1 ? all : [];
}

/** `requestDefaults: { baseURL, headers }`: what all requests have that a node declares. */
export interface Defaults {
  readonly node: PropertyNode;
  readonly at: At;
  /** What describes the node, where it stands there. */
  readonly description: ObjectNode | undefined;
}

/** The nodes that what is declared in `routing` may be of: the one that it stands in, those that import its file, or the only one that is there. */
export function defaultsFor(ev: Evaluation, property: PropertyNode, module: SourceModule): readonly Defaults[] {
  const all = defaultsOfWorld(ev.world);
  const around = classAround(property);
  const own = all.filter(({ node }) => around !== undefined && classAround(node) === around);
  if (own.length > 0) return own;
  const importing = all.filter(({ node, at }) => {
    const files = reachedFrom(ev.world)(at.module);
    // What stands in no class is part of what another file describes a node by.
    const describing = classAround(node) === undefined ? importersOf(ev.world, at.module) : [];
    return files.has(module) || describing.some((each) => reachedFrom(ev.world)(each).has(module));
  });
  return importing.length > 0 || all.length > 1 ? importing : all;
}

/** `credentials: [{ name: 'messagingApi' }]` of a description: those that its node may ask with, undefined for what is described elsewhere. */
export function credentialsOf(ev: Evaluation, { description, at }: Defaults): readonly (Credentials | undefined)[] | undefined {
  const named = description && presentIn(ev, ev.evaluate(description, at), 'credentials', at);
  if (named?.type !== 'list' || named.isOpen) return undefined;
  const names = named.items.map((each) => presentIn(ev, each, 'name', at));
  return names.includes(undefined) ? undefined : credentialsNamed(ev, choiceOf(names.filter((each) => each !== undefined)));
}

const defaultsOfWorld = memoOf(({ modules }: World) =>
  [...modules.values()].flatMap((module) => {
    const found: Defaults[] = [];
    if (!module.text.includes('requestDefaults')) return found;
    walk(module.tree.program, (node) => {
      if (node.kind !== 'property' || node.name !== 'requestDefaults') return;
      const { parent } = node;
      found.push({ node, at: { module, frame: undefined }, description: parent?.kind === 'object' ? parent : undefined });
    });
    return found;
  }),
);

/** The files that one imports, and what these import, with the file itself. */
const reachedFrom = memoOf((world: World) =>
  memoOf((module: SourceModule): ReadonlySet<SourceModule> => {
    const reached = new Set([module]);
    // A set that grows while it is walked: new members come up later.
    for (const from of reached)
      for (const specifier of importsIn(Buffer.from(from.text).toString('latin1')).keys()) {
        const target = world.resolve(from, specifier);
        if (target !== undefined) reached.add(target);
      }
    return reached;
  }),
);

const importersOf = (world: World, module: SourceModule): SourceModule[] =>
  [...world.modules.values()].filter((each) => each !== module && reachedFrom(world)(each).has(module));
