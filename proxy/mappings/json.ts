/** JSON for expressions: numbers keep their value, and nothing in a body can pass for a part of the expression engine. */
import { isSafeNumber, parse } from 'lossless-json';

declare global {
  interface JSON {
    /** TC39 "JSON.parse source text access", in Node since 21: an object that JSON.stringify writes as exactly this text. */
    rawJSON(text: string): object;
  }
}

/**
 * Reads JSON text. A number whose value a JS number holds becomes one (1.10 is 1.1 from then on); any other (12345678901234567890, 1e400)
 * becomes an object that carries its digits and that formatJson writes back as they were. Equal digits give the same object, because
 * JSONata's `in` compares by identity. Of members with the same name the last counts, as with JSON.parse.
 * @throws when the text is not JSON, is nested too deeply, or has a reserved name; the error may quote the text
 */
export function parseJson(text: string): unknown {
  const exact = new Map<string, object>();
  const parseNumber = (digits: string): unknown => {
    if (isSafeNumber(digits)) return Number(digits);
    const known = exact.get(digits) ?? JSON.rawJSON(digits);
    exact.set(digits, known);
    return known;
  };
  const value = parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  refuseReserved(value);
  return value;
}

/**
 * Writes a value as JSON text, and throws where JSON.stringify would leave something out or put null in its place:
 * undefined, functions (JSONata's own are objects that hold some) and numbers out of range.
 */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => {
    if (!isJson(item)) throw new TypeError('Not a JSON value');
    return item;
  });
}

function isJson(item: unknown): boolean {
  if (typeof item === 'number') return Number.isFinite(item);
  return ['string', 'boolean', 'object'].includes(typeof item);
}

/**
 * JSONata (2.2.2) takes an object with one of the first two for a function, one with `tupleStream` for bindings of variables – a body could
 * set the expression's own – and one with `outerWrapper` for a list of which `$` is the first. `__proto__` could carry them in unseen.
 */
const reserved = new Set(['_jsonata_function', '_jsonata_lambda', 'tupleStream', 'outerWrapper', '__proto__']);

/** Throws where a value has, at any depth, a name that JSONata would take for its own. */
export function refuseReserved(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (reserved.has(name)) throw new TypeError(`The name ${name} is reserved`);
    refuseReserved(item);
  }
}
