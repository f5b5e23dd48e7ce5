/**
 * What a run of the codemods costs, beside what people use instead. See README.md.
 *
 *   node bench/codemods.ts [--files N,...] [--densities sparse,dense] [--rounds N] [--only name,...] [--seed N] [--connected]
 *                          [--bin FILE] [--cpu-prof]
 *   node bench/codemods.ts --tree DIR [--tree DIR ...] [--v1-base URL] [--rounds N] [--timeout SECONDS] [--bin FILE]
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bin as builtBin, buildIfStale } from './build.ts';
import { checkArgs, contestants, findingsReported, ours } from './codemods/contestants.ts';
import type { Contestant } from './codemods/contestants.ts';
import { errorsOf, run } from './measure.ts';
import type { Cost, Run } from './measure.ts';
import { checkTable, comparisonTable, goalLines, results } from './codemods/report.ts';
import type { Check, Comparison } from './codemods/report.ts';
import { measureTree, treeGoals, treesTable } from './codemods/trees.ts';
import { densities, writeTree } from './codemods/tree.ts';
import type { Density, Tree } from './codemods/tree.ts';
import { work } from './processes.ts';
import { tell } from './results.ts';

const checkFiles = 2_000;
const profiles = join(work, 'profiles');

interface Options {
  /** Files of each tree. */
  readonly files: readonly number[];
  /** `clean` asks for the check of a clean tree. */
  readonly densities: readonly Density[];
  readonly rounds: number;
  readonly only: readonly Contestant[];
  readonly seed: number;
  readonly connected: boolean;
  /** The command's file: another build than the one in dist/. */
  readonly bin: string;
  readonly cpuProf: boolean;
  /** Given trees, in place of those that are made. */
  readonly trees: readonly string[];
  readonly v1Base: string;
  readonly timeout: number;
}

