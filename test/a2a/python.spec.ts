import { describe, expect, it } from 'vitest';
import { ALLOWED, openAgentShop, REFUSED } from './agent-shop.js';
import { BINDINGS } from './javascript-client.js';
import { pythonClient } from './python-client.js';

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
      expect(seen.allowed.task.status.state).toBe('TASK_STATE_COMPLETED');
      const { status } = seen.refused.task;
      expect(status.state).toBe('TASK_STATE_REJECTED');
      expect(status.message.metadata).toMatchObject({
        code: 'arbiter_refused',
        failing_rule: 'handoff_facts_valid',
        reason: 'artifact_revoked:price',
      });
      expect(seen.explained.message.parts[1].data).toMatchObject({ outcome: 'refuse' });
      expect(seen.task).toEqual(seen.refused.task);
      expect(seen).toMatchObject({
        cancel: 'TaskNotCancelableError',
        unknown: 'TaskNotFoundError',
      });
      expect(seen.push).toMatchObject({ id: 'p', url: 'http://127.0.0.1:9/' });
      if (version === '1.0') expect([seen.listed >= 2, seen.deleted]).toEqual([true, null]);
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
