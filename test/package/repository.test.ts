/** What the project's host does with the repository: workflows, updates, reviews and releases. Nothing of it runs here, so it is looked at closely. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../helpers/build.ts';
import { needs } from '../helpers/tools.ts';
import { pinnedAction, workflowErrors } from '../helpers/workflows.ts';

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot }).map((name) => [name, read(name)] as const);

interface Job {
  readonly needs?: readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}
const jobsOf = (name: string): Readonly<Record<string, Job>> => parse(read(name)).jobs;

describe('the workflows', () => {
  it.each(workflows)('%s is one as GitHub reads it', async (name, content) => {
    expect(await workflowErrors(name, content)).toEqual([]);
    expect(await workflowErrors(name, content.replace('runs-on', 'run-on'))).not.toEqual([]);
  });

  it.each(workflows)('%s names every action by its commit, with the version that it is', (_name, content) => {
    for (const [, action = ''] of content.matchAll(/uses: (.*)/g)) expect(action).toMatch(pinnedAction);
  });

  it('give the jobs of a release no more than each needs, and begin none before all is checked', () => {
    const { notes, check, npm, image, release } = jobsOf('.github/workflows/release.yml');
    expect([npm?.needs, image?.needs, release?.needs]).toEqual([
      ['notes', 'check'],
      ['notes', 'check'],
      ['npm', 'image'],
    ]);
    const writing = (job?: Job): string[] =>
      Object.entries(job?.permissions ?? {}).flatMap(([what, how]) => (how === 'write' ? [what] : []));
    expect([notes, check, npm, image, release].map(writing)).toEqual([
      [],
      [],
      ['id-token'],
      ['packages', 'id-token', 'attestations'],
      ['contents'],
    ]);
  });

  it('check what .ci/run checks', () => {
    const commands = jobsOf('.github/workflows/ci.yml')['test']?.steps?.flatMap(({ run }) => run ?? []) ?? [];
    expect(commands.slice(0, 2)).toEqual(['npm ci', 'npm run check']);
    for (const command of commands.slice(0, 2)) expect(read('.ci/run')).toContain(`\n${command}`);
  });
});

describe('updates and reviews', () => {
  it('are looked for where their manifests are', () => {
    const manifests = {
      npm: 'package-lock.json',
      'github-actions': '.github/workflows/ci.yml',
      docker: 'Dockerfile',
      'docker-compose': 'compose.yaml',
    };
    const { version, updates } = parse(read('.github/dependabot.yml'));
    expect(version).toBe(2);
    expect(updates.map((update: Record<string, unknown>) => update['package-ecosystem'])).toEqual(Object.keys(manifests));
    for (const { directory, schedule, ...update } of updates) {
      const manifest = manifests[update['package-ecosystem'] as keyof typeof manifests];
      expect(existsSync(join(projectRoot, directory, manifest)), manifest).toBe(true);
      expect(['daily', 'weekly', 'monthly']).toContain(schedule.interval);
      // An area, as all subjects of commits begin with; the colon is added.
      expect(update['commit-message'].prefix).toMatch(/^\w+$/);
    }
  });

  it('have somebody for every file', () => {
    const owned = read('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(owned[0]).toMatch(/^\*\s+@/);
    for (const line of owned) {
      const [pattern = '', ...owners] = line.split(/\s+/);
      expect(pattern === '*' || existsSync(join(projectRoot, pattern)), pattern).toBe(true);
      expect(owners.length).toBeGreaterThan(0);
      for (const owner of owners) expect(owner).toMatch(/^@[\w-]+(?:\/[\w-]+)?$/);
    }
  });

  it('name one repository, as package.json does', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json'));
    const [, address = ''] = /^git\+(.*)\.git$/.exec(repository.url) ?? [];
    expect([homepage, bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
    for (const name of ['CHANGELOG.md', 'SECURITY.md'])
      for (const [found] of read(name).matchAll(/https:\/\/github\.com\/[\w-]+\/[\w-]+/g)) expect(found, name).toBe(address);
  });
});

describe('the changelog', () => {
  /** What a release of this tag would say. */
  const notesOf = (tag: string, changelog: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-release-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    const { status, stdout, stderr } = spawnSync(join(projectRoot, '.ci/release-notes'), [tag], { cwd: folder, encoding: 'utf8' });
    return [status, stdout, stderr];
  };
  const changelog =
    '# Changelog\n\n## [1.2.3] - 2026-12-01\n\n### Added\n\n- a\n\n## [1.2.2] - 2026-11-01\n\n- b\n\n[1.2.3]: https://x.example\n';

  it('has versions from the newest on, and kinds of changes, as Keep a Changelog names them', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^##+ .*$/gm)].map(([heading]) => heading);
    expect(headings[0]).toBe('## [Unreleased]');
    for (const heading of headings.slice(1))
      expect(heading).toMatch(/^(?:## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d|### (?:Added|Changed|Deprecated|Removed|Fixed|Security))$/);
  });

  it('gives a release what it says of that version, and no more', needs('bash'), () => {
    expect(notesOf('v1.2.3', changelog)).toEqual([0, '### Added\n\n- a\n', '']);
    expect(notesOf('v1.2.3', changelog.replace(/## \[1\.2\.2\][^[]*/, ''))).toEqual([0, '### Added\n\n- a\n', '']);
  });

  it('stops a release of another version, and one that it says nothing of', needs('bash'), () => {
    expect(notesOf('v1.2.4', changelog)).toEqual([1, '', 'The tag is v1.2.4, and package.json has 1.2.3: give both the same version\n']);
    expect(notesOf('v1.2.3', changelog.replace(' - 2026-12-01', ''))).toEqual([1, '', expect.stringContaining('no section [1.2.3]')]);
  });
});
