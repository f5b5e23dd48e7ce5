/** What an OpenAPI document says of the API without a mark: what it claims to know. */
import type { OpenApiDocument, Operation, Parameter, Response } from '../../src/openapi/types.ts';

/** Words for people are no claims. */
const prose = new Set(['x-assumption', 'description', 'summary', 'operationId', 'tags']);

/** A part of a document without what its marks speak of; undefined where nothing is left. */
export function known(part: unknown): unknown {
  if (Array.isArray(part)) {
    const left = part.map(known).filter((one) => one !== undefined);
    return left.length === 0 && part.length > 0 ? undefined : left;
  }
  if (typeof part !== 'object' || part === null) return part;
  const mark: unknown = 'x-assumption' in part ? part['x-assumption'] : {};
  if (typeof mark === 'string') return undefined;
  const marked = Object.keys(mark ?? {});
  const left = Object.entries(part).filter(([name]) => !prose.has(name) && !marked.includes(name));
  return Object.fromEntries(left.map(([name, inner]) => [name, known(inner)]).filter(([, inner]) => inner !== undefined));
}

/** The schemas of the components. */
export const knownSchemas = ({ components }: OpenApiDocument): unknown => known(components.schemas);

export interface KnownAnswers {
  /** `404 NotFoundError`: that there is this answer with this status. */
  readonly answers: readonly string[];
  /** By status; what `$ref` names speaks for itself. */
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The answers of an operation. The mark of a response speaks of its status alone. */
export function knownAnswers(responses: Operation['responses']): KnownAnswers {
  const found = { answers: [] as string[], bodies: {} as Record<string, unknown>, headers: {} as Record<string, unknown> };
  for (const [status, response] of Object.entries(responses)) {
    const shown = response['x-assumption'] === undefined;
    const { references, inline } = schemasOf(response);
    if (shown) found.answers.push(...references.map((name) => `${status} ${name}`));
    if (shown && references.length === 0) found.answers.push(`${status} without a reference`);
    if (inline.length > 0) found.bodies[status] = inline;
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const left = '$ref' in header ? undefined : known(header);
      if (left !== undefined) found.headers[`${status} ${name}`] = left;
    }
  }
  return found;
}

/** What is known of the bodies of a response: the components that it names, and the schemas that stand there. */
function schemasOf({ content = {} }: Response): { readonly references: string[]; readonly inline: unknown[] } {
  const variants = Object.values(content).flatMap(({ schema }) => (Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]));
  const left = variants.map(known).filter((one) => one !== undefined);
  const nameOf = (schema: unknown): string[] =>
    typeof schema === 'object' && schema !== null && '$ref' in schema ? [String(schema.$ref).split('/').at(-1) ?? ''] : [];
  return { references: left.flatMap(nameOf), inline: left.filter((schema) => nameOf(schema).length === 0) };
}

/** The parameters of an operation, by name. */
export const knownParameters = ({ parameters = [] }: Operation): Record<string, unknown> =>
  Object.fromEntries(parameters.map((one: Parameter) => [one.name, known(one)]).filter(([, left]) => left !== undefined));
