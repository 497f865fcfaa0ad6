import { expect, it } from 'vitest';
import { parsePublicJwk } from '../../core/proofs/index.js';
import { addIssuerKey } from './issuer-keys.commands.js';

const key = parsePublicJwk({
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
});

it('a key without a begin of its own counts from the whole second: a token signed right after it says no more', () => {
  if (!key.ok) return expect(key.error).toBeNull();
  const command = addIssuerKey(
    {
      tenantId: 'tnt_1',
      actor: { role: 'tenant_admin', id: 'key_1' },
      requestId: 'r',
      idempotency: null,
    },
    {
      issuer: 'https://i.example',
      kid: 'k1',
      role: 'consent',
      key: key.value,
      types: [],
      notBeforeAtMs: null,
    },
  );
  const judged = command.decide(
    { get: () => undefined },
    { atMs: 1_796_000_000_999, nextSeq: 1, idSeed: null },
  );
  expect(judged).toMatchObject({
    ok: true,
    value: { events: [{ data: { notBeforeAtMs: 1_796_000_000_000 } }] },
  });
});
