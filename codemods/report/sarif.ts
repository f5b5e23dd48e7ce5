/** The report for code scanning: SARIF 2.1.0 (OASIS). */
import { createHash } from 'node:crypto';
import type { CodeFlow, Log, PhysicalLocation, Region, ReportingDescriptor, Result } from 'sarif';
import { type Call, type FindingCode, findingCodes } from '../model.ts';
import { json, plain } from '../../src/text/escape.ts';
import type { Place } from './places.ts';
import { type Remark, type Report, type Reporter, remarks, routesOf, unmovedCalls } from './report.ts';
import { anchorOf, isSettled, type Severity, severityOf, wordsOf } from './wording.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** What all file names are relative to; whoever reads the file knows where that is. */
const base = 'SRCROOT';
/** The rule for calls that the tool itself can move. */
const callRule = 'v1-call';

const uriOf = (file: string): string => file.toWellFormed().split('/').map(encodeURIComponent).join('/');

/** Brackets would begin a link and braces a placeholder (§3.11.5, §3.11.6). */
const message = (text: string) => ({
  text: plain(text)
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&'),
});

/** A region of no characters is a place between two; a start alone stands for the rest of the line. */
const regionOf = ({ line, column, endLine, endColumn }: Place): Region => ({ startLine: line, startColumn: column, endLine, endColumn });

const located = (file: string, region?: Region): PhysicalLocation => ({
  artifactLocation: { uri: uriOf(file), uriBaseId: base },
  ...(region === undefined ? {} : { region }),
});

function rule(id: string, level: Severity, title: string, reason: string, remedy: string): ReportingDescriptor {
  const more = `${anchorOf(id)} says more.`;
  return {
    id,
    name: id.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: reason },
    help: { text: `${reason} ${remedy} ${more}`, markdown: `${reason}\n\n**What to do:** ${remedy}\n\n${more}` },
    defaultConfiguration: { level },
    properties: { tags: ['migration'] },
  };
}

function findingRule(code: FindingCode): ReportingDescriptor {
  const { kind, title, reason, remedy } = wordsOf({ code, detail: {} });
  return rule(code, severityOf(kind), title, reason, remedy);
}

const rules: readonly ReportingDescriptor[] = [
  rule(
    callRule,
    'warning',
    'A call of v1',
    'v1 is switched off; v2 has an endpoint that does the same.',
    'Run migrate-v2 without --check: it changes path, base and header together.',
  ),
  ...findingCodes.map(findingRule),
];

const indexOf = (id: string): number => rules.findIndex((rule) => rule.id === id);

/** The proof, from the call to the base. */
const flowOf = ({ proof }: Call, { places }: Report): CodeFlow => ({
  threadFlows: [
    {
      locations: proof.map((step) => {
        const place = places.at(step);
        return { location: { message: message(step.step), physicalLocation: located(step.file, place && regionOf(place)) } };
      }),
    },
  ],
});

function callResult(call: Call, report: Report): Result {
  const { from, to } = routesOf(call.endpoint);
  const place = report.places.at(call);
  return {
    ruleId: callRule,
    ruleIndex: indexOf(callRule),
    level: 'warning',
    message: message(`${from} (${call.client}) is called on v1; on v2 it is ${to}.`),
    locations: [{ physicalLocation: located(call.file, place && regionOf(place)) }],
    ...(call.proof.length === 0 ? {} : { codeFlows: [flowOf(call, report)] }),
  };
}

/** A comment of the user's settles a finding: SARIF calls that a suppression. */
const suppression = (reason: string | undefined) => ({
  suppressions: [{ kind: 'inSource' as const, ...(reason === undefined ? {} : { justification: plain(reason) }) }],
});

const findingResult = ({ code, severity, title, reason, remedy, finding }: Remark): Result => ({
  ruleId: code,
  ruleIndex: indexOf(code),
  level: severity,
  message: message(`${title}. ${reason} ${remedy}`),
  locations: [
    { physicalLocation: located(finding.file, { startLine: Math.max(1, finding.line), startColumn: Math.max(1, finding.column) }) },
  ],
  ...(isSettled(code) ? suppression(finding.detail['reason']) : {}),
});

/** Names a result by what it says and not by its line, so that code scanning knows it again after the file has changed around it. */
function fingerprinted(results: readonly Result[]): Result[] {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const uri = result.locations?.[0]?.physicalLocation?.artifactLocation?.uri;
    const said = JSON.stringify([result.ruleId, uri, result.message.text]);
    const nth = seen.get(said) ?? 0;
    seen.set(said, nth + 1);
    const fingerprint = createHash('sha256').update(`${said}:${nth}`).digest('hex').slice(0, 32);
    return { ...result, partialFingerprints: { 'migrateV2/v1': fingerprint } };
  });
}

function render(report: Report): string {
  const all = remarks(report);
  const results = [
    // What was just moved is no result any more.
    ...(report.mode === 'write' ? unmovedCalls(report) : report.result.plan.calls).map((call) => callResult(call, report)),
    ...all.filter(({ kind, code }) => kind !== 'alone' || isSettled(code)).map(findingResult),
  ];
  const log: Log = {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'migrate-v2', semanticVersion: report.version, rules: [...rules] } },
        invocations: [{ executionSuccessful: !all.some(({ kind }) => kind === 'failed') }],
        automationDetails: { id: 'migrate-v2/' },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [base]: { description: { text: 'The folder in which migrate-v2 ran.' } } },
        results: fingerprinted(results),
      },
    ],
  };
  return json(log);
}

export const sarif: Reporter = { render, showsProofs: true };
