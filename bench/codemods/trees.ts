/** What a run over given trees costs: real code, which nobody has planted anything in. */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { markdown } from '../report.ts';
import { run } from '../measure.ts';
import type { Cost } from '../measure.ts';
import { highest, line, median } from './report.ts';

/** How much there was to look at, and what came of it. */
export interface Summary {
  readonly walked: number;
  readonly parsed: number;
  readonly edits: number;
}

export interface TreeRun {
  readonly name: string;
  /** Where the tree is a repository. */
  readonly commit: string | undefined;
  readonly costs: readonly Cost[];
  /** undefined where a run was stopped. */
  readonly status: number | undefined;
  readonly summary: Summary | undefined;
}

export interface TreeOptions {
  /** The command's file. */
  readonly bin: string;
  readonly v1Base: string;
  readonly rounds: number;
  /** Seconds after which a run is stopped, and the tree is given up. */
  readonly timeout: number;
}

/** Goals for each tree that holds no v1 of ours. */
const limits = { cpu: 10, peak: 600, statuses: [0, 2] } as const;

/** Runs on one tree, without writing to it. */
export function measureTree(folder: string, { bin, v1Base, rounds, timeout }: TreeOptions): TreeRun {
  const args = [bin, '.', '--dry-run', '--v1-base', v1Base, '--format', 'json'];
  const costs: Cost[] = [];
  let [status, summary]: [number | undefined, Summary | undefined] = [undefined, undefined];
  for (let round = 0; round < rounds; round++) {
    const { output, status: ended, ...cost } = run(args, folder, timeout * 1000);
    costs.push(cost);
    status = ended;
    if (ended === undefined) break;
    summary = summaryOf(output);
  }
  return { name: basename(folder), commit: commitOf(folder), costs, status, summary };
}

function summaryOf(output: string): Summary | undefined {
  if (!output.startsWith('{')) return undefined;
  const report: { readonly summary: Summary } = JSON.parse(output);
  return report.summary;
}

function commitOf(folder: string): string | undefined {
  // The root of a work tree only: a folder within another repository has no commit of its own.
  const { status, stdout } = spawnSync('git', ['rev-parse', '--show-prefix', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  const [prefix, commit] = stdout.split('\n');
  return status === 0 && prefix === '' ? commit?.slice(0, 12) : undefined;
}

export function treesTable(runs: readonly TreeRun[]): string {
  const head = ['', 'commit', 'files', 'parsed', 'edits', 'exit', 'wall s', 'CPU s', 'peak MiB'];
  const rows = runs.map(({ name, commit, costs, status, summary }) => [
    name,
    commit ?? '–',
    ...[summary?.walked, summary?.parsed, summary?.edits].map((count) => String(count ?? '–')),
    status === undefined ? 'stopped' : String(status),
    median(costs.map(({ wall }) => wall)).toFixed(1),
    median(costs.map(({ cpu }) => cpu)).toFixed(1),
    status === undefined ? '–' : highest(costs).toFixed(0),
  ]);
  return markdown(head, rows);
}

/** One line for each goal, with the trees that miss it. */
export function treeGoals(runs: readonly TreeRun[]): string[] {
  const goal = (text: string, isReached: (run: TreeRun) => boolean): string => {
    const missed = runs.filter((each) => !isReached(each)).map(({ name }) => name);
    return line(text, missed.length === 0, missed.length === 0 ? `${runs.length} trees` : missed.join(', '));
  };
  return [
    goal(
      `at most ${limits.cpu} s of CPU`,
      ({ status, costs }) => status !== undefined && median(costs.map(({ cpu }) => cpu)) <= limits.cpu,
    ),
    goal(`at most ${limits.peak} MiB`, ({ status, costs }) => status !== undefined && highest(costs) <= limits.peak),
    goal('no edits', ({ summary }) => summary?.edits === 0),
    goal(`exit ${limits.statuses.join(' or ')}`, ({ status }) => limits.statuses.some((allowed) => allowed === status)),
  ];
}
