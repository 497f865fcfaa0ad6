import { expect, it } from 'vitest';
import { openDesk } from './desk.js';
import { sha256 } from './forest.js';

it('at the end of time every route answers, and none breaks', async () => {
  const desk = await openDesk();
  const tenantId = await desk.tenant('test', '2026-11-30T09:00:00.000Z');
  const base = `/v1/tenants/${tenantId}`;
  const terms = {
    merchant_id: 'shop-1',
    agent_id: 'agt_1',
    subject: 'buyer-1',
    scopes: ['commerce:browse'],
    state: 'granted',
    expires_at: '9999-12-31T23:59:59.999Z',
  };
  await desk.call('POST', `${base}/clock`, { now: '9999-12-31T23:59:50.000Z' });
  const consent = await desk.call('POST', `${base}/consents`, terms);
  const tree = {
    kind: 'intent',
    subject: 'buyer-1',
    agent_id: 'agt_1',
    merchant_ids: ['shop-1'],
    cap: { amount: '10', currency: 'INR' },
    expires_at: '9999-12-31T23:59:59.999Z',
  };
  const passport = {
    consent_id: String(consent.body.consent_id),
    passport_type: 'browse',
    scopes: ['commerce:browse'],
    max_amount: null,
    life_seconds: 3_600,
  };
  const issued: [string, string][] = [];
  const broken: string[] = [];
  for (const [path, body] of [
    ['slots', { count: 1 }],
    ['passports', passport],
    ['passports', { ...passport, life_seconds: 1 }],
    ['mandates', tree],
    ['registrations', { sha256: sha256('end'), ...tree }],
    ['clock', { now: '9999-12-31T23:59:59.999Z' }],
    ['mandates', tree],
    [
      'revocations',
      {
        target: { kind: 'consent', object_id: passport.consent_id },
        status: 'revoked',
        reason_code: 'recall',
        revoked_by: 'merchant',
      },
    ],
  ] as const) {
    const answer = await desk.call('POST', `${base}/${path}`, body);
    if (answer.status >= 500) broken.push(`${answer.status} ${path} ${answer.text}`);
    for (const name of ['consent', 'mandate', 'passport', 'registration'])
      if (answer.body?.[`${name}_id`] !== undefined)
        issued.push([`${name}s`, String(answer.body[`${name}_id`])]);
  }
  issued.push(['consents', passport.consent_id]);
  for (const [kind, id] of issued) {
    const answer = await desk.call('GET', `${base}/${kind}/${id}`);
    if (answer.status !== 200) broken.push(`${answer.status} ${kind} ${answer.text}`);
  }
  const list = await desk.call('GET', `/status/${tenantId}/1`, undefined, null);
  if (list.status !== 200) broken.push(list.text);
  expect(broken).toEqual([]);
  expect(await desk.differences(tenantId)).toEqual([]);
});
