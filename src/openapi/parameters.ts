/** The parameters of an operation: those in its path, and those that page, search and filter a list. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { V2EndpointId } from '../contract/endpoints.ts';
import { listContactsParameters } from '../contract/fields.ts';
import { assumed, assumedKeywords, text } from './schema.ts';
import { isList } from './successes.ts';
import type { Parameter, Schema } from './types.ts';

/** A parameter in the path of an endpoint. */
export const pathParameter = ({ name }: { readonly name: string }): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: 'The identifier of the resource',
  schema: { ...text, minLength: 1 },
});

/** The query of an endpoint. Parameters that are not listed are ignored. */
export function queryParameters(api: 'v1' | 'v2', id: V2EndpointId, assumptions: Assumptions): readonly Parameter[] {
  if (!isList(id)) return [];
  const paging = pagingParameters(assumptions);
  if (api === 'v1') {
    return id === 'listContacts' ? paging : paging.map((row) => assumed('page and limit are shown for lists of contacts only', row));
  }
  const all = [...paging.map((row) => assumed(likeContacts, row)), ...v2Parameters(id, assumptions)];
  // A search can be assumed to have the name of a filter, and a parameter is listed once (OpenAPI 3.1.1 §4.8.10).
  return all.filter(({ name }, index) => all.findIndex((first) => first.name === name) === index);
}

const likeContacts = 'The parameters of paging in v2 are not shown; assumed to be those of v1’s list of contacts';

const query = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** api.md shows the names of page and limit, and no more. */
const whole = 'Their type is not shown';

function pagingParameters({ pageDefault, limitDefault, limitMax }: Assumptions): readonly Parameter[] {
  const schemas: Record<(typeof listContactsParameters)[number]['name'], Schema> = {
    page: assumedKeywords(
      { type: whole, minimum: 'pageDefault', default: 'pageDefault' },
      { type: 'integer', minimum: 1, default: pageDefault },
    ),
    limit: assumedKeywords(
      { type: whole, minimum: 'limitDefault', default: 'limitDefault', maximum: 'limitMax' },
      { type: 'integer', minimum: 1, default: limitDefault, maximum: limitMax },
    ),
  };
  return listContactsParameters.map(({ name, note }) => query(name, note, schemas[name]));
}

function v2Parameters(id: V2EndpointId, assumptions: Assumptions): readonly Parameter[] {
  const { messageFilterParameters, contactFilterParameters, contactSearchParameter } = assumptions;
  const equals = (name: string): Parameter => query(name, `Only entries whose ${name} is this`, text);
  if (id === 'listMessages') return messageFilterParameters.map((name) => assumed('messageFilterParameters', equals(name)));
  if (id !== 'listContacts') return [];
  return [
    assumed('contactSearchParameter', query(contactSearchParameter, 'Only contacts whose phone number or email contains this', text)),
    ...contactFilterParameters.map((name) => assumed('contactFilterParameters', equals(name))),
  ];
}
