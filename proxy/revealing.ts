/**
 * Whether a text of v2's reveals a key, in any form from which it could be had back: as it is, in other case or other letters, in reverse, with
 * something between its characters, percent-encoded or in other escapes, in hex or in base64 at any alignment, whole or in part. Nine characters
 * in a row are too many, and so are nine in all around a mask (`sk_live_ab…yz`): our own logs show eight (`sk_ab…yz` may stay).
 */

const fewest = 9;
/** Three bytes are four characters of base64. */
const fewestOfBase64 = (fewest / 3) * 4;

interface Forms {
  /** In small letters. */
  readonly key: string;
  readonly isIn: (text: string) => boolean;
  /** Whether a text of letters and digits alone has those of the key, or of its hex. */
  readonly isInBare: (text: string) => boolean;
  readonly isEncodedIn: (text: string) => boolean;
}

const known = new Map<string, Forms>();
/** Keys whose forms are kept: making them takes longer than looking for them. */
const maxKnown = 1_000;

/** @param key a short one counts whole */
export function reveals(text: string, key: string): boolean {
  if (text.length < Math.min(fewest, key.length)) return false;
  const forms = known.get(key) ?? remember(key);
  // Wide and other letters that stand for those of ASCII become them.
  const plain = /[^\x20-\x7e]/.test(text) ? text.normalize('NFKC') : text;
  return holdsPart(plain, forms) || (/[%\\&]/.test(plain) && holdsPart(decoded(plain), forms)) || holdsMasked(plain, forms.key);
}

function remember(key: string): Forms {
  const lower = key.toLowerCase();
  const hex = Buffer.from(key).toString('hex');
  const base64 = base64Forms(key);
  const [inLower, inBare] = [
    partFinder([lower, [...lower].toReversed().join('')], Math.min(fewest, key.length)),
    partFinder([bare(lower)], fewest),
  ];
  // Of hex, as many characters as of base64: six of the key, which nobody finds in another text by chance.
  const inHex = partFinder([hex], fewestOfBase64);
  const forms: Forms = {
    key: lower,
    isIn: (text) => inLower(text) || inHex(text),
    isInBare: (text) => inBare(text) || inHex(text),
    isEncodedIn: partFinder([...base64, ...base64.flatMap(base64Forms)], fewestOfBase64),
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

function holdsPart(text: string, { isIn, isInBare, isEncodedIn }: Forms): boolean {
  const lower = text.toLowerCase();
  return isIn(lower) || isInBare(bare(lower)) || isEncodedIn(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Without what may stand between the characters of a key: spaces, hyphens, colons, characters that nobody sees. */
const bare = (lower: string): string => lower.replaceAll(/[^a-z\d]+/g, '');

/** Twice, for what was encoded twice. */
const decoded = (text: string): string => decodeOnce(decodeOnce(text));

/** Percent-encoding, and the escapes of HTML, JavaScript and JSON. */
const decodeOnce = (text: string): string =>
  text
    .replaceAll(/(?:%|\\x|\\u00|&#x0{0,4})([\da-f]{2});?/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#0{0,4}(\d{2,3});?/g, (_all, decimal: string) => String.fromCharCode(Number(decimal)));

/** How far from a mask, or from the end of the key, its beginning is looked for. */
const maxAround = 64;

const masks = /[[(<{]{0,2}(?:[*•…·#]+|[.-]{2,}|x{3,}|redacted|masked|hidden|removed)[\])>}]{0,2}/g;

const holdsMasked = (text: string, key: string): boolean => {
  const lower = text.toLowerCase();
  return holdsEnds(lower, key) || holdsAround(lower, key);
};

/** Characters of a key's end that no text has by chance so near to its beginning. */
const fewestOfEnd = 3;

/** The beginning of the key and, not far behind, its end: whatever stands between them is a mask. */
function holdsEnds(text: string, key: string): boolean {
  const tail = key.slice(-fewestOfEnd);
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
    let from = at;
    let shown = tail.length;
    while (shown < key.length && from > 0 && text[from - 1] === key[key.length - shown - 1]) [from, shown] = [from - 1, shown + 1];
    const start = key.slice(0, Math.max(1, fewest - shown));
    if (text.slice(Math.max(0, from - maxAround), from).includes(start)) return true;
  }
  return false;
}

/** What stands around a mask belongs to it as far as there is no space, nor another mask before it. */
function holdsAround(lower: string, key: string): boolean {
  let end = 0;
  for (const { 0: mask, index } of lower.matchAll(masks)) {
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
