import { beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/signer/index.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { startTestService, type TestService } from '../support/service.js';
import { type RawAnswer, rawRequest, type RawRequest, sendRaw } from './raw-socket.js';
import { shopInMode } from './signed-shop.js';
import { type SigningAgent, startAgent } from './signing-agent.js';

/** Requests as bytes: what a client library would never send, against a shop that answers signed requests only. */

const CATALOG = '/catalog.json';

let service: TestService;
let agent: SigningAgent;
let front: Storefront;
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
  agent = await startAgent();
  front = await shopInMode(service, 'enforce');
  await offer(front, [{ id: 'tea' }]);
});

const ask = (request: RawRequest): Promise<RawAnswer> => sendRaw(service, rawRequest(request));
const host = () => `Host: ${front.host}`;

/** Lines of a signature over this target, as the shop's host. */
async function signature(target: string, method = 'GET'): Promise<string[]> {
  const url = `https://${front.host}/`;
  const options = {
    profile: 'web-bot-auth',
    key: agent.key.privateKey,
    agentUrl: agent.url,
  } as const;
  const headers = await signRequest({ method, url, target }, options);
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
const codeOf = ({ text }: RawAnswer): unknown => (JSON.parse(text) as { code: unknown }).code;

it('the shop answers what is signed, and nothing else', async () => {
  expect((await ask({ target: CATALOG, lines: [host()] })).status).toBe(401);
  const signed = await ask({ target: CATALOG, lines: [host(), ...(await signature(CATALOG))] });
  expect(signed.status).toBe(200);
});

describe('the version', () => {
  it('HTTP/1.0 with a Host is a request as any other', async () => {
    const unsigned = await ask({ version: '1.0', target: CATALOG, lines: [host()] });
    expect([unsigned.status, codeOf(unsigned)]).toEqual([401, 'signature_missing']);
    const lines = [host(), ...(await signature(CATALOG))];
    expect((await ask({ version: '1.0', target: CATALOG, lines })).status).toBe(200);
  });

  it('HTTP/1.0 without a Host finds no shop, signed or not', async () => {
    for (const lines of [[], await signature(CATALOG)]) {
      const answer = await ask({ version: '1.0', target: CATALOG, lines });
      expect([answer.status, codeOf(answer)]).toEqual([421, 'misdirected_request']);
    }
  });

  it('HTTP/1.1 without a Host is refused', async () => {
    const answer = await ask({ target: CATALOG, lines: await signature(CATALOG) });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'request_malformed']);
  });
});

describe('the target', () => {
  it.each(['http://shop.example/catalog.json', `${CATALOG}#part`, 'catalog.json', `?${CATALOG}`])(
    '%s is 400 for everybody, signed or not',
    async (target) => {
      for (const lines of [[host()], [host(), ...(await signature(CATALOG))]]) {
        const answer = await ask({ target, lines });
        expect([answer.status, codeOf(answer)]).toEqual([400, 'request_malformed']);
      }
    },
  );

  it('the absolute form of the shop itself is 400 as well', async () => {
    const target = `https://${front.host}${CATALOG}`;
    expect((await ask({ target, lines: [host()] })).status).toBe(400);
  });

  it.each(['/%63atalog.json', '/catalog%2ejson', '/products/te%61.json', '/products/tea%2Ejson'])(
    '%s is no way around the refusal, and is signed as it is spelt',
    async (target) => {
      const unsigned = await ask({ target, lines: [host()] });
      expect([unsigned.status, codeOf(unsigned)]).toEqual([401, 'signature_missing']);
      const other = target.startsWith('/p') ? '/products/tea.json' : CATALOG;
      const normalised = await ask({ target, lines: [host(), ...(await signature(other))] });
      expect([normalised.status, codeOf(normalised)]).toEqual([401, 'signature_invalid']);
      const lines = [host(), ...(await signature(target))];
      expect((await ask({ target, lines })).status).toBe(200);
    },
  );

  it('an escape makes no A2A call a read: it has to be covered whole', async () => {
    const target = '/%612a/v1/tasks';
    const options = {
      profile: 'web-bot-auth',
      key: agent.key.privateKey,
      agentUrl: agent.url,
    } as const;
    const components = ['@authority', '"signature-agent";key="sig1"'];
    const url = `https://${front.host}/`;
    const headers = await signRequest({ url, target }, { ...options, components });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const partly = await ask({ target, lines: [host(), ...lines] });
    expect([partly.status, partly.header('accept-signature') !== null]).toEqual([401, true]);
    // Covered whole it reaches the agent, whatever that says.
    const whole = await ask({ target, lines: [host(), ...(await signature(target))] });
    expect(whole.header('accept-signature')).toBeNull();
  });

  it.each([
    '//catalog.json',
    '/catalog.json/',
    '/./catalog.json',
    '/x/../catalog.json',
    '/CATALOG.json',
  ])('%s is another page: 404, signed or not', async (target) => {
    for (const lines of [[host()], [host(), ...(await signature(target))]])
      expect((await ask({ target, lines })).status).toBe(404);
  });

  it('HEAD is judged as GET is', async () => {
    const unsigned = await ask({ method: 'HEAD', target: CATALOG, lines: [host()] });
    expect([unsigned.status, unsigned.text]).toEqual([401, '']);
    const lines = [host(), ...(await signature(CATALOG, 'HEAD'))];
    expect((await ask({ method: 'HEAD', target: CATALOG, lines })).status).toBe(200);
  });

  it('a method in lower case is 400', async () => {
    expect((await ask({ method: 'get', target: CATALOG, lines: [host()] })).status).toBe(400);
  });
});

