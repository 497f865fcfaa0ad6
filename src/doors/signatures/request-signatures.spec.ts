import { describe, expect, it } from 'vitest';
import {
  AGENT,
  NOW,
  shopRequest,
  signatureLines,
  testKey,
  wbaParameters,
  withHeaders,
} from '../../../test/httpsig/signed-requests.js';
import { publicKey } from '../../../test/httpsig/verifier.js';
import type { HttpRequestMessage, KeySource } from '../../core/httpsig/index.js';
import type { ClaimOutcome, ResolvedKey } from '../../trust/peers/index.js';
import { type JudgedRequest, RequestSignatures } from './request-signatures.js';

const key = testKey();
const FOUND: ResolvedKey = {
  kind: 'found',
  key: publicKey(key.jwk),
  url: AGENT,
  notes: { proof: 'absent', isExactMediaType: true, isStale: false, isPinned: false },
};

interface Surroundings {
  readonly resolve?: (source: KeySource) => Promise<ResolvedKey>;
  readonly claim?: () => Promise<ClaimOutcome>;
}

/** Nonces in memory; `asked` and `claimed` in their order. */
function judging({ resolve, claim }: Surroundings = {}) {
  const asked: KeySource[] = [];
  const claimed: string[] = [];
  const signatures = new RequestSignatures({
    directories: {
      resolve(source) {
        asked.push(source);
        return resolve === undefined ? Promise.resolve(FOUND) : resolve(source);
      },
    },
    nonces: {
      claim({ nonceHash }) {
        const isUsed = claimed.includes(nonceHash);
        claimed.push(nonceHash);
        if (claim !== undefined) return claim();
        return Promise.resolve(isUsed ? 'replayed' : 'claimed');
      },
    },
    allowLoopbackPeers: false,
    nowMs: () => NOW * 1_000,
  });
  const judge = (message: HttpRequestMessage, changed: Partial<JudgedRequest> = {}) =>
    signatures.judge({
      message,
      routeKind: 'read',
      profiles: ['tap', 'wba'],
      mode: 'enforce',
      world: 'live',
      allowedAgents: null,
      clientAddress: null,
      claimsNonces: true,
      ...changed,
    });
  return { judge, asked, claimed };
}

/** A request with one signature for each nonce; null: without one. */
function signed(...nonces: readonly (string | null)[]): HttpRequestMessage {
  const labels = nonces.map((_nonce, index) => `sig${index + 1}`);
  const agents = labels.map((label) => `${label}="${AGENT}"`).join(', ');
  const request = withHeaders(shopRequest(), [['Signature-Agent', agents]]);
  const lines = nonces.flatMap((nonce, index) =>
    signatureLines(request, key, {
      label: labels[index] ?? '',
      components: ['@method', '@authority', '@path', `"signature-agent";key="${labels[index]}"`],
      parameters: wbaParameters(key, nonce === null ? { nonce: undefined } : { nonce }),
    }),
  );
  return withHeaders(request, lines);
}

const damaged = (message: HttpRequestMessage): HttpRequestMessage => ({
  ...message,
  target: '/other.json',
});

describe('the nonce', () => {
  it('is taken once', async () => {
    const { judge } = judging();
    expect(await judge(signed('once-only'))).toMatchObject({ status: 'verified' });
    expect(await judge(signed('once-only'))).toMatchObject({ reason: 'replayed' });
  });

  it('is claimed only after the signature verified: nobody burns somebody else’s', async () => {
    const { judge, claimed } = judging();
    const bad = { ...FOUND, key: publicKey(testKey().jwk) };
    expect(await judge(damaged(signed('burnt')))).toMatchObject({ reason: 'bad_signature' });
    expect(claimed).toEqual([]);
    const other = judging({ resolve: () => Promise.resolve(bad) });
    await other.judge(signed('burnt'));
    expect(other.claimed).toEqual([]);
    expect(await judge(signed('burnt'))).toMatchObject({ status: 'verified' });
  });

  it('of every label that verified is used up: a second one is no second chance', async () => {
    const { judge } = judging();
    expect(await judge(signed('first', 'second'))).toMatchObject({ status: 'verified' });
    expect(await judge(signed('first', 'second'))).toMatchObject({ reason: 'replayed' });
    expect(await judge(signed('second'))).toMatchObject({ reason: 'replayed' });
  });

  it('that two labels share is claimed once', async () => {
    const { judge, claimed } = judging();
    expect(await judge(signed('shared', 'shared'))).toMatchObject({ status: 'verified' });
    expect(claimed).toHaveLength(1);
  });

  it('that was used takes nothing from a label without one', async () => {
    const { judge } = judging();
    await judge(signed('used-before'));
    expect(await judge(signed('used-before', null))).toMatchObject({
      status: 'verified',
      label: 'sig2',
    });
  });

  it('whose store is away proves nothing', async () => {
    const { judge } = judging({ claim: () => Promise.resolve('unavailable') });
    expect(await judge(signed('unknown'))).toMatchObject({
      status: 'unverified',
      reason: 'replay_state_unavailable',
    });
  });

  it('is left alone for who only asks', async () => {
    const { judge, claimed } = judging();
    await judge(signed('asked-only'), { claimsNonces: false });
    expect(claimed).toEqual([]);
  });
});

describe('the list of agents', () => {
  it('is looked at before anything is fetched', async () => {
    const { judge, asked } = judging();
    const allowedAgents = ['https://other.example'];
    expect(await judge(signed(null), { allowedAgents })).toMatchObject({
      status: 'unverified',
      reason: 'agent_not_allowed',
    });
    expect(asked).toEqual([]);
    const named = await judge(signed(null), { allowedAgents: [AGENT] });
    expect(named).toMatchObject({ status: 'verified', agent: AGENT });
  });

  it.each([
    [['tap'], 'verified'],
    [[AGENT], 'unverified'],
    [[], 'unverified'],
    [null, 'verified'],
  ])('%j, asked by an agent of TAP: %s', async (allowedAgents, status) => {
    const { judge } = judging();
    const lines = signatureLines(shopRequest(), key, {
      components: ['@method', '@authority', '@path'],
      parameters: {
        ...{ created: NOW - 10, expires: NOW + 200, keyid: key.thumbprint, alg: 'ed25519' },
        ...{ nonce: 'nonce-of-tap', tag: 'agent-browser-auth' },
      },
    });
    const message = withHeaders(shopRequest(), lines);
    expect(await judge(message, { allowedAgents })).toMatchObject({ status });
  });
});

describe('what breaks on the way', () => {
  const broken = () => Promise.reject(new Error('a secret detail'));

  it.each([
    ['the directories', { resolve: broken }],
    ['the nonces', { claim: broken }],
  ])('%s: unverified, and no word of why', async (_name, surroundings) => {
    const verdict = await judging(surroundings).judge(signed('any-nonce'));
    expect(verdict).toMatchObject({ status: 'unverified', reason: 'verifier_error' });
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });

  it('nothing is asked for what fails without a key', async () => {
    const { judge, asked } = judging();
    const late = { ...signed(null), headers: [] };
    expect(await judge(late)).toMatchObject({ status: 'unsigned' });
    expect(
      await judge(damaged({ ...signed(null), body: Buffer.from('x') }), { routeKind: 'write' }),
    ).toMatchObject({ reason: 'digest_missing' });
    expect(asked).toEqual([]);
  });
});
