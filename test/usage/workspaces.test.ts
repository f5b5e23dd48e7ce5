import { describe, expect, test } from 'vitest';
import { workspaceOfCaller, workspaceOfKey } from '../../src/usage/workspaces.ts';

const hash = '0123456789abcdef';
const workspaces = [
  { name: 'Acme', keys: ['mk_'] },
  { name: 'Bolt', keys: ['mk_bolt'] },
  { name: 'Core', keys: ['mk_bolt_and_more', `hash:${hash}`] },
];

describe('the workspace of a key', () => {
  const find = workspaceOfKey(workspaces);
  test.each([
    ['mk_acme_1', 'Acme'],
    ['mk_bolt_1', 'Bolt'],
    ['mk_bolt_and_more_1', 'Core'],
    ['sk_1', undefined],
  ])('of %s is %s', (key, name) => {
    expect(find(key, 'ffff')?.name).toBe(name);
  });

  test('is that of its hash first', () => {
    expect(find('mk_acme_1', hash)?.name).toBe('Core');
  });
});

describe('the workspace of a recorded key, of which only the beginning is known', () => {
  const find = workspaceOfCaller(workspaces);
  test.each([
    ['mk_acme_', 'Acme', 'its prefix'],
    ['mk_bo', undefined, 'nobody, where a longer prefix may be meant'],
    ['mk_bolt_', undefined, 'nobody, where the prefix of another goes on like this'],
    ['mk_boltx', 'Bolt', 'the longest prefix'],
    ['sk_', undefined, 'nobody'],
  ])('%s is %s: %s', (keyPrefix, name, _because) => {
    expect(find({ keyPrefix, keyHash: 'ffff' })?.name).toBe(name);
  });

  test('is that of its hash first', () => {
    expect(find({ keyPrefix: 'mk_acme_', keyHash: hash })?.name).toBe('Core');
  });

  test('is nobody without a key', () => {
    expect(find({ keyPrefix: null, keyHash: null })).toBeUndefined();
  });
});
