import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyPlaceholder, matchRoute, matchUrl } from '../../../codemods/verdict/bases/routes.ts';
import { endpointIds, v1Endpoints } from '../../../src/contract/endpoints.ts';

const bases = { v1: ['https://api.example.com', 'https://gateway.example.com/messaging', 'http://localhost:9000'] };

describe('a path is an endpoint by whole segments', () => {
  it.each(endpointIds(v1Endpoints))('finds %s with its own method', (id) => {
    const { method, path } = v1Endpoints[id];
    expect(matchRoute(path.replace(':id', 'abc'), method)[0]).toBe(id);
    expect(matchRoute(path.replace(':id', 'abc'), method.toLowerCase())[0]).toBe(id);
    expect(matchRoute(path.replace(':id', 'abc'), undefined)).toContain(id);
  });

  it.each([
    ['/v1/messages/sender', 'POST'],
    ['/v1/messages/send/', 'POST'],
    ['/v1/messages/send/now', 'POST'],
    ['/v1//messages', 'GET'],
    ['//v1/messages', 'GET'],
    ['/v1/messages/', 'GET'],
    ['/v1/contacts/..', 'GET'],
    ['/v1/contacts/%2e%2E', 'GET'],
    ['/v1/contacts/a\\b', 'GET'],
    ['/v1/contacts/a/b', 'GET'],
    ['/v1/%6dessages', 'GET'],
    ['/V1/messages', 'GET'],
    ['/v1/Messages', 'GET'],
    ['/v1/messagess', 'GET'],
    ['/v1/contacts/1', 'DELETE'],
    ['/v1/campaigns', 'GET'],
    ['/v1', 'GET'],
    ['v1/messages', 'GET'],
  ])('does not take %s for one (%s)', (path, method) => {
    expect(matchRoute(path, method)).toEqual([]);
  });

  it('keeps a percent-encoded slash in its segment', () => {
    expect(matchRoute('/v1/contacts/a%2Fb', 'GET')).toEqual(['getContact']);
  });

  it('leaves query and fragment out of account', () => {
    expect(matchRoute('/v1/contacts?page=1/2#x', 'GET')).toEqual(['listContacts']);
  });

  it('names all that fit where the method is not known, the likeliest first', () => {
    expect(matchRoute('/v1/contacts', undefined)).toEqual(['listContacts', 'createContact']);
    expect(matchRoute('/v1/messages/send', undefined)).toEqual(['sendMessage', 'getMessage']);
  });

  it.each([
    '${id}',
    '${a ? b : c}',
    '{{id}}',
    '{id}',
    '<id>',
    '$ID',
    '${ID}',
    '$(cat id)',
    ':id',
    'pre-${id}',
    '${dir/name}',
    '${{ env.ID }}',
  ])('counts %s as one segment', (unknownPart) => {
    expect(matchRoute(`/v1/contacts/${unknownPart}`, 'PUT', { placeholder: anyPlaceholder })).toEqual(['updateContact']);
    expect(matchRoute(`/v1/campaigns/${unknownPart}/send?x=${unknownPart}`, 'POST', { placeholder: anyPlaceholder })).toEqual([
      'sendCampaign',
    ]);
  });

  it('does not guess that a placeholder is a word of the template', () => {
    expect(matchRoute('/v1/messages/${action}', 'POST', { placeholder: anyPlaceholder })).toEqual([]);
    expect(matchRoute('/v1/${resource}', 'GET', { placeholder: anyPlaceholder })).toEqual([]);
  });
});

