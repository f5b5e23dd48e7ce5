/** The tables of a run, in Markdown. */
import { ours, references, unrecorded } from './contestants.ts';
import type { Result } from './results.ts';
import type { Sample } from './rig.ts';

export interface Goal {
  readonly case: Sample['case'];
  readonly reference: string;
  /** CPU per call at most so many times the reference's. */
  readonly limit: number;
}

/** What issue 2 §6 asks for. */
export const goals: readonly Goal[] = [
  { case: 'get', reference: references.nginx, limit: 2.2 },
  { case: 'get', reference: references.fastify, limit: 0.8 },
];

/** One table for a case: the median of each contestant's rounds, and its CPU relative to the references. */
export function caseTable(samples: readonly Sample[]): string {
  const names = [...new Set(samples.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = samples.filter((sample) => sample.name === name);
    const middle = (pick: (sample: Sample) => number, digits = 0): string => median(own.map(pick)).toFixed(digits);
    return [
      name,
      middle((sample) => sample.cpu, 1),
      ratioText(cpuRatio(samples, name, references.nginx)),
      ratioText(cpuRatio(samples, name, references.fastify)),
      middle((sample) => sample.perSecond),
      middle((sample) => sample.p50),
      middle((sample) => sample.p99),
      Math.max(...own.map((sample) => sample.peak)).toFixed(0),
      middle((sample) => sample.rss),
      middle((sample) => sample.busy * 100),
    ];
  });
  const head = ['', 'CPU µs/call', '÷ nginx', '÷ fastify', 'calls/s', 'p50 µs', 'p99 µs', 'peak MiB', 'RSS MiB', 'core %'];
  return markdown(head, rows);
}

export function goalLine({ case: name, reference, limit }: Goal, samples: readonly Sample[]): string {
  const ratio = cpuRatio(
    samples.filter((sample) => sample.case === name),
    ours,
    reference,
  );
  const text = `${name.toUpperCase()}: CPU of ${ours} ≤ ${limit} × ${reference}`;
  if (ratio === undefined) return `- ${text}: not measured`;
  return `- ${text}: ${ratio <= limit ? 'reached' : 'missed'} (${ratio.toFixed(2)})`;
}

/** Microseconds of CPU that the usage record may add to a call. */
const recordLimit = 2;

/** What the usage record costs a call: the median of the differences of each round. */
export function recordLine(samples: readonly Sample[]): string {
  const cpu = (of: string): number[] => samples.filter(({ name }) => name === of).map((sample) => sample.cpu);
  const without = cpu(unrecorded);
  const differences = cpu(ours).map((value, round) => value - (without[round] ?? Number.NaN));
  const text = `CPU that the usage record adds to a call ≤ ${recordLimit} µs`;
  if (differences.length === 0 || differences.some(Number.isNaN)) return `- ${text}: not measured`;
  const added = median(differences);
  return `- ${text}: ${added <= recordLimit ? 'reached' : 'missed'} (${added.toFixed(1)}; rounds from ${Math.min(...differences).toFixed(1)} to ${Math.max(...differences).toFixed(1)})`;
}

/** Everything that a run compares us in. */
export function results(samples: readonly Sample[]): Result[] {
  const peers = [references.nginx, references.fastify, 'http-proxy-3', references.floor];
  return (['get', 'post'] as const).flatMap((name) => {
    const ofCase = samples.filter((sample) => sample.case === name);
    const against = (what: string, pick: Pick, peer: string): Result => ({
      name: `proxy: ${what} of ${name.toUpperCase()} ÷ ${peer}`,
      ratio: ratioOf(ofCase, ours, peer, pick),
    });
    return [
      ...peers.map((peer) => against('CPU', ({ cpu }) => cpu, peer)),
      against('p99', ({ p99 }) => p99, references.fastify),
      against('memory', ({ rss }) => rss, 'http-proxy-3'),
    ];
  });
}

type Pick = (sample: Sample) => number;

/** The median of the ratios of each round, as both sides of a round met the same machine. */
export function ratioOf(samples: readonly Sample[], name: string, reference: string, pick: Pick): number | undefined {
  const values = (of: string): number[] => samples.filter((sample) => sample.name === of).map(pick);
  const references = values(reference);
  const ratios = values(name).map((value, round) => value / (references[round] ?? Number.NaN));
  return ratios.length === 0 || ratios.some(Number.isNaN) ? undefined : median(ratios);
}

const cpuRatio = (samples: readonly Sample[], name: string, reference: string): number | undefined =>
  ratioOf(samples, name, reference, ({ cpu }) => cpu);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

function ratioText(ratio: number | undefined): string {
  return ratio === undefined ? '–' : ratio.toFixed(2);
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
