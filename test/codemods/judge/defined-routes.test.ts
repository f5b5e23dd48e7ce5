import { describe, expect, test } from 'vitest';
import { answeredBy } from '../../../codemods/judge/defined-routes.ts';

/** Whether the server of a project answers the path that its pages ask. */
function answers(path: string, texts: Readonly<Record<string, string>>): boolean {
  const all: Readonly<Record<string, string>> = { 'package.json': '{"dependencies":{"express":"5"}}', ...texts };
  const files = Object.keys(all).map((file) => ({ path: file, kind: 'script' as const }));
  return answeredBy(files, (file) => all[file] ?? '')?.(path) === true;
}

const server = (text: string): Record<string, string> => ({
  'server.js': `import express from 'express';\nconst app = express();\n${text}\n`,
});
const defined = `app.get('/api/v1/contacts', list);\n`;

describe('a server answers', () => {
  test.for([
    ['what it defines as a whole', `app.post('/api/v1/messages/send', send);`, '/api/v1/messages/send'],
    [
      'what it defines in pieces',
      `app.use('/api/v1', api); api.use('/contacts', contacts); const api = express.Router();`,
      '/api/v1/contacts/0',
    ],
    ['also where it logs what it is asked', `${defined}app.use((req) => console.log(req.method, req.originalUrl));`, '/api/v1/contacts'],
    [
      'also where it looks at what it is asked',
      `${defined}app.use((req) => req.path.startsWith('/api') && req.url !== '/x');`,
      '/api/v1/contacts',
    ],
    ['also behind a proxy that it trusts', `${defined}app.set('trust proxy', 1);`, '/api/v1/contacts'],
  ] as const)('%s', ([, text, path]) => expect(answers(path, server(text))).toBe(true));
});

describe('it is not told who answers', () => {
  test.for([
    ['where it hands on the address as an argument', `const answer = (req) => fetch(new URL(req.url, process.env.CRM));`],
    ['where it hands on the address as a setting', `const answer = (req) => crm.request({ url: req.originalUrl });`],
    ['where it hands on an address that it takes out', `const answer = ({ originalUrl }) => crm.get(originalUrl);`],
    [
      'where it hands on an address that it takes out later',
      `const answer = (req) => {\n  const { url } = req;\n  return crm.get(url);\n};`,
    ],
    ['where a package hands on', `import proxy from 'koa-proxies';\napp.use(proxy('/api', { target: process.env.CRM }));`],
    ['where a plugin hands on', `import replyFrom from '@fastify/reply-from';\napp.register(replyFrom, { base: process.env.CRM });`],
    ['where a function of h3 hands on', `const answer = (event) => proxyRequest(event, process.env.CRM);`],
  ] as const)('%s', ([, text]) => expect(answers('/api/v1/contacts', server(defined + text))).toBe(false));

  test('where a file beside hands on', () => {
    const beside = { 'forward.js': 'export const forward = (req) => fetch(`${process.env.CRM}${req.originalUrl}`);' };
    expect(answers('/api/v1/contacts', { ...server(defined), ...beside })).toBe(false);
  });
});

describe('nothing is a route of a server', () => {
  test.for([
    ['in a comment', `app.get('/v1/x', x);\n// app.get('/api/v1/contacts', list);`],
    ['in a table of what a client asks', `const crm = [{ path: '/api/v1/contacts' }];`],
  ] as const)('%s', ([, text]) => expect(answers('/api/v1/contacts', server(text))).toBe(false));
});

// As large as only what is linear comes through in the time of a test.
describe('it is found at once', () => {
  test.for([
    [
      'among many routes',
      Array.from({ length: 20_000 }, (_, index) => `app.get('/api/v1/route-${index}', list);`).join('\n') + defined,
      '/api/v1/contacts',
    ],
    ['beside a line that is one word', `const ${'a'.repeat(1_000_000)};\n${defined}`, '/api/v1/contacts'],
    ['beside a line of declarations', `${'const a '.repeat(100_000)};\n${defined}`, '/api/v1/contacts'],
    [
      'by many ways to put it together',
      `app.use('/a', a);\napp.use('/a/a', a);\napp.use('/v1/contacts', b);`,
      `${'/a'.repeat(100)}/v1/contacts`,
    ],
  ] as const)('%s', ([, text, path]) => expect(answers(path, server(text))).toBe(true));

  test('by many ways that do not lead there', () => {
    const text = `app.use('/a', a);\napp.use('/a/a', a);\napp.use('/v1', b);`;
    expect(answers(`${'/a'.repeat(100)}/b/v1/contacts`, server(text))).toBe(false);
  });
});
