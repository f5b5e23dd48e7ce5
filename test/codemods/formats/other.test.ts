import { describe, expect, it } from 'vitest';
import { analyseTexts, provenEnvs, readFiles } from '../../../codemods/run/analyse-texts.ts';
import { type TextFile, scripts } from '../../../codemods/formats/reader.ts';
import { run, runText } from './run.ts';

const curl = (version: string, header = 'x-api-key: k'): string => `curl -H '${header}' https://api.example.com/${version}/messages\n`;
const moved = curl('v2', 'Authorization: Bearer k');

describe('an ignore comment', () => {
  it.each([
    ['above a command', `# migrate-v2-ignore: why\n${curl('v1')}`, `# migrate-v2-ignore: why\n${curl('v1')}`],
    ['above other comments', `# migrate-v2-ignore\n\n# the old way\n${curl('v1')}`, `# migrate-v2-ignore\n\n# the old way\n${moved}`],
    [
      'at the end of a line',
      `${curl('v1').trim()} # migrate-v2-ignore: why\n${curl('v1')}`,
      `${curl('v1').trim()} # migrate-v2-ignore: why\n${moved}`,
    ],
    ['for the file', `#!/bin/sh\n# migrate-v2-ignore-file: why\n${curl('v1')}`, `#!/bin/sh\n# migrate-v2-ignore-file: why\n${curl('v1')}`],
    [
      'for the file too far down',
      `${'\n'.repeat(12)}# migrate-v2-ignore-file\n${curl('v1')}`,
      `${'\n'.repeat(12)}# migrate-v2-ignore-file\n${moved}`,
    ],
  ])('stands %s', (_where, before, after) => {
    expect(runText('shell', before).output).toBe(after);
  });

  it('is told with its reason, and with each literal', () => {
    const { findings, ledger } = runText('shell', `# migrate-v2-ignore: a comparison\n${curl('v1')}`);
    expect(findings).toMatchObject([{ code: 'ignored', line: 2, detail: { reason: 'a comparison' } }]);
    expect(ledger.map(({ state, reason }) => `${state} ${reason}`)).toEqual(['person ignored', 'person ignored']);
  });

  it('is written as the format writes comments', () => {
    const yaml = 'a: https://api.example.com/v1 # migrate-v2-ignore: x\n';
    const json = '{\n  // migrate-v2-ignore: x\n  "a": "https://api.example.com/v1"\n}';
    const http = '### a\n// migrate-v2-ignore: x\nGET https://api.example.com/v1/messages\nx-api-key: k\n';
    const markdown = `<!-- migrate-v2-ignore-file: x -->\n\n\`\`\`sh\n${curl('v1')}\`\`\`\n`;
    expect(runText('yaml', yaml).edits).toEqual([]);
    expect(runText('json', json).edits).toEqual([]);
    expect(runText('http', http).edits).toEqual([]);
    expect(runText('markdown', markdown).edits).toEqual([]);
  });

  it('binds what shares a variable with it', () => {
    const script = `B=https://api.example.com/v1\n# migrate-v2-ignore: x\ncurl -H 'x-api-key: k' $B/messages\ncurl -H 'x-api-key: k' $B/contacts\n`;
    expect(runText('shell', script)).toMatchObject({ edits: [], said: ['held-back 4', 'ignored 3'] });
  });
});

describe('an ignore comment at a variable', () => {
  it('keeps what reads it, too', () => {
    const script = `B=https://api.example.com/v1 # migrate-v2-ignore: x\ncurl -H 'x-api-key: k' $B/messages\n`;
    expect(runText('shell', script)).toMatchObject({ edits: [], said: ['held-back 2', 'ignored 1'] });
  });
});

