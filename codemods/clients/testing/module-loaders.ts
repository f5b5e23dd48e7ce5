/** What tests load files of the program with, some of whose imports they replace: what such a file exports is what it is. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { requiredValue } from '../../evaluate/names/exports.ts';
import { plainText } from '../../evaluate/values/values.ts';

const loaded: LibraryFunction = (ev, [specifier], node, at) => {
  const text = specifier === undefined ? undefined : plainText(specifier);
  return text === undefined ? undefined : requiredValue(ev, at.module, text, { node, module: at.module, rest: undefined });
};
/** `require('proxyquire').noCallThru()` */
const itself: LibraryFunction = () => ({ type: 'external', source: 'proxyquire', path: [] });

export const moduleLoaders: ClientRule = {
  name: 'proxyquire',
  isForTests: true,
  functions: {
    ...Object.fromEntries(['noCallThru', 'noPreserveCache', 'preserveCache'].map((name) => [`proxyquire:${name}`, itself])),
    ...Object.fromEntries(
      [
        'proxyquire:',
        'proxyquire:load',
        'esmock:',
        'esmock:strict',
        'rewire:',
        'import-fresh:',
        'jest.requireActual',
        '@jest/globals:jest.requireActual',
        'vi.importActual',
        'vitest:vi.importActual',
      ].map((name) => [name, loaded]),
    ),
  },
};
