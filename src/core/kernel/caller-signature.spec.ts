import { describe, expect, it } from 'vitest';
import { callerSignatureBody } from './caller-signature.js';
import { canonicalize } from './canonical.js';

describe('the signature of a request in an entry', () => {
  it('names key, agent, times and the hash of the nonce', () => {
    const body = callerSignatureBody({
      profile: 'wba',
      keyId: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
      agent: 'https://agent.example/.well-known/http-message-signatures-directory',
      tag: 'web-bot-auth',
      coverage: 'full',
      createdAtMs: 1_735_689_600_000,
      expiresAtMs: null,
      nonceHash: null,
    });
    expect(canonicalize(body)).toBe(
      '{"agent":"https://agent.example/.well-known/http-message-signatures-directory","coverage":"full",' +
        '"created":"2025-01-01T00:00:00.000Z","expires":null,"keyid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",' +
        '"nonce_hash":null,"profile":"wba","tag":"web-bot-auth"}',
    );
  });
});
