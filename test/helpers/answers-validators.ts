/** The schemas of OpenAPI documents, compiled when they are needed, and once for all places where they are the same. */
import { Ajv2020, type AnySchema, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/openapi/types.ts';

export interface Validators {
  /** What is wrong with a value; nothing where it is valid. @param place the names that lead to its schema in the document */
  problems(place: readonly string[], value: unknown): string[];
  /** Compiles every schema. @throws where the metaschema or Ajv's strict mode finds fault with one */
  compileAll(): void;
}

/** One for all documents, in which most schemas are the same: compiling is most of what a check costs. */
const ajv = new Ajv2020({ strict: true, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addVocabulary(['x-assumption']);
const compiled = new Map<string, ValidateFunction>();

function compile(schema: AnySchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text, spelledOut));
  compiled.set(text, validate);
  return validate;
}

export function createValidators(document: OpenApiDocument): Validators {
  const known = new Map<string, ValidateFunction>();
  const at = (place: readonly string[]): ValidateFunction => {
    const pointer = place.join('\n');
    const validate = known.get(pointer) ?? compile(inlined(document, schemaAt(document, place)));
    known.set(pointer, validate);
    return validate;
  };
  return {
    problems(place, value) {
      const validate = at(place);
      return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'body' })];
    },
    compileAll() {
      for (const { place, schema } of schemasIn(document, [])) {
        ajv.validateSchema(schema, true);
        at(place);
      }
    },
  };
}

/** @throws where nothing stands at the place */
function schemaAt(document: OpenApiDocument, place: readonly string[]): AnySchema {
  const schema = place.reduce<unknown>((value, name) => Object(value)[name], document);
  if (typeof schema !== 'object' || schema === null) throw new Error(`The document has no schema at ${place.join('/')}`);
  return schema;
}

/** A schema with what it refers to in place of references. @throws where one leads nowhere, or in a circle */
function inlined(document: OpenApiDocument, value: unknown, within: readonly string[] = []): AnySchemaObject {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) => {
    const reference: unknown = Object(inner)['$ref'];
    if (typeof reference !== 'string' || name === 'properties') return inner;
    if (within.includes(reference)) throw new Error(`${reference} refers to itself`);
    const place = reference
      .replace(/^#\//, '')
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
    const { $ref: _instead, ...beside } = Object(inner);
    const target = inlined(document, schemaAt(document, place), [...within, reference]);
    return Object.keys(beside).length === 0 ? target : { ...beside, allOf: [target] };
  });
}

/** Ajv passes over a property that is called `__proto__`; a pattern says the same. */
const spelledOut = (_name: string, value: AnySchemaObject): AnySchemaObject =>
  Object.hasOwn(value?.['properties'] ?? {}, '__proto__') ? { ...value, patternProperties: { '^__proto__$': {} } } : value;

interface Placed {
  readonly place: readonly string[];
  readonly schema: AnySchema;
}

/** The schemas of a document: those under `schema`, and those of the components. */
function* schemasIn(value: unknown, place: readonly string[]): Generator<Placed> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'schema' || place.join('/') === 'components/schemas') yield { place: [...place, name], schema: inner };
    else yield* schemasIn(inner, [...place, name]);
  }
}
