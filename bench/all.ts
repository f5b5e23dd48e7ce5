/**
 * Every benchmark, short, with its ratios in one table beside those of the last release. See README.md.
 *
 *   node bench/all.ts [--only start,proxy] [--json FILE] [--save]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageJson } from '../src/cli/package-json.ts';
import { type Baseline, compare, comparisonTable, notices } from './comparison.ts';
import { work } from './processes.ts';
import type { Result } from './results.ts';

/** As short as still tells something: all together take a few minutes on a quiet machine. */
const benches: Readonly<Record<string, readonly string[]>> = {
  start: ['--rounds', '3'],
  proxy: ['--rounds', '3', '--requests', '10000'],
  'half-load': ['--rounds', '3', '--requests', '5000', '--days', '30', '--clients', '200'],
  sandbox: ['--rounds', '5', '--records', '20000'],
  codemods: ['--rounds', '2', '--files', '500', '--only', 'migrate-v2,jscodeshift-print,jscodeshift-parse'],
  usage: ['--rounds', '3', '--days', '30', '--clients', '200'],
  budget: ['--hours', '3'],
};
const baselineFile = join(import.meta.dirname, 'baseline.json');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string', default: join(work, 'results.json') },
    save: { type: 'boolean', default: false },
  },
});

/** Runs one in a process of its own, whose tables go to stderr; undefined where it failed. */
async function run(name: string, args: readonly string[]): Promise<readonly Result[] | undefined> {
  console.error(`\n# ${name}\n`);
  const found: Result[] = [];
  const child = fork(join(import.meta.dirname, `${name}.ts`), args, { execArgv: ['--expose-gc'], stdio: ['ignore', 2, 2, 'ipc'] });
  child.on('message', (results) => found.push(...(results as readonly Result[])));
  const [code] = await once(child, 'close');
  return code === 0 ? found : undefined;
}

const wanted = values.only?.split(',') ?? Object.keys(benches);
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) throw new Error(`--only knows ${Object.keys(benches).join(', ')}, not ${unknown}`);

const results: Result[] = [];
const failed: string[] = [];
for (const name of wanted) {
  const found = await run(name, benches[name] ?? []);
  if (found === undefined) failed.push(name);
  results.push(...(found ?? []));
}

const baseline = existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Baseline) : undefined;
const isOfThisRun = ({ name }: Result): boolean => wanted.some((bench) => name.startsWith(`${bench}:`));
const comparisons = compare(results, baseline && { ...baseline, results: baseline.results.filter(isOfThisRun) });
console.log(
  `${comparisonTable(comparisons)}\n\nLast release: ${baseline === undefined ? 'none' : `${baseline.version}, ${baseline.node}, ${baseline.machine}`}`,
);
// A command of GitHub's: it shows the line beside the run. Elsewhere it is a line as any other.
for (const notice of notices(comparisons)) console.log(`::notice title=Slower than the last release::${notice}`);
for (const name of failed) console.log(`::error title=A benchmark failed::${name}: its own output says why`);
const told: Baseline = { version: packageJson.version, node: process.version, machine: `${cpus().length} × ${cpus()[0]?.model}`, results };
writeFileSync(values.json, `${JSON.stringify({ ...told, failed, comparisons }, null, 2)}\n`);
console.log(`\nAs JSON: ${values.json}`);
const missing = [...failed, ...results.filter(({ ratio }) => ratio === undefined).map(({ name }) => name)];
if (values.save && missing.length > 0) {
  console.error(`not saved, as these are missing: ${missing.join('; ')}`);
  process.exitCode = 1;
} else if (values.save) {
  const others = baseline?.results.filter((result) => !isOfThisRun(result)) ?? [];
  writeFileSync(baselineFile, `${JSON.stringify({ ...told, results: [...others, ...results] }, null, 2)}\n`);
}
if (failed.length > 0) process.exitCode = 1;
