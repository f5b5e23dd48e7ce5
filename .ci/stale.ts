import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

/** Whether a file that is made of the sources is missing, or older than one of them; a folder is younger than what was last taken out of it. */
export function isStale(file: string): boolean {
  const sources = globSync(['package.json', '{.ci,src,proxy,codemods}/**'], { cwd: root });
  return !existsSync(file) || sources.some((source) => statSync(join(root, source)).mtimeMs > statSync(file).mtimeMs);
}
