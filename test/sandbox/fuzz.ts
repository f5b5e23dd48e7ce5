/** Calls made from an OpenAPI document: such that fit it, and such that nobody should send. */
import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { OpenApiDocument, Operation } from '../../src/openapi/types.ts';
import { contentOf, hostileContent } from './fuzz-bodies.ts';
import { anyText } from '../helpers/any-text.ts';

export interface FuzzCall {
  readonly method: string;
  /** Path and query as they go on the wire. */
  readonly target: string;
  /** Undefined where none is sent. */
  readonly contentType: string | undefined;
  readonly content: Buffer;
  readonly key: 'read-write' | 'read' | 'unknown' | 'none';
}

export interface FuzzOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of a document. */
export const operationsOf = ({ paths }: OpenApiDocument): FuzzOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/**
 * Calls of one operation. Most are nearly right, so that they get far.
 * @param ids of records that exist
 */
export function callsOf({ method, path, operation }: FuzzOperation, ids: readonly string[]): fc.Arbitrary<FuzzCall> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT'))),
    target: fc
      .tuple(fc.oneof(fc.constantFrom(...ids), hostileId), queryOf(operation))
      .map(([id, query]) => `${path.replace('{id}', id)}${query}`),
    contentType: mostly(fc.constant(schema && 'application/json'), fc.constantFrom(...contentTypes)),
    content: schema === undefined ? mostly(fc.constant(Buffer.alloc(0)), hostileContent(fc.constant({}))) : contentOf(schema),
    key: mostly(fc.constant('read-write' as const), fc.constantFrom('read' as const, 'unknown' as const, 'none' as const)),
  });
}

const mostly = <T>(usual: fc.Arbitrary<T>, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: otherwise, weight: 1 });

const contentTypes = [
  undefined,
  '',
  'text/plain',
  'APPLICATION/JSON;charset=utf-16',
  'application/json, text/html',
  'application/jsonx',
  ';',
  'multipart/form-data',
];

const hostileId = fc.oneof(
  fc.constantFrom(
    '%2F',
    '..',
    '.',
    '%00',
    '%zz',
    '%',
    '%ff%fe',
    '%ED%A0%80',
    'a'.repeat(4096),
    '%2e%2e%2fcontacts',
    '*',
    '__proto__',
    'constructor',
  ),
  anyText({ minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const hostileValue = fc.oneof(
  fc.constantFrom(
    '',
    '-1',
    '0',
    '1.5',
    '1e3',
    'NaN',
    '9'.repeat(400),
    '%00',
    '%zz',
    '%ff',
    '%F0%9F%99%82',
    '[]',
    '&',
    '=',
    '__proto__',
    '*',
    '.*(',
  ),
  anyText({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

function queryOf({ parameters = [] }: Operation): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => encodeURIComponent(name));
  const name = fc.constantFrom(...known, 'unknown', '__proto__', 'constructor', 'page[]', '%00', '');
  return fc
    .array(fc.tuple(name, hostileValue), { maxLength: 4 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));
}
