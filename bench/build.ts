/** Builds dist/ where it is missing or older than what it is built from. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isStale } from '../.ci/stale.ts';
import { root } from './processes.ts';

/** The command users run, from the build. */
export const bin = join(root, 'dist/src/cli/bin.js');

export function buildIfStale(): void {
  if (!isStale(bin)) return;
  console.error('dist/ is missing or older than the sources: building');
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error('the build failed: run npm run build, or leave migrate-v2 out with --only');
  if (!existsSync(bin)) throw new Error(`the build made no ${bin}`);
}
