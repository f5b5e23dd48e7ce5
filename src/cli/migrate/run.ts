/** `migrate-v2 [paths..]`, from settings to the report. */
import { relative } from 'node:path';
import { refuseUncommitted } from '../../../codemods/edit/uncommitted.ts';
import { costLines } from '../../../codemods/report/costs.ts';
import type { Line } from '../../../codemods/report/explain.ts';
import type { Finding } from '../../../codemods/model.ts';
import type { MigrateOptions, MigrateResult, Recovery } from '../../../codemods/result.ts';
import { makeReport } from '../../../codemods/report/prepare.ts';
import { reporters } from '../../../codemods/report/reporters.ts';
import { candidatesOf, counted, type Mode, type Report } from '../../../codemods/report/report.ts';
import { plain } from '../../text/escape.ts';
import { styleFor } from '../../text/style.ts';
import { withCommas } from '../../text/with-commas.ts';
import { candidateLines } from '../../../codemods/report/text.ts';
import type { Settings } from '../../config/settings.ts';
import { hasColors } from '../colors.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkFile } from '../output.ts';
import { packageJson } from '../package-json.ts';
import { askForBases, type Chosen, hasConfigFile, instructions, remember } from './bases.ts';
import type { Acceptance } from './interactive.ts';
import { catchInterrupt } from './interrupt.ts';
import { outcomeOf } from './outcome.ts';
import { checkedPaths, givenLine, requireWithin, rootOf } from './paths.ts';
import { manyFiles, saveCollecting, saveCompiling, saveMemory } from './memory.ts';
import { showProgress } from './progress.ts';
import { putOut } from './put-out.ts';
import { hasTerminal, openTerminal, requireTerminal } from '../terminal.ts';

interface Job {
  readonly settings: Settings<'migrate'>;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly explained: Line | undefined;
  /** Places FILE:LINE. */
  readonly allow: readonly string[];
}

interface Ran {
  readonly result: MigrateResult;
  /** What to exit with, where a signal came. */
  readonly interrupted: number | undefined;
}

/**
 * Runs the codemods as the settings say, and sets the exit code.
 * @throws ConfigError, or what the codemods refuse to begin with
 */
export async function runMigration(settings: Settings<'migrate'>): Promise<void> {
  const here = process.cwd();
  const paths = await checkedPaths(settings.paths, here);
  const cwd = await rootOf(paths, here);
  if (cwd !== here)
    console.error(`All paths are relative to ${plain(relative(here, cwd))}: a folder above it is called as those of tests are.`);
  const explained = settings.explain === undefined ? undefined : await givenLine('--explain', settings.explain, paths, here, cwd);
  const allowed = await Promise.all(settings.allow.map((place) => givenLine('--allow', place, paths, here, cwd)));
  if (settings.interactive) requireTerminal('--interactive');
  if (settings.diff) await requireWithin(cwd, paths);
  // Before a file is changed: whoever asked for a report shall not be left without.
  if (settings.out !== undefined) await checkFile(settings.out);
  const job: Job = { settings, cwd, paths, explained, allow: allowed.map(({ file, line }) => `${file}:${line}`) };
  if (settings.v1Base.length > 0) {
    await move(job, settings.v1Base);
    return;
  }
  const { bases, isToRemember } = await findBases(job);
  if (bases.length > 0) await move(job, bases);
  // Not before: a file that git does not know would be a reason to refuse.
  if (isToRemember) await remember(bases, cwd);
}

const modeOf = ({ settings, explained }: Job): Mode => {
  if (settings.check) return 'check';
  return settings.dryRun || settings.diff || explained !== undefined ? 'dry-run' : 'write';
};

const reportOf = (job: Job, result: MigrateResult, v1Base: readonly string[], refused?: ReadonlySet<string>): Promise<Report> =>
  makeReport(result, {
    mode: modeOf(job),
    version: packageJson.version,
    v1Base,
    v2Base: job.settings.v2Base,
    color: job.settings.out === undefined && hasColors(process.stdout),
    verbose: job.settings.verbose,
    cwd: job.cwd,
    refused,
  });

const none: Chosen = { bases: [], isToRemember: false };

/** The bases to move where none was given; none where the run ends here, with its exit code set. */
async function findBases(job: Job): Promise<Chosen> {
  const { settings, cwd, paths } = job;
  const { result } = await run(job, { v1Base: [], dryRun: true });
  const report = await reportOf(job, result, []);
  const candidates = candidatesOf(report);
  if (candidates.length === 0) {
    await finish(job, report);
    return none;
  }
  const shown = candidateLines(report);
  if (hasTerminal()) {
    // Before anybody is asked what would then be refused.
    if (modeOf(job) === 'write' && !settings.force) await refuseUncommitted({ cwd, paths });
    // Where nothing is to be written, no configuration is either.
    const isConfigured = modeOf(job) !== 'write' || (await hasConfigFile(cwd, settings.config));
    const chosen = await askForBases(candidates, { terminal: await openTerminal(), shown, isConfigured, yes: settings.yes });
    if (chosen.bases.length > 0) return chosen;
  } else {
    // Programs get the candidates in the form they asked for.
    if (settings.format !== 'text') await putOut(report, settings);
    console.error(['No base address of v1 is given (--v1-base). Calls that look like v1 go to:', '', ...shown, ''].join('\n'));
  }
  process.stderr.write(instructions(candidates, process.argv.slice(2)));
  process.exitCode = exitCodes.usage.code;
  return none;
}

