import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fromMarkdown } from 'mdast-util-from-markdown';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/report/digest/model.ts';
import { digestMarkdown } from '../../../src/report/digest/markdown.ts';
import { kindOf } from '../../../src/report/digest/payloads.ts';
import { digestInTerminal } from '../../../src/report/digest/terminal.ts';
import { projectRoot } from '../../helpers/build.ts';
import { daily } from '../../helpers/usage-store.ts';
import { corpus } from '../hostile.ts';
import { digestOf, digestWith, pastProxies, sample, steady } from './sample.ts';

describe('as JSON', () => {
  const schema: object = JSON.parse(
    readFileSync(join(projectRoot, 'src/report/digest/digest.schema.json'), 'utf8'),
    (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value ? { ...value, additionalProperties: false } : value,
  );
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);

  test.each([
    ['all that can happen', sample],
    ['two weeks of the same', () => digestOf(steady)],
    ['an empty store', () => digestOf({ traffic: [], recorded: [] })],
    ['a record that has just begun', () => digestOf({ ...steady, recorded: [[2, 0]] })],
    ['calls past the proxies', () => digestOf(pastProxies)],
    ['v1 that can go', () => digestOf({ traffic: [{ key: 'mk_core_1', calls: daily(60, 18, 2) }] })],
    ['one customer alone', () => digestOf(steady, { of: { workspaces: ['Acme'], owners: [] } })],
    ['a record with a gap', () => digestOf({ ...steady, recorded: [[60, 5]] })],
  ])('the digest of %s is as its schema says, and nothing that the schema does not name', async (_name, make) => {
    validate(JSON.parse(JSON.stringify(await make())));
    expect(validate.errors).toBeNull();
  });
});

