/**
 * Which letters follow which in English: the pairs that make up 93 of 100 in the distinct words of some thousand README files. Of names of
 * programs nearly all are made of these, of letters drawn at random not half.
 */
export const usualPairs: Readonly<Record<string, string>> = {
  a: 'bcdfghiklmnprstuvwy',
  b: 'aeilorsu',
  c: 'acehiklorstu',
  d: 'adeilorsu',
  e: 'abcdefgiklmnopqrstuvwxy',
  f: 'aefilortu',
  g: 'aehilnorsu',
  h: 'aeinortuy',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeiosu',
  l: 'acdefilmostuy',
  m: 'abeimopsu',
  n: 'acdefgiklnostuvy',
  o: 'abcdefgiklmnoprstuvwxy',
  p: 'aehiloprstuy',
  q: 'u',
  r: 'abcdefgiklmnoprstuvy',
  s: 'acehiklmopstuy',
  t: 'acdefhilmoprstuy',
  u: 'abcdegilmnprst',
  v: 'aeio',
  w: 'aeilo',
  x: 'ept',
  y: 'aenps',
  z: 'aei',
};
