/** Expectations that repeat what the program itself says, word for word. */
import { v1Auth } from '../../src/contract/auth.ts';
import { isLeftToDefault } from '../evaluate/operators.ts';
import { after, choiceOf, type Entry, type HttpValue, optionsOf, plainText, type Provenance, type Value } from '../evaluate/values.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import { headerReadIn, withoutMatchers } from './expected-headers.ts';
import { type About, isVersioned, request } from './expected-request.ts';

/**
 * `expect(config.baseUrl).toBe('…')`, `expect(headersOf(key)).toEqual({ … })`.
 * @param around the objects of the expected that it stands in: one that holds itself is looked into once
 */
export function echoesOf(about: About, actual: Value, value: Value, around: readonly Node[] = []): HttpValue[] {
  if (actual.type === 'text' && value.type === 'text') {
    const text = plainText(actual);
    // What strips slashes gives back what it was given, but for these.
    return text !== undefined && withoutSlash(text) === withoutSlash(plainText(value)) && isVersioned(value)
      ? [request(about, { url: value, headers: [], expects: 'value', echoes: actual })]
      : [];
  }
  // `config.get('url')`: of what whoever runs it may set, a test sees the default.
  if (actual.type === 'choice' && value.type === 'text') {
    const said = actual.options.filter((option) => !isLeftToDefault(option));
    return said.every(({ type }) => type === 'text')
      ? said.flatMap((option) => echoesOf(about, after(option, actual.provenance), value, around))
      : [];
  }
  if (actual.type === 'list' && value.type === 'list')
    return value.items.flatMap((item, index) => {
      const own = actual.items[index];
      return own === undefined ? [] : echoesOf(about, own, item, around);
    });
  if (actual.type !== 'object' || value.type !== 'object' || around.includes(value.node)) return [];
  const inside = [...around, value.node];
  return value.entries.flatMap((entry) => {
    const own = actual.entries.findLast(({ name: other }) => other !== undefined && other === entry.name);
    if (own === undefined) return [];
    return isKey(entry.name) ? echoedHeader(about, own, entry, actual.provenance) : echoesOf(about, own.value(), entry.value(), inside);
  });
}

const withoutSlash = (text: string | undefined): string | undefined => text?.replace(/\/$/, '');

/** `expect(headersOf(key)['x-api-key']).toBe('…')`. */
export function echoedRead(about: About, actualNode: Expression, value: Value, valueNode: Expression): HttpValue[] {
  const { call } = about;
  const read = headerReadIn(actualNode, call);
  if (read === undefined || actualNode.kind !== 'member') return [];
  const owner = call.ev.evaluate(actualNode.object, call);
  const own = owner.type === 'object' ? owner.entries.findLast((entry) => isKey(entry.name)) : undefined;
  const entries = read.map((key): Entry => ({ ...key, node: call.node, module: call.module, valueNode, value: () => value }));
  return own === undefined ? [] : entries.flatMap((entry) => echoedHeader(about, own, entry, owner.provenance));
}

/** `expect(headersOf(key)).to.have.property('x-api-key', '…')`. */
export function echoedProperty(about: About, entry: Entry): Value | undefined {
  const found = optionsOf(about.actual).flatMap((owner) => {
    const own = owner.type === 'object' && isKey(entry.name) ? owner.entries.findLast((each) => isKey(each.name)) : undefined;
    return own === undefined ? [] : echoedHeader(about, own, entry, owner.provenance);
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

const isKey = (header: string | undefined): boolean => header?.toLowerCase() === v1Auth.field;

function echoedHeader(about: About, { key }: Entry, entry: Entry, provenance: Provenance): HttpValue[] {
  if (key === undefined || key === entry.key) return [];
  const { node, module } = about.call;
  const headers = withoutMatchers({ type: 'object', node, module, entries: [entry], unknown: [] });
  return [request(about, { headers: [headers], expects: 'value', echoes: { type: 'text', parts: [key], provenance } })];
}
