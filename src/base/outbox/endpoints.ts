import {
  err,
  type InstantMs,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import type { KeyWrapping } from '../keys/index.js';
import { type CommandContext, readRow, readRows, type Writer } from '../ledger/index.js';
import { peerUrlOf, type Queryable } from '../platform/index.js';
import { drawId, mayTouchMerchant, noSuchMerchant } from '../tenants/index.js';
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  type EndpointDraft,
  type NewSecret,
  noSuchEndpoint,
  rotateSecret,
} from './endpoints.commands.js';
import {
  type DisabledReason,
  eventTypesOf,
  secretsOf,
  type WebhookEndpointRow,
  webhookEndpoints,
} from './endpoints.ledger.js';
import { forgetFailures } from './deliveries.store.js';
import { drawSecret, printSecret } from './signature.js';

/** Endpoints of one tenant that are not deleted. */
export const ENDPOINTS_MAX = 50;
/** A replaced secret goes on signing at least so long: receivers change theirs meanwhile (decisions 5.1). */
export const SECRET_OVERLAP_SECONDS_MIN = 7 * 24 * 3600;
export const SECRET_OVERLAP_SECONDS_MAX = 90 * 24 * 3600;
/** A wrapped secret belongs to this purpose and opens as nothing else. */
export const SECRET_PURPOSE = 'webhook-secret';

/** An endpoint as its owner sees it. */
export interface WebhookEndpoint {
  readonly endpointId: string;
  readonly merchantId: string | null;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly state: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  readonly createdAtMs: InstantMs;
  /** Real instants at which replaced secrets stop to sign; past ones included until the next rotation. */
  readonly replacedSecretsEndAtMs: readonly InstantMs[];
}

/** The one time a secret is seen: null in a repeated answer. */
export interface ShownSecret {
  readonly secret: string | null;
}

/** Whose endpoints: a key that is bound to merchants sees and makes endpoints of these merchants only. */
export type EndpointReader = Pick<Principal, 'tenantId' | 'merchantIds' | 'world'>;

export interface WebhookEndpointsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly wrapping: KeyWrapping;
  /** ALLOW_LOOPBACK_PEERS; it holds in the test world only (decisions 5.3). */
  readonly allowLoopbackPeers: boolean;
  /** Real time. */
  readonly nowMs: () => InstantMs;
}

/**
 * Where a tenant wants to be told of its events. Every method that names an endpoint answers not_found for one whose
 * merchant is outside the key's binding, as for one of another tenant.
 */
export class WebhookEndpoints {
  constructor(private readonly dependencies: WebhookEndpointsDependencies) {}

  /**
   * Hears of what is recorded after it. The secret is in this answer and never again.
   * Problems, in order: validation_failed (`/url`: not https, a port other than 443 and 8443, credentials, a fragment, a
   * form that a parser would repair, an address that is not public; `/merchant_id`: a bound key names none), not_found (merchant), conflict (ENDPOINTS_MAX; two
   * requests at once may pass it by one).
   */
  async create(
    context: CommandContext,
    reader: EndpointReader,
    draft: EndpointDraft,
  ): Promise<Result<WebhookEndpoint & ShownSecret, Problem>> {
    const url = this.#urlOf(reader, draft);
    if (url === null) return err(urlRefused(draft.url));
    const fault = faultOf(reader, draft);
    if (fault !== null) return err(fault);
    const stored = await this.#stored(context.tenantId);
    if (stored.length >= ENDPOINTS_MAX) return err(tooManyEndpoints);
    const { secret, plain } = this.#newSecret(context.tenantId);
    const created = await this.dependencies.writer.execute(
      createEndpoint(context, { draft: { ...draft, url }, drawn: drawId('whe'), secret }),
    );
    if (!created.ok) return created;
    const found = await this.#find(reader, created.value.endpointId);
    if (!found.ok) return found;
    return ok({ ...found.value, secret: created.value.replayed ? null : printSecret(plain) });
  }

  /** In the order of their creation. */
  async list(reader: EndpointReader): Promise<readonly WebhookEndpoint[]> {
    const rows = await this.#stored(reader.tenantId);
    return rows.filter((row) => isVisible(reader, row)).map(endpointOf);
  }

  /**
   * A new secret signs at once, those before sign beside it for `overlapSeconds` more, for receivers that have not
   * changed yet. Problems, in order: not_found, conflict (LIVE_SECRETS_MAX).
   */
  async rotateSecret(
    context: CommandContext,
    reader: EndpointReader,
    { endpointId, overlapSeconds }: { endpointId: string; overlapSeconds: number },
  ): Promise<Result<ShownSecret & { previousEndsAtMs: InstantMs }, Problem>> {
    const found = await this.#find(reader, endpointId);
    if (!found.ok) return found;
    const { secret, plain } = this.#newSecret(context.tenantId);
    const rotatedAtMs = this.dependencies.nowMs();
    const previousEndsAtMs = rotatedAtMs + overlapSeconds * 1000;
    const rotated = await this.dependencies.writer.execute(
      rotateSecret(context, { endpointId, secret, rotatedAtMs, previousEndsAtMs }),
    );
    if (!rotated.ok) return rotated;
    const { replayed, ...answer } = rotated.value;
    return ok({ ...answer, secret: replayed ? null : printSecret(plain) });
  }

