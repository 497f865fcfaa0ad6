import { Controller, Global, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { err, ok, problem, type Principal, type Role } from '../../src/core/kernel/index.js';
import {
  AUTHENTICATOR,
  type Authenticator,
  Caller,
  type CallerContext,
  createHttpApplication,
  Handles,
  HEALTH,
  HealthController,
  HealthRegistry,
  type HttpApplicationOptions,
  HttpModule,
  Input,
  type InputOf,
  RequestId,
  route,
} from '../../src/base/platform/index.js';

const lineShape = z.strictObject({ sku: z.string().max(20), quantity: z.int().min(1) });

export const createThing = route({
  method: 'POST',
  path: '/v1/things/{thing_id}',
  summary: 'Creates a thing',
  tag: 'things',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  params: z.strictObject({ thing_id: z.string().regex(/^[a-z]+$/) }),
  query: z.strictObject({ mode: z.enum(['dry', 'wet']).optional() }),
  body: z.strictObject({ name: z.string(), lines: z.array(lineShape).max(50) }),
  success: { status: 201, body: z.strictObject({ thing: z.string(), claim: z.unknown() }) },
  problems: ['conflict'],
});
export const payThing = route({
  method: 'POST',
  path: '/v1/payments',
  summary: 'Pays',
  tag: 'things',
  access: ['agent'],
  idempotency: 'required',
  success: { status: 200, body: z.strictObject({ paid: z.boolean() }) },
  problems: [],
});
export const readPublic = route({
  method: 'GET',
  path: '/v1/public',
  summary: 'Anybody reads this',
  tag: 'things',
  access: 'public',
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ request_id: z.string() }) },
  problems: [],
});
export const breakDown = route({
  method: 'GET',
  path: '/v1/broken',
  summary: 'Throws',
  tag: 'things',
  access: 'public',
  idempotency: 'none',
  success: { status: 200, body: null },
  problems: [],
});

@Controller()
class ThingsController {
  @Handles(createThing)
  create(@Input() input: InputOf<typeof createThing>, @Caller() caller: CallerContext) {
    if (input.body.name === 'taken') {
      return err(
        problem('conflict', 'The name is taken.', { field: '/name', fix: 'Choose another.' }),
      );
    }
    return ok({ thing: input.params.thing_id, claim: caller.idempotency });
  }

  @Handles(payThing)
  pay(@Input() _input: InputOf<typeof payThing>) {
    return Promise.resolve(ok({ paid: true }));
  }

  @Handles(readPublic)
  read(@RequestId() requestId: string) {
    return ok({ request_id: requestId });
  }

  @Handles(breakDown)
  break() {
    throw new Error('secret detail of the database');
  }
}

const principal = (role: Role): Principal => ({
  tenantId: 'tnt_1',
  world: 'test',
  role,
  apiKeyId: `key_${role}`,
  agentId: null,
  merchantIds: null,
});

const authenticator: Authenticator = {
  authenticate: (apiKey) => {
    const role = /^ak_test_(tenant_admin|agent)$/.exec(apiKey)?.[1];
    return Promise.resolve(
      role === undefined
        ? err(problem('unauthenticated', 'No such key.', { fix: 'Send a key that exists.' }))
        : ok(principal(role as Role)),
    );
  },
};

@Module({
  providers: [{ provide: AUTHENTICATOR, useValue: authenticator }],
  exports: [AUTHENTICATOR],
})
class KeysModule {}

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly logText: () => string;
  readonly health: HealthRegistry;
}

@Module({ controllers: [HealthController] })
class HealthRoutesModule {}
/** Needs the health registry, which {@link startTestApp} provides. */
export const HEALTH_TEST_MODULES = [HealthRoutesModule];

type Modules = Parameters<typeof HttpModule.register>[0]['imports'];

/** The real HTTP stack over three small routes and two keys: `ak_test_tenant_admin`, `ak_test_agent`. */
export async function startTestApp(
  options: Partial<HttpApplicationOptions> = {},
  modules: Modules = [],
): Promise<TestApp> {
  const logStream = new PassThrough();
  let text = '';
  logStream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const health = new HealthRegistry(() => performance.now());
  @Global()
  @Module({ providers: [{ provide: HEALTH, useValue: health }], exports: [HEALTH] })
  class HealthProvider {}
  @Module({
    imports: [
      HealthProvider,
      ...modules,
      HttpModule.register({ imports: [KeysModule], publicBaseUrl: null }),
    ],
    controllers: [ThingsController],
  })
  class TestModule {}
  const app = await createHttpApplication(TestModule, {
    logLevel: 'info',
    logStream,
    rateLimits: { perKeyMax: 1_000, perAddressMax: 1_000 },
    trustedProxies: [],
    ...options,
  });
  return { app, logText: () => text, health };
}
