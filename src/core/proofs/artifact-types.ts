import type { ArtifactType } from '../rules/index.js';

/** What a payload member has to be. `any` = present and not null. */
export type PayloadMember =
  'text' | 'id' | 'flag' | 'count' | 'currency' | 'instant' | 'texts' | 'any';

/** Members that a payload of each type must have (facts/arbiter.md 2.8); others may stand beside them. */
export const PAYLOAD_MEMBERS: Readonly<
  Record<ArtifactType, Readonly<Record<string, PayloadMember>>>
> = {
  catalog_snapshot: {
    catalog_snapshot_id: 'id',
    product_refs: 'texts',
    category_refs: 'texts',
    source_system_refs: 'texts',
    private_field_redaction_status: 'text',
    sample_count: 'count',
  },
  price: {
    product_id: 'id',
    variant_id: 'id',
    amount_minor_units: 'count',
    currency: 'currency',
    price_source: 'text',
    price_valid_until: 'instant',
  },
  inventory: {
    product_id: 'id',
    variant_id: 'id',
    availability_state: 'text',
    quantity_bucket: 'any',
    hold_allowed: 'flag',
    stale_inventory_refusal: 'flag',
  },
  policy: {
    return_policy_summary: 'text',
    warranty_policy_summary: 'text',
    fulfillment_policy_summary: 'text',
    cancellation_policy_summary: 'text',
    support_policy_summary: 'text',
    jurisdiction_scope: 'any',
  },
  protocol_adapter: {
    adapter_type: 'text',
    adapter_version: 'text',
    referenced_artifact_ids: 'texts',
    referenced_artifact_expires_at: 'texts',
    generated_from_artifact_hashes: 'texts',
    public_claim_limits: 'any',
  },
  merchant_capability: {
    merchant_display_name: 'text',
    merchant_category: 'text',
    supported_countries: 'texts',
    supported_currencies: 'texts',
    commerce_status: 'text',
    public_discovery_state: 'text',
    source_evidence_refs: 'texts',
  },
  seller_agent_capability: {
    seller_agent_id: 'id',
    merchant_id: 'id',
    agent_runtime: 'text',
    supported_channels: 'texts',
    supported_tasks: 'texts',
    forbidden_tasks: 'texts',
    public_claim_limits: 'any',
  },
  offer: {
    offer_id: 'id',
    product_id: 'id',
    variant_id: 'id',
    currency: 'currency',
    offer_valid_from: 'instant',
    offer_valid_until: 'instant',
    price_lock_allowed: 'flag',
  },
  public_discovery: {
    discovery_state: 'text',
    allowed_surfaces: 'texts',
    blocked_surfaces: 'texts',
    display_name: 'text',
    public_description: 'text',
    allowed_protocol_adapters: 'texts',
    publish_offline_allowed: 'flag',
  },
  mandate_capability: {
    provider_key: 'text',
    rail_type: 'text',
    jurisdiction: 'text',
    mandate_capability_ref: 'id',
    buyer_agent_id: 'text',
    merchant_scope: 'any',
    max_amount: 'count',
    currency: 'currency',
    verification_mode: 'text',
    provider_direct_verification_required: 'flag',
  },
  commitment_evidence: {
    commitment_id: 'id',
    commitment_type: 'text',
    buyer_agent_id: 'text',
    seller_agent_id: 'text',
    merchant_id: 'id',
    artifact_refs_used: 'texts',
    policy_decision: 'text',
    offline_commitment_mode: 'text',
    forbidden_execution_claims: 'texts',
  },
};

/** Types whose envelope names the buyer's agent (facts/arbiter.md 2.7, row Scope). */
export const BUYER_AGENT_SCOPED: ReadonlySet<ArtifactType> = new Set([
  'offer',
  'price',
  'inventory',
  'mandate_capability',
  'commitment_evidence',
]);
/** Types whose envelope names no selling agent. */
export const WITHOUT_SELLER_AGENT: ReadonlySet<ArtifactType> = new Set(['merchant_capability']);
/** Types that speak of one variant; every line of a cart needs its own. */
export const PER_VARIANT_TYPES: ReadonlySet<ArtifactType> = new Set([
  'price',
  'inventory',
  'offer',
]);

/** Names that may stand nowhere inside an artifact, at any depth (facts/arbiter.md 2.10). */
export const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set([
  'access_token',
  'api_key',
  'authorization',
  'bank_account',
  'card_number',
  'checkout_payment_enabled',
  'credential',
  'credentials',
  'customer_identifier',
  'live_payment_enabled',
  'live_provider_enabled',
  'merchant_private_api_key',
  'merchant_private_api_url',
  'password',
  'private_key',
  'production_allowlist',
  'public_discovery_enabled',
  'raw_connector_payload',
  'raw_jwt',
  'raw_provider_payload',
  'secret',
  'token',
  'webhook_secret',
]);
