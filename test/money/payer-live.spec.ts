import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_COUNTERSIGNER, Payer, type PaymentTerms } from '../../src/money/arbiter/index.js';
import type { LinkRail } from '../../src/money/payments/index.js';
import { RailDirectory } from '../../src/money/rails/rail-directory.js';
import { type AuthorityScene, authorityScene, handoff } from '../arbiter/authority.js';
import { fresh } from '../arbiter/uses.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import { ProviderDouble } from './provider-double.js';

let provider: ProviderDouble;
beforeAll(async () => {
  provider = await ProviderDouble.start();
});
beforeEach(() => {
  provider.trouble = 'ok';
});

const terms = (to: string): PaymentTerms => ({
  orderId: fresh('order'),
  provider: to,
  lifeMs: 60_000,
  description: null,
  returnUrl: null,
});

const house = testHouse();
let live: AuthorityScene;
beforeAll(async () => {
  live = await authorityScene(house, 'live');
});

describe('rails', () => {
  const payerOf = (links: readonly LinkRail[], railBudgetMs?: number) =>
    new Payer({
      arbiter: live.arbiterWith(),
      book: live.book,
      rails: new RailDirectory({ links, charges: [], refunds: [] }),
      agentExecutedPaymentEnabled: true,
      railBudgetMs,
    });

  it('through a provider that is not here: 400 before anything is decided', async () => {
    const payer = payerOf([]);
    const context = live.context(fresh('key'));
    const purchase = handoff({ world: 'test' });
    for (const way of ['handOff', 'charge'] as const)
      expect(problemOf(await payer[way](context, purchase, terms('sandbox')))).toMatchObject({
        code: 'validation_failed',
        field: '/provider',
      });
  });

  it.each<[string, () => Promise<never>]>([
    ['throws', () => Promise.reject(new Error('a bug'))],
    ['never answers, whatever its deadline', () => new Promise<never>(() => undefined)],
  ])('one that %s: nothing is known, the payment is issuing', async (_name, issueLink) => {
    const [good] = provider.rails('plural').links;
    if (good === undefined) throw new Error('there is one');
    const broken: LinkRail = Object.assign(Object.create(good), { issueLink });
    const started = await payerOf([broken], 100).handOff(
      live.context(fresh('key')),
      handoff({ world: 'live' }),
      terms('plural'),
    );
    expect(valueOf(started)).toMatchObject({ kind: 'started', subject: { state: 'issuing' } });
  });
});

describe('in the live world', () => {
  const payerWith = (answers: boolean) => {
    const arbiter = live.arbiterWith(answers ? {} : { countersigner: NO_COUNTERSIGNER });
    const rails = new RailDirectory(provider.rails('plural'));
    return new Payer({ arbiter, book: live.book, rails, agentExecutedPaymentEnabled: false });
  };

  it('without countersignature: refused at the use, nobody is called, a repeat the same', async () => {
    const calls = provider.calls.length;
    const payer = payerWith(false);
    const context = live.context(fresh('key'));
    const plural = terms('plural');
    const ask = () => payer.handOff(context, handoff({ world: 'live' }), plural);
    const first = valueOf(await ask());
    expect(first).toMatchObject({
      kind: 'refused',
      refused: { failingRule: 'allow_use', reason: 'grantex_countersignature_missing' },
    });
    expect(valueOf(await ask())).toEqual(first);
    expect(provider.calls.length).toBe(calls);
  });

  it('with it: the provider is called', async () => {
    const context = live.context(fresh('key'));
    const ask = handoff({ world: 'live' });
    const started = valueOf(await payerWith(true).handOff(context, ask, terms('plural')));
    expect(started).toMatchObject({ kind: 'started', subject: { state: 'open' } });
  });

  it('a repeat that overtakes the countersignature is told to wait', async () => {
    let sign: () => void = () => undefined;
    const asked = new Promise<void>((arrived) => {
      const signing = live.authority.signing();
      live.authority.answer = async (request) => {
        arrived();
        await new Promise<void>((resolve) => (sign = resolve));
        live.authority.answer = signing;
        return signing(request);
      };
    });
    const payer = payerWith(true);
    const context = live.context(fresh('key'));
    const plural = terms('plural');
    const ask = () => payer.handOff(context, handoff({ world: 'live' }), plural);
    const first = ask();
    await asked;
    expect(problemOf(await ask()).code).toBe('idempotency_in_flight');
    sign();
    expect(valueOf(await first)).toMatchObject({ kind: 'started' });
  });

  it('the sandbox is not offered', async () => {
    const rails = new RailDirectory(provider.rails('sandbox'));
    const parts = { arbiter: live.arbiterWith(), book: live.book, rails };
    const payer = new Payer({ ...parts, agentExecutedPaymentEnabled: true });
    for (const way of ['handOff', 'charge'] as const) {
      const asked = payer[way](
        live.context(fresh('key')),
        handoff({ world: 'live' }),
        terms('sandbox'),
      );
      expect(problemOf(await asked)).toMatchObject({ field: '/provider' });
    }
  });
});
