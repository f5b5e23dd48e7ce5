/** Results made by hand, for what tells them. */
import type { Call, Candidate, Edit, Finding, FindingCode, LedgerEntry, Span, Step } from '../../../codemods/model.ts';
import type { MigrateResult } from '../../../codemods/result.ts';
import { type About, makeReport } from '../../../codemods/report/prepare.ts';
import type { Report } from '../../../codemods/report/report.ts';

/** Where a part stands in a file. */
export function spanOf(file: string, text: string, part: string): Span {
  const start = text.indexOf(part);
  if (start === -1) throw new Error(`${part} does not stand in ${file}`);
  return { file, start, end: start + part.length };
}

export const key = 'tk-51c2-secret';
export const apiFile = 'src/api.ts';
export const apiText = `import { base } from './base.ts';

export const send = (body: string) =>
  fetch(\`\${base}/v1/messages/send\`, { method: 'POST', body, headers: { 'x-api-key': '${key}' } });
`;
export const baseFile = 'src/base.ts';
export const baseText = `export const base = 'https://api.example.com';\n`;

const at = (part: string): Span => spanOf(apiFile, apiText, part);
const insertion = (part: string, offset: number): Span => {
  const { file, start } = at(part);
  return { file, start: start + offset, end: start + offset };
};

const proof: readonly Step[] = [
  { step: 'call', ...at('fetch('), text: 'fetch(…)' },
  { step: 'path', ...at('/v1/messages/send'), text: '/v1/messages/send' },
  { step: 'reference', ...at('base}'), text: 'base' },
  { step: 'base', ...spanOf(baseFile, baseText, 'https://api.example.com'), text: 'https://api.example.com' },
  { step: 'header', ...at(`'x-api-key': '${key}'`), text: 'x-api-key' },
];

export const call: Call = { ...at('fetch('), endpoint: 'sendMessage', client: 'fetch', group: 'g1', proof };

export const edits: readonly Edit[] = [
  { ...at('v1'), text: 'v2', group: 'g1', what: 'path' },
  { ...at('x-api-key'), text: 'Authorization', group: 'g1', what: 'header name' },
  { ...insertion(key, 0), text: 'Bearer ', group: 'g1', what: 'header value' },
];

export const apiAfter = apiText.replace('/v1/', '/v2/').replace('x-api-key', 'Authorization').replace(key, `Bearer ${key}`);

/** A finding on a line of a file. */
export const finding = (code: FindingCode, detail: Finding['detail'] = {}, place: Partial<Finding> = {}): Finding => ({
  code,
  file: 'src/other.ts',
  line: 7,
  column: 3,
  start: 100,
  end: 110,
  detail,
  ...place,
});

export const candidate: Candidate = {
  base: 'https://api.example.com',
  calls: [
    { file: apiFile, start: 0, end: 5, line: 4, route: 'sendMessage', withKey: true },
    { file: 'src/list.ts', start: 0, end: 5, line: 9, route: 'GET /v1/contacts', withKey: false },
  ],
  routes: 2,
  together: [],
  unknownRoutes: 1,
};

const ledger: readonly LedgerEntry[] = [{ ...at('v1'), line: 4, column: 18, state: 'rewritten', reason: 'sendMessage' }];

export interface Given extends Partial<Omit<About, 'cwd'>> {
  readonly plan?: Partial<MigrateResult['plan']>;
  readonly result?: Partial<Omit<MigrateResult, 'plan'>>;
}

/** A result with one call that is moved, unless it is given otherwise. */
export const resultOf = ({ plan = {}, result = {}, mode }: Given = {}): MigrateResult => ({
  plan: { edits, calls: [call], findings: [], ledger, candidates: [], keys: [], ...plan },
  changed: [{ file: apiFile, before: apiText, after: apiAfter }],
  written: mode === 'write' ? [apiFile] : [],
  failures: [],
  files: { walked: 2_000, candidates: 3, naming: 3, parsed: 2 },
  costs: { steps: 0, questions: [], files: [] },
  elapsedMs: 1234.5,
  ...result,
});

/** The report of such a result. `src/base.ts` is on no disk, as a file that went meanwhile. */
export const reportOf = ({ plan, result, ...about }: Given = {}): Promise<Report> =>
  makeReport(resultOf({ ...(plan && { plan }), ...(result && { result }), ...(about.mode && { mode: about.mode }) }), {
    mode: 'dry-run',
    version: '1.2.3',
    v1Base: ['https://api.example.com'],
    color: false,
    verbose: false,
    cwd: '/nowhere',
    ...about,
  });