describe('.env files', () => {
  it.each([
    ['A=https://api.example.com/v1', 'A=https://api.example.com/v2'],
    ['export A = "https://api.example.com/v1" # v1', 'export A = "https://api.example.com/v2" # v1'],
    ["A='https://api.example.com/v1/'", "A='https://api.example.com/v2/'"],
    ['A=https://api.example.com/v1#x', 'A=https://api.example.com/v2#x'],
    ['#A=https://api.example.com/v1', '#A=https://api.example.com/v1'],
    ['A=https://api.example.com/v1 https://b', 'A=https://api.example.com/v1 https://b'],
    ['A=https://user:pw@api.example.com/v1', 'A=https://user:pw@api.example.com/v1'],
    ['X_API_KEY=https', 'X_API_KEY=https'],
  ])('%s', (before, after) => {
    expect(runText('env', before).output).toBe(after);
  });

  it('say which variables hold our base, and which another host', () => {
    const { envs, otherEnvs } = runText(
      'env',
      'A=https://api.example.com/v1\nB=https://api.example.com\nC=https://other.example/v1\nD=http://localhost:3000/v1\n',
    );
    expect(envs.map(({ name, holdsVersion, value, group }) => [name, holdsVersion, value, group !== undefined])).toEqual([
      ['A', true, 'https://api.example.com/v1', true],
      ['B', false, 'https://api.example.com', false],
    ]);
    expect(otherEnvs).toEqual([{ name: 'C', host: 'other.example' }]);
  });

  it('move the version of a variable that was named, whatever host it holds', () => {
    const { output, envs } = runText('env', 'A=http://localhost:3000/v1\nB=http://localhost:3000/v1\n', { env: ['A'] });
    expect(output).toBe('A=http://localhost:3000/v2\nB=http://localhost:3000/v1\n');
    expect(envs).toMatchObject([{ name: 'A', holdsVersion: true }]);
  });
});

describe('an .http file', () => {
  it.each([
    [
      'GET https://api.example.com/v1/messages HTTP/1.1\nX-API-Key: k',
      'GET https://api.example.com/v2/messages HTTP/1.1\nAuthorization: Bearer k',
    ],
    ['https://api.example.com/v1/messages\nx-api-key:k', 'https://api.example.com/v2/messages\nAuthorization:Bearer k'],
    [
      '@b = https://api.example.com/v1\n###\nGET {{b}}/contacts\n    ?page=1\n    &limit=2\nx-api-key: k',
      '@b = https://api.example.com/v2\n###\nGET {{b}}/contacts\n    ?page=1\n    &limit=2\nAuthorization: Bearer k',
    ],
    ['GET {{$dotenv API_URL}}/messages\nx-api-key: k', 'GET {{$dotenv API_URL}}/messages\nAuthorization: Bearer k'],
    [
      'POST https://api.example.com/v1/messages/send\nx-api-key: k\n\nx-api-key: in the body',
      'POST https://api.example.com/v2/messages/send\nAuthorization: Bearer k\n\nx-api-key: in the body',
    ],
  ])('%j', (before, after) => {
    for (const eol of ['\n', '\r\n'])
      expect(runText('http', before.replaceAll('\n', eol), { env: ['API_URL'] }).output).toBe(after.replaceAll('\n', eol));
  });
});

