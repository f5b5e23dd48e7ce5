/** The OpenAPI documents of both versions, made from the contract and from nothing else. */
import { v1Auth, v2Auth } from '../contract/auth.ts';
import { type Endpoint, v1Endpoints, v2Endpoints, type V2EndpointId } from '../contract/endpoints.ts';
import { compileTemplate } from '../contract/route-templates.ts';
import { announcementHeaders } from './announcements.ts';
import { webhookItems } from './deliveries.ts';
import { occurrences } from './occurrences.ts';
import { pathParameter, queryParameters } from './parameters.ts';
import { requestSchema } from './requests.ts';
import { resourceSchemas, webhookSchemas } from './resources.ts';
import { problemSchemas, responsesOf, unlistedResponses } from './responses.ts';
import { assumed } from './schema.ts';
import type { Api, OpenApiDocument, Operation, PathItem, Reading, RequestBody } from './types.ts';

/**
 * The OpenAPI 3.1 document of one version. What api.md does not show carries `x-assumption`: the name of the open question that decides
 * it, or a sentence.
 * @param reading the answers to the open questions, and how v2 writes what is not shown; v1's shapes are its own
 */
export function openapiDocument(api: Api, reading: Reading): OpenApiDocument {
  const { migrationGuideUrl } = reading.assumptions;
  const base = `base_url_${api}`;
  return {
    openapi: '3.1.1',
    info: { title: 'Messaging, contacts and campaigns API', version: api, description: introduction[api] },
    ...(migrationGuideUrl !== '' && {
      externalDocs: assumed('migrationGuideUrl', { description: 'How to migrate from v1 to v2', url: migrationGuideUrl }),
    }),
    servers: [
      {
        url: `{${base}}`,
        variables: {
          [base]: { default: 'https://api.example.com', description: `The base address, without /${api}; the default is an example` },
        },
      },
    ],
    tags: [...new Set(entriesOf(api).map(([, endpoint]) => tagOf(endpoint)))].map((name) => ({ name })),
    security: [{ key: [] }],
    paths: pathsOf(api, reading),
    ...(api === 'v2' && { webhooks: webhookItems() }),
    'x-unlisted': {
      responses: unlistedResponses(api, reading),
      methods: assumed('What other methods of a path are answered with is not shown', {
        description: 'Methods that a listed path does not have are answered as paths that are not listed',
      }),
      ...(reading.assumptions.headLikeGet && {
        head: assumed('headLikeGet', { description: 'HEAD is answered like GET, without the content' }),
      }),
    },
    components: {
      securitySchemes: { key: securitySchemes[api] },
      ...(api === 'v1' && { headers: announcementHeaders(reading.assumptions) }),
      schemas: schemasOf(api, reading),
    },
  };
}

const marks =
  'What the reference of the API does not show carries x-assumption: the name of the open question that decides it, or a sentence. It speaks of everything written inside it; at a response, of its status alone; where it is an object, of the keywords beside it that it names. The media types of answers are not shown either.';
const introduction: Record<Api, string> = {
  v1: `Version 1: deprecated, to be switched off. What is not listed answers as x-unlisted says. ${marks}`,
  v2: `Version 2. What is not listed answers as x-unlisted says. ${marks}`,
};

const securitySchemes: Record<Api, Readonly<Record<string, string>>> = {
  v1: { type: 'apiKey', in: 'header', name: v1Auth.field },
  v2: { type: 'http', scheme: v2Auth.scheme.toLowerCase(), description: 'An API key' },
};

/** The endpoints of a version. v1's ids are those of the successors of its endpoints, so both tables have v2's. */
function entriesOf(api: Api): [V2EndpointId, Endpoint][] {
  const table: Readonly<Partial<Record<V2EndpointId, Endpoint>>> = api === 'v1' ? v1Endpoints : v2Endpoints;
  // Object.entries is typed string; the tables are literals, so their keys are exactly the ids.
  return Object.entries(table) as [V2EndpointId, Endpoint][];
}

function pathsOf(api: Api, reading: Reading): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const [id, endpoint] of entriesOf(api)) {
    const path = endpoint.path.replaceAll(/:([^/]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(api, id, endpoint, reading) };
  }
  return paths;
}

/** `/v1/contacts/:id` belongs to Contacts. */
function tagOf({ path }: Endpoint): string {
  const resource = path.split('/')[2] ?? '';
  return `${resource.slice(0, 1).toUpperCase()}${resource.slice(1)}`;
}

function operation(api: Api, id: V2EndpointId, endpoint: Endpoint, reading: Reading): Operation {
  const requestBody = requestBodyOf(api, id, endpoint, reading);
  return {
    operationId: id,
    summary: endpoint.purpose,
    tags: [tagOf(endpoint)],
    ...(api === 'v1' && { deprecated: true }),
    parameters: [...compileTemplate(id, endpoint).parameters.map(pathParameter), ...queryParameters(api, id, reading.assumptions)],
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(api, id, endpoint, reading),
  };
}

function requestBodyOf(api: Api, id: V2EndpointId, { body }: Endpoint, { assumptions }: Reading): RequestBody | undefined {
  const schema = requestSchema(id, assumptions);
  if (schema === undefined) return undefined;
  const written: RequestBody = { required: body === 'json', content: { 'application/json': { schema } } };
  if (api === 'v1') return written;
  return assumed(id in v1Endpoints ? `${v2Bodies}; assumed to be those of v1` : v2Bodies, written);
}

const v2Bodies = 'Request bodies of v2 are not shown';

function schemasOf(api: Api, reading: Reading): OpenApiDocument['components']['schemas'] {
  const met = entriesOf(api).flatMap(([id, endpoint]) => occurrences(api, id, endpoint, reading.assumptions).map((problem) => problem.id));
  return {
    ...resourceSchemas(reading.assumptions),
    ...(api === 'v2' && webhookSchemas),
    ...problemSchemas(api, met, reading),
  };
}
