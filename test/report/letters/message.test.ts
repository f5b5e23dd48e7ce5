import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMessage } from '../../../src/report/letters/message.ts';
import { readMailbox } from '../../../src/text/mailbox.ts';
import { corpus } from '../hostile.ts';
import { parseMail } from './parse-mail.ts';
import { anyText } from '../../helpers/any-text.ts';

const at = new Date('2026-11-20T12:00:00Z');
const any = fc.oneof(fc.constantFrom(...corpus), anyText({ maxLength: 300 }), fc.string({ maxLength: 300 }));
const lines = fc.array(any, { maxLength: 4 }).map((some) => some.join('\n').replace(/\r\n?/g, '\n'));

describe('a mail', () => {
  test('says what it was given, whatever that is, in fields that nothing gets out of', () => {
    fc.assert(
      fc.property(any, any, lines, lines, (subject, name, text, html) => {
        const to = { name, address: 'ada@acme.test' };
        const raw = renderMessage({ from: undefined, to, subject, at, text, html });
        // Only ASCII, CRLF alone, and no line that is too long.
        expect(raw).toMatch(/^[\t\r\n -~]*$/);
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
        const { fields, parts } = parseMail(raw);
        expect([...fields.keys()]).toEqual(['to', 'subject', 'date', 'x-unsent', 'mime-version', 'content-type']);
        expect(fields.get('subject')).toBe(subject.toWellFormed());
        expect(fields.get('to')).toBe(name === '' ? to.address : `${name.toWellFormed()} <ada@acme.test>`);
        expect(parts).toEqual([
          { type: 'text/plain; charset=utf-8', text: text.toWellFormed() },
          { type: 'text/html; charset=utf-8', text: html.toWellFormed() },
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test('is a draft, with the date in its own form, and without a Bcc', () => {
    const from = { name: '', address: 'api@example.com' };
    const raw = renderMessage({ from, to: undefined, subject: 'Move to v2', at, text: 'a', html: 'b' });
    expect(raw.split('\r\n').slice(0, 5)).toEqual([
      'From: api@example.com',
      'Subject: Move to v2',
      'Date: Fri, 20 Nov 2026 12:00:00 +0000',
      'X-Unsent: 1',
      'MIME-Version: 1.0',
    ]);
  });

  test('keeps what some ways change: spaces at the end, dots alone, the beginning of mailbox files', () => {
    const text = 'a \n.\n..x\nFrom me\n\t';
    const raw = renderMessage({ from: undefined, to: undefined, subject: 's', at, text, html: '' });
    expect(raw).toContain('\r\na=20\r\n=2E\r\n=2E.x\r\n=46rom me\r\n=09\r\n');
    expect(parseMail(raw).parts[0]?.text).toBe(text);
  });
});

test.each([
  ['ada@acme.test', { name: '', address: 'ada@acme.test' }],
  [' Ada Lovelace <ada+api@acme.test> ', { name: 'Ada Lovelace', address: 'ada+api@acme.test' }],
  ['"Lovelace, Ada" <ada@acme.test>', { name: 'Lovelace, Ada', address: 'ada@acme.test' }],
  ['ada@bücher.test', { name: '', address: 'ada@xn--bcher-kva.test' }],
  ['#team-acme', undefined],
  ['ada', undefined],
  ['@acme.test', undefined],
  ['ada@', undefined],
  ['ada@acme.test, eve@evil.test', undefined],
  ['ada@acme.test\r\nBcc: eve@evil.test', undefined],
  ['Ada <ada@acme.test> <eve@evil.test>', undefined],
  ['ada@acme.test>', undefined],
  ['a b@acme.test', undefined],
  ['jürgen@acme.test', undefined],
  ['Ada\r\nBcc: x\u0085y <ada@acme.test>', { name: 'Ada Bcc: x y', address: 'ada@acme.test' }],
  [`${'a'.repeat(250)}@acme.test`, undefined],
])('%j is the address of %j', (text, mailbox) => {
  expect(readMailbox(text)).toEqual(mailbox);
});
