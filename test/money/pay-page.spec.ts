import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { eventually, issued, paymentOf, press, started } from './paying.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const behave = (behaviour: object) =>
  shop.call('PUT', '/v1/sandbox/behaviour', { as: 'tenant_admin', body: behaviour });

async function html(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

describe('a person at the pay page', () => {
  it.each([
    ['pay', 'paid', 'Paid'],
    ['fail', 'failed', 'failed'],
    ['cancel', 'canceled', 'canceled'],
  ])('presses %s, and the payment is %s', async (button, state, saying) => {
    const payment = await started(shop);
    const url = await issued(shop, payment, { returnUrl: 'https://shop.example/back?a=1&b=2' });
    expect(await html(url)).not.toContain('shop.example');
    const pressed = await press(url, button);
    expect(pressed.status).toBe(303);
    expect(pressed.headers.get('location')).toBe(new URL(url).pathname);
    const after = await html(url);
    expect(after).toContain(saying);
    expect(after).toContain('href="https://shop.example/back?a=1&amp;b=2"');
    expect(after).not.toContain('<form');
    expect(after).not.toContain('To be paid until');
    await eventually(shop, async () => expect((await paymentOf(shop, payment)).state).toBe(state));
  });

  it('presses twice at once, or again later: it counts once', async () => {
    const payment = await started(shop);
    const url = await issued(shop, payment);
    await Promise.all([press(url, 'pay'), press(url, 'pay'), press(url, 'pay')]);
    await press(url, 'cancel');
    const paid = await eventually(shop, async () => {
      const row = await paymentOf(shop, payment);
      expect(row.state).toBe('paid');
      return row;
    });
    expect(paid.capturedMinor).toBe(paid.amountMinor);
    expect(paid.review).toBeNull();
  });

  it('sees a link expire by the tenant’s clock, and it lapses', async () => {
    const own = await openShop(shop.service);
    const payment = await started(own);
    const url = await issued(own, payment);
    const now = new Date(payment.expiresAtMs).toISOString();
    await own.call('PUT', '/v1/test-clock', { as: 'tenant_admin', body: { now } });
    expect(await html(url)).toContain('expired');
    await press(url, 'pay');
    await eventually(own, async () => expect((await paymentOf(own, payment)).state).toBe('lapsed'));
    const events = await own.call('GET', '/v1/sandbox/events', { as: 'tenant_admin' });
    expect((events.body.items as { type: string }[]).map((item) => item.type)).toEqual([
      'link.expired',
    ]);
  });

  it('pays a canceled link all the same, where the provider lets it: it is written down and marked', async () => {
    const own = await openShop(shop.service);
    await own.call('PUT', '/v1/sandbox/behaviour', {
      as: 'tenant_admin',
      body: { late_payments: 'taken' },
    });
    const payment = await started(own);
    const url = await issued(own, payment);
    await press(url, 'cancel');
    await eventually(own, async () =>
      expect((await paymentOf(own, payment)).state).toBe('canceled'),
    );
    expect(await html(url)).toContain('Pay all the same');
    await press(url, 'pay');
    await eventually(own, async () =>
      expect(await paymentOf(own, payment)).toMatchObject({
        state: 'paid',
        review: 'paid_after_cancel',
      }),
    );
  });

  it('a webhook that is sent twice has its effect once', async () => {
    await behave({ webhooks: 'twice' });
    const payment = await started(shop);
    await press(await issued(shop, payment), 'pay');
    await behave({});
    await eventually(shop, async () => {
      const { body } = await shop.call('GET', '/v1/sandbox/events', { as: 'auditor' });
      expect(body.items[0]).toMatchObject({
        type: 'link.paid',
        delivered_count: 2,
        last_status: 200,
      });
    });
    const row = await paymentOf(shop, payment);
    expect(row.capturedMinor).toBe(row.amountMinor);
  });
});

describe('the page', () => {
  it('is plain, runs nothing, is not kept, found or framed, and looking changes nothing', async () => {
    const payment = await started(shop);
    const url = await issued(shop, payment);
    const response = await fetch(url);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(text).not.toMatch(/<script|javascript:| on\w+=/i);
    expect(text).toContain('INR 918.00');
    expect(new URL(url).pathname).toMatch(/^\/pay\/[A-Za-z0-9_-]{32}$/);
    expect((await html(url)).match(/<button/g)).toHaveLength(3);
  });

  it('shows the digits of each currency, and never somebody else’s markup', async () => {
    for (const [currency, shown] of [
      ['JPY', 'JPY 91800<'],
      ['KWD', 'KWD 91.800<'],
    ] as const) {
      const payment = await started(shop, { currency });
      const description = `<img src=x onerror=alert(1)> "tea" & 'chai'`;
      const text = await html(await issued(shop, payment, { description }));
      expect(text).toContain(shown);
      expect(text).toContain(
        '&lt;img src=x onerror=alert(1)&gt; &quot;tea&quot; &amp; &#39;chai&#39;',
      );
    }
  });

  it.each(['javascript:alert(1)', 'http://evil.example/', 'https://user@shop.example/', '//x'])(
    'does not lead back to %s: the link is not made',
    async (returnUrl) => {
      await expect(issued(shop, await started(shop), { returnUrl })).rejects.toThrow('rejected');
    },
  );

  it.each(['x', '..%2f..', 'A'.repeat(32), '%00', 'a'.repeat(300)])(
    'token %s opens nothing',
    async (token) => {
      const url = `${shop.service.baseUrl}/pay/${token}`;
      for (const response of [await fetch(url), await press(url, 'pay')]) {
        expect([400, 404]).toContain(response.status);
        expect(response.headers.get('content-type')).toContain('problem+json');
      }
    },
  );

  it('without a body the button is asked for, as the form field it is', async () => {
    const url = await issued(shop, await started(shop));
    const answer = await fetch(url, { method: 'POST', redirect: 'manual' });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        detail: 'A form is expected: field press=pay|fail|cancel; none was sent.',
        fix: 'Send press=pay|fail|cancel as application/x-www-form-urlencoded.',
      },
    ]);
  });

  it('says to a browser on a page what is wrong, under the same policy', async () => {
    const url = await issued(shop, await started(shop));
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const policy = (await fetch(url)).headers.get('content-security-policy');
    const base = `${shop.service.baseUrl}/pay/`;
    for (const [wrong, method, status] of [
      [`${base}${'A'.repeat(32)}`, 'GET', 404],
      [`${base}old/link`, 'GET', 404],
      [`${base}%ff`, 'GET', 400],
      [url, 'POST', 400],
      [url, 'PUT', 405],
    ] as const) {
      const answer = await fetch(wrong, { method, headers: { accept } });
      expect([wrong, answer.status]).toEqual([wrong, status]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(policy);
      expect(await answer.text()).toMatch(/^<!doctype html>[^]*<h1>[^]*Request /);
    }
    const api = await fetch(`${shop.service.baseUrl}/v1/decisions`, { headers: { accept } });
    expect(api.headers.get('content-type')).toContain('problem+json');
  });

  it('takes its own form and nothing else; other routes take no forms', async () => {
    const url = await issued(shop, await started(shop));
    const json = { 'content-type': 'application/json' };
    const post = (body: string | URLSearchParams, headers = {}) =>
      fetch(url, { method: 'POST', redirect: 'manual', headers, body });
    expect((await post('{"press":"pay"}', json)).status).toBe(415);
    expect((await post(new URLSearchParams({ press: 'steal' }))).status).toBe(400);
    expect((await post(new URLSearchParams({ press: 'pay', more: '1' }))).status).toBe(400);
    expect((await post(new URLSearchParams({ press: 'a'.repeat(5_000) }))).status).toBe(413);
    const form = await fetch(`${shop.service.baseUrl}/v1/decisions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.apiKeys.agent}` },
      body: new URLSearchParams({ flow: 'handoff' }),
    });
    expect(form.status).toBe(415);
    expect(await html(url)).toContain('<form');
  });

  it('knows no buyer: its table has no column for one', async () => {
    const { rows } = await testDatabase().pool.query<{ column_name: string }>(
      "SELECT column_name FROM information_schema.columns WHERE table_name = 'sandbox_payments'",
    );
    expect(
      rows.map((row) => row.column_name).filter((name) => /buyer|payer|mail|phone/.test(name)),
    ).toEqual([]);
  });
});
