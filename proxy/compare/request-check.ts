/**
 * Writes are never doubled: what would be sent to v2 is held against v2's OpenAPI document instead. What the document leaves open is right.
 * Ajv is loaded with the first check.
 */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { V2EndpointId } from '../../src/contract/endpoints.ts';
import type { OpenApiDocument } from '../../src/openapi/types.ts';
import { isList, isObject, notJson, parseAnswer, tooLarge } from './answer-json.ts';
import type { Comparison, Difference } from './differences.ts';
import { toldName } from './names.ts';
import { type Shape, shapeOf } from './shapes.ts';

/**
 * What v2's document does not allow in a request's content: one difference of kind `request` a path, with the shape of what would be sent as
 * `v1` and of what v2 asks for as `v2`.
 * @param text the content as it would be sent; undefined or empty for none
 */
export async function faultsOfRequest(id: V2EndpointId, text: string | undefined, document: OpenApiDocument): Promise<Comparison> {
  const place = placeOfBody(document, id);
  if (place === undefined) return { differences: [] };
  const body = parseAnswer(text ?? '');
  if (body === tooLarge) return { differences: [], notCompared: 'too large' };
  if (body === undefined || text === undefined) return { differences: place.required ? [fault('', 'absent', askedBy(place.schema))] : [] };
  if (body === notJson) return { differences: [fault('', 'no JSON', askedBy(place.schema))] };
  const validate = await validatorAt(document, place.pointer);
  const value: unknown = JSON.parse(text);
  return { differences: validate(value) ? [] : faultsOf(validate.errors ?? [], value) };
}

interface PlaceOfBody {
  readonly pointer: string;
  readonly schema: unknown;
  readonly required: boolean;
}

const json = 'application/json';

function placeOfBody(document: OpenApiDocument, id: V2EndpointId): PlaceOfBody | undefined {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(item)) {
      const schema = operationId === id ? requestBody?.content[json]?.schema : undefined;
      if (schema === undefined) continue;
      const names = ['paths', path, method, 'requestBody', 'content', json, 'schema'];
      const pointer = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
      return { pointer, schema, required: requestBody?.required ?? false };
    }
  }
  return undefined;
}

/** One for a document, in which each schema is compiled once. */
const known = new WeakMap<OpenApiDocument, Promise<Ajv2020>>();

async function validatorAt(document: OpenApiDocument, pointer: string): Promise<ValidateFunction> {
  const loading = known.get(document) ?? load(document);
  known.set(document, loading);
  const ajv = await loading;
  const validate = ajv.getSchema(`v2#/${pointer}`);
  if (validate === undefined) throw new Error(`v2's document has no schema at ${pointer}`);
  // Only schemas that wait for others, which none does, make validators that wait.
  return validate as ValidateFunction;
}

async function load(document: OpenApiDocument): Promise<Ajv2020> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const formats = { uri: URL.canParse };
  // Of the document's own keywords and of formats that are not known nothing is asked.
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false, logger: false, formats });
  return ajv.addSchema({ ...document }, 'v2');
}

function faultsOf(errors: readonly ErrorObject[], body: unknown): readonly Difference[] {
  const faults = new Map<string, Difference>();
  // What the branches of a choice ask for says more than that none of them fits.
  const telling = errors.filter(({ keyword }) => !choices.has(keyword));
  for (const error of telling.length > 0 ? telling : errors) {
    const found = faultOf(error, body);
    if (!faults.has(found.path) && faults.size < 200) faults.set(found.path, found);
  }
  return [...faults.values()];
}

const choices = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not']);

function faultOf(error: ErrorObject, body: unknown): Difference {
  const { keyword, data, parentSchema } = error;
  const path = pathOf(error.instancePath, body);
  // Ajv types the parameters by keyword, in a union that does not tell them apart.
  const name: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.params['unevaluatedProperty'];
  const inner = typeof name === 'string' ? join(path, toldName(name)) : path;
  if (keyword === 'required' || keyword === 'dependentRequired') return fault(inner, 'absent', askedBy(propertyOf(parentSchema, name)));
  if (typeof name === 'string') return fault(inner, shapeOf(propertyOf({ properties: data }, name)), 'absent');
  if (keyword === 'type') return fault(path, shapeOf(data), askedBy(parentSchema));
  if (keyword === 'enum' || keyword === 'const') return fault(path, shapeOf(data), 'one of a few');
  if (keyword === 'minLength' && data === '') return fault(path, 'empty text', 'text');
  if (keyword === 'minItems' && isList(data) && data.length === 0) return fault(path, 'empty list', 'list');
  return fault(path, shapeOf(data), 'of another form');
}

const fault = (path: string, v1: Shape, v2: Shape): Difference => ({ path, kind: 'request', v1, v2 });

function propertyOf(schema: unknown, name: unknown): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const shapesOfTypes: Readonly<Record<string, Shape>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'list',
  object: 'object',
};

/** The shape that a schema asks for. */
function askedBy(schema: unknown): Shape {
  if (!isObject(schema)) return 'anything';
  if ('enum' in schema || 'const' in schema) return 'one of a few';
  const types: unknown = schema['type'];
  const type: unknown = isList(types) ? types[0] : types;
  return (typeof type === 'string' ? shapesOfTypes[type] : undefined) ?? 'anything';
}

/** The path of a JSON pointer into a value. */
function pathOf(pointer: string, body: unknown): string {
  let [path, value]: [string, unknown] = ['', body];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = isList(value) ? `${path}[]` : join(path, toldName(name));
    value = isList(value) ? value[Number(name)] : propertyOf({ properties: value }, name);
  }
  return path;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