describe('a URL is ours by origin and whole segments', () => {
  it.each([
    ['https://api.example.com/v1/messages', 23],
    ['https://api.example.com:443/v1/messages', 27],
    ['HTTPS://API.Example.com/v1/messages', 23],
    ['https://gateway.example.com/messaging/v1/messages', 37],
    ['http://localhost:9000/v1/messages', 21],
  ])('%s', (text, baseEnd) => {
    const found = matchUrl(text, bases, 'GET');
    expect(found).toMatchObject({
      kind: 'ours',
      baseEnd,
      versionStart: baseEnd + 1,
      versionEnd: baseEnd + 3,
      path: '/v1/messages',
      route: 'listMessages',
    });
  });

  it.each([
    ['https://api.example.com', '', ''],
    ['https://api.example.com/', '/', ''],
    ['https://api.example.com?a=/v1', '', '?a=/v1'],
    ['https://api.example.com/v2/messages', '/v2/messages', ''],
    ['https://api.example.com/v10/messages', '/v10/messages', ''],
    ['https://api.example.com/health#v1', '/health', '#v1'],
  ])('%s has no version', (text, path, rest) => {
    expect(matchUrl(text, bases)).toMatchObject({ kind: 'ours', versionStart: undefined, path, rest, routes: [] });
  });

  it('finds the version of a base', () => {
    expect(matchUrl('https://api.example.com/v1', bases)).toMatchObject({
      versionStart: 24,
      versionEnd: 26,
      path: '/v1',
      route: undefined,
    });
    expect(matchUrl('https://api.example.com/v1/', bases)).toMatchObject({
      versionStart: 24,
      versionEnd: 26,
      path: '/v1/',
      route: undefined,
    });
  });

  it('takes the longest of nested bases', () => {
    const nested = { v1: ['https://h.example', 'https://h.example/a'] };
    expect(matchUrl('https://h.example/a/v1/messages', nested)).toMatchObject({ base: 'https://h.example/a' });
    expect(matchUrl('https://h.example/ab/v1/messages', nested)).toMatchObject({ base: 'https://h.example' });
  });

  it.each([
    'https://api.example.com.evil.com/v1/messages',
    'https://api.example.com@evil.com/v1/messages',
    'https://api.example.com:8443/v1/messages',
    'https://api.example.com./v1/messages',
    'https://evil.com/https://api.example.com/v1/messages',
    'https://xapi.example.com/v1/messages',
    'https://gateway.example.com/v1/messages',
    'https://gateway.example.com/messaging2/v1/messages',
    'http://localhost:9001/v1/messages',
    'https://evil.com\\@api.example.com/v1/messages',
  ])('%s is another server', (text) => {
    expect(matchUrl(text, bases).kind).toBe('foreign');
  });

  it.each([
    ['http://api.example.com/v1/messages', 'scheme'],
    ['https://me:secret@api.example.com/v1/messages', 'credentials'],
    ['https://api.example.com\\@evil.com/v1/messages', 'characters'],
    ['https://api.example.com/v1/\nmessages', 'characters'],
    ['https:api.example.com/v1/messages', 'slashes'],
    ['https:/api.example.com/v1/messages', 'slashes'],
  ])('%j is for a person', (text, why) => {
    expect(matchUrl(text, bases)).toEqual({ kind: 'unclear', host: 'api.example.com', why });
  });

  it('says what else a text is', () => {
    expect(matchUrl('/v1/messages', bases)).toEqual({ kind: 'relative' });
    expect(matchUrl('//api.example.com/v1/messages', bases)).toEqual({ kind: 'text' });
    expect(matchUrl('see https://api.example.com', bases)).toEqual({ kind: 'text' });
    expect(matchUrl('http:api.example.com/v1/messages', bases)).toEqual({ kind: 'text' });
    expect(matchUrl('https:api.example.com.evil.com/v1/messages', bases)).toEqual({ kind: 'text' });
    expect(matchUrl('https://{{host}}/v1/messages', bases, 'GET', { placeholder: anyPlaceholder })).toEqual({ kind: 'dynamic' });
    expect(matchUrl('${BASE}/v1/messages', bases, 'GET', { placeholder: anyPlaceholder })).toEqual({ kind: 'dynamic' });
  });

  it('never takes a URL for ours that the platform would send elsewhere', () => {
    const part = fc.stringMatching(/^[a-z.@:/\\?#%0-9]{0,12}$/);
    fc.assert(
      fc.property(part, part, (before, after) => {
        const text = `https://${before}api.example.com${after}/v1/messages`;
        const origin = matchUrl(text, bases).kind === 'ours' ? new URL(text).origin : undefined;
        expect([undefined, 'https://api.example.com']).toContain(origin);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('a path that is longer than any address is none of a route, wherever it is cut', () => {
  expect(matchRoute(`/v1/contacts/${'x'.repeat(4_000)}?q=1`, 'GET')).toEqual(['getContact']);
  expect(matchRoute(`/v1/contacts/${'x'.repeat(5_000)}`, 'GET')).toEqual([]);
  expect(matchRoute(`/v1/contacts/${'x'.repeat(4_090)}/y`, 'GET')).toEqual([]);
});