  /** What was recorded while it was disabled is not sent; single messages can be sent again. Problem: not_found. */
  async enable(
    context: CommandContext,
    reader: EndpointReader,
    endpointId: string,
  ): Promise<Result<WebhookEndpoint, Problem>> {
    const { database, writer } = this.dependencies;
    const found = await this.#find(reader, endpointId);
    if (!found.ok) return found;
    // Its days of failing count from now on.
    await forgetFailures(database, { tenantId: reader.tenantId, endpointId });
    const enabled = await writer.execute(enableEndpoint(context, endpointId));
    return enabled.ok ? this.#find(reader, endpointId) : enabled;
  }

  /** What was not delivered by then is given up. Problem: not_found. */
  async delete(
    context: CommandContext,
    reader: EndpointReader,
    endpointId: string,
  ): Promise<Result<null, Problem>> {
    // A repeated request is answered by the writer, which knows its key; only what was never visible is refused here.
    const row = await this.#row(reader, endpointId);
    if (row === undefined || !isVisible(reader, row)) return err(noSuchEndpoint(endpointId));
    return this.dependencies.writer.execute(deleteEndpoint(context, endpointId));
  }

  /** In its canonical form, which is what is stored, shown and asked; null = refused. */
  #urlOf({ world }: EndpointReader, { url }: EndpointDraft): string | null {
    return peerUrlOf(url, this.dependencies.allowLoopbackPeers && world === 'test');
  }

  #newSecret(tenantId: string): { readonly secret: NewSecret; readonly plain: Buffer } {
    const plain = drawSecret();
    const secretId = drawId('whs');
    const place = { tenantId, purpose: SECRET_PURPOSE, kid: secretId };
    return { secret: { secretId, wrapped: this.dependencies.wrapping.wrap(plain, place) }, plain };
  }

  async #stored(tenantId: EndpointReader['tenantId']): Promise<readonly WebhookEndpointRow[]> {
    const { database } = this.dependencies;
    const states = ['active', 'disabled'] as const;
    const rows = await Promise.all(
      states.map((state) => readRows(database, webhookEndpoints, { tenantId, where: { state } })),
    );
    return rows.flat().sort((one, other) => one.createdSeq - other.createdSeq);
  }

  #row({ tenantId }: EndpointReader, endpointId: string) {
    return readRow(this.dependencies.database, webhookEndpoints, { tenantId, key: [endpointId] });
  }

  async #find(
    reader: EndpointReader,
    endpointId: string,
  ): Promise<Result<WebhookEndpoint, Problem>> {
    const row = await this.#row(reader, endpointId);
    return row === undefined || row.state === 'deleted' || !isVisible(reader, row)
      ? err(noSuchEndpoint(endpointId))
      : ok(endpointOf(row));
  }
}

const isVisible = (
  { merchantIds }: Pick<EndpointReader, 'merchantIds'>,
  { merchantId }: Pick<WebhookEndpointRow, 'merchantId'>,
): boolean => merchantIds === null || (merchantId !== null && merchantIds.includes(merchantId));

function faultOf(reader: EndpointReader, { merchantId }: EndpointDraft): Problem | null {
  if (merchantId === null) return reader.merchantIds === null ? null : merchantNeeded;
  return mayTouchMerchant(reader, merchantId) ? null : noSuchMerchant(merchantId, '/merchant_id');
}

const endpointOf = (row: WebhookEndpointRow): WebhookEndpoint => ({
  endpointId: row.endpointId,
  merchantId: row.merchantId,
  url: row.url,
  eventTypes: eventTypesOf(row),
  state: row.state === 'disabled' ? 'disabled' : 'active',
  disabledReason: row.disabledReason,
  createdAtMs: row.createdAtMs,
  replacedSecretsEndAtMs: secretsOf(row).flatMap(({ endsAtMs }) => endsAtMs ?? []),
});

const urlRefused = (url: string): Problem =>
  problem('validation_failed', 'Webhooks are not sent to this URL.', {
    fix: `Name an https URL on port 443 or 8443 of a public host, without user, password and fragment in it${
      peerUrlOf(url, true) === null ? '' : FOR_THIS_MACHINE
    }.`,
    field: '/url',
  });

/** Of a URL that only this setting would admit. */
const FOR_THIS_MACHINE =
  '; for a receiver on this machine start the service with ALLOW_LOOPBACK_PEERS=true (test tenants)';

const merchantNeeded = problem(
  'validation_failed',
  'This key is bound to merchants, and the endpoint would hear of all.',
  { fix: 'Name one of the merchants of this key.', field: '/merchant_id' },
);

const tooManyEndpoints = problem('conflict', `A tenant has at most ${ENDPOINTS_MAX} endpoints.`, {
  fix: 'Delete an endpoint that nobody reads any more.',
});
