import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { CANARY_PEOPLE } from '../support/canaries.js';
import { databaseUrl, TEMPLATE_DATABASE } from '../support/database-url.js';
import { findPersonalData } from '../support/personal-data.js';
import { findingText, scanEntries } from '../support/scan-entries.js';

const bodyOf = (data: unknown): string =>
  JSON.stringify({ actor: { id: 'key_1', role: 'agent' }, data, type: 'thing.happened', v: 1 });
const found = (data: unknown) =>
  findPersonalData('thing.happened', bodyOf(data)).map(({ what, at }) => `${what} ${at}`);

describe('what is found', () => {
  it.each<[string, unknown, string]>([
    ['mail', { ref: 'x asha.k@example.co.in y' }, 'email /data/ref'],
    ['a telephone number', { ref: '+91 98200-12345' }, 'phone /data/ref'],
    ['a telephone number as an address', { ref: 'tel:9820012345' }, 'phone /data/ref'],
    ['a card', { list: [{ ref: '4111 1111 1111 1111' }] }, 'card /data/list/0/ref'],
    ['a card as a number', { ref: 5_555_555_555_554_444 }, 'card /data/ref'],
    ['a canary', { ref: `for ${CANARY_PEOPLE.name}` }, 'canary /data/ref'],
    ['a canary as a member', { [CANARY_PEOPLE.buyer]: 1 }, 'canary /data/demo-buyer#name'],
    ['a member for it', { delivery_address: null }, 'member /data/delivery_address'],
    ['a member for it that is an object', { phone: {} }, 'member /data/phone'],
    ['a name of somebody', { buyer_name: 'A.' }, 'member /data/buyer_name'],
  ])('%s', (_name, data, expected) => {
    expect(found(data)).toContain(expected);
  });

  it('in a body that is no JSON too', () => {
    expect(
      findPersonalData('x', `{"data": ${CANARY_PEOPLE.email}`).map(({ what }) => what),
    ).toEqual(['canary', 'email']);
  });

  it.each<[string, unknown]>([
    ['amounts', { order_max_minor: '5555555555554444', amount: '5555555555554444' }],
    ['digests', { hash: '5555555555554444'.padEnd(64, 'a') }],
    ['long numbers that no card has', { ref: '5555555555554445' }],
    ['ids', { decision_id: 'arbdec_411111111111', id: randomUUID() }],
    ['instants', { at: '2026-11-30T09:30:00.000Z', expires_at: '2026-11-30T09:30:00.000Z' }],
    ['base64', { key: 'x+919820012346+Ab9/zz==' }],
  ])('not %s', (_name, data) => {
    expect(found(data)).toEqual([]);
  });
});

it('a ledger with such an entry is found out: tenant, entry, type and place', async () => {
  // Not one of the databases that are scanned at the end of the run.
  const database = `scratch_${randomUUID().replaceAll('-', '')}`;
  const maintenance = new pg.Client({ connectionString: inject('maintenanceUrl') });
  await maintenance.connect();
  try {
    await maintenance.query(`CREATE DATABASE ${database} TEMPLATE ${TEMPLATE_DATABASE}`);
    const connectionString = databaseUrl(inject('maintenanceUrl'), database);
    expect(await scanEntries(connectionString)).toEqual({ entryCount: 0, findings: [] });
    await insertEntry(connectionString, bodyOf({ buyer: { ref: CANARY_PEOPLE.email } }));
    const { entryCount, findings } = await scanEntries(connectionString);
    expect(entryCount).toBe(1);
    expect(findings.map(findingText)).toEqual([
      `canary: ${database}.public, tenant tnt_scratch, entry 0, thing.happened, /data/buyer/ref`,
      `email: ${database}.public, tenant tnt_scratch, entry 0, thing.happened, /data/buyer/ref`,
    ]);
  } finally {
    await maintenance.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await maintenance.end();
  }
});

async function insertEntry(connectionString: string, body: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // What an entry has to come with is beside the point here.
    await client.query('ALTER TABLE entries DISABLE TRIGGER USER');
    await client.query(
      `INSERT INTO entries (tenant_id, seq, entry_id, type, at_ms, body)
        VALUES ('tnt_scratch', 0, 'ent_1', 'thing.happened', 0, $1)`,
      [body],
    );
  } finally {
    await client.end();
  }
}
