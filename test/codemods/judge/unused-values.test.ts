/** What is told otherwise, as something beside it moves in the same run. */
import { describe, expect, test } from 'vitest';
import { besideMoved } from '../../../codemods/judge/passes/unused-values.ts';
import { call, finding } from '../report/results.ts';

const edit = { file: 'src/client.ts', start: 0, end: 2, text: 'v2', group: call.group, what: 'path' } as const;
const components = [[{ file: 'src/client.ts' }, { file: 'test/client.test.ts' }], [{ file: 'tools/other.ts' }]];
const howIn = (file: string, edits = [edit], code: 'unconsumed' | 'limit-code' = 'unconsumed'): string | undefined =>
  besideMoved([finding(code, {}, { file })], edits, components)[0]?.detail['how'];

describe('what no call was seen to use', () => {
  test('is told as beside what is moved in files that hang together with an edited one', () => {
    expect(howIn('test/client.test.ts')).toBe('moved');
  });

  test('is told as before in files that have nothing to do with it', () => {
    expect(howIn('tools/other.ts')).toBeUndefined();
  });

  test('is told as what a call may use that was too much to follow, in files that hang together with that', () => {
    const findings = [finding('too-complex', {}, { file: 'src/client.ts' }), finding('unconsumed', {}, { file: 'test/client.test.ts' })];

    expect(besideMoved(findings, [], components)[1]?.detail).toEqual({ how: 'cut' });
    expect(besideMoved(findings, [], [])[1]?.detail).toEqual({});
  });

  test('is told as before where nothing is moved', () => {
    expect(howIn('test/client.test.ts', [])).toBeUndefined();
  });
});

test('Other findings beside what is moved stay as they are', () => {
  expect(howIn('test/client.test.ts', [edit], 'limit-code')).toBeUndefined();
});
