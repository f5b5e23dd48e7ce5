/** The responses of an operation: what all went well with, and its problems, by status. */
import type { Endpoint, V2EndpointId } from '../contract/endpoints.ts';
import { hasContent } from '../contract/statuses.ts';
import { announcements } from './announcements.ts';
import { v1Error, v2Error } from './errors.ts';
import { type Occurrence, occurrences, unlisted } from './occurrences.ts';
import { type Problem, type ProblemId, problemsOf } from './problems.ts';
import { anyOf, assumed, assumedKeywords, count, type Mark, reference } from './schema.ts';
import { successStatus, v1Success, v2Success } from './successes.ts';
import type { Api, Header, MediaType, Reading, Reference, Response, Schema } from './types.ts';

/** One thing that an operation can answer; several can have the same status. */
interface Answer {
  readonly status: number;
  readonly description: string;
  readonly mediaType: string;
  readonly schema: Schema;
  readonly mark: Mark | undefined;
  readonly retryAfter?: Problem['retryAfter'];
}

/** The responses of an operation, by status in ascending order. */
export function responsesOf(api: Api, id: V2EndpointId, endpoint: Endpoint, reading: Reading): Record<string, Response> {
  const problems = occurrences(api, id, endpoint, reading.assumptions);
  return byStatus(api, [successAnswer(api, id, reading), ...problemAnswers(api, problems, reading)]);
}

/** The responses of what is no endpoint. */
export const unlistedResponses = (api: Api, reading: Reading): Record<string, Response> =>
  byStatus(api, problemAnswers(api, unlisted[api], reading));

function byStatus(api: Api, answers: readonly Answer[]): Record<string, Response> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  // Object.fromEntries sorts them: names that are integers come in ascending order.
  return Object.fromEntries([...groups].map(([status, group]) => [status, response(group, api === 'v1' ? announcements : {})]));
}

/** The schema of each problem that the version has, by its name in the components. */
export function problemSchemas(api: Api, ids: Iterable<ProblemId>, reading: Reading): Record<string, Schema> {
  const problems = problemsOf(api, reading.assumptions);
  return Object.fromEntries([...new Set(ids)].map((id) => [componentOf(id), writtenAs(api, problems[id], reading).schema]));
}

/** `notFound` is `NotFoundError`. */
const componentOf = (id: ProblemId): string => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}Error`;

const writtenAs = (api: Api, problem: Problem, { assumptions, dialect }: Reading) =>
  api === 'v1' ? v1Error(problem, assumptions) : v2Error(problem, assumptions, dialect);

function successAnswer(api: Api, id: V2EndpointId, { assumptions, envelope }: Reading): Answer {
  const schema = api === 'v1' ? v1Success(id) : v2Success(id, envelope);
  return { ...successStatus(id, assumptions), description: 'Done', mediaType: 'application/json', schema };
}

function problemAnswers(api: Api, occurrences: readonly Occurrence[], reading: Reading): Answer[] {
  const problems = problemsOf(api, reading.assumptions);
  return occurrences.map(({ id, mark, condition }) => {
    const problem = problems[id];
    return {
      status: problem.status,
      description: condition ?? problem.condition,
      mediaType: writtenAs(api, problem, reading).mediaType,
      schema: reference(componentOf(id)),
      mark: mark ?? problem.mark,
      retryAfter: problem.retryAfter,
    };
  });
}

function response(answers: readonly Answer[], announced: Readonly<Record<string, Header | Reference>>): Response {
  const marks = new Set(answers.map(({ mark }) => mark));
  const [shared] = marks.size === 1 ? marks : [];
  const headers = { ...retryAfter(answers), ...announced };
  const described = {
    description: answers.map(({ description }) => description).join('; '),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(answers.some(({ status }) => hasContent(status)) && { content: contentOf(answers, shared) }),
  };
  return shared === undefined ? described : assumed(shared, described);
}

/** A mark that all share stands at the response; otherwise each schema carries its own. */
function contentOf(answers: readonly Answer[], shared: Mark | undefined): Record<string, MediaType> {
  const marked = ({ schema, mark }: Answer): Schema => (mark === undefined || mark === shared ? schema : assumed(mark, schema));
  const byType = Map.groupBy(answers, ({ mediaType }) => mediaType);
  return Object.fromEntries([...byType].map(([mediaType, group]) => [mediaType, { schema: anyOf(group.map(marked)) }]));
}

function retryAfter(answers: readonly Answer[]): Record<string, Header> {
  const told = answers.flatMap(({ retryAfter }) => retryAfter ?? []);
  if (told.length === 0) return {};
  const description = told.map((one) => one.description).join('; ');
  const header = { description, required: told.length === answers.length, schema: count };
  const [mark] = told.flatMap((one) => one.mark ?? []);
  if (mark === undefined) return { 'Retry-After': header };
  return { 'Retry-After': told.every((one) => one.mark === mark) ? assumed(mark, header) : partlyShown(mark, header, told) };
}

/** Each answer's share carries its own mark, and so does that the header is there whichever answer it is. */
function partlyShown(mark: Mark, header: Header, shares: readonly NonNullable<Problem['retryAfter']>[]): Header {
  const schemas = shares.map(({ mark, description }) => (mark === undefined ? { description } : assumed(mark, { description })));
  return assumedKeywords({ required: mark }, { ...header, schema: { ...header.schema, anyOf: schemas } });
}
