import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  basesOf,
  explainBase,
  type HeaderLine,
  type HttpRequestMessage,
} from '../core/httpsig/index.js';
import { BASE_ADVICE } from '../core/httpsig/index.js';
import { signRequestWithBase } from './index.js';

/** What docs/signatures.md shows has to be what the code makes of it. */
const page = readFileSync(new URL('../../docs/signatures.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
const bases = blocks.filter(({ kind, text }) => kind === 'text' && text.startsWith('"@method"'));
const [ours = '', theirs = ''] = bases.map(({ text }) => text);
const request = blocks.find(({ kind }) => kind === 'http')?.text ?? '';

/** The private key of RFC 9421 Appendix B.1.4, printed there. */
const RFC_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
};

function messageOf(text: string): HttpRequestMessage {
  const [head = '', body = ''] = text.split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.map((line): HeaderLine => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const authority = headers.find(([name]) => name === 'Host')?.[1] ?? '';
  return {
    kind: 'request',
    method,
    scheme: 'https',
    authority,
    target,
    headers,
    body: Buffer.from(body),
  };
}

describe('docs/signatures.md', () => {
  it('shows a request as the signer makes it, and its base', async () => {
    const message = messageOf(request);
    expect(basesOf(message)).toEqual([{ label: 'sig1', base: ours, fault: null }]);
    const signed = await signRequestWithBase(
      {
        method: 'POST',
        url: `https://${message.authority}${message.target}`,
        headers: [['Content-Type', 'application/json']],
        body: '{"hello": "world"}',
      },
      {
        profile: 'web-bot-auth',
        key: RFC_KEY,
        agentUrl: 'https://agent.example',
        nonce: 'dG8gYmUgdXNlZCBvbmNl',
        nowMs: 1_800_000_000_000,
      },
    );
    expect(signed.base).toBe(ours);
    for (const line of Object.entries(signed.headers)) expect(message.headers).toContainEqual(line);
  });

  it('tells where the two bases part, and why', () => {
    const first = explainBase(ours, theirs);
    const mended = theirs.replace('message:send?lang=en', 'message:send');
    const second = explainBase(ours, mended);
    const told = [first, second].map(
      ({ first: at, cause }) =>
        `line ${at?.line}, character ${at?.character}, in \`${at?.component}\` ${cause}`,
    );
    expect(told).toEqual([
      'line 3, character 30, in `"@path"` query_in_path',
      'line 8, character 125, in `"@signature-params"` parameters_spaced',
    ]);
    const sentence = page.replace(/\s+/g, ' ');
    for (const { first: at, cause } of [first, second]) {
      expect(sentence).toContain(
        `at line ${at?.line}, character ${at?.character}, in \`${at?.component}\``,
      );
      expect(sentence).toContain(`\`${cause}\``);
    }
  });

  it('lists every cause with its advice', () => {
    for (const [cause, advice] of Object.entries(BASE_ADVICE))
      expect(page.replace(/ +/g, ' ')).toContain(
        `| \`${cause}\` | ${advice.replace(/ +/g, ' ')} |`,
      );
  });
});
