import { describe, expect, test } from 'vitest';
import { kindOf, kindOfText } from '../../../codemods/find/kinds.ts';
import { temporaryName } from '../../../codemods/find/files/temporary.ts';

describe('kindOf tells what a file is by its name', () => {
  test.each([
    [
      'script',
      ['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx', 'a.test.ts', 'A.TS', 'Code.gs', '.eslintrc.js', 'schema.d.ts'],
    ],
    ['markup', ['App.vue', 'App.svelte', 'index.astro']],
    [
      'env',
      [
        '.env',
        '.env.local',
        '.env.production.local',
        'staging.env',
        '.env.example',
        '.env-sample',
        '.env_prod',
        'env.example',
        'env.template',
      ],
    ],
    ['json', ['package.json', '.env-cmdrc.json', 'a.postman_collection.json', 'tsconfig.jsonc']],
    ['yaml', ['a.yml', 'docker-compose.yaml']],
    ['toml', ['wrangler.toml']],
    ['http', ['calls.http', 'calls.rest']],
    [
      'shell',
      [
        'a.sh',
        'a.bash',
        'a.zsh',
        'Dockerfile',
        'Dockerfile.dev',
        'web.dockerfile',
        'Makefile',
        'makefile',
        'justfile',
        '.justfile',
        'ci.just',
        '.envrc',
      ],
    ],
    ['commands', ['crontab', 'crontab.txt', 'app.cron', 'Procfile', 'Procfile.dev']],
    ['pipeline', ['Jenkinsfile', 'Jenkinsfile.groovy', 'Jenkinsfile-nightly', 'deploy.jenkinsfile']],
    ['markdown', ['README.md', 'guide.mdx']],
    ['bare', ['deploy', 'LICENSE']],
    [
      'other',
      [
        'a.py',
        'a.PS1',
        'main.tf',
        'nginx.conf',
        'Caddyfile',
        'crontab.py',
        'Procfile.erb',
        'values.yaml.gotmpl',
        'alerts.rules',
        'a.constructor',
      ],
    ],
    [
      'plain',
      [
        'notes.txt',
        'guide.rst',
        'rows.csv',
        'seed.sql',
        'a.ipynb',
        'config.json5',
        'rows.jsonl',
        'schema.graphql',
        '.npmrc',
        '.env-cmdrc',
        'api.mdc',
        '.cursorrules',
      ],
    ],
    [
      undefined,
      [
        'a.png',
        'a.css',
        'access.log',
        '.gitignore',
        '.rules',
        '.git',
        '.migrate-v2.journal',
        'package-lock.json',
        'pnpm-lock.yaml',
        'a.js.map',
      ],
    ],
  ] as const)('%s', (kind, names) => {
    expect(names.map((name) => kindOf(name))).toEqual(names.map(() => kind));
  });

  test('what a killed run left behind is nothing to look at, whatever it was to become', () => {
    expect(['a.ts', '.env', 'Makefile', '名前'].map((name) => kindOf(temporaryName(name)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['shell', '#!/bin/sh\necho'],
  ['shell', '#!/usr/bin/env -S bash -e\n'],
  ['script', '#!/usr/bin/env node\n'],
  ['script', '#!/usr/bin/env -S deno run\n'],
  ['other', '#!/usr/bin/python3\n# sh'],
  ['env', '# of systemd\nA=1\n\nexport B="2"\n'],
  ['commands', '# m h dom mon dow\nA=1\n*/5 8-17 * * mon-fri curl x\n@daily app curl y\n'],
  ['plain', 'echo sh'],
  ['plain', 'A=1\n2 apples and 3 pears are on the table\n'],
  ['plain', '# nothing else\n'],
])('a file without an extension is %s by what it says, %j', (kind, head) => {
  expect(kindOfText('bare', head)).toBe(kind);
});

test.each([
  ['nginx', 'server {\n  location /api/ {\n    proxy_pass https://api.example.com;\n  }\n}\n'],
  ['other', 'server {\n  location /api/ {\n    proxy_pass {{ messaging_url }};\n  }\n}\n'],
  ['other', 'location /api/ {\n  proxy_pass <%= @url %>;\n}\n'],
  ['other', 'ProxyPass /api/ https://api.example.com/\n'],
])('the configuration of a server is %s by what it says, %j', (kind, text) => {
  expect(kindOfText('other', text)).toBe(kind);
});

test('a temporary name fits where the name itself did', () => {
  const names = ['x'.repeat(255), '名'.repeat(85), '😀'.repeat(63)];
  expect(names.map((name) => Buffer.byteLength(temporaryName(name)) <= 255)).toEqual([true, true, true]);
});
