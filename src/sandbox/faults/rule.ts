/** What can go wrong with a call on demand, and for which calls. */
import { z } from 'zod';
import { didYouMean } from '../../config/suggest.ts';
import { errorRows } from '../../contract/errors.ts';
import { type Endpoint, labelOf, v1Endpoints, v2Endpoints } from '../../contract/endpoints.ts';

/** The sandbox acts on a call as it would without the fault, unless it says here that it does not. */
export type Fault =
  /** Acts at once; the answer begins so many milliseconds later. */
  | { readonly kind: 'latency'; readonly ms: number }
  /**
   * Does not act, nor look at the key, the limits or the body: answers with this status in the version's own error shape.
   * `retryAfter` is in seconds.
   */
  | { readonly kind: 'error'; readonly status: number; readonly retryAfter?: number | undefined }
  /**
   * The connection is reset (RST): `request` does not act and ends it as soon as the head of the request is there; `head` acts and ends it
   * before any byte of the answer; `body` acts and ends it after half of the answer's body.
   */
  | { readonly kind: 'reset'; readonly at: (typeof moments)[number] }
  /** Acts; the connection is closed in good order after half of the body that Content-Length announces. */
  | { readonly kind: 'truncated' }
  /** Acts; the answer is whole by its Content-Length, but its body is only the first half of the JSON. */
  | { readonly kind: 'invalidJson' }
  /** Acts; the head of the answer comes at once, its body at this speed. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number };

const moments = ['request', 'head', 'body'] as const;

/** A fault and the calls that it befalls. */
export interface FaultRule {
  /**
   * An endpoint by its template, `/v1/contacts/:id`, or all paths of a version, `/v1/*` or `/v2/*`, or every path, `*`; a method before it,
   * `GET /v2/*`, leaves out the calls with other methods. GET stands for HEAD as well where HEAD is answered like GET.
   */
  readonly route: string;
  readonly fault: Fault;
  /** How many calls it befalls; all where absent. */
  readonly times?: number | undefined;
  /** The share of the calls that it befalls, from 0 to 1; all where absent. */
  readonly probability?: number | undefined;
}

/** A rule that cannot be kept. */
export class FaultRuleError extends Error {
  readonly code = 'FAULT_RULE';
  constructor(cause: z.ZodError) {
    const [issue] = cause.issues;
    const where = ['A fault', ...(issue?.path ?? [])].join('.').replace(/^A fault\./, '');
    super(`${where} ${issue?.message ?? 'is not valid'}`, { cause });
    this.name = 'FaultRuleError';
  }
}

/**
 * Checks a rule.
 * @throws FaultRuleError that names the field and says what to write
 */
export function readFaultRule(input: unknown): FaultRule {
  const result = faultRule.safeParse(input);
  if (!result.success) throw new FaultRuleError(result.error);
  return result.data;
}

/** Timers cannot run longer: a larger delay would fire at once. */
const longestTimer = 2 ** 31 - 1;

const must = (what: string) => ({ error: `must be ${what}` });
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const what = must(most === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`);
  return z.int(what).min(least, what).max(most, what);
};
const table = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${issue.keys.join(', ')}; its fields are ${Object.keys(shape).join(', ')}`
        : 'must be an object',
  });
/** What befalls any call; the other statuses say what is wrong with one. */
const failing = must('429, or a whole number from 500 to 599');
const failure = z.int(failing).refine((status) => status === errorRows.rateLimited.status || (status >= 500 && status <= 599), failing);
const kind = <const Kind extends Fault['kind']>(name: Kind) => z.literal(name);

const kinds = [
  table({ kind: kind('latency'), ms: whole(0, longestTimer) }),
  table({ kind: kind('error'), status: failure, retryAfter: whole(0).optional() }),
  table({ kind: kind('reset'), at: z.enum(moments, must(`one of ${moments.join(', ')}`)) }),
  table({ kind: kind('truncated') }),
  table({ kind: kind('invalidJson') }),
  table({ kind: kind('slow'), bytesPerSecond: whole(1) }),
] as const satisfies readonly z.ZodType<Fault>[];
const kindNames = kinds.map(({ shape }) => shape.kind.value).join(', ');
const fault = z.discriminatedUnion('kind', kinds, {
  error: ({ input }) => (typeof input === 'object' && input !== null ? `must be one of ${kindNames}` : 'must be an object'),
});

const endpoints: readonly Endpoint[] = [...Object.values(v1Endpoints), ...Object.values(v2Endpoints)];
/** Every route that a rule can name. */
const routes: ReadonlySet<string> = new Set([
  ...['*', '/v1/*', '/v2/*'].flatMap((pattern) => [pattern, ...endpoints.map(({ method }) => `${method} ${pattern}`)]),
  ...endpoints.flatMap((endpoint) => [endpoint.path, labelOf(endpoint)]),
]);

/** What a rule must be, for whoever takes one as JSON. */
export const faultRule: z.ZodType<FaultRule> = table({
  route: z.string(must('a text such as GET /v2/*')).superRefine((route, context) => {
    if (routes.has(route)) return;
    const message = `must be *, /v1/*, /v2/* or an endpoint such as /v2/contacts/:id, and may begin with a method${didYouMean(route, routes)}`;
    context.addIssue({ code: 'custom', message });
  }),
  fault,
  times: whole(1).optional(),
  probability: z.number(must('a number from 0 to 1')).min(0, must('at least 0')).max(1, must('at most 1')).optional(),
});

/** A call as far as a route can tell it from others. */
export interface FaultableCall {
  readonly method: string;
  readonly path: string;
  /** Where the call is for one. */
  readonly endpoint: Endpoint | undefined;
}

/** Whether a call is one of those that a route stands for. */
export function covers(route: string, { method, path, endpoint }: FaultableCall): boolean {
  const [pattern = '', wanted = method] = route.split(' ').toReversed();
  if (wanted !== method) return false;
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === endpoint?.path;
}
