import { describe, expect, it } from 'vitest';
import { type V1Endpoint, type V1EndpointId, endpointIds, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { createRoutes, isV2, matchRoute, renameQuery } from '../../proxy/route.ts';

describe('routing', () => {
  it.each(endpointIds(v1Endpoints))('finds %s and keeps the id byte for byte', (id: V1EndpointId) => {
    const { method, path } = v1Endpoints[id];
    const match = matchRoute(method, path.replace(':id', 'a%2Fb%20%C3%A9~'), true);
    expect(match?.route.id).toBe(id);
    expect(match?.v2Path).toBe(path.replace(':id', 'a%2Fb%20%C3%A9~').replace('/v1/', '/v2/'));
  });

  it.each([
    ['GET', '/v1/messages/send/x'],
    ['POST', '/v1/messages/sender'],
    ['POST', '/v1/messages'],
    ['DELETE', '/v1/contacts/1'],
    ['PUT', '/v1/campaigns/1'],
    ['GET', '/v1/messages/'],
    ['GET', '//v1/messages'],
    ['GET', '/v1//messages'],
    ['GET', '/v1%2Fmessages'],
    ['GET', '/V1/messages'],
    ['GET', '/v1/../v2/messages'],
    ['GET', '/v1/messages/..'],
    ['GET', '/v1/messages/.'],
    ['GET', '/v1/messages/%2e%2E'],
    ['GET', '/v1/messages/%2e.'],
    ['GET', '/'],
    ['GET', ''],
    ['OPTIONS', '/v1/messages'],
    ['TRACE', '/v1/messages'],
    ['get', '/v1/messages'],
  ])('knows no endpoint for %s %s', (method, path) => {
    expect(matchRoute(method, path, true)).toBeUndefined();
  });

  it("finds a path of several parameters and puts each into its place in the successor's path", () => {
    const part: V1Endpoint = { ...v1Endpoints.getMessage, path: '/v1/messages/:id/parts/:part' };
    const getMessage = { ...v2Endpoints.getMessage, path: '/v2/parts/:part/of/:id/whole' };
    const route = createRoutes({ part }, { ...v2Endpoints, getMessage });
    const match = route('GET', '/v1/messages/a%2Fb/parts/2', true);
    expect(match).toMatchObject({ v2Path: '/v2/parts/2/of/a%2Fb/whole', resourceId: 'a%2Fb' });
    for (const path of [
      '/v1/messages/a/parts/',
      '/v1/messages//parts/2',
      '/v1/messages/a/parts/..',
      '/v1/messages/a/b/2',
      '/v1/messages/a',
    ])
      expect(route('GET', path, true), path).toBeUndefined();
  });

  it('routes HEAD like GET where v1 is assumed to', () => {
    expect(matchRoute('HEAD', '/v1/messages', true)?.route.id).toBe('listMessages');
    expect(matchRoute('HEAD', '/v1/messages', false)).toBeUndefined();
  });

  it.each([
    ['/v2', true],
    ['/v2/', true],
    ['/v2?x', true],
    ['/v2/webhooks', true],
    ['/v20/x', false],
    ['/v2x', false],
    ['/v2%2Fx', false],
    ['/v1/v2/', false],
  ])('passes %s through: %s', (target, expected) => {
    expect(isV2(target)).toBe(expected);
  });
});

describe('renaming query parameters', () => {
  it.each([
    ['page=1&limit=2', { page: 'p' }, 'p=1&limit=2'],
    ['page=%C3%A9+x&page=2&Page=3', { page: 'p' }, 'p=%C3%A9+x&p=2&Page=3'],
    ['page', { page: 'p' }, 'p'],
    ['a=page&page%5B%5D=1', { page: 'p' }, 'a=page&page%5B%5D=1'],
    ['constructor=1', { page: 'p' }, 'constructor=1'],
    ['', { page: 'p' }, ''],
  ])('turns %s by %o into %s', (query, names, expected) => {
    expect(renameQuery(query, names)).toBe(expected);
  });
});
