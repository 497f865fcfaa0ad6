import { Task } from '@a2a-js/sdk';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import type { KeyWrapping, SigningKeys } from '../../base/keys/index.js';
import type { DueScope, DueWork, LedgerLog } from '../../base/ledger/index.js';
import {
  ATTEMPT_BYTES_MAX,
  ATTEMPT_MS_MAX,
  type AttemptResult,
  LEASE_MS,
  nextAttemptAtMs,
  resultOf,
  signedContent,
  UNDER_WAY_PER_TENANT_MAX,
  UnderWay,
  webhookHeaders,
} from '../../base/outbox/index.js';
import { type OutboundClient, type Queryable, SERVICE_VERSION } from '../../base/platform/index.js';
import type { World } from '../../core/kernel/index.js';
import { TASKS_KEPT_MS } from './limits.js';
import { PUSH_SECRET_PURPOSE, type PushSecret } from './push-configs.js';
import { claimPushes, finishPush, type PushClaim } from './push.store.js';
import { sweepTasks } from './tasks.store.js';
import type { Version } from './version.js';

const TIDY_INTERVAL_MS = 60_000;
const TIDY_ROWS_MAX = 500;

export interface PushSenderParts {
  readonly database: Queryable;
  readonly signingKeys: SigningKeys;
  readonly wrapping: KeyWrapping;
  /** Loopback receivers are for the test world only (decisions 5.3). */
  readonly outbound: Readonly<Record<World, OutboundClient>>;
  readonly log: LedgerLog;
  /** Real time: receivers' clocks are moved by no test clock (decisions 2.4). */
  readonly nowMs: () => number;
  /** Drawn from [0, 1). */
  readonly jitter: () => number;
}

/**
 * Tells the ends of tasks to whoever asked for it: at least once, each message under one id for ever, with the retries of
 * the webhooks. It keeps nothing but the tries under way, so several processes may send at once and one may die.
 */
export class PushSender implements DueWork {
  readonly name = 'a2a.push';
  readonly #underWay: UnderWay;
  readonly #serializers = {
    '1.0': new V1PushNotificationSerializer(),
    '0.3': new V03PushNotificationSerializer(),
  } as const satisfies Readonly<Record<Version, unknown>>;
  #tidiedAtMs = 0;

  constructor(private readonly parts: PushSenderParts) {
    this.#underWay = new UnderWay(parts.log, 'A push notification');
  }

  /** Begins tries and waits for no receiver. Retries run on real time, so a moved test clock makes nothing due. */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    if (tenantId !== null || this.#underWay.isStopped) return 0;
    const { database, nowMs } = this.parts;
    await this.#tidy();
    const room = this.#underWay.room(limit);
    if (room === 0) return 0;
    const claims = await claimPushes(database, {
      busyTenantIds: this.#underWay.busyTenantIds(),
      limit: room,
      perTenant: UNDER_WAY_PER_TENANT_MAX,
      nowMs: nowMs(),
      leaseMs: LEASE_MS,
    });
    for (const claim of claims) this.#underWay.start(claim.tenantId, this.#attempt(claim));
    return claims.length;
  }

  /** Resolves when no try is under way. */
  idle(): Promise<void> {
    return this.#underWay.idle();
  }

  stop(): Promise<void> {
    return this.#underWay.stop();
  }

  async #attempt(claim: PushClaim): Promise<void> {
    const { database, nowMs, jitter } = this.parts;
    const result = await this.#send(claim, nowMs());
    const { attemptCount: attempts } = claim;
    await finishPush(database, claim, {
      ...result,
      nextAttemptAtMs: nextAttemptAtMs(result, { attempts, endedAtMs: nowMs(), jitter: jitter() }),
    });
  }

  async #send(claim: PushClaim, atMs: number): Promise<AttemptResult> {
    const secret = this.#secretOf(claim);
    if (secret === null) return NOT_SIGNED;
    const { body, contentType } = this.#bodyOf(claim);
    const message = { messageId: claim.messageId, atMs, payload: body };
    const signed = await this.parts.signingKeys.sign(
      claim.tenantId,
      'webhook',
      signedContent(message),
    );
    if (!signed.ok) return NOT_SIGNED;
    const outcome = await this.parts.outbound[claim.world].fetch({
      url: claim.url,
      method: 'POST',
      headers: {
        'content-type': contentType,
        'user-agent': `commerce-arbiter/${SERVICE_VERSION}`,
        ...webhookHeaders(message, { secrets: [], ed25519: signed.value.signature }),
        ...knownBy(claim, secret),
      },
      body: Buffer.from(body),
      deadlineMs: ATTEMPT_MS_MAX,
      bodyBytesMax: ATTEMPT_BYTES_MAX,
      cutsBody: true,
    });
    return resultOf(outcome);
  }

  /** As the version in which the configuration was made spells it: a stream's item, or the bare task. */
  #bodyOf({ version, task: text }: PushClaim): { body: string; contentType: string } {
    const task = Task.fromJSON(JSON.parse(text));
    const item = { payload: { $case: 'task', value: task } } as const;
    return this.#serializers[version].serialize(item, task);
  }

  /** Null when it does not open: then nothing is sent. */
  #secretOf({ tenantId, url, secret }: PushClaim): PushSecret | null {
    if (secret === null) return { token: '', credentials: '' };
    const place = { tenantId, purpose: PUSH_SECRET_PURPOSE, kid: url };
    const opened = this.parts.wrapping.unwrap(secret, place);
    return opened.ok ? (JSON.parse(opened.value.toString('utf8')) as PushSecret) : null;
  }

  async #tidy(): Promise<void> {
    const { database, nowMs } = this.parts;
    const atMs = nowMs();
    if (atMs - this.#tidiedAtMs < TIDY_INTERVAL_MS) return;
    this.#tidiedAtMs = atMs;
    await sweepTasks(database, { beforeMs: atMs - TASKS_KEPT_MS, limit: TIDY_ROWS_MAX });
  }
}

const NOT_SIGNED: AttemptResult = { statusCode: null, errorClass: 'not_signed' };

/** What the receiver wanted to know its sender by. */
function knownBy({ scheme }: PushClaim, { token, credentials }: PushSecret) {
  return {
    ...(token === '' ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === null || credentials === '' ? {} : { authorization: `${scheme} ${credentials}` }),
  };
}
