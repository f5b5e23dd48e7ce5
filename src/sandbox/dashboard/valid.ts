import { z } from 'zod';
import { readInstant } from '../clock/instants.ts';
import { DashboardError } from './error.ts';

/**
 * A field that is read by its own reader, whose error says what to write.
 * @param read throws for what it does not accept, and takes its own results too: what was checked may be checked again
 */
export function readBy<T extends string | number>(read: (given: string | number | Date) => T): z.ZodType<T, string | number | Date> {
  return z.union([z.string(), z.number(), z.date()], 'must be a text or a number').transform((given, context) => {
    try {
      return read(given);
    } catch (error) {
      context.issues.push({ code: 'custom', input: given, message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

/** Milliseconds since the epoch. */
export const instant = readBy(readInstant);

/** The name of something, for people. */
export const label = z.string().trim().min(1).max(200);

/** A whole number of at least `least`. */
export const count = (least: number): z.ZodInt => z.int().min(least);

/**
 * What a schema makes of an input.
 * @throws DashboardError INVALID, which names every field that is wrong
 */
export function valid<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input, { error: problemOf });
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  throw new DashboardError('INVALID', problems.join('; '), { cause: error });
}

/** What is wrong with a value, where its schema does not say so itself. */
const problemOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') return `there is no field ${issue.keys.join(', ')}`;
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return bound('at least', issue.minimum, issue.origin);
  if (issue.code === 'too_big') return bound('at most', issue.maximum, issue.origin);
  return undefined;
};

function bound(which: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') return `must have ${which} ${limit} characters`;
  return origin === 'array' ? `must have ${which} ${limit} entries` : `must be ${which} ${limit}`;
}
