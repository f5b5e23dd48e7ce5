/** The types of settings that are tables: their names come from the contract, and a misspelt name is told apart from a wrong value. */
import { z } from 'zod';
import { type Assumptions, contradictionIn, openQuestions } from '../contract/assumptions.ts';
import type { Domain, WholeNumbers } from '../contract/domains.ts';
import { endpointIds, type V1EndpointId, v1Endpoints } from '../contract/endpoints.ts';
import { didYouMean } from './suggest.ts';
import { boolean, httpUrl, instant, show, written } from './types.ts';

interface Invalid {
  readonly input?: unknown;
}
export const isNot = (what: string, shown = show) => ({ error: ({ input }: Invalid) => `${shown(input)} is not ${what}` });

/**
 * An object in which every name is one of `types`; none is required.
 * @param messages how they say what the object has to be, and how they name what is none of `types`
 */
export function table<Shape extends Readonly<Record<string, z.ZodType>>>(
  what: string,
  types: Shape,
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

const name = z.string(isNot('a text')).min(1, 'must not be empty');

/** A table with one entry for each v1 endpoint that needs one. */
export function perEndpoint<T>(type: z.ZodType<T>): z.ZodType<Partial<Record<V1EndpointId, T>>> {
  // Object.fromEntries forgets the names; they are exactly the ids of the endpoints.
  return table('v1 endpoint', Object.fromEntries(endpointIds(v1Endpoints).map((id) => [id, type]))) as z.ZodType<
    Partial<Record<V1EndpointId, T>>
  >;
}

/** Names of query parameters on v1 to their names on v2, per endpoint. */
export const queryRenames = perEndpoint(z.record(z.string(), name, isNot('a table of parameter names')));

/** JSONata per endpoint. The proxy compiles and checks what is inside. */
export const mappings = perEndpoint(z.record(z.string(), z.unknown(), isNot('a table of mappings')));

/** A list, or a text with commas; an empty text is an empty list. Each entry at most once. */
function list(entry: z.ZodType<string, string>, least: number): z.ZodType<readonly string[]> {
  return z
    .union([z.string(), z.array(z.string())], isNot('a list of texts'))
    .transform((input) => (input === '' ? [] : [input].flat().flatMap((item) => item.split(','))))
    .pipe(z.array(entry))
    .refine((entries) => entries.length >= least, 'must name at least one')
    .superRefine((entries, context) => {
      const twice = entries.find((one, index) => entries.indexOf(one) < index);
      if (twice !== undefined) context.addIssue({ code: 'custom', message: `names ${show(twice)} twice` });
    });
}

function wholeNumber({ from, to, except = [], what }: WholeNumbers): z.ZodType<number> {
  const but = except.length === 0 ? '' : `, other than ${except.join(' and ')}`;
  const isOne = (value: number): boolean => value >= from && value <= to && !except.includes(value);
  return written(`a ${what ?? 'whole number'} from ${from} to ${to}${but}`, (text) =>
    /^\d+$/.test(text) && isOne(Number(text)) ? Number(text) : undefined,
  );
}

const singles = {
  text: name,
  instant,
  urlOrNone: z.union([z.literal(''), httpUrl], isNot('an http(s) URL')),
  path: name.regex(/^\/(?!\/)/, 'must be a path: begin with one slash'),
  switch: boolean,
} satisfies Partial<Record<Extract<Domain, string>, z.ZodType>>;

function oneOfTexts(texts: readonly string[]): z.ZodType<string, string> {
  return z.string(isNot('a text')).superRefine((given, context) => {
    if (texts.includes(given)) return;
    context.addIssue({ code: 'custom', message: `${show(given)} is none of ${texts.join(', ')}${didYouMean(given, texts)}` });
  });
}

const typeOfText = (
  domain: 'text' | { readonly oneOf: readonly string[] } | { readonly noneOf: readonly string[] },
): z.ZodType<string, string> => {
  if (domain === 'text') return name;
  if ('oneOf' in domain) return oneOfTexts(domain.oneOf);
  return name.refine((given) => !domain.noneOf.includes(given), `must be none of ${domain.noneOf.join(', ')}`);
};

/** From what the contract says of an answer to what settings are read by. */
function typeOf(domain: Domain): z.ZodType {
  if (typeof domain === 'string') return singles[domain];
  if ('from' in domain) return wholeNumber(domain);
  return 'listOf' in domain ? list(typeOfText(domain.listOf), domain.least) : typeOfText(domain);
}

/** `a=b,c=d`, as the environment has it. A comma only separates before the next `name=`: texts and lists hold commas too. */
const separator = /,\s*(?=[A-Za-z0-9]+=)/;

function pair(item: unknown, context: z.RefinementCtx): [string, string] {
  const [, question, value] = /^([^=]+)=(.*)$/s.exec(String(item)) ?? [];
  if (question !== undefined && value !== undefined) return [question.trim(), value];
  context.addIssue({ code: 'custom', message: `${show(item)} is not name=value` });
  return z.NEVER;
}

const byQuestion = table(
  'assumption',
  Object.fromEntries(Object.entries(openQuestions).map(([question, { domain }]) => [question, typeOf(domain)])),
);

/** Other values for open questions: a table, or `name=value` once or more. */
export const assumptions = z
  .unknown()
  .transform((input, context) => {
    const items = typeof input === 'string' ? input.split(separator) : input;
    return Array.isArray(items) ? Object.fromEntries(items.map((item) => pair(item, context))) : items;
  })
  .pipe(byQuestion as z.ZodType<Partial<Assumptions>>)
  .superRefine((given, context) => {
    const contradiction = contradictionIn(given);
    if (contradiction !== undefined) context.addIssue({ code: 'custom', path: [contradiction.name], message: contradiction.rule });
  });
