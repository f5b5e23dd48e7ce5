/** Which modules a process loaded: written to a file at its end by hooks that are loaded before anything else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceBin } from '../../helpers/build.ts';
import { type Ended, run } from '../run.ts';
import type { Workspace } from './workspace.ts';

const hooks = `
const { registerHooks } = require('node:module');
const { writeFileSync } = require('node:fs');
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.LOADED_FILE, JSON.stringify(loaded)));
`;

/** Runs a command line and gives the URLs of all modules that it loaded. */
export async function loadedBy({ cwd }: Workspace, args: readonly string[]): Promise<Ended & { readonly loaded: readonly string[] }> {
  const hooksFile = join(cwd, 'hooks.cjs');
  const loadedFile = join(cwd, 'loaded.json');
  writeFileSync(hooksFile, hooks);
  const ended = await run(args, {
    file: sourceBin,
    cwd,
    env: { NODE_OPTIONS: `--require ${JSON.stringify(hooksFile)}`, LOADED_FILE: loadedFile },
  });
  return { ...ended, loaded: JSON.parse(readFileSync(loadedFile, 'utf8')) };
}
