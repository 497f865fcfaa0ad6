import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCandidate } from '../../src/core/replay/index.js';
import { checkLimits } from '../../src/core/rules/index.js';
import { readLimitsInput, setLimits } from '../../src/doors/api/tenants/limits.contract.js';

/** What the route takes is what a backtest takes, and the other way round. */
it('a candidate is read as the route reads it', () => {
  const amount = fc.constantFrom('1', '500', '0', '01', '-1', '1'.repeat(19), 5, null, undefined);
  const amounts = {
    currency: fc.constantFrom('INR', 'USD', 'XXX', 'inr', 1),
    order_max_minor: amount,
    daily_max_minor: amount,
  };
  const items = fc.constantFrom(1, 10, 0, 10_001, 1.5, '1', undefined);
  const document = fc.record(
    {
      currencies: fc.oneof(fc.array(fc.record(amounts), { maxLength: 2 }), fc.constant('INR')),
      items_max: items,
      not_present: fc.option(fc.record({ ...amounts, items_max: items })),
      other: fc.constant(1),
    },
    { requiredKeys: ['currencies', 'items_max'] },
  );
  fc.assert(
    fc.property(document, (body) => {
      const text = JSON.stringify(body);
      const parsed = setLimits.body?.safeParse(JSON.parse(text));
      const byRoute = parsed?.success === true ? checkLimits(readLimitsInput(parsed.data)) : null;
      const read = readCandidate(text);
      expect(read.ok ? read.value : null).toEqual(byRoute?.ok === true ? byRoute.value : null);
    }),
    { numRuns: 2_000 },
  );
});
