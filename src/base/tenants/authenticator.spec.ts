import { describe, expect, it } from 'vitest';
import type { ApiKeyId } from '../../core/kernel/index.js';
import { apiKeyDigest, printApiKey } from './api-key-form.js';
import type { ApiKeyCandidate } from './api-keys.store.js';
import { ApiKeyAuthenticator, KNOWN_KEY_MS, KNOWN_KEYS_MAX } from './authenticator.js';

const numbered = (number: number): { apiKeyId: ApiKeyId; apiKey: string } => {
  const apiKeyId = `key_${number.toString(16).padStart(32, '0')}` as const;
  return { apiKeyId, apiKey: printApiKey('test', apiKeyId, 'ab'.repeat(32)) };
};

const candidate = ({ apiKeyId, apiKey }: ReturnType<typeof numbered>): ApiKeyCandidate => ({
  apiKeyId,
  name: 'k',
  role: 'operator',
  scopes: null,
  merchantIds: null,
  agentId: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
  replacedBy: null,
  tenantId: 'tnt_a',
  world: 'test',
  digest: apiKeyDigest(apiKey),
  agentSuspended: false,
});

type Found = readonly ApiKeyCandidate[];

function authenticatorOver(find: (apiKeyId: ApiKeyId) => Found | Promise<Found>) {
  const clock = { nowMs: 1_000_000 };
  const state = { lookUps: 0 };
  const authenticator = new ApiKeyAuthenticator({
    findCandidates: (apiKeyId) => {
      state.lookUps += 1;
      return Promise.resolve(find(apiKeyId));
    },
    platformAdminKey: 'ak_platform_0123456789abcdef0123456789abcdef',
    nowMs: () => clock.nowMs,
  });
  return { authenticator, clock, state };
}

const known = numbered(1);

describe('the authenticator', () => {
  it('says how an API key begins to who sends the id of something else', async () => {
    const { authenticator, state } = authenticatorOver(() => []);
    for (const id of ['agt_0123456789abcdef', 'tnt_a', 'key_a'])
      expect(await authenticator.authenticate(id)).toMatchObject({
        ok: false,
        error: { fix: expect.stringContaining('An API key begins with ak_') },
      });
    expect(state.lookUps).toBe(0);
  });

  it('looks a known key up once a second, and at once after forget', async () => {
    const { authenticator, clock, state } = authenticatorOver(() => [candidate(known)]);
    const ask = async () => (await authenticator.authenticate(known.apiKey)).ok;
    expect([await ask(), await ask()]).toEqual([true, true]);
    expect(state.lookUps).toBe(1);
    clock.nowMs += KNOWN_KEY_MS - 1;
    await ask();
    expect(state.lookUps).toBe(1);
    clock.nowMs += 1;
    await ask();
    expect(state.lookUps).toBe(2);
    authenticator.forget();
    await ask();
    expect(state.lookUps).toBe(3);
  });

  it('does not believe longer because the clock went back', async () => {
    const { authenticator, clock, state } = authenticatorOver(() => [candidate(known)]);
    await authenticator.authenticate(known.apiKey);
    clock.nowMs -= 1;
    await authenticator.authenticate(known.apiKey);
    expect(state.lookUps).toBe(2);
  });

  it('does not believe an answer that was asked for before forget', async () => {
    let answer: ((rows: ApiKeyCandidate[]) => void) | null = null;
    const { authenticator, state } = authenticatorOver(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const early = authenticator.authenticate(known.apiKey);
    const release = answer as ((rows: ApiKeyCandidate[]) => void) | null;
    // The key is revoked here, while the look-up of before is still on its way.
    authenticator.forget();
    release?.([candidate(known)]);
    expect((await early).ok).toBe(true);
    const later = authenticator.authenticate(known.apiKey);
    expect(state.lookUps).toBe(2);
    (answer as ((rows: ApiKeyCandidate[]) => void) | null)?.([]);
    expect((await later).ok).toBe(false);
  });

  it('remembers no unknown key and no failed look-up', async () => {
    const { authenticator, state } = authenticatorOver(() => []);
    await authenticator.authenticate(known.apiKey);
    await authenticator.authenticate(known.apiKey);
    expect(state.lookUps).toBe(2);

    const silent = authenticatorOver(() => Promise.reject(new Error('connection refused')));
    const answer = await silent.authenticator.authenticate(known.apiKey);
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    await silent.authenticator.authenticate(known.apiKey);
    expect(silent.state.lookUps).toBe(2);
  });

  it('remembers a bounded number of keys, the newest ones', async () => {
    const { authenticator, state } = authenticatorOver((apiKeyId) => [
      candidate(numbered(Number.parseInt(apiKeyId.slice(4), 16))),
    ]);
    for (let number = 0; number <= KNOWN_KEYS_MAX; number += 1) {
      await authenticator.authenticate(numbered(number).apiKey);
    }
    const before = state.lookUps;
    await authenticator.authenticate(numbered(KNOWN_KEYS_MAX).apiKey);
    expect(state.lookUps).toBe(before);
    await authenticator.authenticate(numbered(0).apiKey);
    expect(state.lookUps).toBe(before + 1);
  });

  it('believes the digest, not the id: a row of another key with this id is no proof', async () => {
    const { authenticator } = authenticatorOver(() => [
      { ...candidate(known), digest: apiKeyDigest('something else') },
      candidate(known),
    ]);
    expect((await authenticator.authenticate(known.apiKey)).ok).toBe(true);
    const forged = authenticatorOver(() => [
      { ...candidate(known), digest: apiKeyDigest('something else') },
    ]);
    expect((await forged.authenticator.authenticate(known.apiKey)).ok).toBe(false);
  });

  it('refuses a key whose tenant is of the other world, even when its digest fits', async () => {
    const { authenticator } = authenticatorOver(() => [{ ...candidate(known), world: 'live' }]);
    expect((await authenticator.authenticate(known.apiKey)).ok).toBe(false);
  });
});
