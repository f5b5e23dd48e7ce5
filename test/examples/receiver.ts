/** Runs examples/webhook-receiver as people run it: as a process of its own. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { linkBundle, projectRoot } from '../helpers/build.ts';
import { type Running, start, untidy } from '../helpers/process.ts';

const root = mkdtempSync(join(tmpdir(), 'migrate-v2-receiver-'));
// Not after the tests of one file: files share what they import.
process.on('exit', () => rmSync(root, { recursive: true }));

linkBundle(root);
copyFileSync(join(projectRoot, 'examples/webhook-receiver/receiver.js'), join(root, 'receiver.js'));

/** A folder to run it in, where it keeps its database. */
export const emptyFolder = (): string => mkdtempSync(join(root, 'run-'));

/** The process, whatever becomes of it. */
export const runReceiver = (cwd: string, env: Record<string, string>): Running =>
  start(process.execPath, [untidy, join(root, 'receiver.js')], { cwd, env });

export interface Receiver extends AsyncDisposable {
  readonly running: Running;
  readonly url: string;
  readonly folder: string;
  /** The lines about events, up to the first that matches. */
  linesTo(last: RegExp): Promise<readonly string[]>;
  /** What the example's own work has written. */
  inbox(): readonly unknown[];
}

/** A receiver that listens, on a free port. */
export async function startReceiver(secret: string, folder = emptyFolder()): Promise<Receiver> {
  const running = runReceiver(folder, { WEBHOOK_SECRET: secret, PORT: '0' });
  const [, url = ''] = /^listening on (http:.*)$/.exec(await running.line(/^listening/)) ?? [];
  return {
    running,
    url,
    folder,
    async linesTo(last) {
      const line = await running.line(last);
      return running.stdout.slice(1, running.stdout.indexOf(line) + 1);
    },
    inbox() {
      using db = new DatabaseSync(join(folder, 'events.sqlite'), { readOnly: true });
      return db.prepare('SELECT sender, text FROM inbox').all();
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
