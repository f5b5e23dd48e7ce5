/** Runs what it shows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');
/** Neither takes a detour over npx, which would look for them. */
const programs: Readonly<Record<string, string>> = {
  'migrate-v2': join(project, 'src/cli/bin.ts'),
  vitest: join(project, 'node_modules/vitest/vitest.mjs'),
};

/** The tour has settings of its own: those in the environment of who goes it would lead elsewhere. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MIGRATE_V2_')));

/**
 * Shows a command and runs it, with its output.
 * @param command `NAME=value… npx program arguments…`, without quotes
 * @param expected the exit code that it has to end with
 * @throws where it ends otherwise
 */
export async function run(command: string, expected: number): Promise<void> {
  console.log(`\n   $ ${command}\n`);
  const [before = '', after = ''] = command.split('npx ');
  const [name = '', ...args] = after.split(' ');
  const variables = Object.fromEntries([...before.matchAll(/(\w+)=(\S+)/g)].map(([, variable, value]) => [variable, value]));
  const child = spawn(process.execPath, [programs[name] ?? name, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...environment, ...variables },
  });
  const [code, signal]: unknown[] = await once(child, 'close');
  console.log(`\n   Exit code ${code ?? signal}`);
  if (code !== expected) throw new Error(`This ended with ${signal ?? code}, and not with ${expected} as it should: ${command}`);
}
