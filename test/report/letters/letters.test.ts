/** Letters to customers: what is in them, and what is not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTemplates } from '../../../src/cli/report/letter-templates.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { ownReports, type ReportOptions } from '../../../src/report/build.ts';
import { fileNameOf } from '../../../src/report/letters/file-name.ts';
import { type Letter, lettersOf, type NoLetter } from '../../../src/report/letters/letters.ts';
import { groupsOf } from '../../../src/report/whose.ts';
import { daily, hashOf, now, reportDefaults, type StoreContent, storeWith } from '../../helpers/usage-store.ts';
import { sampleOptions, sampleStore } from '../html/sample.ts';
import { contentOf, customers, marksOf, nameOf, optionsOf } from '../own/customers.ts';
import { marked } from '../own/marked.ts';
import { collect } from '../../usage/record.ts';
import { parseMail } from './parse-mail.ts';
import { anyText } from '../../helpers/any-text.ts';

const defaults: ReportOptions = { ...reportDefaults, since: { ago: 90 * dayInMs }, now };
const from = { name: 'API team', address: 'api@example.com' };

interface Written {
  readonly letters: readonly Letter[];
  readonly without: readonly NoLetter[];
}

async function write(
  content: StoreContent,
  options: Partial<ReportOptions> = {},
  { chosen, marks = [] }: { readonly chosen?: readonly string[]; readonly marks?: ReturnType<typeof marksOf> } = {},
): Promise<Written> {
  const { reader } = await storeWith(content);
  const own = await ownReports(marked(reader, marks), { ...defaults, ...options });
  const groups = chosen === undefined ? null : groupsOf(own.groups, { workspaces: chosen, owners: [] });
  const templatesOf = await readTemplates(undefined);
  const outcomes = await collect(lettersOf(own, { chosen: groups, from, at: new Date(now), templatesOf }));
  return {
    letters: outcomes.flatMap((outcome) => ('letter' in outcome ? [outcome.letter] : [])),
    without: outcomes.flatMap((outcome) => ('none' in outcome ? [outcome.none] : [])),
  };
}

const fileOf = ({ files }: Letter, extension: string): string => [...files].find(([name]) => name.endsWith(extension))?.[1] ?? '';
const withName = (letters: readonly Letter[], name: string): Letter => {
  const found = letters.find(({ workspace }) => workspace === name);
  if (found === undefined) throw new Error(`no letter to ${name}`);
  return found;
};

describe('letters', () => {
  test('go to those who still call v1, and to nobody who is not known, or whom v2 never accepted', async () => {
    const { letters, without } = await write(sampleStore, sampleOptions);
    expect(letters.map(({ workspace, hasAddress }) => [workspace, hasAddress])).toEqual([
      ['Acme', true],
      ['Bolt Logistics', false],
      ['Core', false],
    ]);
    expect(without.toSorted()).toEqual(['never_called', 'unknown_key']);
  });

  const traffic = ['acme', 'bolt', 'core'].map((name) => ({ key: `mk_${name}_1`, calls: daily(60, name === 'core' ? 50 : 0, 2) }));
  const workspaces = ['Acme', 'Bolt', 'Core'].map((name) => ({ name, keys: [`mk_${name.toLowerCase()}_`] }));
  const snoozed = { subject: 'Acme', at: now - 1, status: 'snoozed', until: null, note: null } as const;

  test('do not go to who is SAFE, or snoozed; but to whoever is named', async () => {
    const { letters, without } = await write({ traffic }, { workspaces }, { marks: [snoozed] });
    expect(letters.map(({ workspace }) => workspace)).toEqual(['Bolt']);
    expect(without).toEqual(['snoozed', 'safe']);
    const named = await write({ traffic }, { workspaces }, { marks: [snoozed], chosen: ['Core', 'Acme'] });
    expect(named.letters.map(({ workspace }) => workspace)).toEqual(['Core', 'Acme']);
    const over = { ...snoozed, until: now - 2 * dayInMs };
    expect((await write({ traffic }, { workspaces }, { marks: [over] })).letters).toHaveLength(2);
  });

  test('say what calls, what to change for exactly these calls, and which limit is met', async () => {
    const { letters } = await write(sampleStore, sampleOptions);
    const text = fileOf(withName(letters, 'Acme'), '.md');
    for (const line of [
      'v1 of our API is switched off on 31 December 2026 (00:00 UTC), 40 days from now. Calls of Acme that have not moved to v2 by then will fail.',
      'Calls of yours to v1 that we counted in the last 7 days: 2,359, the last one on 20 Nov 2026, 11:59 UTC.',
      '- acme-billing/2.4.1: Calls in 7 days: 1,863, Last call: 20 Nov 2026, 11:59 UTC, From: 198.51.100.0/24, 2001:db8:1::/48, 203.0.113.0/24',
      'in place of x-api-key: &lt;key&gt; send Authorization: Bearer &lt;key&gt;.',
      '| POST /v1/messages/send | POST /v2/messages/send | Send a message over WhatsApp, SMS or email | 496 | 17 Nov 2026, 11:59 UTC |',
      'npx migrate-v2 ./src --v1-base ADDRESS --dry-run\nnpx migrate-v2 ./src --v1-base ADDRESS\n',
      'write the address of v1 that your code calls today. The command is in the package migrate-v2, which is in no public registry',
      ' calls, within 60 minutes from ',
      'Your plan, Free, allows 100 calls an hour.',
      'That is more than the plan allows',
      'Write to API team &lt;api&#64;example.com&gt;.',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toMatch(/contacts|\{\{|Nightly|\n{3}/);
  });

  test('tell of no call that v2 refused, whose key may only look like theirs, nor of its limit', async () => {
    const { letters } = await write(
      {
        traffic: [
          { key: 'mk_a_1', client: 'curl/8.5.0', calls: daily(30, 0, 5) },
          { key: 'mk_a_2', client: 'evil/1', endpoint: 'POST /v1/messages/send', status: 401, calls: daily(30, 0, 1000) },
          { key: 'mk_a_2', client: 'evil/1', endpoint: 'unlisted', status: 401, calls: daily(30, 0, 1000) },
        ],
      },
      { workspaces: [{ name: 'Acme', keys: ['mk_a_'], plan: 'Free' }] },
    );
    const text = fileOf(withName(letters, 'Acme'), '.md');
    expect(text).toContain('we counted in the last 7 days: 35,');
    expect(text).toContain('would be 5 calls');
    expect(text).toContain('That fits.');
    expect(text).not.toMatch(/evil|messages\/send|000|no endpoint/);
  });

  test('say no hash for a name, and of other paths what is known: v1 has none, and v2 may', async () => {
    const calls = daily(30, 0, 5);
    const { letters } = await write(
      {
        traffic: [
          { key: 'mk_a_1', client: 'other-0e951a4a', endpoint: 'GET /v1/contacts', calls },
          { key: 'mk_a_1', client: 'other-0e951a4b', name: 'billing', endpoint: 'unlisted', status: 404, outcome: 'local', calls },
          { key: 'mk_a_1', client: 'other-0e951a4b', name: 'billing', endpoint: 'GET /v1/messages', calls },
        ],
      },
      { workspaces: [{ name: 'Acme', keys: ['mk_a_'] }] },
    );
    const text = fileOf(withName(letters, 'Acme'), '.md');
    expect(text).toMatch(
      /- a client that gives no name that we can show: Calls in 7 days: 35,[^]*- billing: Calls in 7 days: 70,|- billing: Calls in 7 days: 70,[^]*- a client that gives no name that we can show: Calls in 7 days: 35,/,
    );
    expect(text).toContain('we counted in the last 7 days: 105,');
    expect(text).toContain('Of the calls counted above, 35 were to paths below /v1 that are no endpoint of v1.');
    expect(fileOf(withName(letters, 'Acme'), '.html')).toContain('>a client that gives no name that we can show<');
    expect(text).not.toMatch(/other-|v2 has none/);
  });

  test('tell of calls past the proxies, as access logs show them, with those of the record', async () => {
    const key = 'mk_acme_9';
    const logs = [
      {
        source: 'edge of Bolt',
        reach: [30, 0] as const,
        calls: [
          { key, days: 1, client: 'legacy/2.1', network: '192.0.2.0/24', endpoint: 'POST /v1/campaigns' },
          { key, days: 2, client: 'legacy/2.1', network: '192.0.2.0/24', endpoint: 'POST /v1/campaigns' },
          { key, days: 3, client: 'curl/8.5.0', endpoint: 'GET /v1/messages', status: 401 },
          { key: 'mk_bolt_9', days: 1, endpoint: 'POST /v1/contacts' },
        ],
      },
    ];
    const quiet = await write({ traffic: [], logs }, { workspaces });
    expect(quiet.letters.map(({ workspace }) => workspace)).toEqual(['Acme', 'Bolt']);
    expect(quiet.without).toEqual(['never_called']);
    const { letters } = await write({ traffic: [{ key: 'mk_acme_1', client: 'sync/1', calls: daily(30, 0, 5) }], logs }, { workspaces });
    const text = fileOf(withName(letters, 'Acme'), '.md');
    expect(text).toContain('in the last 7 days: 37, the last one on');
    expect(text).toMatch(/- legacy\/2\.1: Calls in 7 days: 2, Last call: 19 Nov 2026, .*, From: 192\.0\.2\.0\/24/);
    expect(text).toMatch(/\| POST \/v1\/campaigns \| POST \/v2\/campaigns \| .* \| 2 \| 19 Nov 2026/);
    expect(text).not.toMatch(/curl|edge|Bolt|v1\/contacts/);
  });

  test('are the same as Markdown, page and mail, of which the page has no script and asks for nothing', async () => {
    const { letters } = await write(sampleStore, sampleOptions);
    const acme = withName(letters, 'Acme');
    const page = fileOf(acme, '.html');
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|\{\{/);
    const { fields, parts } = parseMail(fileOf(acme, '.eml'));
    expect(Object.fromEntries(fields)).toMatchObject({
      from: 'API team <api@example.com>',
      to: 'ada@acme.test',
      subject: 'Acme: v1 of the API is switched off on 31 December 2026',
      'x-unsent': '1',
    });
    expect(parts.map(({ type, text }) => [type, text.includes('1,863')])).toEqual([
      ['text/plain; charset=utf-8', true],
      ['text/html; charset=utf-8', true],
    ]);
    expect(parts[1]?.text).toBe(page);
    expect(fields.has('bcc')).toBe(false);
  });

  test('speak of brownouts that are theirs, and of the sunset as of the past once it is', async () => {
    const later = Date.parse('2027-01-02T00:00:00Z');
    const [letter] = (await write({ traffic, recorded: [[120, -43]] }, { workspaces, now: later }, { chosen: ['Bolt'] })).letters;
    expect(letter && fileOf(letter, '.md')).toContain('was switched off on 31 December 2026 (00:00 UTC). Calls of Bolt');
  });
});

test('no letter has a text of another customer, nor any of our own notes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(customers, async (all) => {
      const { letters } = await write(contentOf(all), optionsOf(all), { chosen: all.map(nameOf), marks: marksOf(all) });
      expect(letters).toHaveLength(all.length);
      for (const [index, customer] of all.entries()) {
        const files = letters[index]?.files ?? new Map<string, string>();
        const { fields, parts } = parseMail(fileOf({ workspace: '', files, hasAddress: false }, '.eml'));
        const texts = [...files].flat().concat(JSON.stringify([[...fields], parts]));
        const marks = new Set(texts.join('\n').toLowerCase().match(/zq\dx/g) ?? []);
        expect([...marks].filter((mark) => mark !== customer.mark.toLowerCase())).toEqual([]);
        expect(texts.join('\n')).not.toMatch(new RegExp(`${customer.mark}(?:note|noted|reason|owner|detail|rule|replica)`));
        expect([...fields.keys()].filter((name) => /^bcc|^cc/.test(name))).toEqual([]);
      }
    }),
    { numRuns: 8 },
  );
});

test('names of files are one for each workspace on every system, whatever it is called', () => {
  const names = fc.oneof(
    anyText({ maxLength: 400 }),
    fc.constantFrom(
      '../../etc/passwd',
      '/',
      '.',
      '..',
      'CON',
      'nul.txt',
      'Acme',
      'ACME',
      'acme',
      'Ａcme',
      'a/b',
      'a\\b',
      '',
      '日本語',
      'x'.repeat(300),
    ),
  );
  fc.assert(
    fc.property(fc.uniqueArray(names, { minLength: 2, maxLength: 20 }), (all) => {
      const files = all.map(fileNameOf);
      expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(all.length);
      for (const file of files) expect(file).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/);
    }),
  );
});

test('an unknown key that is named has a letter that knows its name alone', async () => {
  const name = `mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`;
  const { letters } = await write(sampleStore, sampleOptions, { chosen: [name] });
  expect(letters.map(({ workspace }) => workspace)).toEqual([name]);
});
