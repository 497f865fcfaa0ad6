import { generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'vitest';
import {
  cosignatureMessage,
  cosignatureSignature,
  parsePolicy,
  parseVkey,
  signatureLine,
  type WitnessPolicy,
} from '../../src/core/chain/index.js';
import type { TestDatabase } from '../support/database.js';
import { type TestTenant, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';
import { startWitness, type TestWitness } from './witness.js';

export function policyOf(witnesses: readonly TestWitness[], quorum: number): WitnessPolicy {
  const lines = witnesses.map(({ key, url }, index) => `witness w${index} ${key.text} ${url}`);
  const names = witnesses.map((_witness, index) => `w${index}`).join(' ');
  const policy = parsePolicy([...lines, `group g ${quorum} ${names}`, 'quorum g', ''].join('\n'));
  if (!policy.ok) throw new Error(policy.error);
  return policy.value;
}

export async function trusts(
  witness: TestWitness,
  room: HistoryHouse,
  tenant: TestTenant,
): Promise<void> {
  valueOf(await room.checkpoints.logKey(tenant.tenantId));
  const keys = (await room.checkpoints.logKeys(tenant.tenantId)).map((text) => {
    const key = parseVkey(text);
    if (!key.ok) throw new Error(key.error);
    return key.value;
  });
  witness.trusted.set((await room.checkpoints.originOf(tenant.tenantId)) ?? '', keys);
}

/** One witness by the policy, and a ledger that it cosigned once. */
export async function cosignedOnce(database: TestDatabase) {
  const witness = await startWitness();
  const room = historyHouse({ database, policy: policyOf([witness], 1) });
  const tenant = await sealedTenant(room.house);
  await write(room.house, tenant, 3);
  await trusts(witness, room, tenant);
  const round = valueOf(await room.witnessing.round(tenant.tenantId));
  expect(round.witnesses).toEqual([{ name: witness.name, outcome: 'cosigned', detail: null }]);
  return { witness, room, tenant, first: round.checkpoint?.size ?? 0 };
}

export const standingOf = async (room: HistoryHouse, { tenantId }: TestTenant, name: string) => {
  const { witnesses } = await room.witnessing.standing(tenantId);
  return witnesses.find((witness) => witness.name === name);
};

const stranger = generateKeyPairSync('ed25519').privateKey;
/** The line of a key that is not the witness's, under its name. */
export const forged = (name: string, keyId: string, text: string): string => {
  const time = Math.floor(Date.now() / 1000);
  const signature = sign(null, cosignatureMessage(time, text), stranger);
  return `${signatureLine(name, keyId, cosignatureSignature(time, signature))}\n`;
};
