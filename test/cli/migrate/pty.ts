/** The command line in a terminal: `script` of util-linux gives it one. */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { bin } from '../../helpers/build.ts';
import { cleanEnvironment, untidy } from '../../helpers/process.ts';

/** Named here, as checks of dependencies take it for one where a process is started. */
const program: string = 'script';

export interface Answer {
  /** What is waited for on the screen, behind what was answered before. */
  readonly on: RegExp;
  /** The keys that are then pressed. */
  readonly press: string;
}

export const keys = { enter: '\r', space: ' ', down: '\u001b[B', interrupt: '\u0003' } as const;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Starts a command line in a terminal, which is gone once the process that this gives is killed. */
export function startInTerminal(cwd: string, args: readonly string[]) {
  // A terminal of no width would break every line after each letter.
  const command = `stty cols 120 rows 50; exec ${[process.execPath, untidy, bin, ...args].map(quoted).join(' ')}`;
  return spawn(program, ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd,
    env: cleanEnvironment({ TERM: 'xterm', NO_COLOR: '1' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** Runs a command line in a terminal and answers its questions; gives everything that the screen showed. */
export function runInTerminal(
  cwd: string,
  args: readonly string[],
  answers: readonly Answer[],
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const child = startInTerminal(cwd, args);
  const left = [...answers];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [next] = left;
    const found = next?.on.exec(stripVTControlCharacters(screen.slice(seen)));
    if (!next || !found) return;
    left.shift();
    seen = screen.length;
    child.stdin.write(next.press);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (left.length > 0) reject(new Error(`never asked ${left[0]?.on}:\n${screen}`));
      else resolve({ code, screen: stripVTControlCharacters(screen).replaceAll('\r\n', '\n') });
    });
  });
}
