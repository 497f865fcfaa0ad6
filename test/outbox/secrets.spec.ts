import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.js';
import { valueOf } from '../support/tenants.js';
import { deliveriesOf, happen, scene } from './post-office.js';

describe('secrets', () => {
  it('of a rotation sign together until the overlap is over', async () => {
    const { home, office, receiver, tenant, tenantId, endpoint, secret } = await scene();
    const overlapSeconds = 7 * 24 * 3600;
    const rotated = valueOf(
      await office.endpoints.rotateSecret(tenant.context(), tenant.admin, {
        endpointId: endpoint.endpointId,
        overlapSeconds,
      }),
    );
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const first = receiver.received[0];
    const headers = first?.headers as Record<string, string>;
    for (const one of [secret, rotated.secret ?? ''])
      expect(new Webhook(one).verify(first?.body ?? '', headers)).toBeTruthy();
    expect(headers['webhook-signature']?.match(/v1,/g)).toHaveLength(2);
    office.clock.aheadMs += overlapSeconds * 1000;
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const last = receiver.received.at(-1)?.headers['webhook-signature'];
    expect(String(last).match(/v1,/g)).toHaveLength(1);
  });

  it('are not in the ledger, and what stands in the tables opens nowhere else', async () => {
    const { tenantId, secret, endpoint } = await scene();
    const { pool } = testDatabase();
    const plain = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const { rows } = await pool.query<{ text: string }>(
      `SELECT body AS text FROM entries WHERE tenant_id = $1
        UNION ALL SELECT secrets FROM webhook_endpoints WHERE tenant_id = $1
        UNION ALL SELECT encode(wrapped, 'base64') FROM webhook_endpoint_secrets WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { text } of rows) {
      expect(text).not.toContain(secret);
      expect(Buffer.from(text, 'base64').includes(plain)).toBe(false);
    }
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('that do not open send nothing, and are tried again', async () => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    await testDatabase().pool.query(
      `UPDATE webhook_endpoint_secrets SET wrapped = wrapped || '\\x00' WHERE tenant_id = $1`,
      [tenantId],
    );
    await happen(home, office, { tenant });
    await office.send(tenantId);
    expect(receiver.received).toEqual([]);
    expect((await deliveriesOf(office, tenant))[0]).toMatchObject({
      status: 'pending',
      lastAttempt: { errorClass: 'not_signed' },
    });
  });
});
