import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayBeRight } from '../../../codemods/judge/passes/left-alone.ts';
import { findingCodes } from '../../../codemods/model.ts';
import { orIgnore } from '../../../codemods/report/shared-wording.ts';
import { wordsOf, wordings } from '../../../codemods/report/wording.ts';
import { projectRoot } from '../../helpers/build.ts';

describe('the words of findings', () => {
  test.each(findingCodes)('%s: a title, a reason and what to do, in sentences and without unknownParts', (code) => {
    const { title, reason, remedy, anchor } = wordsOf({ code, detail: {} });
    expect(title).toMatch(/^[A-Z].*[^.]$|^v1 .*[^.]$/);
    for (const sentence of [reason, remedy]) {
      expect(sentence).toMatch(/^\S.*\.$/);
      expect(sentence).not.toMatch(/[{}|]|undefined|\.\.$/);
    }
    expect(anchor).toBe(`docs/findings.md#${code}`);
  });

  test('are filled with the details that there are', () => {
    expect(wordsOf({ code: 'shared-with-other-host', detail: { host: 'other.example' } }).reason).toBe(
      'What it sends goes to other.example too, which would get the key as a Bearer token.',
    );
    expect(wordsOf({ code: 'shared-with-other-host', detail: { host: '' } }).reason).toContain('goes to the other host too');
  });

  test('are not filled twice, nor with what every object has', () => {
    expect(wordsOf({ code: 'escapes', detail: { name: '{host|x}' } }).reason).toMatch(/^\{host\|x\} is handed/);
    expect(wordsOf({ code: 'escapes', detail: JSON.parse('{"__proto__": "x"}') }).reason).toMatch(/^It is handed/);
  });

  test('say a detail as a sentence where it is the whole reason', () => {
    expect(wordsOf({ code: 'unreadable', detail: { reason: 'is not UTF-8', remedy: 'save it as UTF-8' } })).toMatchObject({
      reason: 'Is not UTF-8.',
      remedy: 'Save it as UTF-8.',
    });
  });

  test.each([
    ['base-not-proven', {}, false],
    ['base-not-proven', { allow: 'yes' }, true],
    ['dynamic-path', {}, true],
    ['dynamic-path', { allow: 'no' }, false],
    ['held-elsewhere', { by: 'a.js:1', why: 'setting', allow: 'no' }, false],
    ['key-not-found', {}, false],
  ] as const)('offer a comment where it lets something move: %s %j %j', (code, detail, isOffered) => {
    const { remedy } = wordsOf({ code, detail });
    expect(remedy.includes('migrate-v2-allow')).toBe(isOffered);
    expect(remedy).toMatch(/[^;,] *[a-z]+\.$/);
  });

  test('offer no comment for a base that a variable holds, which none lets move', () => {
    expect(wordsOf({ code: 'base-not-proven', detail: { env: 'API_URL' } }).remedy).toBe(
      'If it is this service, name its base: --v1-base URL, or --v1-base env:API_URL for a variable; if it is right as it is, put a comment migrate-v2-ignore: <reason> above it.',
    );
  });

  test('say of an address without slashes whom it asks', () => {
    expect(wordsOf({ code: 'base-not-proven', detail: { how: 'slashes', host: 'api.example.com' } })).toMatchObject({
      reason: expect.stringContaining('asks api.example.com by it'),
      remedy: expect.stringMatching(/write https:\/\/ before it and run again/),
    });
  });

  test('say of the default of an address in credentials who keeps the old one', () => {
    const { reason } = wordsOf({ code: 'env-elsewhere', detail: { name: '$credentials.baseUrl', how: 'default' } });
    expect(reason).toContain('whoever has saved an address of v1 with the credentials keeps it');
  });

  test('name no parameter of a deployment as a variable', () => {
    expect(wordsOf({ code: 'base-not-proven', detail: { env: 'parameter ApiUrl of remind' } }).remedy).toBe(
      'If it is this service, name its base: --v1-base URL; if it is right as it is, put a comment migrate-v2-ignore: <reason> above it.',
    );
  });

  test('ask whether an image is made of the code, where a variable is set for one', () => {
    expect(wordsOf({ code: 'reads-variable', detail: { name: 'API_URL', image: 'acme/backend' } })).toMatchObject({
      reason: expect.stringMatching(/^API_URL is set here for a container of acme\/backend /),
      remedy: expect.stringMatching(/^If acme\/backend is made of this code, run again with --allow FILE:LINE/),
    });
  });

  test('weigh by whose turn it is', () => {
    const severities = Object.fromEntries(findingCodes.map((code) => [wordings[code].kind, wordsOf({ code, detail: {} }).severity]));
    expect(severities).toEqual({ left: 'error', look: 'warning', alone: 'note', failed: 'error' });
  });

  test('stand in one file alone', () => {
    for (const file of ['text', 'json', 'sarif', 'markdown', 'explain'].map((name) => join(projectRoot, 'codemods/report', `${name}.ts`))) {
      const source = readFileSync(file, 'utf8');
      for (const code of findingCodes.filter((code) => code !== 'ignored')) expect(source).not.toContain(`'${code}'`);
    }
  });
});

test('every kind of finding whose advice is a comment that leaves it alone is left alone by one', () => {
  const advised = findingCodes.filter((code) => wordings[code].remedy.includes(orIgnore));
  expect(advised.filter((code) => !mayBeRight.has(code))).toEqual([]);
});
