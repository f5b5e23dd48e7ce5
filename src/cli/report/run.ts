/** `migrate-v2 report`, from settings to the report. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { buildReport } from '../../report/build.ts';
import { reportPieces } from '../../report/formats/render.ts';
import type { Report } from '../../report/model.ts';
import type { Verdict } from '../../report/verdict-model.ts';
import { verdictText, verdictTitles } from '../../report/text/verdict-wording.ts';
import { partText } from '../../report/text/wording.ts';
import { plain } from '../../text/escape.ts';
import { openReader } from '../../usage/store/open.ts';
import { hasColors } from '../colors.ts';
import { type exitCodes as codes, exitCodes } from '../exit-codes.ts';
import { checkFile, toFile, toStdout } from '../output.ts';
import { stdoutWidth } from '../width.ts';
import { readCode } from './code.ts';
import { runDigest } from './digest.ts';
import { writeLetters } from './letters.ts';
import { yieldToOthers } from './priority.ts';
import { requireScreen, watch } from './watch.ts';

/** What `--check` says by its exit code. */
const outcomes = { safe: 'done', not_yet: 'findings', unknown: 'remaining' } as const satisfies Record<
  Verdict['state'],
  keyof typeof codes
>;

/** The report names who calls: it is for its owner alone, as the store is. */
const ownerOnly = 0o600;

/**
 * Makes the report as the settings say, and sets the exit code.
 * @throws ConfigError, StoreError
 */
export async function runReport(settings: Settings<'report'>): Promise<void> {
  const { out, check, format, groupBy } = settings;
  yieldToOthers();
  if (settings.watch) {
    requireScreen(process.stdout);
    await watchHere(settings);
    return;
  }
  if (settings.letters !== undefined) {
    await writeLetters(settings);
    return;
  }
  if (out !== undefined) await checkFile(out);
  if (settings.digest) {
    const { verdict, isPosted } = await runDigest(settings, ownerOnly);
    if (check) process.exitCode = exitCodes[outcomes[verdict]].code;
    if (!isPosted) process.exitCode = exitCodes.failed.code;
    return;
  }
  const report = await makeReport(settings);
  const toTerminal = out === undefined && process.stdout.isTTY;
  const pieces = reportPieces(report, {
    format,
    groupBy,
    width: stdoutWidth(toTerminal),
    color: out === undefined && hasColors(process.stdout),
  });
  if (out === undefined) await toStdout(pieces);
  else {
    await toFile(out, pieces, ownerOnly);
    const { verdict } = report;
    console.error(`${verdictTitles[verdict.state]}: ${verdictText(verdict)}${partText(report.of, verdict.state)}\nWrote ${plain(out)}`);
  }
  if (check) process.exitCode = exitCodes[outcomes[report.verdict.state]].code;
}

/** Until a signal ends it, which is no failure. */
async function watchHere(settings: Settings<'report'>): Promise<void> {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  const { signal } = controller;
  await watch(process.stdout, {
    make: () => makeReport(settings),
    groupBy: settings.groupBy,
    color: hasColors(process.stdout),
    signal,
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  });
}

async function makeReport({ store, code: files, workspace: workspaces, owner: owners, ...settings }: Settings<'report'>): Promise<Report> {
  const findings = files.length === 0 ? undefined : await readCode(files);
  const reader = await openReader(store);
  try {
    return await buildReport(reader, { ...settings, of: { workspaces, owners }, findings, now: Date.now() });
  } finally {
    await reader.close();
  }
}
