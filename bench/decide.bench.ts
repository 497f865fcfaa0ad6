import { createHash } from 'node:crypto';
import { canonicalize } from '../src/core/kernel/index.js';
import { decidePurchase, decisionCodec, purchaseFacts } from '../src/core/rules/index.js';
import { soundAbsentPurchase } from '../test/support/purchase-case.js';
import { race, repeat, report } from './lib/ratio.js';

// What a decision costs beside what its entry costs anyway: all eight rules with their trace against the one SHA-256
// that links the entry holding the same facts and trace.
const purchase = soundAbsentPurchase();
const body = canonicalize({
  facts: purchaseFacts.encode(purchase.facts),
  decision: decisionCodec.encode(decidePurchase(purchase)),
});

report(
  await race({
    name: 'decide',
    claim: `eight rules with full trace / one SHA-256 over the ${body.length} characters of their entry`,
    candidate: repeat(() => decidePurchase(purchase)),
    baseline: repeat(() => createHash('sha256').update(body).digest()),
  }),
);
