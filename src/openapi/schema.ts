/** Small parts of schemas. */
import type { AssumptionName } from '../contract/assumptions.ts';
import type { Field } from '../contract/fields.ts';
import type { Marked, Schema } from './types.ts';

/** The name of an open question, or a sentence; nothing that is a misspelt name. */
export type Mark = AssumptionName | `${string} ${string}`;

/** Marks what api.md does not show. The mark speaks of everything written inside; what a `$ref` names speaks for itself. */
export function assumed<Part extends object>(mark: Mark, part: Part): Part & Required<Marked> {
  return { ...part, 'x-assumption': mark };
}

/** Marks keywords of a part, by their names; what else it says is shown. */
export function assumedKeywords<Part extends object, Name extends keyof Part & string>(
  marks: Readonly<Record<Name, Mark>>,
  part: Part,
): Part & { readonly 'x-assumption': Readonly<Record<Name, Mark>> } {
  return { ...part, 'x-assumption': marks };
}

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

// A type, not an interface: only then it is a Schema too.
type ClosedObject = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** An object with these properties and no others; all of them are required where nothing else is said. */
export function closed(properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): ClosedObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object with these properties, which are shown, and no others, which is not. */
export const closedAsAssumed = (mark: Mark, properties: Readonly<Record<string, Schema>>, required?: readonly string[]): Schema =>
  assumedKeywords({ additionalProperties: mark }, closed(properties, required && [...required]));

/** The text that is always the same, or one of several. */
export function textAmong(values: readonly string[]): Schema {
  const [first = '', ...others] = new Set(values);
  return others.length === 0 ? { type: 'string', const: first } : { type: 'string', enum: [first, ...others] };
}

/** A text whose value, or whose values, are assumed. */
export function assumedText(mark: Mark, values: readonly string[]): Schema {
  const schema = textAmong(values);
  return assumedKeywords({ ['const' in schema ? 'const' : 'enum']: mark }, schema);
}

/** Accepts what one of these schemas accepts. */
export function anyOf(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  return first !== undefined && others.length === 0 ? first : { anyOf: schemas };
}

export const text: Schema = { type: 'string' };
export const count: Schema = { type: 'integer', minimum: 0 };

/** ISO 8601 UTC with milliseconds (api.md §2). */
export const timestamp: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
};

/** A text that may be taken away with null. */
export const textOrNull: Schema = { type: ['string', 'null'] };

/** The schemas of fields that api.md shows, in its order and with its notes; none can be left out. */
export function described<Fields extends readonly Field[]>(
  fields: Fields,
  schemas: Readonly<Record<Fields[number]['name'], Schema>>,
): Record<string, Schema> {
  const byName: Readonly<Record<string, Schema>> = schemas;
  return Object.fromEntries(fields.map(({ name, note }) => [name, { ...byName[name], ...(note !== '' && { description: note }) }]));
}
