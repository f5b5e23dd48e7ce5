/**
 * Moleculer: services are objects, each made of one and its mixins, https://moleculer.services/docs/0.14/services.html. In their functions `this` is
 * the service: its settings, its methods, and what any of its functions put there.
 */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { asAssigned } from '../../evaluate/writes/external-writes.ts';
import { mergedDeep } from '../../evaluate/writes/object-assign.ts';
import { memoOf } from '../../once.ts';
import { isWithin } from '../../syntax/link.ts';
import type { AssignNode, FunctionNode, Node, ObjectNode } from '../../syntax/tree.ts';
import { isOfService, mixedInto, partsOf, schemasNaming, type Service } from './moleculer-mixins.ts';

/** The sections of a schema, and how deep functions stand in them: `actions: { send: { handler() {} } }`. */
const sections = /^(?:(?:created|started|stopped)|methods \S+|(?:actions|events) \S+(?: handler)?|hooks (?:before|after|error) \S+)$/;

/** The schema that a function is part of. */
function schemaAround(fn: FunctionNode): ObjectNode | undefined {
  const names: string[] = [];
  let found: ObjectNode | undefined;
  for (let at: Node | undefined = fn; at?.parent?.kind === 'property' && names.length < 3; at = at.parent.parent) {
    names.unshift(at.parent.name ?? '?');
    const object = at.parent.parent;
    if (object?.kind === 'object' && sections.test(names.join(' '))) found = object;
  }
  return found;
}

function thisIn(ev: Evaluation, fn: FunctionNode, at: At): Value | undefined {
  const around = isOfService(ev, at.module) ? schemaAround(fn) : undefined;
  const schemas = around === undefined ? schemasNaming(ev, fn) : [{ node: around, module: at.module }];
  if (schemas.length === 0) return undefined;
  const services = schemas.map((schema) => mixedInto(ev, schema));
  if (services.includes(undefined)) return unknown(fn, at.module);
  return choiceOf(services.flatMap((each) => each ?? []).map((service) => instanceOf(ev, service, fn, at) ?? unknown(fn, at.module)));
}

/** What a service is while it runs; undefined where not all that it is made of is known. */
function instanceOf(ev: Evaluation, service: Service, node: Node, { module }: At): ObjectValue | undefined {
  const parts = partsOf(ev, service);
  const [last] = parts?.slice(-1) ?? [];
  if (parts === undefined || last === undefined) return undefined;
  const at: At = { module: last.module, frame: undefined };
  const section = (name: string): Value[] => parts.flatMap((part) => (has(part, name) ? ev.member(part, name, last.node, at) : []));
  const settings = section('settings');
  const methods = section('methods').flatMap((each) =>
    optionsOf(each).flatMap((option) => (option.type === 'object' ? option.entries : [])),
  );
  const entries = [
    ...(settings.length === 0 ? [] : [entryOf('settings', last, () => mergedDeep(ev, settings, last.node, at))]),
    ...methods,
    ...assignedIn(ev, parts),
  ];
  // What Moleculer itself gives it, as `this.logger`, is not known.
  return { type: 'object', node: last.node, module: last.module, entries, unknown: [unknown(node, module)] };
}

const has = ({ entries }: ObjectValue, name: string): boolean => entries.some((entry) => entry.name === name);

const entryOf = (name: string, { node, module }: ObjectValue, value: () => Value): Entry => ({
  name,
  key: undefined,
  node,
  module,
  valueNode: undefined,
  value,
});

/** `this.client = …` anywhere in it: whichever function ran last said it. */
const assignedIn = (ev: Evaluation, parts: readonly ObjectValue[]): Entry[] =>
  parts.flatMap(({ node, module }) =>
    (node.kind === 'object' ? writesIn(module) : []).flatMap((write) => {
      const { target, value } = write;
      if (target.kind !== 'member' || !isWithin(node, write)) return [];
      const found = (): Value => choiceOf(optionsOf(ev.evaluate(value, { module, frame: undefined })).map(asAssigned));
      return [{ name: target.property, key: undefined, node: write, module, valueNode: value, value: found }];
    }),
  );

const writesIn = memoOf(({ writes }: SourceModule): readonly AssignNode[] =>
  writes.filter((write): write is AssignNode => write.target.kind === 'member' && write.target.object.kind === 'this'),
);

/** `broker.createService(schema)` gives the service. */
const created: LibraryFunction = (ev, [schema, changes], node, at) => {
  const made = (schema === undefined ? [] : optionsOf(schema)).map((each) => {
    const isPlain = each.type === 'object' && (changes === undefined || changes.type === 'object');
    return isPlain ? instanceOf(ev, { schema: each, changes }, node, at) : undefined;
  });
  return made.every((each) => each !== undefined) && made.length > 0 ? choiceOf(made) : unknown(node, at.module, 'call');
};

const broker: LibraryFunction = () => ({ type: 'external', source: 'moleculer', path: ['broker'] });

export const moleculerLibrary: ClientRule = {
  name: 'moleculer',
  modules: ['moleculer'],
  functions: { 'moleculer:ServiceBroker': broker, 'moleculer:broker.createService': created },
  thisIn,
};
