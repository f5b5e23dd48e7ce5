/** The stock runner, on projects in temp folders. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectRoot } from '../../helpers/build.ts';
import { cleanEnvironment, untidy } from '../../helpers/process.ts';

export const base = 'https://api.example.com';

/** A project with these files, gone after the test. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'transforms-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export interface Ran {
  readonly output: string;
  /** As jscodeshift counts files: `{ ok: 2, skipped: 1, … }`. */
  readonly files: Readonly<Record<string, number>>;
}

interface How {
  /** In place of `--v1Base` with the usual base. */
  readonly options?: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const usual = [`--v1Base=${base}`];
/** Without jscodeshift's Babel, which takes a while to load into each of its processes, for tests of what it does not decide. */
export const noBabel = ['--no-babel'];
/** The same, without jscodeshift's process for the work. */
export const inBand = ['--run-in-band', ...noBabel];

/** `jscodeshift -t …/all.js <options> <args>`, run within the folder. */
export async function jscodeshift(cwd: string, args: readonly string[], { options = usual, input = '', env = {} }: How = {}): Promise<Ran> {
  const runner = join(projectRoot, 'node_modules/jscodeshift/bin/jscodeshift.js');
  const file = join(projectRoot, '.bundle/codemods/transforms/all.js');
  // The plans of this run are its own, and gone with it.
  const plans = mkdtempSync(join(tmpdir(), 'plans-'));
  const child = spawn(process.execPath, [untidy, runner, '-t', file, ...options, ...args], {
    cwd,
    env: { ...cleanEnvironment(), TMPDIR: plans, TEMP: plans, NO_COLOR: '1', ...env },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(input);
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(plans, { recursive: true });
  const counts = [...output.matchAll(/^(\d+) (errors|unmodified|skipped|ok)$/gm)];
  return { output, files: Object.fromEntries(counts.map(([, count, name = '']) => [name, Number(count)])) };
}
