import { beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED_PURCHASE, ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { refusalsByRule, REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import { openShop, type Shop, startTestService } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
});

describe('POST /v1/decisions', () => {
  it('200 allows a handoff', async () => {
    console.log(JSON.stringify(await shop.call('PUT', '/v1/merchants/chai-house/agent-payment', {as:'tenant_admin', body:{enabled:true}})));
    for (const [body] of [[ALLOWED_HANDOFF],[ALLOWED_PURCHASE],[REVOKED_HANDOFF]]) {
    const answer = await shop.ask(body);
    console.log(JSON.stringify(answer, null, 1));}
    for (const {body,rule,reason} of refusalsByRule(shop)) {
    const answer = await shop.ask(body);
    console.log(rule,reason,answer.status, answer.body.outcome, answer.body.failing_rule,answer.body.reason, answer.body.detail);}
  });
});
