/** The tables and the verdicts of a run. */
import { markdown } from '../report.ts';
import { ours, parser, printer } from './contestants.ts';
import type { Cost } from '../measure.ts';
import type { Result } from '../results.ts';
import type { Density, Tree } from './tree.ts';

/** What one tree cost each contestant, round by round. */
export interface Comparison {
  readonly density: Density;
  readonly tree: Tree;
  readonly costs: ReadonlyMap<string, readonly Cost[]>;
}

/** The check of a clean tree, and what Node alone costs, round by round. */
export interface Check {
  readonly files: number;
  readonly check: readonly Cost[];
  readonly node: readonly Cost[];
}

/** How many times faster than whom. */
const speeds = [
  { density: 'sparse', peer: printer, of: 'wall', least: 26 },
  { density: 'dense', peer: printer, of: 'CPU', least: 3 },
  { density: 'dense', peer: parser, of: 'CPU', least: 2 },
] as const;
const limits = { peakMiB: 500, peakFiles: 10_000, checkSeconds: 1 } as const;

export function comparisonTable({ density, tree, costs }: Comparison): string {
  const mebibytes = (tree.bytes / 2 ** 20).toFixed(1);
  const title = `${tree.files} files (${mebibytes} MiB), ${density}: ${tree.callers} files with ${tree.calls} calls`;
  const head = ['', 'wall s', 'min', 'CPU s', 'min', 'peak MiB', `${ours} faster: wall`, 'CPU'];
  const rows = [...costs].map(([name, own]) => [
    name,
    ...figures(own),
    ...(['wall', 'CPU'] as const).map((of) => times(faster(costs, name, of))),
  ]);
  return `${title}\n\n${markdown(head, rows)}`;
}

export function checkTable({ files, check, node }: Check): string {
  const rows = [
    [`${ours} --check`, ...figures(check)],
    ['node -e 0', ...figures(node)],
  ];
  return `Check of ${files} clean files\n\n${markdown(['', 'wall s', 'min', 'CPU s', 'min', 'peak MiB'], rows)}`;
}

/** One line for each goal: reached, missed or not measured. */
export function goalLines(comparisons: readonly Comparison[], check: Check | undefined): string[] {
  return [
    ...speeds.map((goal) => speedLine(goal, comparisons)),
    peakLine(comparisons),
    check === undefined ? line(checkText, undefined, '') : checkLine(check),
  ];
}

/** Everything that a run compares us in. */
export function results(comparisons: readonly Comparison[], check: Check | undefined): Result[] {
  const speeds = comparisons.flatMap(({ density, tree, costs }) =>
    [...costs.keys()]
      .filter((peer) => peer !== ours)
      .flatMap((peer) =>
        (['wall', 'CPU'] as const).map((of) => ({
          name: `codemods: ${of} of ${tree.files} files, ${density} ÷ ${peer}`,
          ratio: 1 / (faster(costs, peer, of) ?? Number.NaN),
        })),
      ),
  );
  const beside = check && median(check.check.map(({ cpu }, round) => cpu / (check.node[round]?.cpu ?? Number.NaN)));
  return [
    ...speeds,
    ...(check === undefined ? [] : [{ name: `codemods: CPU of --check of ${check.files} clean files ÷ node -e 0`, ratio: beside }]),
  ];
}

/** Reached where every tree reaches it. */
function speedLine({ density, peer, of, least }: (typeof speeds)[number], comparisons: readonly Comparison[]): string {
  const ratios = comparisons
    .filter((comparison) => comparison.density === density)
    .map(({ tree, costs }) => ({ files: tree.files, ratio: faster(costs, peer, of) }));
  const known = ratios.flatMap(({ ratio }) => ratio ?? []);
  const text = `${density}: at least ${least} × faster in ${of} than ${peer}`;
  const figures = ratios.map(({ files, ratio }) => `${files} files: ${times(ratio)}`).join('; ');
  return line(text, known.length === 0 ? undefined : Math.min(...known) >= least, figures);
}

function peakLine(comparisons: readonly Comparison[]): string {
  const large = comparisons.filter(({ tree, costs }) => tree.files >= limits.peakFiles && costs.has(ours));
  const peaks = large.map(({ density, costs }) => ({ density, peak: highest(costs.get(ours) ?? []) }));
  const figures = peaks.map(({ density, peak }) => `${density}: ${peak.toFixed(0)} MiB`).join('; ');
  const text = `peak memory at most ${limits.peakMiB} MiB on ${limits.peakFiles} files`;
  return line(text, peaks.length === 0 ? undefined : peaks.every(({ peak }) => peak <= limits.peakMiB), figures);
}

const checkText = `--check of a clean tree: CPU less than ${limits.checkSeconds} s beyond Node's own start`;

function checkLine({ check, node }: Check): string {
  const beyond = median(check.map(({ cpu }, round) => cpu - (node[round]?.cpu ?? Number.NaN)));
  return line(checkText, beyond < limits.checkSeconds, `${beyond.toFixed(2)} s`);
}

export function line(text: string, reached: boolean | undefined, figures: string): string {
  return reached === undefined ? `- ${text}: not measured` : `- ${text}: ${reached ? 'reached' : 'MISSED'} (${figures})`;
}

/** The median of the ratios of each round, as both sides of a round met the same machine. */
function faster(costs: Comparison['costs'], name: string, of: 'wall' | 'CPU'): number | undefined {
  const value = (cost: Cost): number => (of === 'wall' ? cost.wall : cost.cpu);
  const own = costs.get(ours);
  const others = costs.get(name);
  if (own === undefined || others === undefined) return undefined;
  return median(others.map((cost, round) => value(cost) / value(own[round] ?? cost)));
}

function figures(costs: readonly Cost[]): string[] {
  const [walls, cpus] = [costs.map(({ wall }) => wall), costs.map(({ cpu }) => cpu)];
  return [median(walls), Math.min(...walls), median(cpus), Math.min(...cpus)]
    .map((seconds) => seconds.toFixed(2))
    .concat(highest(costs).toFixed(0));
}

export function highest(costs: readonly Cost[]): number {
  return Math.max(...costs.map(({ peak }) => peak));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '–' : `${ratio.toFixed(1)} ×`;
}
