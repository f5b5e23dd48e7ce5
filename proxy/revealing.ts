/**
 * Whether a text of v2's reveals a key, in any form from which it could be had back: as it is or in other case, percent-encoded, in hex or in base64
 * at any alignment, whole or in part. Nine characters in a row are too many, and so are nine in all around a mask (`sk_live_ab…yz`): our own
 * logs show eight (`sk_ab…yz` may stay).
 */

const fewest = 9;
/** Three bytes are four characters of base64. */
const fewestOfBase64 = (fewest / 3) * 4;

interface Forms {
  readonly key: string;
  readonly parts: ReadonlySet<string>;
  readonly partLength: number;
  readonly encoded: ReadonlySet<string>;
}

const known = new Map<string, Forms>();
/** Keys whose forms are kept: making them takes longer than looking for them. */
const maxKnown = 1_000;

/** @param key a short one counts whole */
export function reveals(text: string, key: string): boolean {
  if (text.length < Math.min(fewest, key.length)) return false;
  const forms = known.get(key) ?? remember(key);
  return holdsPart(text, forms) || (text.includes('%') && holdsPart(decodePercent(text), forms)) || holdsMasked(text, forms);
}

function remember(key: string): Forms {
  const partLength = Math.min(fewest, key.length);
  const lower = key.toLowerCase();
  const hex = Buffer.from(key).toString('hex');
  const forms: Forms = {
    key: lower,
    partLength,
    parts: new Set(windows(lower, partLength)),
    // Of hex, as many characters as of base64: six of the key, which nobody finds in another text by chance.
    encoded: new Set([...base64Forms(key).flatMap((form) => windows(form, fewestOfBase64)), ...windows(hex, fewestOfBase64)]),
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

function holdsPart(text: string, { parts, partLength, encoded }: Forms): boolean {
  const lower = text.toLowerCase();
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  for (let i = 0; i + partLength <= lower.length; i++) {
    if (parts.has(lower.slice(i, i + partLength))) return true;
    if (encoded.has(base64.slice(i, i + fewestOfBase64)) || encoded.has(lower.slice(i, i + fewestOfBase64))) return true;
  }
  return false;
}

/** Twice, for what was encoded twice. */
const decodePercent = (text: string): string => decodeOnce(decodeOnce(text));

const decodeOnce = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function holdsMasked(text: string, { key }: Forms): boolean {
  for (const [, before = '', after = ''] of text.toLowerCase().matchAll(/(\S{0,64}?)(?:[*•…·]+|\.{2,})(?=(\S{0,64}))/g)) {
    if (commonEnd(before, key) + commonEnd(reversed(after), reversed(key)) >= fewest) return true;
  }
  return false;
}

/** How many characters of the key's beginning the text ends with. */
function commonEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length); length > 0; length--) if (text.endsWith(key.slice(0, length))) return length;
  return 0;
}

const reversed = (text: string): string => [...text].toReversed().join('');
