/** Variables that a file sets, and the places that read them, in all the ways the formats write a reference. */
import { type Place, type Text, join, slice } from './text.ts';

export interface Definition {
  readonly name: string;
  readonly value: Text;
}

/** The variables of one file. A name set more than once has several. */
export type Scope = ReadonlyMap<string, readonly Definition[]>;

export interface Reference extends Place {
  readonly name: string;
  /** Where the default stands, as in `${NAME:-default}`. */
  readonly fallback: Place | undefined;
}

const references =
  /\$\{\{\s*(?:env|vars)\.(?<a>\w+)\s*\}\}|\{\{\s*(?:_\.|\$dotenv\s+|\$processEnv\s+|%)?(?<b>[\w.-]+)\s*\}\}|\$\{(?<c>[A-Za-z_]\w*)(?::?[-=](?<fallback>[^{}]*))?\}|\$\((?<d>\w+)\)|\$\$?(?<e>[A-Za-z_]\w*)/g;

/** All references in a text, in order; offsets are the text's. */
export function referencesIn(value: string): Reference[] {
  return Array.from(value.matchAll(references), ({ 0: found, index, groups = {} }) => {
    const name = groups['a'] ?? groups['b'] ?? groups['c'] ?? groups['d'] ?? groups['e'] ?? '';
    const end = index + found.length;
    const fallback = groups['fallback'];
    return { name, start: index, end, fallback: fallback === undefined ? undefined : { start: end - 1 - fallback.length, end: end - 1 } };
  });
}

export function scopeOf(definitions: readonly Definition[]): Scope {
  return Map.groupBy(definitions, ({ name }) => name);
}

export interface Expanded {
  readonly text: Text;
  /** The definitions that were put in. */
  readonly read: readonly Definition[];
}

/**
 * Puts in the values of the variables that are set exactly once in the file, and defaults of those that are not set. Others stay as written.
 * @param within names being expanded: a variable that refers to itself stays as written, or is its own default
 */
export function expand(text: Text, scope: Scope, within: readonly string[] = []): Expanded {
  const parts: Text[] = [];
  const read: Definition[] = [];
  let from = 0;
  for (const reference of referencesIn(text.value)) {
    const definitions = scope.get(reference.name) ?? [];
    const [definition] = definitions;
    let inner: Text | undefined;
    if (definition !== undefined && definitions.length === 1 && !within.includes(reference.name)) {
      inner = definition.value;
      read.push(definition);
    } else if (reference.fallback !== undefined && (definition === undefined || within.at(-1) === reference.name))
      // `BASE="${BASE:-https://…}"` keeps what is set around the script, or sets the default.
      inner = slice(text, reference.fallback.start, reference.fallback.end);
    if (inner === undefined) continue;
    const expanded = expand(inner, scope, [...within, reference.name]);
    read.push(...expanded.read);
    parts.push(slice(text, from, reference.start), expanded.text);
    from = reference.end;
  }
  return { text: join(...parts, slice(text, from)), read };
}
