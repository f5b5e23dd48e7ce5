/**
 * Whether a text reads like the name of a program. Clients can send anything in a header, a key too, and what is recorded is shown for months:
 * only what reads like a name is. The rule is the same for a User-Agent and for the header that tells clients apart.
 */
import { usualPairs } from './usual-pairs.ts';

/** What people name programs with: no brackets, signs or accents, which addresses, telephone numbers and passwords have. */
const plain = /^[a-z0-9._/-](?:[a-z0-9 ._/-]{0,62}[a-z0-9._/-])?$/i;

/** What no name holds, however plain it is. */
const tellsMore = [
  // Beginnings of keys and of JSON Web Tokens.
  /(?:^|[^a-z0-9])(?:[a-z]{2,5}_(?:live|test)_|(?:ak|sk|pk|rk|key|whsec)_|xox[a-z]-|aiza[\w-]{16}|eyJ)/i,
  /A[KS]IA[A-Z2-7]{12}/,
  // Six digits in a row, or seven in groups: numbers of cards, telephones, customers and machines.
  /\d{6}|(?:\d[ ._/-]*){7}/,
  // Nine digits, wherever; and groups of hexadecimal ones.
  /(?:\d\D*){9}|(?:^|[^a-z\d])[\da-f]{4,}(?:[^a-z\d]+[\da-f]{4,}){2}/i,
  // Sixteen letters and digits in a row: keys and hashes.
  /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16}/i,
  // Ten characters and more in which letters and digits take turns.
  /(?=[\w/.-]{10})(?:[a-z_/.-]*\d+[a-z]+){2}/i,
];

/** The words of a name: `SendgridHTTPClient` has three. */
const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Letters from which on words can be told from what was drawn at random. */
const judged = 12;
/** … and without regard to where one ends. */
const longEnough = 14;

/** Whether letters stand there as no words have them: keys can be made of letters alone. */
function isRandom(value: string): boolean {
  // Words of a name may be cut anywhere, and its letters still follow each other as letters do.
  const spelt = value.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (spelt.length >= longEnough && unusualPairs(spelt) > (spelt.length - 1) * 0.35) return true;
  const found = value.match(words) ?? [];
  const letters = found.reduce((sum, word) => sum + word.length, 0);
  if (letters >= judged && letters / found.length < 3) return true;
  // Few letters that stand alone among digits and signs.
  if (value.length >= judged && letters >= 6 && letters / found.length < 2.2) return true;
  let pairs = 0;
  let odd = 0;
  for (const word of found) {
    const unusual = unusualPairs(word.toLowerCase());
    // No more than every eighth in a long word.
    if (word.length >= judged && unusual * 8 > word.length - 1) return true;
    // Short ones are abbreviations, with any letters.
    if (word.length < 5) continue;
    pairs += word.length - 1;
    odd += unusual;
  }
  return (pairs >= 8 && odd * 10 > pairs * 3) || (value.match(/[a-z]{12,}/gi) ?? []).some(takesTurns);
}

/** Whether small and capital letters take turns as in no name: many words, and short ones. */
function takesTurns(letters: string): boolean {
  const found = letters.match(words) ?? [];
  if (found.length < 3) return false;
  if (letters.length / found.length < 3.5) return true;
  const odd = found.reduce((sum, word) => sum + unusualPairs(word.toLowerCase()), 0);
  return letters.length >= 16 && odd * 4 > letters.length - found.length;
}

function unusualPairs(word: string): number {
  let count = 0;
  for (let i = 1; i < word.length; i++) if (usualPairs[word[i - 1] ?? '']?.includes(word[i] ?? '') !== true) count++;
  return count;
}

export const readsLikeName = (value: string): boolean =>
  plain.test(value) && !tellsMore.some((pattern) => pattern.test(value)) && !isRandom(value);

/** Characters of a key in a row that nobody may show; half of a shorter one. */
const tooMany = 9;

/** Whether a text shows so much of a credential that was presented with it, as it is, in base64 or in hexadecimal digits. */
export function showsPartOf(value: string, credential: string): boolean {
  if (credential === '') return false;
  const secret = credential.toLowerCase();
  return [value, ...decoded(value)].some((text) => shares(text.toLowerCase(), secret)) || shares(joined(value), joined(secret));
}

/** Whether two texts have too many characters in a row in common. A key is bounded by what a head may hold, and a name by what is plain. */
function shares(text: string, secret: string): boolean {
  const length = Math.min(tooMany, Math.max(Math.min(4, secret.length), Math.ceil(secret.length / 2)));
  if (length === 0) return false;
  for (let i = 0; i + length <= text.length; i++) if (secret.includes(text.slice(i, i + length))) return true;
  return false;
}

/** Without the signs at which a text can be split. */
const joined = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** A text as base64 and hexadecimal digits, wherever in it they begin. */
function* decoded(value: string): Generator<string> {
  for (const run of value.match(/[\w+/-]{6,}/g) ?? [])
    for (let i = 0; i < 4; i++) yield Buffer.from(run.slice(i), 'base64').toString('latin1');
  for (const run of value.match(/[\da-f]{8,}/gi) ?? [])
    for (let i = 0; i < 2; i++) yield Buffer.from(run.slice(i, run.length - ((run.length - i) % 2)), 'hex').toString('latin1');
}