/** Loaded on demand, as is what asks. */
async function acceptance(cwd: string): Promise<Acceptance> {
  const { askForGroups } = await import('./interactive.ts');
  return askForGroups(await openTerminal(), cwd, styleFor(hasColors(process.stderr)));
}

/** The places that may move along, those included that a person says so of. */
async function allowance(job: Job, v1Base: readonly string[]): Promise<readonly string[]> {
  const { askForAllowed } = await import('./ask-allow.ts');
  const findingsWith = async (allow: readonly string[]): Promise<readonly Finding[]> =>
    (await run({ ...job, allow }, { v1Base, dryRun: true })).result.plan.findings;
  return askForAllowed(await openTerminal(), styleFor(hasColors(process.stderr)), findingsWith, job.allow);
}

/** Places in files of which no comment or place let anything move. */
const withoutEffect = (allow: readonly string[], findings: readonly Finding[]): readonly string[] =>
  allow.filter((place) => !findings.some(({ code, file }) => code === 'allowed' && place.startsWith(`${file}:`)));

async function move(job: Job, v1Base: readonly string[]): Promise<void> {
  const { settings, cwd } = job;
  const allow = settings.interactive ? await allowance(job, v1Base) : job.allow;
  const asked = settings.interactive ? await acceptance(cwd) : undefined;
  const { result, interrupted } = await run({ ...job, allow }, { v1Base, dryRun: modeOf(job) !== 'write', accept: asked?.accept });
  const { written, changed } = result;
  for (const place of withoutEffect(allow, result.plan.findings))
    console.error(`--allow ${plain(place)} lets nothing move: what stands there holds no call, or needs another answer`);
  if (interrupted !== undefined && written.length === 0) console.error('Stopped: nothing was changed; run again');
  else await finish(job, await reportOf(job, result, v1Base, asked?.refused));
  if (interrupted === undefined) return;
  if (written.length > 0)
    console.error(`The signal came too late to stop: ${withCommas(written.length)} of ${counted(changed.length, 'file')} written`);
  process.exitCode = interrupted;
}

async function finish({ settings, explained }: Job, report: Report): Promise<void> {
  const isWhole = await putOut(report, settings, explained);
  if (settings.verbose && report.result.costs.steps > 0) console.error(costLines(report.result.costs).join('\n'));
  process.exitCode = explained === undefined ? exitCodes[outcomeOf(report, isWhole)].code : exitCodes.done.code;
}

/** What is said of a run that was killed while it wrote. */
function recoveryText({ outcome, written, total, restored }: Recovery): string {
  const killed = `A run was killed while it wrote ${counted(total, 'file')}`;
  const back =
    restored === 0
      ? 'some stay as they were, as not all that belongs together could be written'
      : `${withCommas(restored)} ${restored === 1 ? 'has its old text' : 'have their old texts'} again, as not all that belongs together could be written`;
  switch (outcome) {
    case 'undone':
      return `${killed}: none had its new text, and what it left is removed`;
    case 'completed':
      return `${killed}, of which ${withCommas(written)} had their new texts: it is now completed`;
    case 'put back':
      return `${killed}, of which ${withCommas(written)} had their new texts: ${back}`;
    case 'parted':
      return `${killed}, of which ${withCommas(written)} had their new texts: ${back}; the others are completed`;
    case 'pending':
      return `${killed}, of which ${withCommas(written)} ${written === 1 ? 'has its new text' : 'have their new texts'}: the next run that writes here sees to the others`;
  }
}

/** Asks whether to write what git could not give back. */
const confirmed =
  (progress: { end(): void }) =>
  async ([first]: readonly { readonly path: string; readonly reason: string }[]): Promise<boolean> => {
    progress.end();
    const { confirm } = await openTerminal();
    const where = plain(`${first?.path} is not under version control (${first?.reason}): nothing would bring back what is changed.`);
    return (await confirm(`${where} Change it all the same?`, false)) === true;
  };

/** One run, with its progress on stderr. */
async function run(
  { settings, cwd, paths, allow, explained }: Job,
  how: Pick<MigrateOptions, 'v1Base' | 'dryRun' | 'accept'>,
): Promise<Ran> {
  // Loaded as late as can be: wrong usage is told without it.
  const { migrate } = await import('../../../codemods/migrate.ts');
  const { v2Base, include, exclude, jobs, todo, force, diff, format } = settings;
  saveCompiling();
  const progress = showProgress(process.stderr);
  const interrupt = catchInterrupt();
  const { accept } = how;
  try {
    const result = await migrate({
      ...how,
      paths,
      cwd,
      v2Base,
      include,
      exclude,
      allow,
      jobs,
      todo,
      force,
      env: process.env,
      proofs: explained !== undefined || (!diff && reporters[format].showsProofs),
      signal: interrupt.signal,
      // Somebody is watching: the line goes on, whatever is computed.
      background: Boolean(process.stderr.isTTY),
      // Whoever accepts each group was asked already.
      confirm: accept === undefined ? (hasTerminal() ? confirmed(progress) : undefined) : () => Promise.resolve(true),
      accept: accept && ((group, plan) => (progress.end(), accept(group, plan))),
      onRecovery: (recovery) => (progress.hide(), console.error(recoveryText(recovery))),
      onProgress: (at) => {
        if (at.phase === 'write') interrupt.arm();
        if (at.phase === 'analyse') (at.total > manyFiles ? saveMemory : saveCollecting)();
        progress.update(at);
      },
    });
    return { result, interrupted: interrupt.code };
  } finally {
    progress.end();
    interrupt.disarm();
  }
}
