import { Controller, Global, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  accessTable,
  printAccessPage,
} from '../../src/base/platform/documentation/access-table.js';
import { buildOpenApi } from '../../src/base/platform/documentation/openapi.js';
import {
  Arrival,
  type ArrivalContext,
  AUTHENTICATOR,
  createHttpApplication,
  Handles,
  HttpModule,
  Input,
  type InputOf,
  route,
  routesOf,
} from '../../src/base/platform/index.js';
import { routerPath } from '../../src/base/platform/http/handles.js';
import { err, ok, problem } from '../../src/core/kernel/index.js';

/** What a protocol of others asks of the framework: callers that may be nobody, colons in paths, forms of its own. */

const common = {
  tag: 'foreign',
  access: 'optional',
  keyRoles: ['agent'],
  idempotency: 'none',
  success: { status: 200, body: z.looseObject({}) },
  problems: [],
} as const;

const send = route({
  ...common,
  method: 'POST',
  path: '/foreign/message:send',
  summary: 'Send',
  json: ['application/a2a+json', 'application/json'],
  body: z.unknown(),
  bodyOptional: true,
  problemAs: (wrong, { requestId }) =>
    wrong.code === 'request_malformed' || wrong.code === 'unsupported_media_type'
      ? { status: 418, mediaType: 'application/foreign', body: { wrong: wrong.code, requestId } }
      : null,
});
const thing = z.strictObject({ thing_id: z.string() });
const read = route({
  ...common,
  method: 'GET',
  path: '/foreign/things/{thing_id}',
  summary: 'Read',
  params: thing,
});
const cancel = route({
  ...common,
  method: 'POST',
  path: '/foreign/things/{thing_id}:cancel',
  summary: 'Cancel',
  params: thing,
});
const plain = route({
  ...common,
  method: 'POST',
  path: '/foreign/plain',
  summary: 'Plain JSON only',
  body: z.looseObject({}),
});

@Controller()
class ForeignController {
  @Handles(send)
  send(
    @Input() { body }: InputOf<typeof send>,
    @Arrival() { caller, host, headers }: ArrivalContext,
  ) {
    return ok({
      body: body ?? null,
      role: caller?.principal.role ?? null,
      host,
      x: headers['x-x'],
    });
  }

  @Handles(read)
  read(@Input() { params }: InputOf<typeof read>) {
    return ok({ read: params.thing_id });
  }

  @Handles(cancel)
  cancel(@Input() { params }: InputOf<typeof cancel>) {
    return ok({ canceled: params.thing_id });
  }

  @Handles(plain)
  plain() {
    return ok({});
  }
}

const authenticator = {
  authenticate: (key: string) =>
    Promise.resolve(
      /^ak_test_(?:agent|auditor)$/.test(key)
        ? ok({ role: key.slice(8), apiKeyId: 'key_1', tenantId: 'tnt_1', merchantIds: null })
        : err(problem('unauthenticated', 'No.', { fix: 'Send another.' })),
    ),
};

@Global()
@Module({
  providers: [{ provide: AUTHENTICATOR, useValue: authenticator }],
  exports: [AUTHENTICATOR],
})
class KeysModule {}

@Module({
  imports: [KeysModule, HttpModule.register({ imports: [KeysModule], publicBaseUrl: null })],
  controllers: [ForeignController],
})
class ForeignModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createHttpApplication(ForeignModule, {
    logLevel: 'fatal',
    logStream: new PassThrough(),
    rateLimits: { perKeyMax: 1_000, perAddressMax: 1_000 },
    trustedProxies: [],
  });
});
afterAll(() => app.close());

const ask = async (
  method: 'GET' | 'POST',
  url: string,
  {
    key,
    payload,
    type = 'application/json',
  }: { key?: string; payload?: string; type?: string } = {},
) => {
  const answer = await app.inject({
    ...{ method, url },
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};

describe('a route whose caller may be nobody', () => {
  it('knows who sends a key, and takes no wrong one for nobody’s', async () => {
    const at = '/foreign/message:send';
    expect((await ask('POST', at)).body).toMatchObject({ role: null, body: null });
    expect((await ask('POST', at, { key: 'ak_test_agent' })).body.role).toBe('agent');
    expect(await ask('POST', at, { key: 'ak_test_nobody' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="arbiter", error="invalid_token"' },
    });
    expect((await ask('POST', at, { key: '' })).status).toBe(401);
    expect((await ask('POST', at, { key: 'ak_test_auditor' })).status).toBe(403);
  });

  it('is printed as that', () => {
    const routes = routesOf([ForeignController]);
    const document = buildOpenApi(routes, '1') as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const printed = document.paths['/foreign/message:send']?.['post'];
    expect(printed).toMatchObject({
      'x-roles': ['public', 'agent'],
      security: [{}, { apiKey: [] }],
      requestBody: {
        required: false,
        content: { 'application/a2a+json': {}, 'application/json': {} },
      },
    });
    const table = accessTable(routes);
    expect(table.routes[0]).toMatchObject({ access: 'optional', key_roles: ['agent'] });
    expect(printAccessPage(table)).toMatch(/`POST \/foreign\/message:send` \| yes .*yes/);
  });
});

describe('a path with colons', () => {
  it.each([
    ['/a/b:send', '/a/b::send'],
    ['/a/{id}', '/a/:id'],
    ['/a/{id}:cancel', '/a/:id([^/:]+)::cancel'],
    ['/a/{id}/b/{other_id}', '/a/:id/b/:other_id'],
  ])('%s is %s to the router', (path, spelled) => expect(routerPath(path)).toBe(spelled));

  it('ends a parameter where the contract says', async () => {
    expect((await ask('POST', '/foreign/things/a-b.c:cancel')).body).toEqual({ canceled: 'a-b.c' });
    expect((await ask('GET', '/foreign/things/a-b.c')).body).toEqual({ read: 'a-b.c' });
    expect((await ask('POST', '/foreign/things/a')).status).toBe(405);
    expect((await ask('POST', '/foreign/things/a:other')).status).toBe(405);
    expect((await ask('POST', '/foreign/message')).status).toBe(404);
  });
});

describe('a body under another name', () => {
  it('is read where the contract says so, and nowhere else', async () => {
    const a2a = { payload: '{"a":1}', type: 'application/a2a+json' };
    expect((await ask('POST', '/foreign/message:send', a2a)).body.body).toEqual({ a: 1 });
    expect(await ask('POST', '/foreign/plain', a2a)).toMatchObject({ status: 415 });
    const empty = { payload: '', type: 'application/json' };
    expect((await ask('POST', '/foreign/plain', empty)).status).toBe(400);
  });

  it('that is wrong is told in the protocol’s own form, before the route is reached too', async () => {
    for (const [payload, type, wrong] of [
      ['{', 'application/json', 'request_malformed'],
      ['{"a":1,"a":2}', 'application/a2a+json', 'request_malformed'],
      ['a,b', 'text/csv', 'unsupported_media_type'],
      ['<a/>', 'text/xml', 'unsupported_media_type'],
    ] as const) {
      const answer = await ask('POST', '/foreign/message:send', { payload, type });
      expect([answer.status, answer.body.wrong]).toEqual([418, wrong]);
      expect(answer.headers['content-type']).toBe('application/foreign');
      expect(answer.headers['request-id']).toBe(answer.body.requestId);
    }
    expect((await ask('POST', '/foreign/plain', { payload: '{' })).body.code).toBe(
      'request_malformed',
    );
  });
});
