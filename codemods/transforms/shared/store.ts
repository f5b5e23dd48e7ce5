/**
 * One plan for all processes of a run. jscodeshift gives each of its processes some of the files: a process that planned while another
 * already writes would see half of a migration. So nobody writes before there is a plan, and all take the same one.
 */
import { createHash } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemCode } from '../../find/errors.ts';
import { isCurrent, planFor, type RunnerPlan } from './plan.ts';
import type { Settings } from './settings.ts';

/** Another version may plan otherwise. */
const edition = (): readonly unknown[] => {
  const manifest = findPackageJSON(pathToFileURL(import.meta.filename));
  return [manifest === undefined ? '' : readFileSync(manifest, 'utf8'), statSync(import.meta.filename).mtimeMs];
};
/** Milliseconds between two looks at whether another process is done. */
const pace = 25;

/**
 * The plan of a run: that of the process which came first.
 * @throws MigrateError, and Error where another user's files are in the way
 */
export async function planOf(settings: Settings): Promise<RunnerPlan> {
  const name = join(
    folder(),
    createHash('sha256')
      .update(JSON.stringify([...edition(), settings]))
      .digest('hex'),
  );
  for (;;) {
    const known = read(`${name}.json`, settings);
    if (known !== undefined) return known;
    if (lock(`${name}.lock`)) {
      try {
        // Between the look and the lock another one may have been done.
        const plan = read(`${name}.json`, settings) ?? (await planFor(settings));
        writeFileSync(`${name}.new`, JSON.stringify(plan));
        renameSync(`${name}.new`, `${name}.json`);
        return plan;
      } finally {
        rmSync(`${name}.lock`);
      }
    }
    await setTimeout(pace);
  }
}

/** This user's alone: whoever can write here decides what is put into code. */
function folder(): string {
  const path = join(tmpdir(), `migrate-v2-${process.getuid?.() ?? 'plans'}`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(path);
  const isOwn = lstatSync(path).isDirectory() && (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0));
  if (!isOwn) throw new Error(`${path} has to be a folder that you alone can write to`);
  return path;
}

function read(path: string, settings: Settings): RunnerPlan | undefined {
  try {
    // Written by this file, into a folder that is nobody else's.
    const plan: RunnerPlan = JSON.parse(readFileSync(path, 'utf8'));
    return isCurrent(plan, settings) ? plan : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns whether this process has it now; that of a process which is no more is taken away */
function lock(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx');
    writeFileSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    if (!isHeld(path)) rmSync(path, { force: true });
    return false;
  }
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // An empty one is just being written.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM' || systemCode(error) === 'ENOENT';
  }
}
