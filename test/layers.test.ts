import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from './helpers/build.ts';

/** The rooms of the codemods, the lowest first, as their map has them. */
const [, line = ''] = /the lowest first: `([^`]+)`/.exec(readFileSync(join(projectRoot, 'codemods/README.md'), 'utf8')) ?? [];
const rooms = line.split(/\s+/).filter((room) => room !== 'migrate.ts');
/** The rooms of the sandbox, the lowest first. */
const sandboxRooms = 'values clock store service webhooks faults http api dashboard instance control'.split(' ');

const refused = [
  ['src/contract/a.ts', '../config/load.ts'],
  ['src/contract/a.ts', 'zod'],
  ['src/contract/a.ts', 'node:fs'],
  ['src/contract/questions/a.ts', '../../config/load.ts'],
  ['src/openapi/a.ts', '../config/load.ts'],
  ['src/openapi/a.ts', 'zod'],
  ['src/config/a.ts', '../sandbox/sandbox.ts'],
  ['src/usage/a.ts', '../../proxy/call.ts'],
  ['src/rollout/a.ts', '../../proxy/call.ts'],
  ['src/budget/a.ts', '../../proxy/call.ts'],
  ['src/text/a.ts', '../config/load.ts'],
  ['src/text/a.ts', 'string-width'],
  ['src/webhooks/a.ts', '../config/load.ts'],
  ['src/webhooks/a.ts', '../sandbox/sandbox.ts'],
  ['src/webhooks/a.ts', '../../proxy/call.ts'],
  ['src/webhooks/a.ts', 'zod'],
  ['src/sandbox/http/a.ts', '../../../proxy/route.ts'],
  ['src/sandbox/a.ts', '../webhooks/verify.ts'],
  ['src/sandbox/webhooks/a.ts', '../../webhooks/verify.ts'],
  ['src/sandbox/a.ts', '../cli/main.ts'],
  ['src/report/a.ts', '../../proxy/call.ts'],
  ['src/report/formats/a.ts', '../../cli/main.ts'],
  ['proxy/a.ts', '../src/report/model.ts'],
  ['proxy/errors/a.ts', '../../src/sandbox/sandbox.ts'],
  ['proxy/a.ts', '../src/index.ts'],
  ['codemods/verdict/a.ts', '../../src/sandbox/sandbox.ts'],
  ['codemods/a.ts', '../proxy/route.ts'],
  ['codemods/report/a.ts', '../../src/cli/main.ts'],
  ['codemods/evaluate/a.ts', 'ts-morph'],
  ['codemods/clients/a.ts', 'jscodeshift'],
  ['codemods/engines/typescript/a.ts', '../../component/analyse.ts'],
  ...rooms.slice(0, -1).map((room, at) => [`codemods/${room}/a.ts`, `../${rooms[at + 1]}/b.ts`] as const),
  ...rooms.slice(0, -1).map((room) => [`codemods/${room}/a.ts`, '../migrate.ts'] as const),
  ...sandboxRooms.slice(0, -1).map((room, at) => [`src/sandbox/${room}/a.ts`, `../${sandboxRooms[at + 1]}/b.ts`] as const),
  ...sandboxRooms.map((room) => [`src/sandbox/${room}/a.ts`, '../sandbox.ts'] as const),
  ['proxy/a.ts', '../codemods/migrate.ts'],
  ['src/sandbox/a.ts', '../../codemods/migrate.ts'],
] as const;

const allowed = [
  ['src/contract/a.ts', './dates.ts'],
  ['src/contract/questions/a.ts', '../dates.ts'],
  ['src/openapi/a.ts', '../contract/dates.ts'],
  ['src/config/a.ts', '../contract/dates.ts'],
  ['src/text/a.ts', 'node:util'],
  ['src/webhooks/a.ts', './error.ts'],
  ['src/webhooks/a.ts', '../contract/events.ts'],
  ['src/webhooks/a.ts', 'node:crypto'],
  ['src/report/a.ts', '../usage/model.ts'],
  ['src/sandbox/a.ts', '../contract/dates.ts'],
  ['src/sandbox/a.ts', './webhooks/deliveries.ts'],
  ...sandboxRooms.slice(1).map((room, at) => [`src/sandbox/${room}/a.ts`, `../${sandboxRooms[at]}/b.ts`] as const),
  ['proxy/a.ts', '../src/usage/deprecated-use.ts'],
  ['src/cli/a.ts', '../../proxy/server.ts'],
  ['src/cli/a.ts', '../../codemods/migrate.ts'],
  ['codemods/evaluate/a.ts', '../find/variants.ts'],
  ['codemods/clients/a.ts', '../../src/contract/endpoints.ts'],
  ...rooms.slice(3).map((room, at) => [`codemods/${room}/a.ts`, `../${rooms[at + 2]}/b.ts`] as const),
  ['codemods/engines/typescript/a.ts', 'ts-morph'],
  ['codemods/engines/a.ts', '../syntax/tree.ts'],
] as const;

/** Folders in which no file may need, by way of others, itself: not even for a type. */
const withoutCircles = ['proxy', 'src/contract', 'src/openapi', 'src/sandbox', 'src/report'];

/** Which of the imports the linter refuses: each stands in a file of its own, and one run looks at all. */
function lint(imports: readonly (readonly [file: string, specifier: string])[]): {
  readonly refused: boolean[];
  readonly circles: string[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-layers-'));
  cpSync(join(projectRoot, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const files = imports.map(([file, specifier], i) => {
    const path = file.replace(/a\.ts$/, `a${i}.ts`);
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `import { it } from '${specifier}';\n\nexport const found = it;\n`);
    return path;
  });
  for (const place of withoutCircles) {
    writeFileSync(join(folder, place, 'one.ts'), `import type { Two } from './two.ts';\n\nexport type One = Two | 1;\n`);
    writeFileSync(join(folder, place, 'two.ts'), `import type { One } from './one.ts';\n\nexport type Two = One | 2;\n`);
  }
  const { stdout } = spawnSync(join(projectRoot, 'node_modules/.bin/oxlint'), ['--format', 'json'], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { diagnostics }: { diagnostics: readonly { readonly code: string; readonly filename: string }[] } = JSON.parse(stdout);
  const found = (rule: string): Set<string> =>
    new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename));
  const restricted = found('no-restricted-imports');
  return { refused: files.map((file) => restricted.has(file)), circles: [...found('no-cycle')].map((file) => dirname(file)) };
}

describe('the layers', () => {
  const { refused: answers, circles } = lint([...refused, ...allowed]);

  it.each(refused.map((row, i) => [...row, i] as const))('do not let %s import %s', (_file, _specifier, i) => {
    expect(answers[i]).toBe(true);
  });

  it.each(allowed.map((row, i) => [...row, refused.length + i] as const))('let %s import %s', (_file, _specifier, i) => {
    expect(answers[i]).toBe(false);
  });

  it.each(withoutCircles)('let no files of %s import each other, not even for a type', (place) => {
    expect(circles.filter((found) => found === place)).toHaveLength(2);
  });
});
