import { expect, test } from 'vitest';
import { summedUp } from '../../codemods/circles.ts';

type Links = Readonly<Record<string, readonly string[]>>;

/** Everything that can be come to, and what was looked at for that. */
function reachedIn(links: Links): { of: (name: string) => string; looked: string[] } {
  const looked: string[] = [];
  const sumOf = summedUp<string, ReadonlySet<string>>(
    (name) => links[name] ?? [],
    (circle, beyond) => {
      looked.push(...circle);
      return new Set([...circle, ...[...beyond].flatMap((each) => [...each])]);
    },
  );
  return { of: (name) => [...sumOf(name)].toSorted().join(''), looked };
}

test('those of a circle lead to the same, and what leads to a circle is not of it', () => {
  const { of } = reachedIn({ a: ['b'], b: ['c', 'e'], c: ['d'], d: ['b'], e: ['f'], f: ['e'] });
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(of)).toEqual(['abcdef', 'bcdef', 'bcdef', 'bcdef', 'ef', 'ef']);
});

test('circles that meet in one thing are one', () => {
  const { of } = reachedIn({ a: ['b', 'c'], b: ['a'], c: ['d'], d: ['a', 'd', 'e'] });
  expect(['e', 'd', 'b'].map(of)).toEqual(['e', 'abcde', 'abcde']);
});

test('each is looked at once, whatever it is come to from, also at the end of a long chain', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `n${index}`);
  const nextBy = new Map(names.map((name, index) => [name, names.slice(index + 1, index + 2)]));
  const looked: string[] = [];
  const sumOf = summedUp<string, { readonly first: string }>(
    (name) => nextBy.get(name) ?? [],
    (circle, [beyond]) => {
      looked.push(...circle);
      return beyond ?? { first: circle.join('') };
    },
  );
  expect(names.map((name) => sumOf(name).first).every((first) => first === 'n4999')).toBe(true);
  expect(looked).toHaveLength(names.length);
});
