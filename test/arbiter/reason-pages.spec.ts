import { describe, expect, it } from 'vitest';
import { ABOVE_THE_PASSPORT } from '../../src/demo/purchases.js';
import { REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import { openShop, startTestService } from './shop.js';

describe('reason_page of a refusal', () => {
  it('is the seventh member, and its page says what to do', async () => {
    const shop = await openShop(await startTestService());
    const { body } = await shop.ask(REVOKED_HANDOFF);
    expect(Object.keys(body as object).slice(0, 7)).toEqual([
      'code',
      'failing_rule',
      'reason',
      'decision_id',
      'action',
      'required_config',
      'reason_page',
    ]);
    expect(body.reason_page).toBe('/docs/reasons/handoff_facts_valid/artifact_revoked');
    const page = await fetch(`${shop.service.baseUrl}${body.reason_page}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/^# artifact_revoked\n[\s\S]*## What to do\n/);
    const simulated = await shop.call('POST', '/v1/simulate', {
      as: 'auditor',
      body: REVOKED_HANDOFF,
    });
    expect(simulated.body.reason_page).toBe(body.reason_page);
  });

  it('is absolute where the service knows its public address', async () => {
    const shop = await openShop(
      await startTestService({ PUBLIC_BASE_URL: 'https://pay.example', SEED_DEMO: 'off' }),
    );
    const { body } = await shop.ask(ABOVE_THE_PASSPORT);
    expect(body.reason_page).toBe(
      'https://pay.example/docs/reasons/passport_amount_cap/passport_amount_cap_exceeded',
    );
    const explained = await shop.call('GET', `/v1/decisions/${body.decision_id}`, {
      as: 'auditor',
    });
    expect(explained.body.reason_page).toBe(body.reason_page);
  });
});
