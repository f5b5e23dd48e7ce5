/** Whose a request is, where it is none of ours and none that is clearly another's. */
import { describe, expect, test } from 'vitest';
import { prefixVerdict, verdictOf } from '../../../codemods/verdict/verdicts.ts';

const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };
const verdict = (text: string) => verdictOf({ url: [{ text }], method: 'GET', isPrefix: false }, bases);
const prefix = (text: string) => prefixVerdict([{ text }], bases);

describe('an address that leaves open who is asked is no one of ours', () => {
  test.each([
    ['another scheme', 'http://api.example.com/v1/messages', { kind: 'unproven' }],
    ['another port', 'https://api.example.com:8443/v1/messages', { kind: 'foreign' }],
    ['credentials', 'https://me@api.example.com/v1/messages', { kind: 'foreign', host: 'api.example.com' }],
    ['a backslash', 'https://api.example.com\\v1/messages', { kind: 'unproven' }],
  ])('%s', (_what, text, found) => {
    expect(verdict(text)).toMatchObject(found);
    expect(prefix(text)).toMatchObject(found);
  });
});

describe('what begins with our base', () => {
  test.each([
    ['https://api.example.com/v1', 'ours'],
    ['https://api.example.com/v2', 'v2'],
    ['https://api.example.com', 'passes-on'],
    ['https://api.example.com/', 'passes-on'],
    ['https://api.example.com/health', 'unknown-route'],
  ])('%s is %s', (text, kind) => {
    expect(prefix(text).kind).toBe(kind);
  });
});
