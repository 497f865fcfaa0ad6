import { describe, expect, it } from 'vitest';
import { routeKindOf, routeKindOfTarget } from './route-kind.js';
import { siteOf } from './site.js';
import { surfaceOf } from './surfaces.js';

describe('the class of a route', () => {
  it.each([
    ['/catalog.json', 'enforceable'],
    ['/products/{slug}.json', 'enforceable'],
    ['/a2a/v1/message:send', 'enforceable'],
    ['/a2a/rpc', 'enforceable'],
    ['/v1/decisions', 'log'],
    ['/ucp/checkout-sessions', 'log'],
    ['/acp/checkout_sessions', 'log'],
    ['/mcp', 'log'],
    ['/metrics', 'log'],
    ['/', 'public'],
    ['/products/{slug}', 'public'],
    ['/products/{slug}.jsonld', 'public'],
    ['/sitemap.xml', 'public'],
    ['/robots.txt', 'public'],
    ['/llms.txt', 'public'],
    ['/.well-known/agent-card.json', 'public'],
    ['/pay/{token}', 'public'],
    ['/health/live', 'public'],
    ['/openapi.json', 'public'],
  ])('%s is %s', (path, surface) => {
    expect(surfaceOf(path)).toBe(surface);
  });

  it.each(['/catalog.jsonx', '/catalogue', '/products', '/a2a', '/healthy', '/mcp/x', '/console'])(
    '%s has none',
    (path) => {
      expect(surfaceOf(path)).toBeNull();
    },
  );
});

describe('what a route has to be covered by', () => {
  it.each([
    ['GET', '/catalog.json', 'read'],
    ['HEAD', '/catalog.json', 'read'],
    ['POST', '/v1/decisions', 'write'],
    ['GET', '/a2a/v1/tasks', 'a2a'],
    ['POST', '/a2a/rpc', 'a2a'],
  ])('%s %s: %s', (method, path, kind) => {
    expect(routeKindOf(method, path)).toBe(kind);
    expect(routeKindOfTarget(method, `${path}?a=/a2a/`)).toBe(kind);
  });

  it('an escape is no way around it', () => {
    expect(routeKindOfTarget('GET', '/%61%32a/v1/tasks')).toBe('a2a');
    expect(routeKindOfTarget('GET', '/a2a%2Fv1/tasks')).toBe('a2a');
  });
});

describe('where a request was sent', () => {
  const ours = {
    origins: ['https://shop.example', 'https://shop.example:8443'],
    publicBaseUrl: null,
  };

  it.each([
    ['shop.example', 'https', 'shop.example'],
    ['SHOP.example:443', 'https', 'SHOP.example:443'],
    ['shop.example:8443', 'https', 'shop.example:8443'],
    ['localhost:8080', 'http', 'localhost:8080'],
    ['[::1]:80', 'http', '[::1]:80'],
  ])('%s is ours', (host, scheme, authority) => {
    expect(siteOf(host, ours)).toEqual({ scheme, authority });
  });

  it.each(['', 'shop.example:80', 'shop.example.', 'other.example', 'shop.example@other', 'a b'])(
    '%j is not',
    (host) => {
      expect(siteOf(host, ours)).toBeNull();
    },
  );

  it('with a public address of the deployment, loopback is nobody’s', () => {
    const publicBaseUrl = 'https://arbiter.example';
    expect(siteOf('localhost', { ...ours, publicBaseUrl })).toBeNull();
    expect(siteOf('arbiter.example', { ...ours, publicBaseUrl })).toMatchObject({
      scheme: 'https',
    });
  });
});
