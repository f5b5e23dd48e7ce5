/** The types of settings that are tables: their names come from the contract, and a misspelt name is told apart from a wrong value. */
import { z } from 'zod';
import { type AssumptionName, type Assumptions, openQuestions } from '../contract/assumptions.ts';
import { endpointIds, type V1EndpointId, v1Endpoints } from '../contract/endpoints.ts';
import { eventKindNames } from '../contract/events.ts';
import { didYouMean } from './suggest.ts';
import { boolean, count, httpUrl, instant, positive, show } from './types.ts';

interface Invalid {
  readonly input?: unknown;
}
export const isNot = (what: string, shown = show) => ({ error: ({ input }: Invalid) => `${shown(input)} is not ${what}` });

/**
 * An object in which every name is one of `types`; none is required.
 * @param messages how they say what the object has to be, and how they name what is none of `types`
 */
export function table(
  what: string,
  types: Readonly<Record<string, z.ZodType>>,
  { whole = isNot(`a table of ${what}s`), named = (name: string): string => name } = {},
) {
  return z
    .record(z.string(), z.unknown(), whole)
    .superRefine((given, context) => {
      for (const name of Object.keys(given).filter((name) => !Object.hasOwn(types, name))) {
        context.addIssue({ code: 'custom', path: [named(name)], message: `unknown ${what}${didYouMean(name, Object.keys(types))}` });
      }
    })
    .pipe(z.object(types).partial());
}

const text = z.string(isNot('a text'));
const name = text.min(1, 'must not be empty');

/** A table with one entry for each v1 endpoint that needs one. */
function perEndpoint<T>(type: z.ZodType<T>): z.ZodType<Partial<Record<V1EndpointId, T>>> {
  // Object.fromEntries forgets the names; they are exactly the ids of the endpoints.
  return table('v1 endpoint', Object.fromEntries(endpointIds(v1Endpoints).map((id) => [id, type]))) as z.ZodType<
    Partial<Record<V1EndpointId, T>>
  >;
}

/** Names of query parameters on v1 to their names on v2, per endpoint. */
export const queryRenames = perEndpoint(z.record(z.string(), name, isNot('a table of parameter names')));

/** JSONata per endpoint. The proxy compiles and checks what is inside. */
export const mappings = perEndpoint(z.record(z.string(), z.unknown(), isNot('a table of mappings')));

const status = positive.refine((value) => value >= 200 && value <= 599, isNot('a status code from 200 to 599'));
/** A list, or a text with commas; an empty text is an empty list. */
const textList = z
  .union([z.string(), z.array(z.string())], isNot('a list of texts'))
  .transform((input) => (input === '' ? [] : [input].flat().flatMap((item) => item.split(','))))
  .pipe(z.array(name));
const someTexts = textList.refine((list) => list.length > 0, 'must name at least one');
const eventKind = z.enum(eventKindNames, {
  error: ({ input }) => `${show(input)} is not an event${didYouMean(String(input), eventKindNames)}`,
});

/** Fields of a contact that are the service's own, or JavaScript's, cannot hold what clients write. */
const ownFields: readonly string[] = ['id', 'createdAt', 'updatedAt', '__proto__'];
const clientField = name.refine((field) => !ownFields.includes(field), `must be none of ${ownFields.join(', ')}`);

const typesByName: Partial<Record<AssumptionName, z.ZodType>> = {
  sunsetAt: instant,
  deprecatedSince: instant,
  webhookEventsDefault: someTexts.pipe(z.array(eventKind)),
  deliveryStatuses: someTexts,
  campaignStatuses: someTexts,
  contactFields: textList.pipe(z.array(clientField)),
  contactPhoneField: clientField,
  contactEmailField: clientField,
  migrationGuideUrl: z.union([z.literal(''), httpUrl], isNot('an http(s) URL')),
};

/** The type of an assumption is that of the assumed value. */
function typeOf([question, { value }]: [string, { readonly value: unknown }]): [string, z.ZodType] {
  const special = typesByName[question as AssumptionName];
  if (special !== undefined) return [question, special];
  if (typeof value === 'boolean') return [question, boolean];
  // The status goes on the wire; the other numbers count something, and only where 0 is assumed it makes sense.
  if (typeof value === 'number') return [question, question.endsWith('Status') ? status : value === 0 ? count : positive];
  return [question, typeof value === 'string' ? text : textList];
}

/** `a=b,c=d`, as the environment has it. A comma only separates before the next `name=`: texts and lists hold commas too. */
const separator = /,\s*(?=[A-Za-z0-9]+=)/;

function pair(item: unknown, context: z.RefinementCtx): [string, string] {
  const [, question, value] = /^([^=]+)=(.*)$/s.exec(String(item)) ?? [];
  if (question !== undefined && value !== undefined) return [question.trim(), value];
  context.addIssue({ code: 'custom', message: `${show(item)} is not name=value` });
  return z.NEVER;
}

const byQuestion = table('assumption', Object.fromEntries(Object.entries(openQuestions).map(typeOf)));

/** Other values for open questions: a table, or `name=value` once or more. */
export const assumptions = z
  .unknown()
  .transform((input, context) => {
    const items = typeof input === 'string' ? input.split(separator) : input;
    return Array.isArray(items) ? Object.fromEntries(items.map((item) => pair(item, context))) : items;
  })
  .pipe(byQuestion) as z.ZodType<Partial<Assumptions>>;
