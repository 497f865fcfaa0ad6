import { describe, expect, it } from 'vitest';
import type { SigningKeys } from '../../src/base/keys/index.js';
import { event, WRITER, type Writer } from '../../src/base/ledger/index.js';
import { DATABASE, type Queryable } from '../../src/base/platform/index.js';
import { parseNote, verifyNote, vkeyOf } from '../../src/core/chain/index.js';
import { ok } from '../../src/core/kernel/index.js';
import { Witness } from '../../src/trust-authority/cosign/index.js';
import { headCosigned } from '../../src/trust-authority/ledger/index.js';
import type { AuthorityTenants } from '../../src/trust-authority/tenants/index.js';
import { TENANTS } from '../../src/trust-authority/tokens.js';
import { freshDatabase } from '../support/database.js';
import { describeWithOracle } from '../support/oracles.js';
import { type Desk, openDesk } from './desk.js';
import { drawnId } from './forest.js';
import { cosignedAt, logKey, openLog, register, send, testLog, witnessKeys } from './test-log.js';

interface Oracle {
  readonly sequences: readonly {
    readonly name: string;
    readonly trusted_logs: readonly { origin: string; vkeys: string[] }[];
    readonly witness: { name: string; vkey: string; seed_hex: string };
    readonly steps: readonly {
      readonly step: number;
      readonly what: string;
      readonly request: string;
      readonly status: number;
      readonly content_type?: string;
      readonly body?: string;
      readonly witness_time?: number;
    }[];
  }[];
}
type Sequence = Oracle['sequences'][number];

const part = <Part>(desk: Pick<Desk, 'app'>, token: symbol): Part =>
  desk.app.get<Part>(token, { strict: false });

/** The witness of the oracle: its name and key, and a clock that tests move. */
function oracleWitness(desk: Pick<Desk, 'app'>, { name, seed_hex }: Sequence['witness']) {
  const key = logKey(name, seed_hex);
  const clock = { nowMs: 0 };
  const kid = 'k';
  const x = key.publicKey.toString('base64url');
  const jwk = { kid, alg: 'EdDSA', use: 'sig', kty: 'OKP', crv: 'Ed25519', x } as const;
  const listed = { jwk, purpose: 'witness', createdAtMs: 0, endsAtMs: null, state: 'signing' };
  const signingKeys: Pick<SigningKeys, 'signer' | 'list'> = {
    signer: () => Promise.resolve(ok({ kid, algorithm: 'EdDSA', sign: key.sign })),
    list: () => Promise.resolve([listed as Awaited<ReturnType<SigningKeys['list']>>[number]]),
  };
  const witness = new Witness({
    database: part<Queryable>(desk, DATABASE),
    writer: part<Writer>(desk, WRITER),
    tenants: part<AuthorityTenants>(desk, TENANTS),
    ...{ signingKeys, name, nowMs: () => clock.nowMs },
  });
  return { witness, clock };
}

const STATUS_OF: Readonly<Record<string, number>> = {
  request_malformed: 400,
  validation_failed: 400,
  forbidden: 403,
  not_found: 404,
  unverifiable: 422,
};

