/** `--explain FILE:LINE`: why what stands on a line is moved, or why it is left alone. */
import type { Call, Edit, Span } from '../model.ts';
import { plain } from '../../src/text/escape.ts';
import type { Places } from './places.ts';
import { counted, placeOf, type Remark, type Report, remarks, routesOf, spotOf } from './report.ts';
import { holderInWords, isHeldBy, isOfWholeFile, ledgerTitle } from './wording.ts';

export interface Line {
  /** Relative to the working directory, with `/`. */
  readonly file: string;
  readonly line: number;
}

/** How many calls an edit that serves many is explained with. */
const maxCalls = 3;

const placed = (span: Span, places: Places): string => plain(spotOf(span, places));

const standsOn = ({ file, line }: Line, places: Places) => {
  return (span: Span): boolean => {
    if (span.file !== file) return false;
    const place = places.at(span);
    return place !== undefined && place.line <= line && line <= place.endLine;
  };
};

const padded = (rows: readonly (readonly [string, string, string])[], indent: string): string[] => {
  const [first, second] = [0, 1].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return rows.map(([a, b, c]) => `${indent}${a.padEnd(first ?? 0)}  ${b.padEnd(second ?? 0)}  ${c}`.trimEnd());
};

/** The chain from a call to its base. */
function explainCall(call: Call, places: Places): string[] {
  const { from, to } = routesOf(call.endpoint);
  const steps = call.proof.map((step, index): [string, string, string] => [
    `${String(index + 1).padStart(String(call.proof.length).length)}. ${step.step}`,
    placed(step, places),
    plain(step.text),
  ]);
  return [`${placed(call, places)}: ${from} -> ${to}, called with ${plain(call.client)}`, ...padded(steps, '  ')];
}

const explainEdits = (edits: readonly Edit[], places: Places): string[] =>
  edits.length === 0
    ? []
    : [
        '  Changed together:',
        ...padded(
          edits.map((edit): [string, string, string] => [edit.what, placed(edit, places), '']),
          '    ',
        ),
      ];

const explainRemark = ({ finding, title, reason, remedy, code }: Remark): string[] => [
  `${plain(placeOf(finding))}: ${plain(title)} (${code})`,
  `  ${plain(reason)}`,
  ...[holderInWords(finding, true)].flatMap((held) => (held === undefined ? [] : [`  It ${plain(held)}`])),
  `  What to do: ${plain(remedy)}`,
];

/** The calls on the line, and those for whose sake something on it is changed. */
function explainMoves(report: Report, here: (span: Span) => boolean): string[] {
  const { plan } = report.result;
  const own = plan.calls.filter(here);
  const groups = new Set([...own, ...plan.edits.filter(here)].map(({ group }) => group));
  return [...groups].flatMap((group) => {
    const ofGroup = plan.calls.filter((call) => call.group === group);
    const ownOfGroup = ofGroup.filter((call) => own.includes(call));
    const shown = ownOfGroup.length > 0 ? ownOfGroup : ofGroup.slice(0, maxCalls);
    const others = ofGroup.length - shown.length;
    return [
      ...shown.flatMap((call) => explainCall(call, report.places)),
      ...(others > 0 ? [`  … and ${others} more ${others === 1 ? 'call' : 'calls'} of the same group`] : []),
      ...explainEdits(
        plan.edits.filter((edit) => edit.group === group),
        report.places,
      ),
      '',
    ];
  });
}

/** What the ledger says of literals on the line that neither a call nor a finding has explained. */
function explainLedger(report: Report, at: Line, explained: ReadonlySet<string>): string[] {
  const entries = report.result.plan.ledger.filter(
    ({ file, line, state, reason }) => file === at.file && line === at.line && state !== 'rewritten' && !explained.has(reason),
  );
  const lines = entries.flatMap((entry) => {
    const isLeftAlone = entry.state === 'foreign' || entry.reason === 'ignored';
    return [
      `${plain(placeOf(entry))}: ${plain(ledgerTitle(entry.reason))} (${isLeftAlone ? 'left alone' : 'a person has to decide'})`,
      ...(entry.state === 'person' ? causes(report, entry.reason, at) : []),
    ];
  });
  return [...new Set(lines)];
}

/** What keeps a line from being changed often stands on another one; a comment only counts in its own file. */
const causes = (report: Report, code: string, { file }: Line): string[] =>
  remarks(report)
    .filter((remark) => remark.code === code && (code !== 'ignored' || remark.finding.file === file))
    .toSorted((a, b) => Number(b.finding.file === file) - Number(a.finding.file === file))
    .slice(0, maxCalls)
    .map(({ finding, reason }) => `  ${plain(placeOf(finding))}: ${plain(reason)}`);

/** What proves calls and is right as it is: a base whose host stays, a constant on the way to it. */
function explainProofs(report: Report, here: (span: Span) => boolean): string[] {
  const proven = report.result.plan.calls.flatMap((call) => {
    const step = call.proof.find(here);
    return step === undefined ? [] : [{ call, step }];
  });
  const [first] = proven;
  if (first === undefined) return [];
  const shown = proven.slice(0, maxCalls).map(({ call, step }): [string, string, string] => {
    const { from, to } = routesOf(call.endpoint);
    return [step.step, placed(call, report.places), `${from} -> ${to}`];
  });
  const others = proven.length - shown.length;
  return [
    `${placed(first.step, report.places)}: stays as it is; what stands here is part of the proof of ${counted(proven.length, 'call')}`,
    ...padded(shown, '  '),
    ...(others > 0 ? [`  … and ${counted(others, 'more call')}`] : []),
  ];
}

/**
 * Explains one line.
 * @returns the chain of every call and edit on it, and every finding; or that none stands there: of what is held, the calls alone know
 */
export function explain(report: Report, at: Line): string {
  const here = standsOn(at, report.places);
  const where = plain(`${at.file}:${at.line}`);
  const all = remarks(report);
  const found = all.filter(({ finding, code }) => finding.file === at.file && (finding.line === at.line || isOfWholeFile(code)));
  const holding = all.filter((remark) => !found.includes(remark) && isHeldBy(remark.finding, `${at.file}:${at.line}`));
  const held = all.filter(
    (remark) => !found.includes(remark) && [remark.finding.detail['by'], remark.finding.detail['root']].includes(`${at.file}:${at.line}`),
  );
  const lines = [
    ...explainMoves(report, here),
    ...found.flatMap((remark) => [...explainRemark(remark), '']),
    ...holding.flatMap((remark) => [`${where}: stays because of another place`, ...explainRemark(remark), '']),
    ...held.flatMap((remark) => [`${where}: holds another place`, ...explainRemark(remark), '']),
    ...explainLedger(report, at, new Set([...found, ...holding].map(({ code }) => code))),
  ];
  const explained = lines.length === 0 ? explainProofs(report, here) : lines;
  return explained.length === 0
    ? `${where}: no call, change or finding stands here; what calls take from here is told where they stand.\n`
    : `${explained.join('\n').trimEnd()}\n`;
}
