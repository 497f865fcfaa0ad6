import { invariant, type World } from '../../core/kernel/index.js';
import type { KeyWrapping, SigningKeys } from '../keys/index.js';
import {
  type DueScope,
  type DueWork,
  type LedgerLog,
  readEntries,
  type Writer,
} from '../ledger/index.js';
import { type OutboundClient, type Pool, SERVICE_VERSION } from '../platform/index.js';
import { type AttemptResult, isGone, nextAttemptAtMs, resultOf } from './attempt.js';
import { type Claim, claimDeliveries, readSecrets } from './claims.store.js';
import { finishAttempt, tidyDeliveries } from './deliveries.store.js';
import { disableEndpoint } from './endpoints.commands.js';
import { liveSecretsOf } from './endpoints.ledger.js';
import { SECRET_PURPOSE } from './endpoints.js';
import { handOut } from './hand-out.js';
import { DISABLE_AFTER_MS } from './retry.js';
import { type SignedMessage, signedContent, webhookHeaders } from './signature.js';
import { UnderWay } from './under-way.js';
import { messageIdOf, payloadOf, type WebhookSources } from './webhook-source.js';

/** Time for one try, in milliseconds. */
export const ATTEMPT_MS_MAX = 10_000;
/** A try that was not finished by then belongs to a process that is gone. */
export const LEASE_MS = 30_000;
/** Tries that begin of one endpoint in one round. */
const PER_ENDPOINT_MAX = 4;
/** Bytes of an answer that are read at all; nothing of it is kept. */
export const ATTEMPT_BYTES_MAX = 4_096;
/** Finished deliveries stay visible so long. */
export const KEPT_MS = 30 * 24 * 3_600_000;
const TIDY_INTERVAL_MS = 10_000;
const TIDY_ROWS_MAX = 500;

export interface SenderParts {
  readonly pool: Pool;
  readonly writer: Writer;
  readonly sources: WebhookSources;
  readonly signingKeys: SigningKeys;
  readonly wrapping: KeyWrapping;
  /** Loopback receivers are for the test world only (decisions 5.3). */
  readonly outbound: Readonly<Record<World, OutboundClient>>;
  readonly log: LedgerLog;
  /** Real time: retries are promised to receivers, whose clocks no test clock moves (decisions 2.4). */
  readonly nowMs: () => number;
  /** Drawn from [0, 1). */
  readonly jitter: () => number;
}

/**
 * Sends what endpoints subscribed to: at least once, signed, with retries, every try visible. It keeps nothing but the
 * tries under way: what is due stands in the tables, and several processes may send at once.
 */
export class WebhookSender implements DueWork {
  readonly name = 'outbox.webhooks';
  readonly #underWay: UnderWay;
  #tidiedAtMs = 0;

  constructor(private readonly parts: SenderParts) {
    this.#underWay = new UnderWay(parts.log, 'A webhook try');
  }

  /**
   * Hands out what was recorded and begins tries, without waiting for receivers: a slow one holds up no other work.
   * For a tenant whose test clock moved nothing is due here, because retries run on real time.
   */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    if (tenantId !== null || this.#underWay.isStopped) return 0;
    await this.#tidy();
    return (
      (await handOut(this.parts, { tenantId, limit })) + (await this.begin({ tenantId, limit }))
    );
  }

  /** Begins tries of what is due, as many as there is room for; answers how many. */
  async begin({ tenantId, limit }: DueScope): Promise<number> {
    const room = this.#underWay.room(limit);
    if (room === 0) return 0;
    const claims = await claimDeliveries(this.parts.pool, {
      tenantId,
      busyTenantIds: this.#underWay.busyTenantIds(),
      limit: room,
      perEndpoint: PER_ENDPOINT_MAX,
      nowMs: this.parts.nowMs(),
      leaseMs: LEASE_MS,
    });
    for (const claim of claims) this.#underWay.start(claim.tenantId, this.#attempt(claim));
    return claims.length;
  }

  /** Resolves when no try is under way. */
  idle(): Promise<void> {
    return this.#underWay.idle();
  }

