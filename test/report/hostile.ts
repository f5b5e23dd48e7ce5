/** What a stranger can send, and a configuration hold, that some output would obey: put wherever the report shows other people's text. */
import type { ReportOptions } from '../../src/report/build.ts';
import { daily, daysAgo, hashOf, type StoreContent } from '../helpers/usage-store.ts';
import { began, comparisonRow, stepOf } from './rollout/sample.ts';

export const corpus: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><!-- ',
  '&lt;b&gt;&amp;&#0;',
  'javascript:alert(1)',
  '\u0000\u0001\u0007\b\u007f',
  'two\nlines\r\nand\u2028more\u2029',
  '\u001b[2J\u001b[1;1H\u001b]0;owned\u0007',
  '\u009b31m\u009d0;owned\u009c',
  '=HYPERLINK("http://evil.test","x")',
  '+1+1',
  '-2+3',
  '@SUM(1,1)',
  '\t=1+1',
  '\r=1+1',
  ' =1+1',
  '＝1+1',
  '"quoted", with a comma',
  'x'.repeat(20_000),
  '|'.repeat(1_000),
  '\ud800 half \udc00',
  '\u202egnp.exe\u2066\u200f\ufeff',
  '[click](https://evil.test) ![see](https://evil.test/x.png)',
  '<https://evil.test> https://evil.test @everyone #1',
  '| a | b |\n| - | - |',
  '`code` ``` *bold* _it_ ~~x~~ \\',
  '# heading',
  '__proto__',
  '日本語 👩‍👩‍👧 a\u0301\u0301\u0301',
];

/** A record in which each of them is a client, a name, a network, an endpoint, a key's beginning and a label. */
export const hostileContent: StoreContent = {
  traffic: corpus.flatMap((text, index) => {
    const known = { key: `known${index}`, client: text, name: text, endpoint: text, networks: [text], repeats: 0.5 };
    return [
      { ...known, calls: daily(9, 1, 2) },
      { ...known, key: `label${index}`, workspace: text, calls: daily(3, 1, 1) },
      { key: `${text.slice(0, 8)}${index}`, client: text, calls: daily(2, 1, 1) },
      { client: text, name: text, endpoint: 'unlisted', status: 401, outcome: 'local' as const, calls: daily(2, 1, 1) },
      { key: `ignored${index}`, client: `ignored-${index}`, calls: daily(2, 1, 1) },
      { ...known, outcome: 'refused' as const, status: 503, calls: [[daysAgo(2), 1] as const] },
    ];
  }),
  steps: corpus.flatMap((text, index) => [
    { ...stepOf('tripped', daysAgo(1), text, text), id: `tripped ${index}`, replica: text },
    began(text, daysAgo(2) + index, daysAgo(2) + index + 1),
  ]),
  logs: corpus.map((text, index) => ({
    source: `${text} ${index}`,
    reach: [9, 0],
    calls: [
      { client: text, network: text, endpoint: text, days: 1 },
      { key: `known${index}`, client: text, network: text, endpoint: text, days: 2 },
    ],
  })),
  comparisons: corpus.flatMap((text, index) => {
    const whose = { workspace: `${text} ${index}`, endpoint: text, setup: text };
    return [
      comparisonRow('calls', 100, whose),
      comparisonRow('value', 100, { ...whose, path: text, v1: text, v2: text }),
      comparisonRow('skipped', 1, { ...whose, path: text }),
    ];
  }),
};

/** A configuration in which each of them is the name, owner, contact and note of a workspace, a reason, and a place in code. */
export const hostileOptions: Pick<ReportOptions, 'workspaces' | 'ignore' | 'findings'> = {
  workspaces: corpus.map((text, index) => ({
    name: `${text} ${index}`,
    keys: [`hash:${hashOf(`known${index}`)}`],
    plan: 'Free',
    owner: text,
    contact: text,
    note: text,
  })),
  ignore: corpus.map((reason, index) => ({ reason, client: `ignored-${index}` })),
  findings: corpus.map((text, index) => ({
    repository: `${text} ${index}`,
    bases: ['https://api.test'],
    sites: [{ file: text, line: 1, endpoint: text, library: text, state: 'found' }],
  })),
};
