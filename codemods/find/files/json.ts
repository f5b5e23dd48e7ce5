/** Configuration files that are JSON with comments and trailing commas, read without trust in their shape. */
import { parse } from 'jsonc-parser';
import { readIfThere } from './repository.ts';

export type Table = Readonly<Record<string, unknown>>;

/** The object in a file; undefined where the file or the object is not there. */
export function readTable(path: string): Table | undefined {
  const text = readIfThere(path);
  return text === undefined ? undefined : table(parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }));
}

export const table = (value: unknown): Table | undefined =>
  // A parsed object; its values are looked at one by one.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined;

/** The texts of a text or a list. */
export function list(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}
