/** Request bodies made from a schema: such that fit it, and such that nobody should send. */
import fc from 'fast-check';
import type { Schema } from '../../src/openapi/types.ts';
import { anyText } from '../helpers/any-text.ts';

const strings = fc.oneof(
  anyText({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('\ud800', '\udc00x', '\0', '\u2028', '\ufeff', '🙂', '+491', 'ada@example.com', 'x'.repeat(100_000)),
);

/** Values that fit the schema of a request body, as far as such schemas go. */
function bodyOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: values, const: value, properties = {}, items, minItems = 0, format } = schema as Known;
  if (value !== undefined) return fc.constant(value);
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === 'object') return objectOf(schema, properties);
  if (type === 'array') return fc.array(bodyOf(items ?? {}), { minLength: minItems, maxLength: 5 });
  // An address, so that no name is looked up.
  if (format === 'uri') return fc.webPath().map((path) => `https://93.184.215.14${path}`);
  if (Array.isArray(type) && type.includes('null')) return fc.option(strings);
  return type === 'string' ? strings : fc.jsonValue();
}

interface Known {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly Known[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly format?: string;
}

function objectOf(schema: Known, properties: Readonly<Record<string, Schema>>): fc.Arbitrary<object> {
  const variants = (schema.anyOf ?? [{}]).map((variant) => {
    const all = { ...properties, ...variant.properties };
    const requiredKeys = [...(schema.required ?? []), ...(variant.required ?? [])];
    return fc.record(Object.fromEntries(Object.entries(all).map(([name, inner]) => [name, bodyOf(inner)])), { requiredKeys });
  });
  const known = fc.oneof(...variants);
  if (schema.additionalProperties === false) return known;
  return fc
    .tuple(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 3 }), known)
    .map(([more, fields]) => ({ ...more, ...fields }));
}

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'id',
  'status',
  'createdAt',
  '\ud800',
  'x'.repeat(10_000),
];
const hostileJson = [
  'null',
  '0',
  '-0',
  '1e999',
  'true',
  '""',
  '[]',
  '{}',
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":{"polluted":true}}',
  '{"toString":1}',
].concat('['.repeat(150) + ']'.repeat(150), '{"a":'.repeat(250) + '1' + '}'.repeat(250), `"${'x'.repeat(100_000)}"`);

/** Bodies as bytes: a third fit, a third have a field that does not, a third are spoilt. */
export function contentOf(schema: Schema): fc.Arbitrary<Buffer> {
  const body = bodyOf(schema);
  return fc.oneof(
    body.map((value) => Buffer.from(JSON.stringify(value))),
    mutated(body).map((text) => Buffer.from(text)),
    hostileContent(body),
  );
}

/** Fields of the wrong type, missing and in addition. Written by hand: only so `__proto__` is a name like any other. */
function mutated(body: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .tuple(
      body,
      fc.nat(),
      fc.constantFrom(...hostileNames),
      fc.constantFrom(...hostileJson),
      fc.constantFrom('replace', 'drop', 'add', 'twice'),
    )
    .map(([value, at, name, json, how]) => {
      const fields = Object.entries(value ?? {}).map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner) ?? 'null'}`);
      const index = fields.length === 0 ? 0 : at % fields.length;
      const key = fields[index]?.split(':', 1)[0] ?? '"x"';
      if (how === 'drop') fields.splice(index, 1);
      else if (how === 'replace') fields[index] = `${key}:${json}`;
      else fields.push(`${how === 'twice' ? key : JSON.stringify(name)}:${json}`);
      return `{${fields.join(',')}}`;
    });
}

/** Bytes that are no JSON, or JSON that is no such body. */
export const hostileContent = (body: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      body.map((value) => JSON.stringify(value)),
      fc.nat(),
      fc.constantFrom(...hostileJson),
      fc.uint8Array({ maxLength: 40 }),
    )
    .chain(([text, at, json, bytes]) =>
      fc.constantFrom(
        Buffer.from(text.slice(0, at % text.length)),
        Buffer.from(`\ufeff${text}`),
        Buffer.from(text, 'utf16le'),
        Buffer.from(`${text}${text}`),
        Buffer.from(json),
        Buffer.from('['.repeat(100_000)),
        Buffer.concat([Buffer.from('{"name":"'), bytes, Buffer.from('"}')]),
        Buffer.from(bytes),
      ),
    );
