/** JSON as the sandbox holds it: JavaScript would round numbers past 2^53, and write 1.0 as 1; a client gets them back as it wrote them. */

/**
 * A JSON object whose shape is not known. A number in it that JavaScript would write in another way is a raw one (`JSON.isRawJSON`):
 * JSON.stringify writes it as it came, and structuredClone refuses it.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Of the language since 2025 (ES2026), and not yet of TypeScript's library. */
interface SourceTexts {
  parse(text: string, revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const sourceTexts = JSON as JSON & SourceTexts;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !sourceTexts.isRawJSON(value);
}

/** How deep a body may nest (RFC 8259 §9 lets us bound it): JSON.stringify recurses, and must not exhaust the stack. */
export const maxDepth = 200;

/** Whether a value nests more levels deep than this. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || sourceTexts.isRawJSON(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}

/** What a number may look like that does not come back as it was. It may stand in a text: then there is only more to do. */
const suspicious = /\d[.eE]|-0(?!\d)|\d{16}/;

/**
 * Puts what its text says in the place of numbers that JavaScript would change.
 * @param value what JSON.parse made of the text; it nests no deeper than `maxDepth`, as the second reading recurses
 */
export function withExactNumbers(value: unknown, text: string): unknown {
  return suspicious.test(text) ? sourceTexts.parse(text, exactly) : value;
}

function exactly(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source ? sourceTexts.rawJSON(source) : value;
}

/** Fields of a client in plain JSON, which anybody may parse and write again: as their text where they hold a raw number. */
export type SavedFields = JsonObject | string;

export function saveFields(fields: JsonObject): SavedFields {
  return holdsRaw(fields) ? JSON.stringify(fields) : fields;
}

function holdsRaw(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return sourceTexts.isRawJSON(value) || Object.values(value).some(holdsRaw);
}

/** @returns undefined where these are no fields, or nest too deep */
export function readFields(saved: unknown): JsonObject | undefined {
  const value = typeof saved === 'string' ? parseJson(saved) : saved;
  if (!isJsonObject(value) || nestsDeeper(value, maxDepth)) return undefined;
  const exact = typeof saved === 'string' ? withExactNumbers(value, saved) : value;
  return isJsonObject(exact) ? exact : undefined;
}

/** Undefined where a text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