describeWithOracle<Oracle>(
  'trust/witness-add-checkpoint.json',
  'the published sequences',
  (oracle) => {
    it.each(oracle.sequences)('$name, over HTTP', async ({ trusted_logs: logs, steps }) => {
      const desk = await openDesk({}, (await freshDatabase()).connectionString);
      for (const log of logs)
        expect((await register(desk, await desk.tenant(), log)).status).toBe(200);
      const keys = await witnessKeys(desk);
      for (const { step, request, status, content_type: type, body } of steps) {
        const answer = await send(desk, request);
        expect([step, answer.status]).toEqual([step, status]);
        if (type !== undefined) expect(answer.type).toBe(type);
        if (status === 409) expect(answer.text).toBe(body);
        if (status !== 200) continue;
        const note = parseNote(request.slice(request.indexOf('\n\n') + 2));
        if (!note.ok) throw new Error(note.error);
        expect(cosignedAt(note.value.text, answer.text, keys)).toBeGreaterThan(1_700_000_000);
      }
      expect(await desk.differences('all')).toEqual([]);
    });

    it.each(oracle.sequences)(
      '$name, to the byte',
      async ({ trusted_logs: logs, witness, steps }) => {
        const desk = await openDesk({}, (await freshDatabase()).connectionString);
        for (const log of logs)
          expect((await register(desk, await desk.tenant(), log)).status).toBe(200);
        const own = oracleWitness(desk, witness);
        for (const { step, request, status, body, witness_time: time } of steps) {
          own.clock.nowMs = (time ?? 1_900_000_000) * 1_000 + 999;
          const answer = await own.witness.addCheckpoint(request, 'oracle');
          if (!answer.ok) expect([step, STATUS_OF[answer.error.code]]).toEqual([step, status]);
          else if (answer.value.kind === 'other_size')
            expect([step, 409, `${answer.value.size}\n`]).toEqual([step, status, body]);
          else expect([step, 200, `${answer.value.line}\n`]).toEqual([step, status, body]);
        }
      },
    );
  },
);

const desk = await openDesk();
const OLD_TIME = '2026-02-01T00:00:00.000Z';
const COSIGNER = { name: 'witness.example/w1', vkey: '', seed_hex: '9d'.repeat(32) };

describe('a log of a tenant', () => {
  it('is cosigned from nothing to its newest size, by a key of the witness', async () => {
    const log = await openLog(desk);
    const keys = await witnessKeys(desk);
    let old = 0;
    for (const size of [1, 2, 3, 7, 8, 64, 65]) {
      const answer = await send(desk, log.request(old, size));
      expect(answer).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
      cosignedAt(log.text(size), answer.text, keys);
      old = size;
    }
    expect(await desk.differences(log.tenantId)).toEqual([]);
  });

  it('is cosigned at real time, wherever the clock of the tenant stands', async () => {
    const log = testLog();
    const tenantId = await desk.tenant('test', OLD_TIME);
    await register(desk, tenantId, { origin: log.origin, vkeys: [log.key.vkey.text] });
    const before = Math.floor(Date.now() / 1_000);
    const answer = await send(desk, log.request(0, 4));
    const cosigned = cosignedAt(log.text(4), answer.text, await witnessKeys(desk));
    expect(cosigned).toBeGreaterThanOrEqual(before);
    expect(cosigned).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
    await desk.call('POST', `/v1/tenants/${tenantId}/clock`, { now: '9999-12-31T23:59:59.999Z' });
    const later = await send(desk, log.request(4, 5));
    expect(later.status).toBe(200);
    expect(cosignedAt(log.text(5), later.text, await witnessKeys(desk))).toBeLessThan(before + 120);
  });

  it('sent again is cosigned again, later, and leaves no other trace', async () => {
    const log = await openLog(desk);
    const { witness, clock } = oracleWitness(desk, COSIGNER);
    clock.nowMs = 1_000_000;
    const first = await witness.addCheckpoint(log.request(0, 4), 'first');
    const count = await desk.entryCount(log.tenantId);
    clock.nowMs = 2_000_000;
    const again = await witness.addCheckpoint(log.request(4, 4), 'again');
    const { publicKey } = logKey(COSIGNER.name, COSIGNER.seed_hex);
    const keys = [vkeyOf('cosignature', COSIGNER.name, publicKey)];
    const timeOf = (answer: typeof first): number => {
      if (!answer.ok || answer.value.kind !== 'cosigned') throw new Error('not cosigned');
      return cosignedAt(log.text(4), answer.value.line, keys);
    };
    expect([timeOf(first), timeOf(again)]).toEqual([1_000, 2_000]);
    expect(await desk.entryCount(log.tenantId)).toBe(count);
  });

  it('that was rewritten is refused, and what it cannot take back stands', async () => {
    const log = await openLog(desk);
    const fork = testLog({ origin: log.origin, key: log.key, forkAt: 5 });
    await send(desk, log.request(0, 8));
    const count = await desk.entryCount(log.tenantId);
    // Another tree of the same size, one that goes on from the other history, a shorter one, and from the start again.
    expect((await send(desk, fork.request(8, 8))).status).toBe(422);
    expect((await send(desk, fork.request(8, 12))).status).toBe(422);
    expect(await send(desk, fork.request(5, 6))).toMatchObject({ status: 409, text: '8\n' });
    expect(await send(desk, log.request(4, 4))).toMatchObject({ status: 409, text: '8\n' });
    expect(await send(desk, fork.request(0, 12))).toMatchObject({ status: 409, text: '8\n' });
    expect(await desk.entryCount(log.tenantId)).toBe(count);
    expect((await send(desk, log.request(8, 12))).status).toBe(200);
  });

  it('is read by everybody: its newest note, cosigned as of now', async () => {
    const log = await openLog(desk);
    const path = `/witness/${log.originSha256}/checkpoint`;
    expect((await desk.call('GET', path, undefined, null)).status).toBe(404);
    await send(desk, log.request(0, 4));
    const stranger = logKey('someone.else');
    const text = log.text(6);
    await send(desk, `${log.request(4, 6)}${stranger.line(text)}\n`);
    const answer = await desk.call('GET', path, undefined, null);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const note = parseNote(answer.text);
    if (!note.ok) throw new Error(note.error);
    const [newest] = await witnessKeys(desk);
    if (newest === undefined) throw new Error('a witness has a key');
    const verified = verifyNote(note.value, [log.key.vkey, newest]);
    expect(verified).toEqual(ok({ verified: [log.key.vkey, newest] }));
    expect(note.value.text).toBe(text);
    // What a stranger wrote beside it is not kept.
    expect(note.value.signatures).toHaveLength(2);
    const other = '0'.repeat(64);
    expect((await desk.call('GET', `/witness/${other}/checkpoint`, undefined, null)).status).toBe(
      404,
    );
    expect((await desk.call('GET', '/witness/abc/checkpoint', undefined, null)).status).toBe(400);
  });
});

