import type { JsonObject } from '../values/json.ts';

/**
 * Which records a list's query asks for: those that hold, for every filter it names, one of the values it gives. Only text can be asked for.
 * Empty values count as absent, like those of the paging; parameters that are no filter are ignored.
 * @param names the parameters that are filters, each called like the field it looks at
 * @returns undefined where the query asks for all
 */
export function filters<T>(
  query: URLSearchParams,
  names: readonly string[],
  fieldsOf: (record: T) => JsonObject,
): ((record: T) => boolean) | undefined {
  const wanted = names.flatMap((name) => {
    const values = new Set<unknown>(query.getAll(name).filter((value) => value !== ''));
    return values.size === 0 ? [] : [{ name, values }];
  });
  if (wanted.length === 0) return undefined;
  return (record) => {
    const fields = fieldsOf(record);
    return wanted.every(({ name, values }) => values.has(fields[name]));
  };
}
