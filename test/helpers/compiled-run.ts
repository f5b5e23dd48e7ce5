/** Before a whole run: what processes of tests compiled is kept for the next, up to a bound. Modules of temporary folders are kept too, and nobody asks for them again. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

/** Files: several times what one run asks for, some 300 MB. */
const most = 60_000;

export default function setup({ config }: TestProject): void {
  const folder = config.env['NODE_COMPILE_CACHE'];
  if (folder !== undefined) dropWhereMuch(folder, most);
}

/** Removes a folder in which more files than so many have gathered. */
export function dropWhereMuch(folder: string, many: number): void {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (files.length > many) rmSync(folder, { recursive: true });
}
