import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { offer, openStorefront, type Storefront } from '../storefront/storefront.js';
import { agentKey, answering, directoryOf } from '../peers/directory-server.js';
import { type Received, send, type Sent, type SigningAgent, startAgent } from './signing-agent.js';

type Mode = 'log' | 'enforce';
type Signed = 'verified' | 'unsigned' | 'invalid' | 'unverified';

/** One route of each class, and how it answers whoever is not refused for a signature. */
const ROUTES = {
  'public page': { path: '/', status: 200 },
  'product page': { path: '/products/tea', status: 200 },
  'structured data': { path: '/products/tea.jsonld', status: 200 },
  sitemap: { path: '/sitemap.xml', status: 200 },
  'robots.txt': { path: '/robots.txt', status: 200 },
  'llms.txt': { path: '/llms.txt', status: 200 },
  'agent card': { path: '/.well-known/agent-card.json', status: 200 },
  'catalog JSON': { path: '/catalog.json', status: 200 },
  'product JSON': { path: '/products/tea.json', status: 200 },
  'A2A read': { path: '/a2a/v1/tasks/nobody', status: 401 },
  'API write': { path: '/v1/signature-check', method: 'POST', body: {}, status: 401 },
} as const;
type RouteName = keyof typeof ROUTES;
const ENFORCEABLE: readonly RouteName[] = ['catalog JSON', 'product JSON', 'A2A read'];

const REFUSALS: Readonly<Record<Exclude<Signed, 'verified'>, string>> = {
  unsigned: 'signature_missing',
  invalid: 'signature_invalid',
  unverified: 'key_not_found',
};

describe('modes, statuses and classes of routes', () => {
  let service: TestService;
  let agent: SigningAgent;
  const fronts = new Map<Mode, Storefront>();

  beforeAll(async () => {
    service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
    agent = await startAgent();
    agent.directories.on('/others', answering(directoryOf(agentKey())));
    for (const mode of ['log', 'enforce'] as const) {
      const front = await openStorefront(service);
      await offer(front, [{ id: 'tea' }]);
      const set = await front.shop.call('PUT', '/v1/signatures/settings', {
        as: 'tenant_admin',
        body: { mode, allowed_agents: null },
      });
      expect(set.status).toBe(200);
      fronts.set(mode, front);
    }
  });

  const headersFor = async (signed: Signed, sent: Sent): Promise<Sent['headers']> => {
    if (signed === 'unsigned') return {};
    if (signed === 'verified') return agent.sign(sent);
    if (signed === 'invalid') return agent.sign({ ...sent, path: `${sent.path}-other` });
    return agent.sign(sent, { agentUrl: `${agent.url}/others` });
  };

  const ask = async (mode: Mode, name: RouteName, signed: Signed): Promise<Received> => {
    const host = fronts.get(mode)?.host ?? '';
    const sent: Sent = { host, ...ROUTES[name] };
    return send(service, { ...sent, headers: (await headersFor(signed, sent)) ?? {} });
  };

  const cases = (Object.keys(ROUTES) as RouteName[]).flatMap((name) =>
    (['log', 'enforce'] as const).flatMap((mode) =>
      (['verified', 'unsigned', 'invalid', 'unverified'] as const).map(
        (signed) => [mode, signed, name] as const,
      ),
    ),
  );

  it.each(cases)('%s: %s request to the %s', async (mode, signed, name) => {
    const answer = await ask(mode, name, signed);
    const isRefused = mode === 'enforce' && signed !== 'verified' && ENFORCEABLE.includes(name);
    if (!isRefused) {
      expect(answer.status).toBe(ROUTES[name].status);
      expect(answer.headers['accept-signature']).toBeUndefined();
      return;
    }
    expect([answer.status, answer.body.code]).toEqual([401, REFUSALS[signed]]);
    expect(answer.headers['accept-signature']).toMatch(/^sig1=\("@method" "@authority" "@path"/);
    expect(answer.headers['www-authenticate']).toBe('HTTP-Message-Signatures');
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});
