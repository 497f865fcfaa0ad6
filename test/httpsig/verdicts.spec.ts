import { sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { basesOf } from '../../src/core/httpsig/index.js';
import { describeWithOracle } from '../support/oracles.js';
import { rfcPrivateKey } from './rfc-keys.js';
import {
  contextOf,
  judge,
  KeysInMemory,
  requestOf,
  type WrittenConfig,
  type WrittenMessage,
} from './verifier.js';

interface Verdict {
  readonly status: string;
  readonly reason?: string;
  readonly agent?: string;
  readonly tag?: string;
  readonly note?: string;
}

interface Expected extends Partial<Verdict> {
  readonly alsoAcceptable?: readonly Verdict[];
  readonly anyOf?: readonly Verdict[];
  readonly neverAgent?: string;
}

interface Case {
  readonly id: string;
  readonly now?: number;
  readonly request: WrittenMessage;
  readonly signatureBase?: string;
  readonly config?: WrittenConfig;
  readonly expected: Expected;
}

/** `alsoAcceptable` names other right verdicts; we hold ourselves to the first one, but for these. */
const CHOSEN: Readonly<Record<string, Verdict>> = {
  'signature-base64-unpadded': { status: 'verified' },
};

function expectedOf({ id, expected }: Case): Partial<Verdict> {
  const { status, reason, agent, tag, note } = expected;
  const chosen = CHOSEN[id];
  const verdict = chosen ?? { status, reason, agent, tag, note };
  return Object.fromEntries(Object.entries(verdict).filter(([, value]) => value !== undefined));
}

function testCases(
  name: string,
  cases: readonly Case[],
  given: { now: number; config: WrittenConfig },
) {
  it.each(cases.map((entry) => [entry.id, entry] as const))(`${name}: %s`, (_id, entry) => {
    const config = { ...given.config, ...entry.config };
    const context = contextOf(config, entry.now ?? given.now);
    const request = requestOf(entry.request);
    const verdict = judge(request, context, { keys: new KeysInMemory(config) });
    const expected = expectedOf(entry);
    expect(verdict).toMatchObject(expected);
    expect(verdict.reason === null).toBe(!['invalid', 'unverified'].includes(verdict.status));
    if (entry.expected.neverAgent !== undefined)
      expect(verdict.agent).not.toBe(entry.expected.neverAgent);
    if (verdict.status === 'verified') expect(verdict.agent).toBe(expected.agent ?? null);
    if (entry.signatureBase !== undefined)
      expect(basesOf(request)[0]?.base).toBe(entry.signatureBase);
  });
}

interface Adversarial {
  readonly clock: number;
  readonly config: WrittenConfig;
  readonly cases: readonly Case[];
}

describeWithOracle<Adversarial>('rfc9421/adversarial.json', 'the adversarial inputs', (oracle) => {
  testCases('verdict', oracle.cases, { now: oracle.clock, config: oracle.config });
});

interface Generated {
  readonly config: WrittenConfig;
  readonly vectors: readonly Case[];
}

describeWithOracle<Generated>('rfc9421/generated-vectors.json', 'the own vectors', (oracle) => {
  testCases('verdict', oracle.vectors, { now: 0, config: oracle.config });

  it('those with a base are the same bytes when signed again', () => {
    const key = rfcPrivateKey('test-key-ed25519');
    let checked = 0;
    for (const { request, signatureBase } of oracle.vectors) {
      if (signatureBase === undefined) continue;
      const written = request.headers.find(([name]) => name === 'Signature')?.[1] ?? '';
      const bytes = sign(null, Buffer.from(signatureBase, 'latin1'), key).toString('base64');
      expect(written).toContain(`:${bytes}:`);
      checked += 1;
    }
    expect(checked).toBe(6);
  });
});