describe('registering a log', () => {
  it('is for the service of the tenant, once, under one origin', async () => {
    const log = testLog();
    const tenantId = await desk.tenant();
    const path = `/v1/tenants/${tenantId}/log`;
    const body = { origin: log.origin, vkeys: [log.key.vkey.text] };
    expect((await desk.call('PUT', path, body, 'stranger')).status).toBe(404);
    expect((await desk.call('PUT', path, body, null)).status).toBe(401);
    expect((await desk.call('PUT', '/v1/tenants/tnt_authority/log', body)).status).toBe(404);
    expect((await send(desk, log.request(0, 1))).status).toBe(404);
    const first = await desk.call('PUT', path, body);
    expect(first).toMatchObject({ status: 200, body });
    const count = await desk.entryCount(tenantId);
    expect((await desk.call('PUT', path, body)).text).toBe(first.text);
    expect(await desk.call('PUT', path, { ...body, origin: `${log.origin}x` })).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: '/origin' },
    });
    const other = await desk.tenant();
    expect(await desk.call('PUT', `/v1/tenants/${other}/log`, body)).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: '/origin' },
    });
    expect(await desk.entryCount(tenantId)).toBe(count);
    expect(await desk.differences('all')).toEqual([]);
  });

  it('of one origin by many tenants at once gives it to one', async () => {
    const log = testLog();
    const tenants = await Promise.all(Array.from({ length: 8 }, () => desk.tenant()));
    const body = { origin: log.origin, vkeys: [log.key.vkey.text] };
    const answers = await Promise.all(tenants.map((tenantId) => register(desk, tenantId, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it("under an origin that ends in the id of another tenant is nobody else's to do, served or not", async () => {
    const tenantId = await desk.tenant();
    const log = testLog({ origin: `ledgers.example/${tenantId}` });
    const vkeys = [log.key.vkey.text];
    const body = { origin: log.origin, vkeys };
    const other = await desk.tenant();
    const count = await desk.entryCount(other);
    const unborn = drawnId('tnt');
    for (const origin of [log.origin, `ledgers.example/${unborn}`]) {
      const claimed = await register(desk, other, { origin, vkeys });
      expect(claimed).toMatchObject({ status: 409, body: { code: 'conflict', field: '/origin' } });
      expect(claimed.body.fix).toContain("this tenant's id");
    }
    expect(await desk.entryCount(other)).toBe(count);
    expect((await register(desk, tenantId, body)).status).toBe(200);
    expect((await register(desk, tenantId, body)).status).toBe(200);
    expect((await send(desk, log.request(0, 2))).status).toBe(200);
    // An id inside an origin, or something that only looks like one at its end, says nothing.
    for (const origin of [`${log.origin}/2`, `${tenantId}`, `x${tenantId}`, `x/${tenantId}-2`]) {
      const one = await desk.tenant();
      expect((await register(desk, one, { origin, vkeys })).status).toBe(200);
    }
  });

  it('with other keys later: those that are named count, the others do not', async () => {
    const first = await openLog(desk);
    const next = testLog({ origin: first.origin });
    expect((await send(desk, first.request(0, 3))).status).toBe(200);
    expect((await send(desk, next.request(3, 5))).status).toBe(403);
    const both = [next.key.vkey.text, first.key.vkey.text];
    await register(desk, first.tenantId, { origin: first.origin, vkeys: both });
    expect((await send(desk, next.request(3, 5))).status).toBe(200);
    expect((await send(desk, first.request(5, 6))).status).toBe(200);
    const count = await desk.entryCount(first.tenantId);
    await register(desk, first.tenantId, { origin: first.origin, vkeys: [...both].reverse() });
    expect(await desk.entryCount(first.tenantId)).toBe(count);
    await register(desk, first.tenantId, { origin: first.origin, vkeys: [next.key.vkey.text] });
    expect((await send(desk, first.request(6, 7))).status).toBe(403);
    expect((await send(desk, next.request(6, 7))).status).toBe(200);
    expect(await desk.differences(first.tenantId)).toEqual([]);
  });
});

describe('a ledger from before checkpoints', () => {
  it('with heads that were cosigned then is folded as it was', async () => {
    const tenantId = await desk.tenant();
    const link = 'a'.repeat(64);
    const written = await part<Writer>(desk, WRITER).execute({
      ...{ tenantId, requestId: 'old', idempotency: null, name: 'test.cosign_head', reads: [] },
      actor: { role: 'system', id: 'test' },
      decide: () => ok({ events: [event(headCosigned, { ledgerId: 'l', seq: 7, link })] }),
      answer: () => null,
    });
    expect(written).toEqual(ok(null));
    expect(await desk.differences(tenantId)).toEqual([]);
    const head = { ledger_id: 'l', seq: 8, link };
    const path = `/v1/tenants/${tenantId}/head-cosignatures`;
    expect((await desk.call('POST', path, head)).status).toBe(404);
  });
});

describe('the key of the witness', () => {
  it('changes by a rotation; the one before is published as long as it counts', async () => {
    const own = await openDesk({}, (await freshDatabase()).connectionString);
    const log = await openLog(own);
    const before = await send(own, log.request(0, 4));
    const [old] = await witnessKeys(own);
    if (old === undefined) throw new Error('a witness has a key');
    expect(old.name).toBe(`${own.origin.slice('https://'.length)}/witness`);
    const rotated = await own.call(
      'POST',
      '/v1/keys/rotations',
      { purpose: 'witness', overlap_seconds: 7 * 24 * 3600 },
      'operator',
    );
    expect(rotated.status).toBe(200);
    const keys = await witnessKeys(own);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toEqual(old);
    const [newest] = keys;
    if (newest === undefined) throw new Error('a witness has a key');
    expect([newest.name, newest.kind]).toEqual([old.name, 'cosignature']);
    expect(newest.keyId).not.toBe(old.keyId);
    const after = await send(own, log.request(4, 4));
    cosignedAt(log.text(4), before.text, [old]);
    cosignedAt(log.text(4), after.text, [newest]);
    const { body } = await own.call('GET', '/.well-known/arbiter-authority', undefined, null);
    expect(body.witness.submission_prefix).toBe(`${own.origin}/witness`);
  });
});
