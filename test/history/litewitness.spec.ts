import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import {
  CHECKPOINTS,
  type Checkpoints,
  type StoredCheckpoint,
  WITNESSING,
  type Witnessing,
  type WitnessRound,
} from '../../src/base/history/index.js';
import {
  parseCheckpoint,
  parseNote,
  type VerifierKey,
  verifyNote,
} from '../../src/core/chain/index.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { openDesk } from '../authority/desk.js';
import { cosignedAt, keyOf, openLog, send, testLog, witnessKeys } from '../authority/test-log.js';
import { testAuthority } from '../support/authority.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';
import { valueOf } from '../support/tenants.js';
import { startStockWitness, stockPrograms, type StockWitness } from './stock-witness.js';

/** A witness that others wrote, beside our own: what both cosign, and what neither does. */

const BUILD_MS_MAX = 900_000;
let stock: StockWitness | null = null;
let missing = '';
beforeAll(async () => {
  const programs = await stockPrograms();
  if ('missing' in programs) missing = programs.missing;
  else stock = await startStockWitness(programs, 'stock.witness.example/w1');
}, BUILD_MS_MAX);

function running(context: TestContext): StockWitness {
  return stock ?? context.skip(`DID NOT RUN: ${missing}`);
}

/** `POST add-checkpoint` to the stock witness. */
async function sendStock({ url }: StockWitness, body: string) {
  const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}

describe('the history of a tenant', () => {
  interface House {
    readonly shop: Shop;
    readonly authorityKey: VerifierKey;
    readonly checkpoints: Checkpoints;
    readonly witnessing: Witnessing;
    /** Adds entries. */
    grow(count: number): Promise<void>;
    round(): Promise<{ stored: StoredCheckpoint; outcomes: Record<string, string> }>;
  }

  /** A service whose policy wants both witnesses, and a sealed tenant whose log the stock one was told of. */
  async function openHouse(witness: StockWitness): Promise<House> {
    const authorityUrl = testAuthority().address.transportOrigin();
    const about = await fetch(`${authorityUrl}/.well-known/arbiter-authority`);
    const { witness: published } = (await about.json()) as { witness: { vkeys: [string] } };
    const policy = join(temporaryDataFolder('arbiter-policy-'), 'policy');
    writeFileSync(
      policy,
      [
        `witness own ${published.vkeys[0]}`,
        `witness stock ${witness.key.text} ${witness.url}`,
        'group both all own stock',
        'quorum both\n',
      ].join('\n'),
    );
    const service = await startTestService({
      WITNESS_POLICY_FILE: policy,
      ALLOW_LOOPBACK_PEERS: 'true',
    });
    const shop = await openShop(service);
    const sealed = { as: 'tenant_admin', body: { on: true } } as const;
    expect((await shop.call('PUT', '/v1/ledger/sealing', sealed)).status).toBe(200);
    const checkpoints = service.app.get<Checkpoints>(CHECKPOINTS, { strict: false });
    const witnessing = service.app.get<Witnessing>(WITNESSING, { strict: false });
    const origin = (await checkpoints.originOf(shop.tenantId)) ?? '';
    await witness.addLog(origin, [valueOf(await checkpoints.logKey(shop.tenantId))]);
    return {
      ...{ shop, checkpoints, witnessing },
      authorityKey: keyOf(published.vkeys[0]),
      async grow(count) {
        for (let entry = 0; entry < count; entry += 1) {
          const made = await shop.call('POST', '/v1/agents', {
            as: 'tenant_admin',
            body: { name: `agent ${entry}` },
          });
          expect(made.status).toBe(201);
        }
      },
      async round() {
        const { checkpoint, witnesses } = valueOf<WitnessRound>(
          await witnessing.round(shop.tenantId),
        );
        if (checkpoint === null) throw new Error('a sealed ledger has a checkpoint');
        const outcomes = witnesses.map(({ name, outcome }): [string, string] => [name, outcome]);
        return { stored: checkpoint, outcomes: Object.fromEntries(outcomes) };
      },
    };
  }

  const COSIGNED = (house: House, witness: StockWitness) => ({
    [house.authorityKey.name]: 'cosigned',
    [witness.key.name]: 'cosigned',
  });

  /** The keys that verify on the note of a checkpoint, whose text is what the checkpoint says. */
  async function verifiedNames(house: House, witness: StockWitness, stored: StoredCheckpoint) {
    const note = parseNote(stored.note);
    if (!note.ok) throw new Error(note.error);
    const checkpoint = parseCheckpoint(note.value.text);
    if (!checkpoint.ok) throw new Error(checkpoint.error);
    expect(checkpoint.value.size).toBe(BigInt(stored.size));
    expect(Buffer.from(checkpoint.value.root).toString('hex')).toBe(stored.rootHex);
    const logKeys = (await house.checkpoints.logKeys(house.shop.tenantId)).map(keyOf);
    const verified = verifyNote(note.value, [...logKeys, house.authorityKey, witness.key]);
    if (!verified.ok) throw new Error(verified.error.code);
    return verified.value.verified.map(({ name, kind }) => (kind === 'ed25519' ? 'log' : name));
  }

  it('is cosigned by both as it grows, through losses and new keys', async (context) => {
    const witness = running(context);
    const house = await openHouse(witness);
    const both = ['log', house.authorityKey.name, witness.key.name].sort();
    const sizes: number[] = [];
    for (const more of [0, 1, 2, 5, 9]) {
      await house.grow(more);
      const { stored, outcomes } = await house.round();
      expect(outcomes).toEqual(COSIGNED(house, witness));
      expect(stored.quorum).toBe(true);
      expect((await verifiedNames(house, witness, stored)).sort()).toEqual(both);
      sizes.push(stored.size);
    }
    expect(sizes).toEqual([...new Set(sizes)].sort((left, right) => left - right));

    // What the arbiter knew of its witnesses is lost; they still know, and say so.
    await testDatabase().pool.query('DELETE FROM witness_states WHERE tenant_id = $1', [
      house.shop.tenantId,
    ]);
    await house.grow(3);
    const after = await house.round();
    expect(after.outcomes).toEqual(COSIGNED(house, witness));

    // One witness is away: what it does not sign is no quorum, and nothing else waits for it.
    await witness.kill();
    await house.grow(2);
    const alone = await house.round();
    expect(alone.outcomes).toEqual({
      [house.authorityKey.name]: 'cosigned',
      [witness.key.name]: 'away',
    });
    expect(alone.stored.quorum).toBe(false);
    await witness.restart();
    const again = await house.round();
    expect(again.outcomes[witness.key.name]).toBe('cosigned');
    expect(again.stored).toMatchObject({ size: alone.stored.size, quorum: true });

    // The log signs with another key: our own witness is told by the service, the stock one by its operator.
    const rotated = await house.shop.call('POST', '/v1/signing-keys/checkpoint/rotate', {
      as: 'tenant_admin',
      body: {},
    });
    expect(rotated.status).toBe(201);
    const origin = (await house.checkpoints.originOf(house.shop.tenantId)) ?? '';
    await witness.addKey(origin, valueOf(await house.checkpoints.logKey(house.shop.tenantId)));
    await house.grow(1);
    const renewed = await house.round();
    expect(renewed.outcomes).toEqual(COSIGNED(house, witness));
    expect((await verifiedNames(house, witness, renewed.stored)).sort()).toEqual(both);
  });
});