  /** Begins nothing more; waits for tries under way, at most STOP_MS_MAX. */
  stop(): Promise<void> {
    return this.#underWay.stop();
  }

  async #attempt(claim: Claim): Promise<void> {
    const { pool, nowMs, jitter } = this.parts;
    const startedAtMs = nowMs();
    const result = await this.#send(claim, startedAtMs);
    const endedAtMs = nowMs();
    const failingSinceMs = await finishAttempt(pool, {
      ...claim,
      startedAtMs,
      endedAtMs,
      result,
      nextAttemptAtMs: nextAttemptAtMs(result, {
        attempts: claim.roundAttemptCount,
        endedAtMs,
        jitter: jitter(),
      }),
    });
    const isFailing = failingSinceMs !== null && endedAtMs - failingSinceMs >= DISABLE_AFTER_MS;
    if (isGone(result)) await this.#disable(claim, 'gone');
    else if (isFailing) await this.#disable(claim, 'failing');
  }

  async #send(claim: Claim, atMs: number): Promise<AttemptResult> {
    const { tenantId, eventSeq, url, world } = claim;
    const [entry] = await readEntries(this.parts.pool, {
      tenantId,
      afterSeq: eventSeq - 1,
      throughSeq: eventSeq,
      types: null,
    });
    invariant(entry !== undefined, 'a delivery names an entry');
    const message = this.parts.sources.messageOf(entry);
    invariant(message !== null, `${entry.type} is made a webhook`);
    const payload = payloadOf(message, entry);
    const headers = await this.#headers(claim, { messageId: messageIdOf(entry), atMs, payload });
    if (headers === null) return { statusCode: null, errorClass: 'not_signed' };
    const outcome = await this.parts.outbound[world].fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `commerce-arbiter/${SERVICE_VERSION}`,
        ...headers,
      },
      body: Buffer.from(payload),
      deadlineMs: ATTEMPT_MS_MAX,
      bodyBytesMax: ATTEMPT_BYTES_MAX,
      cutsBody: true,
    });
    return resultOf(outcome);
  }

  /** Null when a secret or the tenant's key does not open: then nothing is sent. */
  async #headers(claim: Claim, message: SignedMessage): Promise<Record<string, string> | null> {
    const { pool, signingKeys, wrapping } = this.parts;
    const { tenantId } = claim;
    const [stored, signed] = await Promise.all([
      readSecrets(pool, claim),
      signingKeys.sign(tenantId, 'webhook', signedContent(message)),
    ]);
    if (!signed.ok) return null;
    const secrets: Buffer[] = [];
    const live = liveSecretsOf({ secrets: JSON.parse(claim.secrets) as never }, message.atMs);
    for (const { secretId } of live) {
      const wrapped = stored.get(secretId);
      if (wrapped === undefined) return null;
      const place = { tenantId, purpose: SECRET_PURPOSE, kid: secretId };
      const opened = wrapping.unwrap(wrapped, place);
      if (!opened.ok) return null;
      secrets.push(opened.value);
    }
    return webhookHeaders(message, { secrets, ed25519: signed.value.signature });
  }

  async #disable(
    { tenantId, endpointId, deliveryId, attemptNo }: Claim,
    reason: 'gone' | 'failing',
  ): Promise<void> {
    const disabled = await this.parts.writer.execute(
      disableEndpoint(
        {
          tenantId,
          actor: { role: 'system', id: 'outbox' },
          requestId: `${deliveryId}-${attemptNo}`,
          idempotency: null,
        },
        { endpointId, reason },
      ),
    );
    // Not found = deleted meanwhile. Anything else: the next try finds the same and disables it then.
    if (!disabled.ok && disabled.error.code !== 'not_found') throw new Error(disabled.error.detail);
  }

  async #tidy(): Promise<void> {
    const nowMs = this.parts.nowMs();
    if (nowMs - this.#tidiedAtMs < TIDY_INTERVAL_MS) return;
    this.#tidiedAtMs = nowMs;
    await tidyDeliveries(this.parts.pool, {
      nowMs,
      finishedBeforeMs: nowMs - KEPT_MS,
      limit: TIDY_ROWS_MAX,
    });
  }
}
