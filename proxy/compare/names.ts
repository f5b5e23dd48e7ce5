/** Which names of properties can be told: those of fields, and never those that may be data, such as ids and addresses. */

/** Stands for a name that is not told. */
export const someName = '*';

const maxLength = 40;
const maxWords = 8;
/** Words of letters, joined by capitals, by _ or by -; some begin with what marks them as the system's own. */
const identifier = /^[$@_]{0,2}[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z][A-Za-z0-9]*)*$/;
/** A digit or two belong to a name where they end a word: line2, oauth2Token. */
const digitsOfName = /(?<=[A-Za-z]{2})\d{1,2}(?=$|[A-Z_-])/;
const wordsOf = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const vowel = /[aeiouy]/i;

/** Which letters follow one in the words of field names; counted in 17,030 names of declarations of npm packages. */
const following: Readonly<Record<string, string>> = {
  a: 'abcdfgijklmnpqrstuvwxyz',
  b: 'abdeghijklmoprstuy',
  c: 'acdehiklmoprstuwy',
  d: 'abcdefghilmnoprstuvwxy',
  e: 'abcdefghijklmnopqrstuvwxyz',
  f: 'acdefilmnorstuy',
  g: 'abceghilmnorstuy',
  h: 'aeilmoprstuy',
  i: 'abcdefgiklmnopqrstuvwxz',
  j: 'aeiosu',
  k: 'abcdefghilmnorstuy',
  l: 'abcdefgiklmnopstuvwy',
  m: 'abcdegiklmnopstu',
  n: 'abcdefghijklmnoprstuvwxy',
  o: 'abcdefgijklmnoprstuvwxyz',
  p: 'abcdefghiklmnoprstuvy',
  q: 'lu',
  r: 'abcdefgiklmnopqrstuvwy',
  s: 'abcdefhiklmnopqrstuvwy',
  t: 'abcdefghiklmnoprstuwxy',
  u: 'abcdefgilmnoprstx',
  v: 'acegimos',
  w: 'adeghilnorsw',
  x: 'acehilmopst',
  y: 'abcefilmnopstwz',
  z: 'aeiouz',
};

/** A name as it stands in a path. */
export const toldName = (name: string): string => (isFieldName(name) ? name : someName);

/**
 * Ids and keys are letters and digits as well: what is no word gives them away. Rather too few names are told than too many. A person's name
 * as the name of a property cannot be known from a field's.
 */
function isFieldName(name: string): boolean {
  if (name.length > maxLength || !identifier.test(name)) return false;
  const letters = name.replace(digitsOfName, '');
  if (/\d/.test(letters)) return false;
  const words = letters.match(wordsOf) ?? [];
  if (words.length > (letters === name ? maxWords : maxWords / 2)) return false;
  // Random capitals cut a name into bits of a letter or two.
  if (words.length >= 4 && words.join('').length < 3.4 * words.length) return false;
  return words.every(isWord) && words.filter((word) => word.length > 1 && !vowel.test(word)).length <= 1;
}

function isWord(word: string): boolean {
  if (word.length > 20 || (word.length >= 6 && !vowel.test(word))) return false;
  // Capitals alone may be an abbreviation.
  if (word.length <= 5 && word === word.toUpperCase()) return true;
  const letters = [...word.toLowerCase()];
  return letters.every((letter, index) => index === 0 || following[letters[index - 1] ?? '']?.includes(letter) === true);
}
