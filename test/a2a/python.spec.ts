import { describe, expect, it } from 'vitest';
import { ALLOWED, openAgentShop, REFUSED } from './agent-shop.js';
import { BINDINGS } from './javascript-client.js';
import { expectWholeTour, pythonClient } from './python-client.js';

/** The official Python client, unchanged. Skipped where it cannot be installed. */

const python = await pythonClient();
const shop = python === null ? null : await openAgentShop();
const purchases = [JSON.stringify(ALLOWED), JSON.stringify(REFUSED)];

describe.skipIf(shop === null).each(BINDINGS)(
  'the Python client over %s %s',
  (binding, version) => {
    const speak = (apiKey: string) =>
      python?.speak([shop?.origin ?? '', binding, version, apiKey, ...purchases]);

    it('buys, is refused, reads its task and meets the errors of the protocol', async () => {
      const seen = await speak(shop?.apiKeys.agent ?? '');
      expectWholeTour(seen, version);
      expect(seen.refused.task.status.message.metadata).toMatchObject({
        code: 'arbiter_refused',
        failing_rule: 'handoff_facts_valid',
        reason: 'artifact_revoked:price',
      });
    });

    it('asks for products without a key, and for nothing else', async () => {
      const seen = await speak('');
      expect(seen.products.message.parts).toHaveLength(2);
      expect(seen.denied).toMatch(/Error$/);
    });

    it('finds the card signed, and another card not', async () => {
      const { card } = await speak('');
      expect(card).toEqual({ good: null, changed: 'InvalidSignaturesError' });
    });
  },
);
