/** Builds dist/ where it is missing or older than what it is built from. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';

/** The command users run, from the build. */
export const bin = join(root, 'dist/src/cli/bin.js');

export function buildIfStale(): void {
  const sources = ['src', 'proxy', 'codemods'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
  );
  const newest = Math.max(...[...sources, join(root, 'package.json'), join(root, '.ci/build.ts')].map((file) => statSync(file).mtimeMs));
  if (existsSync(bin) && statSync(bin).mtimeMs >= newest) return;
  console.error('dist/ is missing or older than the sources: building');
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error('the build failed: run npm run build, or leave migrate-v2 out with --only');
  if (!existsSync(bin)) throw new Error(`the build made no ${bin}`);
}
