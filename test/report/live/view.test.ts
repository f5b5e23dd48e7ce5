import { describe, expect, test } from 'vitest';
import { keyOf, viewOf } from '../../../src/report/live/view.ts';

const view = (query: string) => viewOf(new URLSearchParams(query));

describe('a view', () => {
  test('is of 30 days and all of them where nothing is asked for', () => {
    expect(view('')).toEqual({
      period: '30d',
      search: '',
      sort: {},
      pages: {},
      group: 'workspace',
      times: 'utc',
      workspace: undefined,
      query: '',
    });
  });

  test('takes the last of several values, as a button of the form comes after what it had', () => {
    expect(view('period=7d&q=a&workspaces=calls&workspaces=-calls')).toMatchObject({
      period: '7d',
      search: 'a',
      sort: { workspaces: '-calls' },
      query: 'period=7d&q=a&workspaces=-calls',
    });
  });

  test.for<[string, string]>([
    ['a period that is none', 'period=400d'],
    ['a property of every object', 'period=constructor'],
    ['a table that is none', 'constructor=calls'],
    ['a column that cannot be one', 'workspaces=%3Cb%3E'],
    ['a page that cannot be one', 'workspaces-page=0&clients-page=1e9&limits-page=-1'],
    ['an order of rows that is none', 'group=plan'],
  ])('leaves out %s', ([, query]) => {
    expect(view(query)).toEqual(view(''));
  });

  test('searches for no more than anybody types', () => {
    expect(view(`q=${'x'.repeat(5_000)}`).search).toHaveLength(100);
  });

  test('has one key, in whatever order it is asked for', () => {
    expect(keyOf(view('clients=calls&q=x&period=7d&workspaces=name'))).toBe(keyOf(view('workspaces=name&period=7d&clients=calls&q=x&z=1')));
  });
});
