import type { WebhookSource } from './base/outbox/index.js';
import { decisionWebhooks } from './money/arbiter/index.js';
import { bookWebhooks } from './money/book/index.js';

/** Every kind of entry that webhook endpoints can be told about. */
export const WEBHOOKS: readonly WebhookSource[] = [decisionWebhooks, ...bookWebhooks];
