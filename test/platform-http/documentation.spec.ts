import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  controllersOf,
  DocumentationModule,
  PROBLEM_CODES,
  routesOf,
} from '../../src/base/platform/index.js';
import { PROBLEMS, REASON_CATALOGUE } from '../../src/core/kernel/index.js';
import { reasonFiles } from '../../src/generate/reason-files.js';
import { HEALTH_TEST_MODULES, startTestApp, type TestApp } from './test-app.js';
import { faultsOfOpenApi } from '../support/openapi.js';

let started: TestApp;
beforeAll(async () => {
  started = await startTestApp({}, [DocumentationModule, ...HEALTH_TEST_MODULES]);
});
afterAll(() => started.app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  started.app.inject({ method: 'GET', url, headers });

describe('/openapi.json', () => {
  it('is a sound OpenAPI 3.0.3 document of every route', async () => {
    const document = (await get('/openapi.json')).json();
    expect(faultsOfOpenApi(document)).toEqual([]);
    expect(Object.keys(document.paths)).toContain('/v1/things/{thing_id}');
    expect(Object.keys(document.paths)).toContain('/health/ready');
  });

  it('prints parameters, body, security, roles and problems of a route', async () => {
    const document = (await get('/openapi.json')).json();
    const operation = document.paths['/v1/things/{thing_id}'].post;
    expect(operation).toMatchObject({
      operationId: 'post_v1_things_by_thing_id',
      'x-roles': ['tenant_admin', 'operator'],
      parameters: [
        { name: 'thing_id', in: 'path', required: true },
        { name: 'mode', in: 'query', required: false },
        { name: 'Idempotency-Key', in: 'header', required: false },
      ],
    });
    expect(Object.keys(operation.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(operation.responses['409'].description).toContain('idempotency_conflict');
    const check = new Ajv({ strict: false }).compile(
      operation.requestBody.content['application/json'].schema,
    );
    expect(check({ name: 'a', lines: [{ sku: 'a', quantity: 1 }] })).toBe(true);
    expect(check({ name: 'a', lines: [], more: 1 })).toBe(false);
    expect(document.paths['/v1/public'].get.security).toEqual([]);
  });

  it('is the same bytes each time and is not sent again to who has it', async () => {
    const first = await get('/openapi.json');
    const again = await get('/openapi.json', { 'if-none-match': String(first.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/openapi.json')).body).toBe(first.body);
  });
});

describe('/docs', () => {
  it('names no other host and runs no inline script', async () => {
    const page = await get('/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'",
    );
    expect(page.body).not.toMatch(/https?:\/\//);
    expect(page.body).not.toMatch(/<script>|<style>| on\w+=/);
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => String(url));
    expect(files).toHaveLength(4);
    for (const url of files) expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
  });

  it('serves its own files only', async () => {
    expect((await get('/docs/assets/package.json')).statusCode).toBe(400);
    expect((await get('/docs/assets/..%2Fpackage.json')).statusCode).toBe(400);
  });

  it('has a page for every problem code', async () => {
    expect(PROBLEM_CODES).toHaveLength(Object.keys(PROBLEMS).length);
    for (const code of PROBLEM_CODES) {
      const page = await get(`/docs/problems/${code}`);
      expect(page.body).toContain(`# ${code}`);
      expect(page.body).toContain('## How to fix it');
    }
  });

  it('has a page for every reason of every rule, and 404 where a rule does not name it', async () => {
    for (const entry of REASON_CATALOGUE) {
      const page = await get(`/docs/reasons/${entry.rule}/${entry.code}`);
      expect([entry.code, page.statusCode]).toEqual([entry.code, 200]);
      expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(page.body).toContain(`# ${entry.code}`);
      expect(page.body).toContain(entry.fix);
    }
    const strange = await get('/docs/reasons/rbi_afa/price_changed');
    expect([strange.statusCode, strange.json().code]).toEqual([404, 'not_found']);
    expect((await get('/docs/reasons/..%2f..%2freasons/price_changed')).statusCode).toBe(400);
  });
});

describe('the links between the pages of the reasons', () => {
  const linksOf = (markdown: string): string[] =>
    [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => String(link));

  it('lead somewhere on the service', async () => {
    const index = await get('/docs/reasons');
    expect(index.headers['content-type']).toBe('text/markdown; charset=utf-8');
    const pages = linksOf(index.body);
    expect(pages).toHaveLength(REASON_CATALOGUE.length);
    for (const path of pages) {
      const page = await get(path);
      expect([path, page.statusCode, linksOf(page.body)]).toEqual([path, 200, ['/docs/reasons']]);
    }
  });

  it('lead somewhere between the files', () => {
    const files = reasonFiles(null);
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.md')) continue;
      for (const link of linksOf(text))
        expect(Object.keys(files)).toContain(join(dirname(path), link));
    }
  });
});

it('a slash too many is named', async () => {
  for (const path of ['/docs/', '/docs/reasons/'])
    expect((await get(path)).json()).toMatchObject({
      status: 404,
      fix: 'Leave out the slash at the end of the path.',
    });
});

describe('/v1/access', () => {
  it('lists the roles of every route as the guard has them', async () => {
    const { routes } = (await get('/v1/access')).json<{ routes: { path: string }[] }>();
    expect(routes).toContainEqual({
      method: 'POST',
      path: '/v1/payments',
      summary: 'Pays',
      access: ['agent'],
      idempotency: 'required',
    });
    const paths = routes.map(({ path }) => path);
    expect(paths).toEqual([...paths].sort());
  });
});

describe('routesOf', () => {
  it('finds the routes in the decorators alone, without starting anything', () => {
    const names = routesOf(controllersOf(DocumentationModule)).map(({ name }) => name);
    expect(names).toEqual([
      'GET /docs',
      'GET /docs/assets/{name}',
      'GET /docs/problems/{code}',
      'GET /docs/reasons',
      'GET /docs/reasons/{rule}/{code}',
      'GET /openapi.json',
      'GET /v1/access',
    ]);
  });
});

describe('health', () => {
  it('answers live always, ready by its checks', async () => {
    expect((await get('/health/live')).json()).toEqual({ status: 'live' });
    expect((await get('/health/ready')).json()).toMatchObject({ status: 'ready' });
    started.health.stop();
    const stopped = await get('/health/ready');
    expect(stopped.statusCode).toBe(503);
    expect(stopped.json().status).toBe('not_ready');
    expect((await get('/health/live')).statusCode).toBe(200);
  });
});
