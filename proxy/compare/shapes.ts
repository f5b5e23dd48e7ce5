/** What is told of the values of answers: their shapes, out of a closed set, and never the values. */
import { isList, isObject, notJson } from './answer-json.ts';
import { instantOf } from './instants.ts';
import { isInteger, isNumber, normalNumber, writtenAs, type JsonNumber } from './numbers.ts';

const mediaTypes = [
  'application/json',
  'application/problem+json',
  'application/x-ndjson',
  'application/xml',
  'application/octet-stream',
  'application/pdf',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/csv',
  'text/event-stream',
  'text/html',
  'text/plain',
  'text/xml',
] as const;

export type Shape =
  | 'absent'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'number (written otherwise)'
  | 'text'
  | 'empty text'
  | 'text of a number'
  | 'text of a time'
  | 'text of a UUID'
  | 'text (other case)'
  | 'text (other spaces)'
  | 'text (other normal form)'
  | 'text (cut)'
  | 'time (the same instant)'
  | 'list'
  | 'empty list'
  | 'object'
  | 'empty object'
  | 'no JSON'
  | 'anything'
  | 'one of a few'
  | 'of another form'
  | 'other'
  | `${number}`
  | (typeof mediaTypes)[number]
  | `${(typeof mediaTypes)[number] | 'other'}; other charset`;

/** The type of a JSON value, as JSON names them but for text and list. */
export function typeOf(value: unknown): 'absent' | 'no JSON' | 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object' {
  if (value === undefined) return 'absent';
  if (value === notJson) return 'no JSON';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'text';
  if (isNumber(value)) return 'number';
  return isList(value) ? 'list' : 'object';
}

export function shapeOf(value: unknown): Shape {
  if (typeof value === 'string') return shapeOfText(value);
  if (isNumber(value)) return isInteger(writtenAs(value)) ? 'integer' : 'number';
  if (isList(value)) return value.length === 0 ? 'empty list' : 'list';
  if (isObject(value)) return Object.keys(value).length === 0 ? 'empty object' : 'object';
  return typeOf(value);
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const time = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

function shapeOfText(text: string): Shape {
  if (text === '') return 'empty text';
  if (text.length > 60) return 'text';
  if (uuid.test(text)) return 'text of a UUID';
  if (time.test(text)) return 'text of a time';
  return normalNumber(text) === undefined ? 'text' : 'text of a number';
}

/** The shapes of two values of one type that differ: how they do, where that can be said without saying them. */
export function shapesOfValues(v1: unknown, v2: unknown): readonly [Shape, Shape] {
  const same = sameBut(v1, v2);
  if (same !== undefined) return [same, same];
  const [first, second] = [shapeOf(v1), shapeOf(v2)];
  if (first !== 'text' || second !== 'text') return [first, second];
  return [isCut(v1, v2) ? 'text (cut)' : first, isCut(v2, v1) ? 'text (cut)' : second];
}

function sameBut(v1: unknown, v2: unknown): Shape | undefined {
  if (isNumber(v1) && isNumber(v2)) return isSameNumber(v1, v2) ? 'number (written otherwise)' : undefined;
  if (typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
  const instant = shapeOf(v1) === 'text of a time' ? instantOf(v1) : undefined;
  if (instant !== undefined && instant === instantOf(v2)) return 'time (the same instant)';
  if (v1.normalize() === v2.normalize()) return 'text (other normal form)';
  if (v1.toLowerCase() === v2.toLowerCase()) return 'text (other case)';
  return v1.replaceAll(/\s/g, '') === v2.replaceAll(/\s/g, '') ? 'text (other spaces)' : undefined;
}

function isSameNumber(v1: JsonNumber, v2: JsonNumber): boolean {
  const value = normalNumber(writtenAs(v1));
  return value !== undefined && value === normalNumber(writtenAs(v2));
}

const isCut = (part: unknown, whole: unknown): boolean => typeof part === 'string' && typeof whole === 'string' && whole.startsWith(part);

export const shapeOfStatus = (status: number): Shape =>
  Number.isInteger(status) && status >= 100 && status <= 599 ? `${status}` : 'other';

/** A media type without what means nothing here: its type and subtype, and whether its charset is another than UTF-8. */
export interface MediaType {
  readonly type: string;
  /** Empty for UTF-8. */
  readonly charset: string;
}

export function mediaTypeOf(text: string): MediaType {
  const [type = '', ...parameters] = text.toLowerCase().split(';');
  const charset = parameters.flatMap((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1] ?? [])[0] ?? '';
  return { type: type.trim(), charset: ['utf-8', 'utf8'].includes(charset) ? '' : charset };
}

export function shapeOfMediaType(media: MediaType | undefined): Shape {
  if (media === undefined) return 'absent';
  const type = mediaTypes.find((known) => known === media.type) ?? 'other';
  return media.charset === '' ? type : `${type}; other charset`;
}