try {
  main(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function main(options: Options): void {
  if (process.platform !== 'linux') throw new Error('this needs Linux: CPU time and memory are read from /proc');
  for (const { name, absence } of options.only) if (absence !== undefined) console.log(`Skipped ${name}: ${absence}`);
  const takesPart = options.only.some(({ name }) => name === ours);
  if (takesPart && options.bin === builtBin) buildIfStale();
  console.log(
    `Node ${process.version}, ${cpus()[0]?.model}, ${availableParallelism()} cores, ${options.rounds} rounds, seed ${options.seed}`,
  );
  if (options.trees.length > 0) return measureTrees(options);
  if (options.cpuProf) return profile(options);
  const comparisons = options.densities
    .filter((density) => density !== 'clean')
    .flatMap((density) => options.files.map((files) => ({ density, files })))
    .map(({ density, files }) => withTree(density, files, options, (folder, tree) => compare(folder, tree, density, options)));
  const check =
    takesPart && options.densities.includes('clean')
      ? withTree('clean', checkFiles, options, (folder) => checkClean(folder, options))
      : undefined;
  console.log(`\n${goalLines(comparisons, check).join('\n')}`);
  tell(results(comparisons, check));
}

/** One run after the other, as each may use all cores. */
function measureTrees(options: Options): void {
  const runs = options.trees.map((tree) => {
    console.error(tree);
    return measureTree(tree, options);
  });
  console.log(`\n${treesTable(runs)}\n\n${treeGoals(runs).join('\n')}`);
}

/** Round by round in alternating order, so that whatever else the machine does meets all contestants alike. */
function compare(folder: string, tree: Tree, density: Density, options: Options): Comparison {
  const { rounds } = options;
  const only = options.only.filter(({ absence }) => absence === undefined);
  // The proof also warms what the operating system keeps of the files, before anything is measured.
  for (const contestant of only) if (contestant.proofArgs !== undefined) prove(contestant, run(contestant.proofArgs, folder), tree);
  const costs = new Map<string, Cost[]>(only.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`${tree.files} files, ${density}: round ${round} of ${rounds}`);
    for (const contestant of round % 2 === 0 ? only.toReversed() : only) {
      const cost = run(contestant.args, folder);
      if (contestant.proofArgs === undefined) prove(contestant, cost, tree);
      else if (cost.status !== 0) throw failure(contestant.name, cost);
      costs.get(contestant.name)?.push(cost);
    }
  }
  const comparison = { density, tree, costs };
  console.log(`\n${comparisonTable(comparison)}`);
  return comparison;
}

function checkClean(folder: string, { bin, rounds }: Options): Check {
  const [check, node]: [Run[], Run[]] = [[], []];
  // The first round of each warms it up.
  for (let round = 0; round <= rounds; round += 1) {
    const [one, other] = [run(['-e', '0'], folder), run(checkArgs(bin), folder)];
    if (other.status !== 0) throw failure(`${ours} --check of a clean tree`, other);
    if (round === 0) continue;
    node.push(one);
    check.push(other);
  }
  const result = { files: checkFiles, check, node };
  console.log(`\n${checkTable(result)}`);
  return result;
}

/** A run that missed something, or found too much, has no speed worth telling. */
function prove({ name, found, expected }: Contestant, done: Run, tree: Tree): void {
  if (done.status !== 0) throw failure(name, done);
  const count = found(done);
  if (count !== expected(tree)) throw new Error(`${name} found ${count}; the tree holds ${expected(tree)}`);
}

function failure(what: string, done: Run): Error {
  return new Error(`${what} ended with exit code ${done.status}:\n${findingsReported(done) ?? done.output.slice(-2000)}\n${errorsOf()}`);
}

/** CPU profiles of migrate-v2 alone, one run for each tree. */
function profile(options: Options): void {
  rmSync(profiles, { recursive: true, force: true });
  for (const density of options.densities) {
    for (const files of options.files) {
      const flags = ['--cpu-prof', `--cpu-prof-dir=${join(profiles, `${density}-${files}`)}`];
      const [contestant] = contestants(options.bin);
      const args = density === 'clean' ? checkArgs(options.bin) : (contestant?.args ?? []);
      withTree(density, files, options, (folder) => run([...flags, ...args], folder));
    }
  }
  if (!existsSync(profiles)) return;
  const found = readdirSync(profiles, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.cpuprofile'));
  for (const file of found) console.log(`Profile: node bench/top.ts ${relative(process.cwd(), join(profiles, file))}`);
}

/** Has a tree while `use` runs, and makes sure that nobody wrote to it. */
function withTree<Result>(
  density: Density,
  files: number,
  { seed, connected }: Options,
  use: (folder: string, tree: Tree) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const tree = writeTree(folder, { files, density, seed, connected });
    // Where there is no repository, ast-grep does not look at .gitignore.
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    const sources = join(folder, 'packages');
    const before = digest(sources);
    const result = use(folder, tree);
    if (digest(sources) !== before) throw new Error('a run that should only look has changed the tree');
    return result;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

function digest(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path);
    if (entry.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '2000,10000' },
      densities: { type: 'string', default: densities.join(',') },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      connected: { type: 'boolean', default: false },
      bin: { type: 'string', default: builtBin },
      'cpu-prof': { type: 'boolean', default: false },
      tree: { type: 'string', multiple: true, default: [] },
      'v1-base': { type: 'string', default: 'https://api.example.test' },
      timeout: { type: 'string', default: '120' },
    },
  });
  const bin = resolve(values.bin);
  const everybody = contestants(bin);
  const names = everybody.map(({ name }) => name);
  const only = pick('--only', values.only ?? names.join(','), names);
  return {
    files: values.files.split(',').map((text) => count('--files', text, 100, 1_000_000)),
    densities: pick('--densities', values.densities, densities),
    rounds: count('--rounds', values.rounds, 1, 100),
    only: everybody.filter(({ name }) => only.includes(name)),
    seed: count('--seed', values.seed, 0, 2 ** 32 - 1),
    connected: values.connected,
    bin,
    cpuProf: values['cpu-prof'],
    trees: values.tree.map((tree) => resolve(tree)),
    v1Base: values['v1-base'],
    timeout: count('--timeout', values.timeout, 1, 3600),
  };
}

function count(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${flag} takes a whole number from ${least} to ${most}, not ${text}`);
}

function pick<Name extends string>(flag: string, text: string, names: readonly Name[]): Name[] {
  const wanted = text.split(',');
  const unknown = wanted.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`${flag} knows ${names.join(', ')}, not ${unknown}`);
  return names.filter((name) => wanted.includes(name));
}
