/** A shell in a folder, in which documented commands are run and compared with what the document says they print. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { cleanEnvironment } from '../helpers/process.ts';
import { type Documented, pattern } from './document.ts';

export interface Shell {
  /** What a command prints. */
  run(command: string): Promise<string>;
  /** Runs a command of the document, and compares what it prints. */
  runs(documented: Documented): Promise<void>;
  /** The same for one that ends with a code; what npm itself has to say comes first. */
  ends(documented: Documented, how: { readonly code: number }): Promise<void>;
}

export function shellIn(folder: string): Shell {
  // Not the synchronous kind: some of what the commands call is served by this very process.
  const run = async (command: string): Promise<string> =>
    (await promisify(execFile)('bash', ['-c', command], { cwd: folder, env: cleanEnvironment() })).stdout.trim();
  return {
    run,
    async runs({ command, output }) {
      expect(await run(command), command).toMatch(pattern(output));
    },
    async ends({ command, output }, { code }) {
      expect(await run(`${command} 2>&1; echo "exit code $?"`)).toMatch(pattern(`…${output.trim()}\nexit code ${code}`));
    },
  };
}
