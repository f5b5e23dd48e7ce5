import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyPackages, linkTree, projectRoot } from '../helpers/build.ts';
import { cleanEnvironment, listening, start } from '../helpers/process.ts';
import { needs } from '../helpers/tools.ts';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}
interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: Instruction[];
}

/** No container engine runs everywhere; what the Dockerfile says can still be done: its steps are replayed in empty folders. */
function readStages(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM')
      stages.push({ from: rest.split(' ')[0] ?? '', name: /\bAS (\S+)/.exec(rest)?.[1] ?? String(stages.length), instructions: [] });
    else if (name !== '') stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** Where the packages are: links to them cost next to nothing there. */
const beside = [tmpdir(), '/tmp', '/var/tmp'].find(
  (path) => statSync(path, { throwIfNoEntry: false })?.dev === statSync(join(projectRoot, 'node_modules/undici')).dev,
);
const root = mkdtempSync(join(beside ?? tmpdir(), 'migrate-v2-docker-'));
const stages = readStages(readFileSync(join(projectRoot, 'Dockerfile'), 'utf8'));
const last = stages.at(-1);
const values = (name: string): string[] => last?.instructions.flatMap((each) => (each.name === name ? [each.rest] : [])) ?? [];
const environment = Object.fromEntries(values('ENV').map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));

function replay(stage: Stage): void {
  const at = (path: string): string => join(root, stage.name, path);
  let workdir = '/';
  for (const { name, rest } of stage.instructions) {
    if (name === 'WORKDIR') workdir = rest;
    mkdirSync(at(workdir), { recursive: true });
    if (name === 'COPY') copy(rest, (path) => (path.startsWith('/') ? at(path) : join(at(workdir), path)));
    if (name === 'RUN') runIn(at(workdir), rest);
  }
}

function runIn(cwd: string, command: string): void {
  // Whoever runs the tests has installed what the lock file says: that it would be installed here too is seen without doing so.
  const installs = command.startsWith('npm ci ');
  execFileSync('bash', ['-euo', 'pipefail', '-c', `${command}${installs ? ' --dry-run' : ''}`], {
    cwd,
    env: cleanEnvironment(),
    stdio: 'pipe',
  });
  if (installs) copyPackages(cwd);
}

function copy(rest: string, target: (path: string) => string): void {
  const [flags, words] = [
    rest.split(' ').filter((word) => word.startsWith('--')),
    rest.split(' ').filter((word) => !word.startsWith('--')),
  ];
  const stage = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length);
  const to = words.pop() ?? '.';
  for (const word of words) {
    const from = stage === undefined ? join(projectRoot, word) : join(root, stage, word);
    // COPY puts a folder's content, but a file itself, into the target.
    if (statSync(from).isDirectory()) linkTree(from, target(to));
    else copyFileSync(from, to.endsWith('/') ? join(target(to), basename(word)) : target(to));
  }
}

describe('the Dockerfile', needs('bash'), () => {
  beforeAll(() => stages.forEach(replay), 300_000);
  afterAll(() => rmSync(root, { recursive: true }));

  it('has several stages on the slim image of the pinned Node', () => {
    expect(stages.map(({ from }) => from)).toEqual(['node:24-slim', 'node:24-slim']);
  });

  it('runs as a user that is not root', () => {
    expect(values('USER')).toEqual(['node']);
  });

  it('carries production dependencies only', () => {
    const app = join(root, last?.name ?? '', 'app');
    expect(() => statSync(join(app, 'node_modules/undici'))).not.toThrow();
    for (const name of ['vitest', 'typescript', 'node']) expect(() => statSync(join(app, 'node_modules', name))).toThrow('ENOENT');
  });

  it('needs no script of a production dependency, of which its build runs none', () => {
    const { packages }: { packages: Record<string, Record<string, unknown>> } = JSON.parse(
      readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'),
    );
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter(([name, { dev }]) => name !== '' && dev !== true)).toEqual([]);
  });

  it('listens on every interface inside the container', () => {
    expect(environment).toMatchObject({ MIGRATE_V2_LISTEN: '0.0.0.0:8080', MIGRATE_V2_ADMIN: '0.0.0.0:8081' });
  });

  it('starts with its CMD and is found healthy by its HEALTHCHECK', async () => {
    const [command = '', ...args]: string[] = JSON.parse(values('CMD')[0] ?? '[]');
    const store = join(root, last?.name ?? '', environment['MIGRATE_V2_STORE'] ?? '');
    const ports = { MIGRATE_V2_LISTEN: '127.0.0.1:0', MIGRATE_V2_ADMIN: '127.0.0.1:0', MIGRATE_V2_SANDBOX: 'true' };
    await using proxy = start(command, args, {
      cwd: join(root, last?.name ?? '', 'app'),
      env: { ...environment, ...ports, MIGRATE_V2_STORE: store },
    });
    const { url, adminUrl } = await listening(proxy);
    expect((await fetch(`${url}/v1/messages`)).status).toBe(401);
    const check: string[] = JSON.parse(/CMD (\[.*\])$/.exec(values('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]');
    const script = check[2]?.replace('127.0.0.1:8081', new URL(adminUrl).host) ?? '';
    expect(script).toContain(adminUrl);
    execFileSync(check[0] ?? '', [check[1] ?? '', script], { env: cleanEnvironment() });
    expect(await proxy.stop()).toBe(0);
    expect(statSync(store).isFile()).toBe(true);
    expect(() => execFileSync(check[0] ?? '', [check[1] ?? '', script], { env: cleanEnvironment(), stdio: 'pipe' })).toThrow(
      'Command failed',
    );
  });
});
