/** Where the report of a run goes: stdout has it alone, everything else is said on stderr. */
import { plain } from '../../text/escape.ts';
import { explain, type Line } from '../../../codemods/report/explain.ts';
import { printablePatch, withheldReasons } from '../../../codemods/report/patch.ts';
import { counted, type Report } from '../../../codemods/report/report.ts';
import { reporters } from '../../../codemods/report/reporters.ts';
import type { Settings } from '../../config/settings.ts';
import { hasColors } from '../colors.ts';
import { toFile, toStdout } from '../output.ts';

type Wanted = Pick<Settings<'migrate'>, 'diff' | 'format' | 'out'>;

/** How many files that are left out are named. */
const mostNamed = 20;

/** A patch holds code, and code may hold keys: it is for its owner alone. */
const ownerOnly = 0o600;

const summary = (report: Report): void => void process.stderr.write(reporters.text.render({ ...report, color: hasColors(process.stderr) }));

/** The exact patch into a file, or what of it may be seen to stdout. */
async function putPatch(report: Report, out: string | undefined): Promise<boolean> {
  // Loaded on demand: only a patch needs it.
  const { patchOf } = await import('../../../codemods/edit/patch.ts');
  const { changed, plan } = report.result;
  const patchFor = (files: Report['result']['changed']): string =>
    patchOf(files.map(({ file, before, after }) => ({ path: file, before, after })));
  if (out !== undefined) {
    await toFile(out, [patchFor(changed)], ownerOnly);
    return true;
  }
  const { patch, withheld, isCut } = printablePatch({
    changed,
    edits: plan.edits,
    keys: report.keys,
    isTerminal: process.stdout.isTTY,
    patchOf: (file) => patchFor([file]),
  });
  await toStdout([patch]);
  if (isCut) console.error('Lines with keys beside the changed ones are left out of the patch: apply it with git apply --unidiff-zero\n');
  if (withheld.length === 0) return true;
  const lines = withheld.slice(0, mostNamed).map(({ file, why, edits, of }) => {
    return `  ${plain(file)}${edits < of ? `, ${edits} of ${counted(of, 'edit')}` : ''}: ${withheldReasons[why]}`;
  });
  if (withheld.length > mostNamed) lines.push(`  … and ${withheld.length - mostNamed} more`);
  console.error(`Left out of the patch, which is therefore not whole, in ${counted(withheld.length, 'file')}`);
  console.error([...lines, 'Write the whole patch to a file that only you can read: --diff --out FILE', ''].join('\n'));
  return false;
}

/**
 * Puts out what a run has to say.
 * @param explained the line to explain, in place of a report
 * @returns whether all of it was put out
 * @throws ConfigError where the file of `--out` cannot be written
 */
export async function putOut(report: Report, { diff, format, out }: Wanted, explained?: Line): Promise<boolean> {
  const text = explained === undefined ? undefined : explain(report, explained);
  const isWhole = text === undefined && diff ? await putPatch(report, out) : await put(text ?? reporters[format].render(report), out);
  // Where stdout does not show the report, people still want to know how it went.
  if (text === undefined && (diff || out !== undefined)) summary(report);
  if (out !== undefined) console.error(`Wrote ${plain(out)}`);
  return isWhole;
}

async function put(text: string, out: string | undefined): Promise<true> {
  await (out === undefined ? toStdout([text]) : toFile(out, [text]));
  return true;
}
