/** The schemas of an OpenAPI document, compiled where they stand and when they are needed. */
import { Ajv2020, type AnySchema, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/openapi/types.ts';

export interface Validators {
  /** What is wrong with a value; nothing where it is valid. @param place the names that lead to its schema in the document */
  problems(place: readonly string[], value: unknown): string[];
  /** Compiles every schema. @throws where the metaschema or Ajv's strict mode finds fault with one */
  compileAll(): void;
}

export function createValidators(document: OpenApiDocument): Validators {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  // References lead through the document, which is a schema for Ajv too: its own names must be known to the strict mode.
  ajv.addVocabulary([...Object.keys(document), 'x-assumption']).addSchema(spelledOut(document), 'openapi.json');
  const compiled = new Map<string, ValidateFunction>();
  const at = (place: readonly string[]): ValidateFunction => {
    const pointer = place.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${pointer}` });
    compiled.set(pointer, validate);
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

/** Ajv passes over a property that is called `__proto__`; a pattern says the same. */
function spelledOut(document: OpenApiDocument): AnySchema {
  return JSON.parse(JSON.stringify(document), (_name, value: AnySchemaObject) =>
    Object.hasOwn(value?.['properties'] ?? {}, '__proto__') ? { ...value, patternProperties: { '^__proto__$': {} } } : value,
  );
}

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