describe('script parts', () => {
  const partsOf = (file: string, kind: TextFile['kind'], text: string) =>
    scripts({ file, kind, text }).map(({ path, text }) => [path, text]);

  it('of Vue are all its scripts, by their language', () => {
    const text = `<template><a>{{ 1 < 2 }}</a></template>\n<script>a</script>\n<script setup lang="ts">b</script>\n<script type="application/json">{}</script>\n<script src="./c.js"></script>`;
    expect(partsOf('x/A.vue', 'markup', text)).toEqual([
      ['x/A.vue#0.js', 'a'],
      ['x/A.vue#1.ts', 'b'],
    ]);
  });

  it('of Svelte are the module and the instance', () => {
    expect(
      partsOf('A.svelte', 'markup', `<script context="module">a</script>\n<script lang="ts">b</script>\n{#if a < b}<p/>{/if}`),
    ).toEqual([
      ['A.svelte#0.js', 'a'],
      ['A.svelte#1.ts', 'b'],
    ]);
  });

  it('of Astro are the frontmatter and the scripts', () => {
    expect(partsOf('a.astro', 'markup', `---\r\nconst a = '<script>';\r\n---\r\n<p/><script>b</script>`)).toEqual([
      ['a.astro#0.ts', "const a = '<script>';\r\n"],
      ['a.astro#1.ts', 'b'],
    ]);
  });

  it('of Markdown are its blocks of code', () => {
    expect(partsOf('a.md', 'markdown', '# a\n\n```ts\nb\n```\n\n- c\n\n  ~~~jsx\n  d\n  ~~~\n\n```py\ne\n```\n')).toEqual([
      ['a.md#0.ts', 'b\n'],
      ['a.md#1.jsx', '  d\n'],
    ]);
  });

  it('are looked at by others, so their literals are told there', () => {
    const text = `<script>fetch('https://api.example.com/v1/messages')</script>\n<p>x-api-key</p>`;
    expect(runText('markup', text)).toMatchObject({ edits: [], said: ['unconsumed 2'], ledger: [{ line: 2 }] });
  });
});

describe('variables across files', () => {
  const env = (url: string): TextFile => ({ file: '.env', kind: 'env', text: `API_URL=${url}\n` });
  const calls = (text: string): TextFile => ({ file: 'calls.http', kind: 'http', text });
  const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };
  const edited = (files: readonly TextFile[]): string[] =>
    analyseTexts(readFiles(files), bases).flatMap(({ edits }) => edits.map(({ file, text }) => `${file} ${text}`));

  it('are proven by the file that sets them', () => {
    expect(edited([calls('GET {{API_URL}}/messages\nx-api-key: k\n'), env('https://api.example.com/v1')])).toEqual([
      'calls.http Authorization',
      'calls.http Bearer ',
      '.env v2',
    ]);
  });

  it('are not proven by their name where another file sets them to another service', () => {
    const other: TextFile = { file: 'other/.env', kind: 'env', text: 'API_URL=https://api.vendor.example/v1\n' };
    expect(edited([calls('GET {{API_URL}}/messages\nx-api-key: k\n'), env('https://api.example.com/v1'), other])).toEqual(['.env v2']);
  });

  it('keep their readers where they stay themselves', () => {
    const ignored: TextFile = { file: '.env', kind: 'env', text: 'API_URL=https://api.example.com/v1 # migrate-v2-ignore: x\n' };
    expect(provenEnvs(readFiles([ignored]), bases)).toEqual(new Set(['API_URL']));
    expect(run(ignored).variables).toMatchObject([{ name: 'API_URL', group: undefined, needsValue: true, cause: '.env:1' }]);
  });

  it('without the version bind nobody, as they do not change', () => {
    const text = 'GET {{API_URL}}/v1/messages\nx-api-key: k\n\n###\nGET {{API_URL}}/health\n';
    expect(edited([calls(text), env('https://api.example.com')])).toEqual([
      'calls.http v2',
      'calls.http Authorization',
      'calls.http Bearer ',
    ]);
  });
});

describe('a proof', () => {
  it('leads from the call to the base and the header', () => {
    const text = `B=https://api.example.com/v1\ncurl -H "x-api-key: k" $B/messages?x=1\n`;
    const [call] = run({ file: 'a.sh', kind: 'shell', text }).calls;
    expect(call?.proof.map(({ step, start, end, text: said }) => [step, text.slice(start, end), said])).toEqual([
      ['call', 'curl -H "x-api-key: k" $B/messages?x=1', 'curl'],
      ['base', 'https://api.example.com/v1', 'https://api.example.com/v1'],
      ['path', '/messages?x=1', '/messages?x=1'],
      ['header', 'x-api-key', 'x-api-key'],
      ['key', 'k', '…'],
    ]);
  });
});
