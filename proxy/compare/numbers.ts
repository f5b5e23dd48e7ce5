/** Numbers as they are written in JSON: 12345678901234567890 keeps its digits, and 1.0 is known from 1. */

/** A number that a JS number does not hold, or would write otherwise. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonNumber = number | WrittenNumber;

export const isNumber = (value: unknown): value is JsonNumber => typeof value === 'number' || value instanceof WrittenNumber;

/** The number that JSON writes so. */
export function numberOf(text: string): JsonNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}

export const writtenAs = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.text);

/** Digits without zeros at either end, times ten to the power of `exponent`; no digits are zero. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const written = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/;

/** The value of a number's text, exactly; undefined where it is none, or its exponent is beyond all reason. */
export function decimalOf(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = written.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  // Not by a pattern: those look for zeros at the end from every zero on.
  while (start < end && all[start] === '0') start++;
  while (end > start && all[end - 1] === '0') end--;
  const digits = all.slice(start, end);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  return { negative: sign === '-', digits, exponent: Number(exponent) - fraction.length + (all.length - end) };
}

/** The same text for the same value. */
export function normalNumber(text: string): string | undefined {
  const decimal = decimalOf(text);
  return decimal && `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`;
}

export function isInteger(text: string): boolean {
  const decimal = decimalOf(text);
  return decimal !== undefined && decimal.exponent >= 0;
}