describe('as Markdown', () => {
  test('it is read from top to bottom', async () => {
    expect(digestMarkdown(await sample())).toMatchInlineSnapshot(`
      "## v1 use from 2026-11-13 to 2026-11-20 12:00 UTC

      **NOT YET**: as a week before; 40 days until v1 is switched off on 2026-12-31 00:00 UTC

      - **Calling**: 5 workspaces and 6 clients, 2 unknown keys among them; 39 v1 calls a day
      - **A week before**: 3 workspaces and 4 clients, 1 unknown key among them; 13 v1 calls a day
      - **In time**: no, at the pace of the last 6 weeks, in which 1 of 6 workspaces stopped: the last one stops about 2027-05-20, with 90% confidence not before 2026-12-27; 0 to 5 of 5 still call at the sunset
      - **Record**: 100% of the week, 100% of the one before

      ### Do first

      1. **Core**: had stopped and calls again: ask what changed (core&#64;example.test)
      2. **Acme**: promised 2026-11-18 and still calls: ask for a new date (Ada &lt;ada&#64;acme.test&gt;)
      3. **one hour**: begins on 2026-11-26 12:00 UTC: tell those whom it will refuse
      4. **mk\\_old\\_5…4b6e54d0**: calls with a key that nobody knows: find out whose it is, and add hash:4b6e54d07f544e15 to its workspace
      5. **mk\\_new\\_7…4142d438**: calls with a key that nobody knows: find out whose it is, and add hash:4142d4389620de26 to its workspace

      ### Came back

      - **Core**: was quiet for 47 days, and SAFE; calls again since 2026-11-18: 8 calls (core&#64;example.test)

      ### New

      - **Dart**: calls v1 since 2026-11-17 11:59 UTC: 28 calls
      - **Acme**: a new client, batch/1.0 from 198.51.100.0/24, since 2026-11-18 11:59 UTC (Ada &lt;ada&#64;acme.test&gt;)

      ### Unknown keys

      - **mk\\_old\\_5…4b6e54d0**: hash:4b6e54d07f544e15, known since 2026-09-21, 40 calls; as curl/8.5
      - **mk\\_new\\_7…4142d438**: hash:4142d4389620de26, new since 2026-11-16 11:59 UTC, 30 calls; as axios/1.7.0; from 2001:db8::/48

      ### Gone quiet

      - **Bolt**: quiet since 2026-11-11 11:59 UTC (Bob)
      - **Acme**: its client cron/1, quiet since 2026-11-11 11:59 UTC; others of it go on

      ### Limits of v2 that will be met

      - **Acme**: up to 148 v2 calls in 60 minutes, Free allows 100; new; fits Pro (Ada &lt;ada&#64;acme.test&gt;)

      ### Will probably miss the sunset

      - **Acme**: 2026-11-18: promised to have moved by then, and has not (61% that it still calls at the sunset) (Ada &lt;ada&#64;acme.test&gt;)
      - **Dart**: calls as ever (61% that it still calls at the sunset)
      - **mk\\_new\\_7…4142d438**: calls as ever (61% that it still calls at the sunset)
      - **mk\\_old\\_5…4b6e54d0**: calls as ever (61% that it still calls at the sunset)
      - **Core**: calls as ever (60% that it still calls at the sunset) (core&#64;example.test)

      ### Promises due

      - **Acme**: promised 2026-11-18, which is over; 186 calls this week (Ada &lt;ada&#64;acme.test&gt;)

      ### Brownouts next

      - **one hour**: 2026-11-26 12:00 UTC for 60 minutes, with 503
      "
    `);
  });

  test('it names who calls past the proxies, and does not say that nobody is left', async () => {
    const text = digestMarkdown(await digestOf(pastProxies));
    expect(text).toMatchInlineSnapshot(`
      "## v1 use from 2026-11-13 to 2026-11-20 12:00 UTC

      **NOT YET**: as a week before; 40 days until v1 is switched off on 2026-12-31 00:00 UTC

      - **Calling**: 0 workspaces and 0 clients
      - **A week before**: 0 workspaces and 0 clients
      - **Besides**: 3 clients called past the proxies, the last time on 2026-11-19 (access logs: edge)
      - **In time**: nobody is left who calls through the proxies, or may call again by what was seen; 3 clients called past them, and when that ends nobody can say; who calls past them now nobody can say, as access logs end (old on 2026-09-21)
      - **Record**: 100% of the week, 100% of the one before

      ### Do first

      1. **old**: its access logs end on 2026-09-21: import newer ones, or forget it if nothing passes there
      2. **edge**: 3 clients called v1 past the proxies, Bolt, mk\\_lost\\_…fa282cef among them: see where, and send them through one

      ### Past the proxies

      - **Bolt**: bolt/1 from 198.51.100.0/24, the last time on 2026-11-19 12:00 UTC, new (access logs: edge) (Bob)
      - **mk\\_lost\\_…fa282cef**: curl/8.5, the last time on 2026-11-18 12:00 UTC, new (access logs: edge)
      - **no key**: axios/1.7.0 from 198.51.100.0/24, the last time on 2026-11-11 12:00 UTC (access logs: edge)
      - **old**: access logs with such calls end on 2026-09-21 12:00 UTC: nobody can say who calls since
      "
    `);
  });

  test('it names some of many who will miss the date, and counts the others', async () => {
    const digest = await sample();
    const misses = Array.from({ length: 8 }, (_, index): Digest['misses'][number] => ({
      workspace: `W${index}`,
      owner: 'Ada',
      contact: null,
      calls: 3,
      reason: 'promised_late',
      probability: null,
      promised: '2027-02-09T00:00:00.000Z',
    }));
    const text = digestMarkdown({ ...digest, misses });
    expect(text).toContain('### Will probably miss the sunset\n\n- **W0**: 2027-02-09: promised for after the sunset (Ada)\n');
    expect(text).toContain('\n- **W4**: 2027-02-09: promised for after the sunset (Ada)\n- **3 more**: migrate-v2 report names them\n\n');
  });

  test('it says so where nothing is new', async () => {
    const text = digestMarkdown(await digestOf(steady));
    expect(text).toContain('\n- **Nothing new**: since 2026-11-13; what is left stands below\n');
  });

  test.each([
    ['began', [[5, 0]], 'the record began on 2026-11-15'],
    ['has a gap', [[60, 9]], 'see that a proxy records all the time'],
    ['is empty', [], 'Nothing was ever recorded: start the proxy with this --store'],
  ] as const)('it says that weeks cannot be compared where the record %s', async (_name, recorded, why) => {
    expect(digestMarkdown(await digestOf({ traffic: [], recorded }))).toContain(why);
  });

  test.each(corpus)('%s is no markup in it, and does not fill it', async (text) => {
    const written = digestMarkdown(await digestWith(text, 200));
    expect(written.length).toBeLessThanOrEqual(65_536);
    expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200f\u202e\u2066\ufeff]/u);
    const kinds = new Set<string>();
    const look = (node: { readonly type: string; readonly children?: readonly { readonly type: string }[] }): void => {
      kinds.add(node.type);
      node.children?.forEach(look);
    };
    look(fromMarkdown(written));
    expect([...kinds].toSorted()).toEqual(['heading', 'inlineCode', 'list', 'listItem', 'paragraph', 'root', 'strong', 'text']);
  });
});

describe('in a terminal', () => {
  test('it is plain text, and no line is wider than the window', async () => {
    const text = digestInTerminal(await sample(), { width: 60, color: false });
    expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(text).toMatch(/^v1 use from 2026-11-13 to 2026-11-20 12:00 UTC\n\nNOT YET: as a week before; /);
    expect(text).toContain('\nDo first\n  1. Core: had stopped and calls again: ask what changed\n     (core@example.test)\n  2. Acme: ');
    expect(text).toContain('  4. mk_old_5…4b6e54d0: ');
  });

  test.each(corpus)('%s is nothing that it obeys', async (text) => {
    const digest = await digestWith(text, 3);
    const shown = digestInTerminal(digest, { width: 80, color: false });
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200f\u202e\u2066\ufeff]/u);
    expect(shown.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
    expect(stripVTControlCharacters(digestInTerminal(digest, { width: 80, color: true }))).toBe(shown);
  });
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://hooks.slack-gov.com/services/T0/B0/x', 'slack'],
  ['https://prod-23.westeurope.logic.azure.com:443/workflows/0/triggers/manual/paths/invoke?sig=x', 'teams'],
  ['https://default0.5e.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/0', 'teams'],
  ['https://acme.webhook.office.com/webhookb2/0', 'teams'],
  ['https://example.com/hooks.slack.com/services', 'json'],
  ['https://hooks.slack.com.example.com/services', 'json'],
  ['https://my-hooks.slack.com/services', 'json'],
  ['http://127.0.0.1:9000/', 'json'],
])('the host of %s says what it takes: %s', (url, kind) => {
  expect(kindOf(new URL(url))).toBe(kind);
});