describe('the host', () => {
  it.each([
    ['a second one', (name: string) => [`Host: ${name}`, 'Host: other.example']],
    ['the same twice', (name: string) => [`Host: ${name}`, `Host: ${name}`]],
    ['a second one in capitals', (name: string) => [`Host: ${name}`, 'HOST: other.example']],
  ])('%s is 400, signed or not', async (_name, hosts) => {
    for (const lines of [
      hosts(front.host),
      [...hosts(front.host), ...(await signature(CATALOG))],
    ]) {
      const answer = await ask({ target: CATALOG, lines });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'request_malformed']);
    }
  });

  it.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with the default port of its scheme', (name: string) => `${name}:443`],
  ])('%s is the same shop', async (_name, spelt) => {
    const lines = [`Host: ${spelt(front.host)}`];
    expect((await ask({ target: CATALOG, lines })).status).toBe(401);
    const signed = await ask({ target: CATALOG, lines: [...lines, ...(await signature(CATALOG))] });
    expect(signed.status).toBe(200);
  });

  it.each([
    ['80', 401],
    ['8443', 421],
  ])('with port %s it is no origin of the shop: %i', async (port, status) => {
    const lines = [`Host: ${front.host}:${port}`, ...(await signature(CATALOG))];
    expect((await ask({ target: CATALOG, lines })).status).toBe(status);
  });

  it('another shop’s signature is none here', async () => {
    const other = await shopInMode(service, 'enforce');
    const lines = [`Host: ${other.host}`, ...(await signature(CATALOG))];
    const answer = await ask({ target: CATALOG, lines });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'signature_invalid']);
  });

  it.each(['X-Forwarded-Host', 'Forwarded', 'X-Original-Host', 'X-Host'])(
    '%s of a stranger is not looked at',
    async (name) => {
      const value = name === 'Forwarded' ? `host=${front.host}` : front.host;
      const forwarded = [`Host: nobody.example`, `${name}: ${value}`];
      const lines = [...forwarded, ...(await signature(CATALOG))];
      expect((await ask({ target: CATALOG, lines })).status).toBe(421);
    },
  );

  it.each(['X-Signature-Status: verified', 'X-Agent-Verified: true', 'X-Verified-Bot: true'])(
    '"%s" verifies nobody',
    async (line) => {
      expect((await ask({ target: CATALOG, lines: [host(), line] })).status).toBe(401);
    },
  );
});

describe('header lines', () => {
  const split = (lines: readonly string[]) => {
    const of = (name: string) => {
      const line = lines.find((one) => one.toLowerCase().startsWith(`${name}: `)) ?? '';
      return line.slice(name.length + 2);
    };
    return {
      input: of('signature-input'),
      signature: of('signature'),
      agent: of('signature-agent'),
    };
  };

  it('that go on in the next line are 400, or read as one space', async () => {
    const { input, signature: value, agent: named } = split(await signature(CATALOG));
    const folded = input.replace(';', '\r\n ;');
    const lines = [
      ...[host(), `Signature-Input: ${folded}`, `Signature: ${value}`, `Signature-Agent: ${named}`],
    ];
    const answer = await ask({ target: CATALOG, lines });
    expect([400, 401]).toContain(answer.status);
  });

  it.each(['Signature-Input', 'Signature'])('%s twice is no signature', async (name) => {
    const lines = await signature(CATALOG);
    const again = lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `));
    const answer = await ask({ target: CATALOG, lines: [host(), ...lines, again ?? ''] });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'signature_invalid']);
  });

  it('a label that stands twice in one line is no signature', async () => {
    const { input, signature: value, agent: named } = split(await signature(CATALOG));
    const lines = [
      ...[host(), `Signature-Input: ${input}, ${input}`, `Signature: ${value}`],
      `Signature-Agent: ${named}`,
    ];
    const answer = await ask({ target: CATALOG, lines });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'signature_invalid']);
  });

  it('2,000 labels: refused, and no directory is asked', async () => {
    const asked = agent.directories.asked.length;
    const labels = Array.from({ length: 2_000 }, (_, index) => `s${index}=()`).join(',');
    const answer = await ask({ target: CATALOG, lines: [host(), `Signature-Input: ${labels}`] });
    expect([401, 431]).toContain(answer.status);
    const fits = labels.slice(0, labels.indexOf(',s900='));
    const signatures = fits.replaceAll('()', ':AA==:').slice(0, 6_000);
    const lines = [host(), `Signature-Input: ${fits}`, `Signature: ${signatures}`];
    const bounded = await ask({ target: CATALOG, lines });
    expect([401, 431]).toContain(bounded.status);
    expect(agent.directories.asked.length).toBe(asked);
  });

  it.each([4_000, 12_000, 16_384, 70_000])(
    'a member of %i characters is refused, not broken',
    async (size) => {
      const input = `sig1=("@authority");tag="web-bot-auth";nonce="${'n'.repeat(size)}"`;
      const lines = [host(), `Signature-Input: ${input}`, 'Signature: sig1=:AA==:'];
      expect([400, 401, 431]).toContain((await ask({ target: CATALOG, lines })).status);
      const page = await ask({ target: '/', lines });
      // More than the parser takes is no request at all.
      expect(page.status).toBe(size > 60_000 ? 400 : 200);
    },
  );

  it('bytes that are no ASCII are refused, not broken', async () => {
    const lines = [
      host(),
      'Signature-Input: sig1=("\xe9");tag="web-bot-auth"',
      'Signature: \xff\xfe',
    ];
    expect((await ask({ target: CATALOG, lines })).status).toBe(401);
    expect((await ask({ target: '/', lines })).status).toBe(200);
  });
});
