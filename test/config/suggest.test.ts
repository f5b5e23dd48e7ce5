import { expect, test } from 'vitest';
import { didYouMean } from '../../src/config/suggest.ts';

const known = ['v2Base', 'listen', 'logLevel', 'admin'];

test.each([
  ['lisen', '; did you mean listen?'],
  ['listne', '; did you mean listen?'],
  ['amdin', '; did you mean admin?'],
  ['v2-base', '; did you mean v2Base?'],
  ['LOG_LEVEL', '; did you mean logLevel?'],
  ['log', ''],
  ['port', ''],
  ['', ''],
])('%j suggests %j', (given, suggestion) => {
  expect(didYouMean(given, known)).toBe(suggestion);
});

test('nothing is suggested where there is nothing', () => {
  expect(didYouMean('listen', [])).toBe('');
});
