import { describe, expect, test } from 'vitest';
import { workspaces as workspacesType } from '../../src/config/types-report.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { Group, type Key } from '../../src/report/clients.ts';
import { markFinder } from '../../src/report/marks.ts';
import { Tally } from '../../src/report/tally.ts';
import type { Mark } from '../../src/usage/model.ts';
import type { Workspace } from '../../src/usage/workspaces.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

const mark = (changes: Partial<Mark> = {}): Mark => ({
  subject: 'Acme',
  at: now - 1,
  status: 'contacted',
  until: null,
  note: null,
  ...changes,
});

function groupOf(workspace: Workspace = { name: 'Acme', keys: ['mk_'] }, ...hashes: readonly string[]): Group {
  const group = new Group(workspace.name, 'configured', workspace);
  for (const hash of hashes) {
    const key: Key = { hash, prefix: 'mk_', group, tally: new Tally(), seen: group.seen, clients: [] };
    group.keys.push(key);
  }
  return group;
}

const marked = (marks: readonly Mark[], group = groupOf(), until = now) => markFinder(marks, until, now)(group);

describe('the mark of a workspace', () => {
  test('is the last one noted, whatever the clocks said', () => {
    expect(marked([mark({ at: now - 5, note: 'first' }), mark({ at: now - 9, note: 'second' })])).toEqual({
      status: 'contacted',
      until: null,
      past: false,
      note: 'second',
      at: new Date(now - 9).toISOString(),
      from: 'record',
    });
  });

  test('may have been noted of its key, before anybody knew whose that was', () => {
    const group = groupOf(undefined, 'a1');
    expect(marked([mark({ subject: 'hash:a1', note: 'of the key' })], group)).toMatchObject({ note: 'of the key' });
    expect(marked([mark({ subject: 'hash:a1' }), mark({ note: 'of the name' })], group)).toMatchObject({ note: 'of the name' });
    expect(marked([mark({ subject: 'hash:b2' })], group)).toBeNull();
    expect(marked([mark({ subject: 'hash:a1' }), mark({ status: null })], group)).toBeNull();
  });

  test('is that of the configuration until the command says something else, and again once that is taken back', () => {
    const [given] = workspacesType.parse([{ name: 'Acme', keys: ['mk_'], status: 'promised 2026-12-10' }]);
    const group = groupOf(given);
    const configured = { status: 'promised', until: '2026-12-10T00:00:00.000Z', past: false, note: null, at: null, from: 'configuration' };
    expect(marked([], group)).toEqual(configured);
    expect(marked([mark()], group)).toMatchObject({ status: 'contacted', from: 'record' });
    expect(marked([mark(), mark({ status: null })], group)).toEqual(configured);
  });

  test('is past once its day is over, and not before', () => {
    const promise = mark({ at: 0, status: 'promised', until: day('2026-11-19') });
    expect(marked([promise], undefined, day('2026-11-20'))).toMatchObject({ past: true });
    expect(marked([promise], undefined, day('2026-11-20') - 1)).toMatchObject({ past: false });
  });

  test('of a time that is over is what was noted by then; of now, a clock that is ahead hides none', () => {
    const marks = [mark({ at: now - 8 * dayInMs, note: 'old' }), mark({ at: now + 1, note: 'new' })];
    expect(marked(marks, undefined, now - 7 * dayInMs)).toMatchObject({ note: 'old' });
    expect(marked(marks, undefined, now - 9 * dayInMs)).toBeNull();
    expect(marked(marks)).toMatchObject({ note: 'new' });
  });
});

test.each(['', 'promised', 'contacted 2026-12-10', 'snoozed 2026-02-30', 'promised soon', 'promised 2026-12-10 maybe', 'gone'])(
  'the configuration takes no status %j',
  (status) => {
    expect(workspacesType.safeParse([{ name: 'Acme', keys: ['mk_'], status }]).success).toBe(false);
  },
);
