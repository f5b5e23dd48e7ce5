/** Texts and variables, in chains and in unions. */
import { ask, base, type Grown, known, main, times } from './pieces.ts';

export const texts: Readonly<Record<string, Grown>> = {
  'assignments to one variable': (size) =>
    main(
      base,
      'let path;',
      times(size, (index) => `if (flag) path = '/v1/p${index}';`),
      ask('path'),
    ),
  'assignments to one variable that is read after each': (size) =>
    main(
      base,
      'let path;',
      times(size, (index) => `path = '/v1/p${index}'; ${ask('path')}`),
    ),
  'texts that are put after': (size) =>
    main(
      base,
      "let path = '/v1';",
      times(size, (index) => `path += '/p${index}';`),
      ask('path'),
    ),
  'queries put behind one path by what it has': (size) =>
    main(
      "const o = { host: 'api.example.com', path: '/v1/messages', headers: { 'x-api-key': key } };",
      times(size, (index) => `if (q.a${index}) o.path += (o.path.includes('?') ? '&' : '?') + 'a${index}=' + q.a${index};`),
      "require('https').get(o, done);",
    ),
  'a chain of plus': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p${index}`).join(' + ')};`, ask('path')),
  'a chain of plus over conditions': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `(f${index} ? 'a' : 'b')`).join(' + ')};`, ask('path')),
  'a chain of or': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p.p${index}`).join(' || ')} || '/v1/messages';`, ask('path')),
  'a chain of ??': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p.p${index}`).join(' ?? ')} ?? '/v1/messages';`, ask('path')),
  'a chain of conditions': (size) =>
    main(
      base,
      `const path = ${Array.from({ length: size }, (_, index) => `f${index} ? '/v1/p${index}' :`).join(' ')} '/v1/messages';`,
      ask('path'),
    ),
  'constants of constants': (size) =>
    main(
      base,
      "const p0 = '/v1/messages';",
      times(size, (index) => `const p${index + 1} = p${index};`),
      ask(`p${size}`),
    ),
  'constants that double': (size) =>
    main(
      base,
      "const p0 = flag ? '/a' : '/b';",
      times(size, (index) => `const p${index + 1} = p${index} + p${index};`),
      ask(`p${size}`),
    ),
  'a union of literals': (size) =>
    main(base, `const path = [${Array.from({ length: size }, (_, index) => `'/v1/p${index}'`).join(', ')}][index];`, ask('path'), known),
  'a switch': (size) =>
    main(
      base,
      'let path; switch (kind) {',
      times(size, (index) => `case ${index}: path = '/v1/p${index}'; break;`),
      '}',
      ask('path'),
    ),
};
