/** Before a whole run: what processes of tests compiled is kept for the next, up to a bound. Modules of temporary folders are kept too, and nobody asks for them again. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

/** Files: several times what one run asks for, some 300 MB. */
const most = 60_000;

export default function setup({ config }: TestProject): void {
  const folder = config.env['NODE_COMPILE_CACHE'];
  if (folder !== undefined) dropWhereMuch(folder, most);
}

/**
 * Removes a folder in which more files than so many have gathered; what another run writes there meanwhile stays.
 * @param remove what is then no longer found under the folder's name
 */
export function dropWhereMuch(
  folder: string,
  many: number,
  remove = (dropped: string): void => rmSync(dropped, { recursive: true }),
): void {
  // A folder to which others write cannot be removed at once, and need not be empty in the end. Under another name, nobody writes to it.
  const dropped = `${folder}-${process.pid}`;
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    if (files.length <= many) return;
    renameSync(folder, dropped);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // There is none, or another run has done so.
    return;
  }
  remove(dropped);
}
