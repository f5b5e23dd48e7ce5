/** What an answer or a delivery of the sandbox does that its OpenAPI document does not say. Loaded by Node itself, and not by vitest. */
import { assume } from '../../src/contract/assumptions.ts';
import { deliveryHead } from '../../src/contract/events.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { Api, OpenApiDocument, Operation, Reading, Response } from '../../src/openapi/types.ts';
import type { Fault } from '../../src/sandbox/faults/rule.ts';
import { createValidators, type Validators } from './answers-validators.ts';

/** As the sandbox publishes it. */
export interface PublishedAnswer extends Reading {
  readonly api: Api;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly content: string;
  readonly headers: Fields;
  /** The fault that befell it, if one did. */
  readonly fault?: Fault['kind'] | undefined;
}

export interface PublishedDelivery {
  readonly event: string;
  readonly headers: Fields;
  readonly body: string;
}

type Fields = Readonly<Record<string, string>>;
type Place = readonly string[];

interface Described {
  readonly document: OpenApiDocument;
  readonly validators: Validators;
}

const cache = new Map<string, Described>();
/** Each sandbox has its own, and answers many times with it. */
const texts = new WeakMap<object, string>();

function describedBy(api: Api, { assumptions, dialect, envelope }: Reading): Described {
  const text = texts.get(assumptions) ?? JSON.stringify(assumptions);
  texts.set(assumptions, text);
  const key = [api, dialect, envelope, text].join(' ');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const document = openapiDocument(api, { assumptions, dialect, envelope });
  const described = { document, validators: createValidators(document) };
  cache.set(key, described);
  return described;
}

/** What is wrong with what answers.cjs was told of. */
export const check = (...[kind, told]: Told): string[] => (kind === 'answers' ? checkAnswer(told) : checkDelivery(told));

/** As answers.cjs notes it down. */
export type Told = readonly ['answers', PublishedAnswer] | readonly ['deliveries', PublishedDelivery];

/** What is wrong with an answer; nothing where all is as documented. */
export function checkAnswer(answer: PublishedAnswer): string[] {
  const { api, method, path, status, content } = answer;
  const described = describedBy(api, answer);
  const { responses, place } = operationOf(described.document, answer);
  const response = responses[status];
  // Any status can be ordered.
  if (response === undefined && answer.fault === 'error') return [];
  const problems =
    response === undefined
      ? [`the status is not documented; ${Object.keys(responses).join(', ')} are`]
      : [
          ...headerProblems(answer, response, [...place, String(status)], described),
          ...bodyProblems(answer, response, [...place, String(status)], described),
        ];
  return problems.map((problem) => `${api} ${method} ${path.slice(0, 200)} ${status}: ${problem}: ${content.slice(0, 500)}`);
}

interface Found {
  readonly responses: Operation['responses'];
  /** Where they stand in the document. */
  readonly place: Place;
}

function operationOf(document: OpenApiDocument, answer: PublishedAnswer): Found {
  const like = answer.method === 'HEAD' && document['x-unlisted'].head !== undefined ? 'GET' : answer.method;
  const method = like.toLowerCase();
  for (const [template, item] of Object.entries(document.paths)) {
    const [, operation] = Object.entries(item).find(([name]) => name === method) ?? [];
    if (operation !== undefined && covers(template.split('/'), answer.path.split('/'))) {
      return { responses: operation.responses, place: ['paths', template, method, 'responses'] };
    }
  }
  return { responses: document['x-unlisted'].responses, place: ['x-unlisted', 'responses'] };
}

const covers = (template: Place, path: Place): boolean =>
  template.length === path.length && template.every((part, i) => (part === '{id}' ? path[i] !== '' : part === path[i]));

function bodyProblems(answer: PublishedAnswer, response: Response, place: Place, { validators }: Described): string[] {
  const { method, contentType, content } = answer;
  if (response.content === undefined) return content === '' ? [] : ['no content is documented'];
  const mediaType = contentType.split(';', 1)[0] ?? '';
  if (response.content[mediaType] === undefined) return [`the content type ${contentType} is not documented`];
  if (method === 'HEAD') return content === '' ? [] : ['an answer to HEAD has no content'];
  const body = valueOf(mediaType, content);
  return body === undefined ? ['the body is no JSON'] : validators.problems([...place, 'content', mediaType, 'schema'], body.value);
}

function valueOf(mediaType: string, content: string): { readonly value: unknown } | undefined {
  if (!mediaType.endsWith('json')) return { value: content };
  try {
    return { value: JSON.parse(content) };
  } catch {
    return undefined;
  }
}

/** Those of HTTP itself stand in no list of headers. */
const ofHttp = ['content-type', 'content-length', 'date'];

function headerProblems(answer: PublishedAnswer, { headers = {} }: Response, place: Place, { document, validators }: Described): string[] {
  const sent = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const documented = Object.entries(headers).map(([name, header]) =>
    '$ref' in header
      ? { name, header: document.components.headers?.[name], place: ['components', 'headers', name] }
      : { name, header, place: [...place, 'headers', name] },
  );
  // Whoever orders an error says whether it has a Retry-After.
  const ordered = answer.fault === 'error' ? 'retry-after' : '';
  const names = new Set([...ofHttp, ordered, ...documented.map(({ name }) => name.toLowerCase())]);
  return [
    ...[...sent.keys()].filter((name) => !names.has(name)).map((name) => `the header ${name} is not documented`),
    ...documented.flatMap(({ name, header, place }) => {
      const value = sent.get(name.toLowerCase());
      if (value === undefined) return header?.required && name.toLowerCase() !== ordered ? [`the header ${name} is missing`] : [];
      const typed = header?.schema['type'] === 'integer' ? Number(value) : value;
      return validators.problems([...place, 'schema'], typed).map((problem) => `the header ${name}: ${problem}`);
    }),
  ];
}

/**
 * What is wrong with a delivery to a receiver. The document that it is held to is that of no sandbox in particular: no open question, dialect
 * or envelope decides anything of a delivery (`webhookItems()` is given none), so its webhooks are the same for every sandbox.
 */
export function checkDelivery({ event, headers, body }: PublishedDelivery): string[] {
  const { document, validators } = describedBy('v2', { assumptions: assume(), dialect: 'v1', envelope: 'v1' });
  const { parameters = [] } = document.webhooks?.[event]?.post ?? {};
  if (parameters.length === 0) return [`delivery ${event}: the event is not documented`];
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const place = ['webhooks', event, 'post'];
  const fields = parameters.flatMap(({ name }, index) =>
    validators
      .problems([...place, 'parameters', String(index), 'schema'], sent.get(name.toLowerCase()))
      .map((problem) => `${name}: ${problem}`),
  );
  const json = valueOf(deliveryHead.contentType, body);
  const type = sent.get('content-type') === deliveryHead.contentType ? [] : ['Content-Type is not that of deliveries'];
  const content =
    json === undefined
      ? ['the body is no JSON']
      : validators.problems([...place, 'requestBody', 'content', deliveryHead.contentType, 'schema'], json.value);
  return [...type, ...fields, ...content].map((problem) => `delivery ${event}: ${problem}: ${body.slice(0, 500)}`);
}
