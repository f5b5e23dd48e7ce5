/** The text of a key map, and whether it is the whole of it. */
import { type Document, type YAMLError, isCollection, isMap, isScalar, parseDocument } from 'yaml';
import { z } from 'zod';
import { KeyMapError } from './error.ts';

/** What can be sent as a Bearer credential (RFC 6750 §2.1 allows a little less; the API's alphabet is not shown). */
export const credential = /^[\x21-\x7e]+$/;

const mapSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      v1: z.string().regex(/^(sha256:[0-9a-f]{64}|(?!sha256:)[\x21-\x7e]+)$/i),
      v2: z.string().regex(/^(env:[a-z_]\w*|file:.+|(?!env:|file:)[\x21-\x7e]+)$/i),
    }),
  ),
  default: z.enum(['same', 'reject']).default('reject'),
});
export type MapFile = z.infer<typeof mapSchema>;

const remedies: Readonly<Record<string, string>> = {
  v1: 'v1 must be text: the key itself, or sha256: and the 64 hex digits of its SHA-256',
  v2: 'v2 must be text: the key itself, env:NAME or file:PATH',
  default: 'default must be same or reject',
};

/**
 * Reads the text of a map.
 * @throws KeyMapError KEY_MAP_SYNTAX, KEY_MAP_INVALID or KEY_MAP_INCOMPLETE
 */
export function parseMap(path: string, text: string): MapFile {
  const { document, value } = parseText(path, text);
  const result = mapSchema.safeParse(value);
  if (!result.success) throw invalid(path, result.error.issues[0]);
  if (showsItsEnd(document)) return result.data;
  const remedy = 'let its last line be "default: reject", "default: same" or "...", or write it as JSON';
  throw new KeyMapError('KEY_MAP_INCOMPLETE', path, `nothing shows that this is all of it, so it may be half written; ${remedy}`);
}

/** YAML 1.2 includes JSON. */
function parseText(path: string, text: string): { document: Document; value: unknown } {
  let fault: YAMLError | undefined;
  try {
    // At any other level, warnings go to stderr with the text they are about.
    const document = parseDocument(text, { logLevel: 'error' });
    [fault] = document.errors;
    if (!fault) return { document, value: document.toJS() };
  } catch {
    // An alias to nothing or to itself, or too many levels: the error names no place.
  }
  const at = fault?.linePos?.[0];
  const place = at ? `line ${at.line}, column ${at.col}` : 'the text';
  throw new KeyMapError('KEY_MAP_SYNTAX', path, `${place} is neither JSON nor YAML; correct it`, { cause: new Error(fault?.code) });
}

/**
 * Whether no longer map begins with this one. A writer that is slow, or that died, leaves a file that ends anywhere; YAML in lines may end
 * after any line, and within any word, and be a good map with a part of a key in it, or without a key that `default: same` then sends to v2.
 * These cannot be cut without a fault: a text in brackets, as JSON is; the marker of a document's end (YAML 1.2 §9.1.2); `default` as the
 * last member, since neither of its words begins with the other; and keys in brackets behind it, as no third member may follow.
 */
function showsItsEnd({ contents, directives }: Document): boolean {
  if (directives?.docEnd === true || (isCollection(contents) && contents.flow === true)) return true;
  if (!isMap(contents) || !contents.has('default')) return false;
  const last = contents.items.at(-1);
  return (isScalar(last?.key) && last.key.value === 'default') || (isCollection(last?.value) && last.value.flow === true);
}

/** Says where the form is wrong and which form is right. zod's own texts quote names and values, which may be misplaced keys. */
function invalid(path: string, issue: z.core.$ZodIssue | undefined): KeyMapError {
  const [top, index, field] = issue?.path ?? [];
  const entry = top === 'keys' && typeof index === 'number' ? index + 1 : undefined;
  const text =
    entry === undefined
      ? (remedies[String(top)] ?? 'it must have keys, a list, and may have default; nothing else')
      : (remedies[String(field)] ?? 'it must have v1 and v2; nothing else');
  return new KeyMapError('KEY_MAP_INVALID', path, text, { cause: new Error(issue?.code), entry });
}
