/**
 * Whether a text of v2's reveals a key, in any form from which it could be had back: as it is or in other case, percent-encoded, in hex or in base64
 * at any alignment, whole or in part. Nine characters in a row are too many, and so are nine in all around a mask (`sk_live_ab…yz`): our own
 * logs show eight (`sk_ab…yz` may stay).
 */

const fewest = 9;
/** Three bytes are four characters of base64. */
const fewestOfBase64 = (fewest / 3) * 4;

interface Forms {
  /** In small letters. */
  readonly key: string;
  readonly isIn: (text: string) => boolean;
  readonly isEncodedIn: (text: string) => boolean;
}

const known = new Map<string, Forms>();
/** Keys whose forms are kept: making them takes longer than looking for them. */
const maxKnown = 1_000;

/** @param key a short one counts whole */
export function reveals(text: string, key: string): boolean {
  if (text.length < Math.min(fewest, key.length)) return false;
  const forms = known.get(key) ?? remember(key);
  return holdsPart(text, forms) || (text.includes('%') && holdsPart(decodePercent(text), forms)) || holdsMasked(text, forms.key);
}

function remember(key: string): Forms {
  const lower = key.toLowerCase();
  const hex = Buffer.from(key).toString('hex');
  const forms: Forms = {
    key: lower,
    isIn: partFinder([lower], Math.min(fewest, key.length)),
    // Of hex, as many characters as of base64: six of the key, which nobody finds in another text by chance.
    isEncodedIn: partFinder([...base64Forms(key), hex], fewestOfBase64),
  };
  if (known.size >= maxKnown) known.clear();
  known.set(key, forms);
  return forms;
}

/** The characters of base64 that are the key's alone, for each place that it may have in a longer text. */
function base64Forms(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const first = Math.ceil((before * 8) / 6);
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
  });
}

const windows = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, i) => text.slice(i, i + length));

/** Characters that are compared at a place before a whole part is. */
const gramLength = 4;

/**
 * Makes the function that finds any part of so many characters. Whatever holds one holds a gram of the forms at one of the places that are
 * looked at, as these are so near to each other; so nearly all of a text that has nothing to do with the forms is passed over.
 */
function partFinder(forms: readonly string[], length: number): (text: string) => boolean {
  const size = Math.min(gramLength, length);
  const step = length - size + 1;
  const parts = new Set(forms.flatMap((form) => windows(form, length)));
  const grams = new Set(forms.flatMap((form) => windows(form, size).map((gram) => hashAt(gram, 0, size))));
  return (text) => {
    for (let at = 0; at + size <= text.length; at += step) {
      if (!grams.has(hashAt(text, at, size))) continue;
      for (let from = Math.max(0, at - step + 1); from <= at; from++) if (parts.has(text.slice(from, from + length))) return true;
    }
    return false;
  };
}

function hashAt(text: string, at: number, size: number): number {
  let hash = 0;
  for (let i = at; i < at + size; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function holdsPart(text: string, { isIn, isEncodedIn }: Forms): boolean {
  const lower = text.toLowerCase();
  return isIn(lower) || isEncodedIn(lower) || isEncodedIn(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Twice, for what was encoded twice. */
const decodePercent = (text: string): string => decodeOnce(decodeOnce(text));

const decodeOnce = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What stands around a mask belongs to it as far as there is no space, nor another mask before it. */
const maxAround = 64;

function holdsMasked(text: string, key: string): boolean {
  const lower = text.toLowerCase();
  let end = 0;
  for (const { 0: mask, index } of lower.matchAll(/[*•…·]+|\.{2,}/g)) {
    const [before = ''] = /\S*$/.exec(lower.slice(Math.max(end, index - maxAround), index)) ?? [];
    end = index + mask.length;
    const [after = ''] = /^\S*/.exec(lower.slice(end, end + maxAround)) ?? [];
    if (commonEnd(before, key) + commonStart(after, key) >= fewest) return true;
  }
  return false;
}

/** How many characters of the key's beginning the text ends with. */
function commonEnd(text: string, key: string): number {
  const last = text.at(-1);
  for (let length = Math.min(text.length, key.length); length > 0; length--)
    if (key[length - 1] === last && text.endsWith(key.slice(0, length))) return length;
  return 0;
}

/** How many characters of the key's end the text begins with. */
function commonStart(text: string, key: string): number {
  const [first] = text;
  for (let from = Math.max(0, key.length - text.length); from < key.length; from++)
    if (key[from] === first && text.startsWith(key.slice(from))) return key.length - from;
  return 0;
}
