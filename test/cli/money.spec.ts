import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatInstant } from '../../src/core/kernel/index.js';
import { FROZEN_AT_MS, SHOP } from '../../src/demo/demo-world.js';
import { read, type ShopCommands, shopCommands } from './shop-commands.js';

let at: ShopCommands;
beforeAll(async () => {
  at = await shopCommands();
});

const chai = (quantity: number) => ({
  flow: 'handoff',
  merchant_id: SHOP,
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: 'masala-chai',
        variant_id: 'masala-chai-250g',
        quantity,
        unit_price: { amount: '45900', currency: 'INR' },
      },
    ],
    total: { amount: (45_900 * quantity).toString(), currency: 'INR' },
  },
});

describe('decisions and allows', () => {
  const decision = z.object({ decision_id: z.string(), outcome: z.enum(['allow', 'refuse']) });
  let allowed: string;
  let refused: string;

  beforeAll(async () => {
    const ask = async (quantity: number) =>
      (await at.shop.ask(chai(quantity))).body as { decision_id: string };
    [allowed, refused] = [(await ask(1)).decision_id, (await ask(25)).decision_id];
  });

  it('ask: 0 when allowed, 1 when refused', async () => {
    const yes = await at.run('agent', ['decisions', 'ask', '-', '--json'], {
      input: JSON.stringify(chai(1)),
    });
    expect(yes.code).toBe(0);
    expect(read(yes, decision).outcome).toBe('allow');
    const no = await at.run('agent', [
      'decisions',
      'ask',
      at.file('many.json', JSON.stringify(chai(25))),
    ]);
    expect(no.code).toBe(1);
    expect(no.out).toMatch(/^outcome +refused by handoff_merchant_limits$/m);
    const wrong = at.file('no-cart.json', '{"flow":"handoff"}');
    await at.expectProblem('agent', ['decisions', 'ask', wrong], 'validation_failed');
  });

  it('ask: repeated under its key, it is the same decision', async () => {
    const words = ['decisions', 'ask', '-', '--json', '--idempotency-key', 'mine'];
    const input = { input: JSON.stringify(chai(2)) };
    const [first, second] = [
      await at.run('agent', words, input),
      await at.run('agent', words, input),
    ];
    expect(read(second, decision)).toEqual(read(first, decision));
  });

  it('show and explain', async () => {
    const shown = await at.run('auditor', ['decisions', 'show', refused, '--json']);
    expect(shown.code).toBe(0);
    expect(read(shown, decision)).toEqual({ decision_id: refused, outcome: 'refuse' });
    const { code, out } = await at.run('auditor', ['decisions', 'explain', refused]);
    expect(code).toBe(0);
    expect(out).toMatch(/^fix +\S/m);
    expect(out).toContain(`${at.service.baseUrl}/docs/reasons/handoff_merchant_limits/`);
    expect(out).toMatch(/^1\. handoff_facts_valid +passed$/m);
    expect(out).toMatch(/^2\. handoff_merchant_limits +FAILED: \w+$/m);
    expect(out).toMatch(/^ +observed +limit$/m);
    const short = await at.run('agent', ['decisions', 'explain', refused]);
    expect(short.out).toContain(
      'What the rules saw is shown to administrators, operators and auditors.',
    );
    await at.expectProblem('auditor', ['decisions', 'show', 'arbdec_000000000000'], 'not_found');
    await at.expectProblem('auditor', ['decisions', 'explain', 'arbdec_000000000000'], 'not_found');
  });

  it('search: JSON lines, all pages, every filter', async () => {
    const decidedAt = formatInstant(FROZEN_AT_MS);
    const filters = [
      ...['--flow', 'handoff', '--outcome', 'refuse', '--merchant', SHOP],
      ...[
        '--failing-rule',
        'handoff_merchant_limits',
        '--from',
        decidedAt,
        '--to',
        '2026-12-01T00:00:00+05:30',
      ],
    ];
    const found = await at.run('auditor', [
      'decisions',
      'search',
      '--all',
      '--limit',
      '1',
      '--json',
      ...filters,
    ]);
    expect(found.err).toBe('');
    const ids = found.out
      .trim()
      .split('\n')
      .map((line) => decision.parse(JSON.parse(line)).decision_id);
    expect(ids).toContain(refused);
    expect(ids).not.toContain(allowed);
    expect(ids.length).toBeGreaterThan(1);
    const none = await at.run('auditor', ['decisions', 'search', '--reason', 'no_such', '--json']);
    expect(none).toEqual({ code: 0, out: '', err: '' });
    const table = await at.run('auditor', ['decisions', 'search', '--limit', '1']);
    expect(table.out.trim().split('\n')).toHaveLength(2);
    expect(table.err).toMatch(/^There is more: /);
    await at.expectProblem(
      'auditor',
      ['decisions', 'search', '--cursor', 'x'],
      'validation_failed',
    );
  });

  it('allow show', async () => {
    const shown = await at.run('auditor', ['allow', 'show', allowed, '--json']);
    expect(shown.code).toBe(0);
    const allow = z.object({
      allow: z.object({ decision_id: z.string(), single_use: z.literal(true) }),
    });
    expect(read(shown, allow).allow.decision_id).toBe(allowed);
    const none = await at.run('auditor', ['allow', 'show', refused]);
    expect(none).toMatchObject({ code: 1, err: '' });
    expect(none.out).toMatch(/allows nothing/);
    await at.expectProblem('auditor', ['allow', 'show', 'arbdec_000000000000'], 'not_found');
  });
});

