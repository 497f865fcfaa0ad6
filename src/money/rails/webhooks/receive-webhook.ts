import { createHash } from 'node:crypto';
import {
  cell,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type Writer,
} from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import {
  err,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import { readPayment, readRefund } from '../../book/index.js';
import type { ProviderEndpoints } from './provider-endpoints.js';
import { readMessage, type WebhookMessage } from './read-message.js';
import { type SignatureHeaders, signedMessageId } from './verify-signature.js';
import { type Effect, effectOf, isAboutRefund, outcomeOf, type Subject } from './webhook-effect.js';
import { webhookEvents, type WebhookOutcome, webhookReceived } from './webhook-events.js';

/** One request at the webhook door, not yet believed. */
export interface IncomingWebhook {
  readonly provider: string;
  readonly endpointId: string;
  readonly headers: SignatureHeaders;
  /** The exact bytes. */
  readonly body: Buffer;
  readonly requestId: string;
}

/** `repeat`: this message was taken before; what it came to then stands. */
export interface ReceivedWebhook {
  readonly eventId: string;
  readonly outcome: WebhookOutcome | 'repeat';
}

/**
 * Takes webhooks of providers: at least once, in any order, from anybody. What is answered as success is durable.
 *
 * Problems, in order: unauthenticated (no such endpoint, or no signature of it within 300 seconds; nothing more is said),
 * validation_failed (a signed body of another form, or its id is not the signed one), conflict (the same event id with
 * another body), unavailable. A message that contradicts what was agreed, or names what is not known here, is taken,
 * kept with its outcome and moves nothing: sending it again would not make it true. If it tells of captured money, its
 * payment is marked for a person to look at.
 */
export class WebhookReceiver {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      readonly endpoints: ProviderEndpoints;
    },
  ) {}

  async receive(incoming: IncomingWebhook): Promise<Result<ReceivedWebhook, Problem>> {
    const { provider, endpointId, headers, body, requestId } = incoming;
    const endpoint = await this.dependencies.endpoints.find(provider, endpointId);
    const signedId = endpoint === null ? null : signedMessageId(body, headers, endpoint.secrets);
    if (endpoint === null || signedId === null) return err(NOT_SIGNED);
    const message = readMessage(body.toString('utf8'));
    if (!message.ok) return err(malformed(message.field));
    if (message.value.eventId !== signedId) return err(malformed('/id'));
    const context: CommandContext = {
      tenantId: endpoint.tenantId,
      actor: { role: 'system', id: `money/rails.webhook.${provider}` },
      requestId,
      idempotency: null,
    };
    const subject = await this.subjectOf(endpoint.tenantId, message.value);
    return this.dependencies.writer.execute(
      takeMessage(context, message.value, {
        provider,
        subject,
        bodySha256: createHash('sha256').update(body).digest('hex'),
      }),
    );
  }

  private async subjectOf(tenantId: TenantId, message: WebhookMessage): Promise<Subject> {
    const { database } = this.dependencies;
    if (isAboutRefund(message)) {
      const row = await readRefund(database, tenantId, message.reference);
      return row === undefined ? { kind: 'none' } : { kind: 'refund', row };
    }
    const row = await readPayment(database, tenantId, message.reference);
    return row === undefined ? { kind: 'none' } : { kind: 'payment', row };
  }
}

interface Taking {
  readonly provider: string;
  readonly subject: Subject;
  readonly bodySha256: string;
}

/**
 * One command: the cell that knows repeats, the entry of the message, and its effect.
 * INVARIANT: a message has its effect once, because both are written in one transaction.
 */
function takeMessage(
  context: CommandContext,
  message: WebhookMessage,
  { provider, subject, bodySha256 }: Taking,
): Command<ReceivedWebhook> {
  const { eventId, type: eventType, reference } = message;
  const effect = effectOf(context, message, { subject, provider });
  return {
    ...context,
    name: 'webhook.receive',
    reads: [
      cell(webhookEvents, provider, eventId),
      ...('command' in effect ? effect.command.reads : []),
    ],
    decide(view, moment) {
      const before = view.get(webhookEvents, [provider, eventId]);
      if (before !== undefined)
        return before.bodySha256 === bodySha256 ? ok({ events: [] }) : err(OTHER_BODY);
      const judged = judgeEffect(effect, (command) => command.decide(view, moment));
      if (!judged.ok) return judged;
      const { events, outcome, detail } = judged.value;
      const said = { provider, eventId, bodySha256, eventType, reference, outcome, detail };
      return ok({ events: [event(webhookReceived, said), ...events] });
    },
    answer: (entries) => ({
      eventId,
      outcome: dataOf(entries, webhookReceived)?.outcome ?? 'repeat',
    }),
  };
}

type Decide = (command: Command<unknown>) => ReturnType<Command<unknown>['decide']>;

interface JudgedEffect {
  readonly events: readonly ReturnType<typeof event>[];
  readonly outcome: WebhookOutcome;
  readonly detail: string | null;
}

/** What the book says no to for good is an outcome; what it could not judge now is a problem: the provider sends again. */
function judgeEffect(effect: Effect, decide: Decide): Result<JudgedEffect, Problem> {
  if (!('command' in effect)) return ok({ events: [], ...effect });
  const judged = decide(effect.command);
  if (judged.ok) {
    const { events } = judged.value;
    return ok({ events, ...outcomeOf(events) });
  }
  if (judged.error.code === 'unavailable') return judged;
  return ok({ events: [], outcome: 'refused', detail: judged.error.detail });
}

const NOT_SIGNED = problem('unauthenticated', 'The webhook is not signed for this endpoint.', {
  fix: 'Sign id, timestamp and the exact body with the endpoint’s secret (Standard Webhooks), within 300 seconds.',
  field: ':webhook-signature',
});

const OTHER_BODY = problem(
  'conflict',
  'A message with this id and another body was taken before.',
  {
    fix: 'Give every message an id of its own, and send it again byte for byte.',
    field: ':webhook-id',
  },
);

const malformed = (field: string): Problem =>
  problem('validation_failed', 'The signed body is not a message of this provider.', {
    fix: 'Send the message as docs/sandbox.md describes it; its id is the webhook-id.',
    field,
  });
