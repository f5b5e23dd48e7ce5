/** Twice the program takes twice the work: what is looked up again and again is found once, and kept. */
import { describe, expect, it } from 'vitest';
import { askedOf, type Program } from '../helpers/asked.ts';

const lines = (count: number, line: (index: number) => string): string[] => Array.from({ length: count }, (_, index) => line(index));

const programs: Record<string, (size: number) => Program> = {
  'fields that are made of each other': (size) => ({
    main: [
      'class Client {',
      "  constructor() { this.f0 = 'https://api.example.com';",
      ...lines(size, (index) => `    this.f${index + 1} = this.f${index};`),
      '  }',
      ...lines(size, (index) => `  get${index}() { return fetch(this.f${index}); }`),
      '}',
    ],
  }),
  'subclasses that say what a field holds': (size) => ({
    main: [
      'class Client {',
      ...lines(size, (index) => `  get${index}() { return fetch(this.base); }`),
      '}',
      ...lines(size, (index) => `class Client${index} extends Client { base = 'https://api.example.com'; }`),
    ],
  }),
  'lines of ten classes that inherit from each other': (size) => ({
    main: [
      "class Client0 { constructor() { this.base = 'https://api.example.com'; } }",
      ...lines(
        size,
        (index) => `class Client${index + 1} extends Client${index % 10 === 0 ? 0 : index} { get${index}() { return fetch(this.base); } }`,
      ),
    ],
  }),
  'objects with a property of one name that is written': (size) => ({
    main: lines(
      size,
      (index) => `const o${index} = { url: '' }; o${index}.url = 'https://api.example.com/${index}'; fetch(o${index}.url);`,
    ),
  }),
  'clients whose bases are written from outside': (size) => ({
    main: [
      "class Client { base = ''; get() { return fetch(this.base); } }",
      ...lines(
        size,
        (index) =>
          `class C${index} extends Client {} const c${index} = new C${index}(); c${index}.base = 'https://api.example.com'; c${index}.get();`,
      ),
    ],
  }),
  'files that re-export each other in a circle': (size) => ({
    ...Object.fromEntries(
      lines(size, String).map((index) => [
        `f${index}`,
        [`export * from './f${(Number(index) + 1) % size}';`, `export const base${index} = 'https://api.example.com';`],
      ]),
    ),
    main: lines(size, (index) => `import { base${index} } from './f0'; fetch(base${index});`),
  }),
};

describe('twice the program takes no more than a bit over twice the questions', () => {
  it.each(Object.entries(programs))('with %s', (_, program) => {
    const [once, twice] = [askedOf(program(40)), askedOf(program(80))];

    expect(once.urls.filter((url) => url.startsWith('https://api.example.com'))).not.toEqual([]);
    expect(twice.questions / once.questions).toBeLessThan(2.3);
  });
});

it('what is given to a function that gives nothing back, or to what nobody knows, is not asked for', () => {
  const dear = `[${lines(500, String).join(', ')}]`;
  const program = [
    "import { show } from 'some-library';",
    'function note(list) { show(list); }',
    `show(${dear}).end();`,
    `note(${dear}).end();`,
  ];

  expect(askedOf({ main: [...program, "fetch('https://api.example.com');"] }).questions).toBeLessThan(500);
});