describe('what both witnesses say to one log', () => {
  it('is the same, request by request, and cosigned alike', async (context) => {
    const witness = running(context);
    const desk = await openDesk();
    const keys = await witnessKeys(desk);
    const step = fc.record({
      old: fc.nat(5),
      more: fc.nat(4),
      isFork: fc.boolean(),
      isForeign: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
      isUnproven: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
      isBack: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
      isKnown: fc.boolean(),
    });
    const counts: Record<number, number> = {};
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const log = await openLog(desk);
        await witness.addLog(log.origin, [log.key.vkey.text]);
        const fork = testLog({ origin: log.origin, key: log.key, forkAt: 2 });
        const foreign = testLog({ origin: log.origin });
        let known = 0;
        for (const one of steps) {
          const old = one.isKnown ? known : one.old;
          const size = one.isBack ? Math.max(old - 1, 0) : old + one.more;
          const tree = one.isForeign ? foreign : one.isFork ? fork : log;
          const body =
            one.isUnproven && old > 0
              ? `old ${old}\n\n${tree.note(size)}`
              : tree.request(old, size);
          const [own, other] = [await send(desk, body), await sendStock(witness, body)];
          expect([own.status, body]).toEqual([other.status, body]);
          counts[own.status] = (counts[own.status] ?? 0) + 1;
          if (own.status === 409) expect(own).toEqual(other);
          if (own.status !== 200) continue;
          known = size;
          cosignedAt(tree.text(size), own.text, keys);
          cosignedAt(tree.text(size), other.text, [witness.key]);
        }
      }),
      { seed: 20_261_130, numRuns: 25 },
    );
    for (const status of [200, 400, 403, 409, 422]) expect(counts[status]).toBeGreaterThan(3);
  });

  it('an unknown origin: the stock one of today says 403, the document and ours 404', async (context) => {
    const witness = running(context);
    const desk = await openDesk();
    const body = testLog().request(0, 1);
    expect((await sendStock(witness, body)).status).toBe(403);
    expect((await send(desk, body)).status).toBe(404);
  });
});