describe('money', () => {
  const used = z.object({
    decision_id: z.string(),
    order_id: z.literal('order-1'),
    payment: z.object({ payment_id: z.string(), state: z.string() }),
  });

  it('allow consume: once, and a second time it is refused', async () => {
    const body = at.file('chai.json', JSON.stringify(chai(3)));
    const asked = await at.run('agent', ['decisions', 'ask', body, '--json']);
    const { decision_id: id } = read(asked, z.object({ decision_id: z.string() }));
    const consume = ['allow', 'consume', id, '--order', 'order-1', '--cart', body];
    const words = [...consume, '--json', '--idempotency-key', 'once'];
    const first = await at.run('merchant_system', words);
    expect(first.code, first.out + first.err).toBe(0);
    expect(read(first, used).decision_id).toBe(id);
    expect(await at.run('merchant_system', words)).toEqual(first);
    const second = await at.run('merchant_system', [...consume, '--json']);
    expect(second.code).toBe(1);
    const refusal = z.object({ code: z.literal('arbiter_refused'), failing_rule: z.string() });
    expect(read(second, refusal).failing_rule).toBe('allow_use');
    const text = await at.run('merchant_system', consume);
    expect(text).toMatchObject({ code: 1, err: '' });
    expect(text.out).toMatch(/^refused by +allow_use$/m);
    expect(text.out).toContain(`${at.service.baseUrl}/docs/reasons/allow_use/`);
    await at.expectProblem('agent', consume, 'forbidden');
  });

  it('payments list and show', async () => {
    const list = ['payments', 'list', '--merchant', SHOP, '--order', 'order-1'];
    const listed = await at.run('auditor', [...list, '--all', '--limit', '1', '--json']);
    expect(listed).toMatchObject({ code: 0, err: '' });
    const payment = z.object({ payment_id: z.string(), order_id: z.literal('order-1') });
    const [first, ...others] = listed.out.trim().split('\n');
    const { payment_id: id } = payment.parse(JSON.parse(first ?? ''));
    expect(others).toEqual([]);
    const shown = await at.run('auditor', ['payments', 'show', id, '--json']);
    expect(read(shown, payment).payment_id).toBe(id);
    const text = await at.run('auditor', ['payments', 'show', id]);
    expect(text.out).toMatch(/^amount +1377\.00 INR$/m);
    const table = await at.run('auditor', list);
    expect(table.out).toMatch(new RegExp(`^PAYMENT .*\\n${id} `));
    const none = await at.run('auditor', [...list, '--review', '--state', 'failed', '--json']);
    expect(none).toEqual({ code: 0, out: '', err: '' });
    await at.expectProblem('agent', list, 'forbidden');
    await at.expectProblem('auditor', ['payments', 'show', 'pay_000000000000'], 'not_found');
  });

  it('refund ask and show: 0 when allowed, 1 when refused', async () => {
    const captured = await at.shop.call('POST', '/v1/captures', {
      as: 'merchant_system',
      idempotencyKey: 'capture-1',
      body: {
        capture_id: 'pay-1',
        merchant_id: SHOP,
        order_id: 'order-9',
        amount: { amount: '2099', currency: 'INR' },
      },
    });
    expect(captured.status).toBe(201);
    const ask = ['refund', 'ask', SHOP, '--order', 'order-9', '--amount'];
    const decided = await at.run('merchant_system', [
      ...ask,
      '10.99 INR',
      '--only-decide',
      '--json',
    ]);
    expect(decided.code, decided.err).toBe(0);
    read(decided, z.object({ outcome: z.literal('allow'), flow: z.literal('refund') }));
    const refund = z.object({
      refund_id: z.string(),
      amount: z.object({ amount: z.literal('1000') }),
    });
    const given = await at.run('merchant_system', [...ask, '10.00 INR', '--json']);
    expect(given.code, given.out + given.err).toBe(0);
    const { refund_id: id } = read(given, z.object({ refund })).refund;
    const shown = await at.run('auditor', ['refund', 'show', id, '--json']);
    expect(read(shown, refund).refund_id).toBe(id);
    expect((await at.run('auditor', ['refund', 'show', id])).out).toMatch(/^amount +10\.00 INR$/m);
    for (const words of [[], ['--only-decide']]) {
      const no = await at.run('merchant_system', [...ask, '2100 INR', ...words]);
      expect(no).toMatchObject({ code: 1, err: '' });
      expect(no.out).toMatch(/^reason +refund_exceeds_captured$/m);
    }
    await at.expectProblem('agent', [...ask, '1 INR'], 'forbidden');
    await at.expectProblem('auditor', ['refund', 'show', 'rfd_000000000000'], 'not_found');
  });
});
