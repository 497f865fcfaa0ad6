import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { API_MODULES } from '../../src/app.module.js';
import { controllersOf, routesOf } from '../../src/base/platform/index.js';
import { SIGNATURE_PROBLEMS } from '../../src/core/kernel/index.js';
import { surfaceOf } from '../../src/doors/signatures/surfaces.js';
import type { Storefront } from '../storefront/storefront.js';
import { startTestService, type TestService } from '../support/service.js';
import { shopInMode } from './signed-shop.js';
import { send } from './signing-agent.js';

/** Every route that the router knows, asked as it runs: what is refused for a signature, and what never is. */

const contracts = routesOf(API_MODULES.flatMap(controllersOf));

let service: TestService;
let front: Storefront;
beforeAll(async () => {
  service = await startTestService({ COMMERCE_AGENT_SIGNATURE_MODE: 'enforce' });
  front = await shopInMode(service, 'enforce');
});

interface RouterLine {
  readonly path: string;
  readonly methods: readonly string[];
}

/** The routes of a running router, from its own print of them: no list of ours is asked. */
function routerLines(app: NestFastifyApplication): readonly RouterLine[] {
  const server = app.getHttpAdapter().getInstance();
  const found: RouterLine[] = [];
  // The tree shows in each line what is added to the line it hangs on.
  const stems: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', stem = '', methods] =
      /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = `${stems[depth - 1] ?? '/'}${stem}`.replace('(empty root node)', '');
    stems.splice(depth, stems.length, path);
    if (methods !== undefined) found.push({ path, methods: methods.split(', ') });
  }
  return found;
}

/** As a contract writes it: the router's parameters in braces, its doubled colons single. */
const templateOf = (path: string): string =>
  path
    .replace(/^\/+/, '/')
    .replace(/\/:(\w+)(?:\([^)]*\))?/g, '/{$1}')
    .replaceAll('::', ':');

describe('the router', () => {
  it('knows no route without a class, and every route of the contracts', () => {
    const lines = routerLines(service.app);
    expect(lines.length).toBeGreaterThan(50);
    const paths = [...new Set(lines.map(({ path }) => templateOf(path)))];
    expect(paths.filter((path) => surfaceOf(path) === null)).toEqual([]);
    const published = new Set(contracts.map(({ contract }) => contract.path));
    expect([...published].filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('refuses an unsigned request to every enforceable route, and to no other', async () => {
    const refused: string[] = [];
    const expected: string[] = [];
    for (const { path, methods } of routerLines(service.app)) {
      const template = templateOf(path);
      for (const method of methods) {
        const name = `${method} ${template}`;
        if (surfaceOf(template) === 'enforceable') expected.push(name);
        const sent = { method, host: front.host, path: template.replace(/\{\w+\}/g, 'x') };
        const answer = await send(service, sent);
        if (answer.headers['accept-signature'] === undefined) continue;
        expect([name, answer.status]).toEqual([name, 401]);
        refused.push(name);
      }
    }
    expect(refused.toSorted()).toEqual(expected.toSorted());
    expect(refused.some((name) => name.startsWith('HEAD '))).toBe(true);
  });
});

describe('the contracts', () => {
  it.each(contracts)('$name lists the refusals of a signature if it can answer them', (route) => {
    const { path, problems } = route.contract;
    const listed = SIGNATURE_PROBLEMS.filter((code) => problems.includes(code));
    expect(listed).toEqual(surfaceOf(path) === 'enforceable' ? [...SIGNATURE_PROBLEMS] : []);
  });

  it('so does the published description', async () => {
    const { body } = await send(service, { host: front.host, path: '/openapi.json' });
    const operations = Object.entries<
      Record<string, { responses?: Readonly<Record<number, object>> }>
    >(body.paths);
    expect(operations.length).toBeGreaterThan(50);
    for (const [path, methods] of operations)
      for (const [method, operation] of Object.entries(methods)) {
        // Other answers name the reasons of refusals, which are words of another list.
        const { 401: unsigned = {}, 503: undecided = {} } = operation.responses ?? {};
        const text = JSON.stringify([unsigned, undecided]);
        const listed = SIGNATURE_PROBLEMS.filter((code) => text.includes(code));
        const wanted = surfaceOf(path) === 'enforceable' ? [...SIGNATURE_PROBLEMS] : [];
        expect([method, path, listed]).toEqual([method, path, wanted]);
      }
  });
});
