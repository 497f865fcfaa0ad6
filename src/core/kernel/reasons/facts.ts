import { ofRule, RECOVERABLE, RULE_ERROR, type SharedReason } from './entry.js';

const ARTIFACT = {
  parameter: 'artifact_type',
  whoFixes: 'merchant_fix',
  requiredConfig: 'artifacts',
  ucp: RECOVERABLE,
  acp: { code: 'conflict' },
} as const;

/**
 * Both rules on merchant facts name the same reasons, because they share one judgement. The signed artifacts come first,
 * in the order in which one artifact is checked; then what they say about the lines of the cart.
 */
const FACTS_REASONS = [
  {
    ...ARTIFACT,
    code: 'artifact_missing_or_invalid',
    text: 'A signed fact that the purchase needs or names is not known here, or does not have the form of such a fact.',
    fix: 'Sign and register the missing fact for this merchant and product, as docs/first-allow.md shows step by step and docs/tokens.md describes byte by byte; then ask again.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_scope_mismatch',
    text: 'A signed fact was issued for another tenant, merchant, seller or buyer than those of this purchase.',
    fix: 'Name facts that were issued for this merchant and this agent.',
  },
  {
    ...ARTIFACT,
    code: 'issuer_key_untrusted',
    text: 'A signed fact comes from an issuer whose key is not trusted here.',
    fix: 'Let a trusted issuer sign the fact, or ask the tenant administrator to register this issuer’s key.',
    requiredConfig: 'artifacts, issuer_keys',
  },
  {
    ...ARTIFACT,
    code: 'issuer_key_inactive',
    text: 'A signed fact was signed with a key that was not active, or is retired or withdrawn.',
    fix: 'Sign the fact again with an active key of the issuer.',
    requiredConfig: 'artifacts, issuer_keys',
  },
  {
    ...ARTIFACT,
    code: 'signature_algorithm_unsupported',
    text: 'A fact is signed with an algorithm that is not accepted.',
    fix: 'Sign the fact with ES256 or EdDSA.',
  },
  {
    ...ARTIFACT,
    code: 'signature_missing_or_placeholder',
    text: 'A fact carries no signature, or a placeholder instead of one.',
    fix: 'Sign the fact; an unsigned fact counts for nothing.',
  },
  {
    ...ARTIFACT,
    code: 'detached_jws_verification_failed',
    text: 'The signature of a fact does not fit its content.',
    fix: 'Use the fact exactly as it was signed, or publish it again.',
  },
  {
    ...ARTIFACT,
    code: 'payload_hash_mismatch',
    text: 'The content of a fact is not the content whose hash was signed.',
    fix: 'Use the fact exactly as it was signed, or publish it again.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_not_yet_valid',
    whoFixes: 'retry',
    text: 'A fact is not in force yet, or does not say since when it is.',
    fix: 'Ask again when the fact is in force.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_expired_or_stale',
    text: 'A fact has expired, or does not say until when it is good.',
    fix: 'Read the offer again; the merchant renews facts that are still true.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_ttl_exceeds_default',
    text: 'A fact was issued for longer than facts of its kind may live.',
    fix: 'Issue the fact with a lifetime within the limit of its kind.',
  },
  {
    ...ARTIFACT,
    code: 'catalog_stale',
    text: 'The catalogue was last compared with the merchant’s own system too long ago, or does not say when.',
    fix: 'Read the merchant’s system again and publish the catalogue anew.',
  },
  {
    ...ARTIFACT,
    code: 'stale_inventory',
    text: 'The stock was last counted too long ago, and its issuer refuses purchases on an old count.',
    fix: 'Read the stock again and publish it anew.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_revoked',
    text: 'A fact was revoked; it counts for nothing from that moment on.',
    fix: 'Read the offer again; the merchant publishes a corrected fact where there is one.',
  },
  {
    ...ARTIFACT,
    code: 'artifact_suspended',
    text: 'A fact is suspended for now.',
    fix: 'Ask again after the merchant has lifted the suspension.',
  },
  {
    ...ARTIFACT,
    code: 'revocation_snapshot_stale',
    whoFixes: 'retry',
    text: 'What is known about the revocation of a fact is older than ten minutes, so it is not relied on.',
    fix: 'Ask again in a moment, when the list of revocations was read anew.',
    requiredConfig: 'artifacts, status_list',
  },
  {
    ...ARTIFACT,
    code: 'status_list_unavailable',
    whoFixes: 'retry',
    text: 'The list that says whether a fact was revoked could not be read.',
    fix: 'Ask again in a moment; nothing is taken as good while the list cannot be read.',
    requiredConfig: 'artifacts, status_list',
  },
  {
    ...ARTIFACT,
    code: 'product_or_variant_not_found',
    whoFixes: 'agent_fix',
    text: 'The signed catalogue does not name a product of the cart, or the variant ordered is signed as one of another product.',
    fix: 'Read the catalogue again and order products that it names, each with a variant of its own.',
    requiredConfig: 'cart.lines, artifacts',
    acp: { code: 'not_found' },
  },
  {
    ...ARTIFACT,
    code: 'quantity_invalid',
    parameter: null,
    whoFixes: 'agent_fix',
    text: 'The cart is empty or too long, or a line does not ask for a whole number of pieces of at least one.',
    fix: 'Send one to one hundred lines, each with a quantity of one or more.',
    requiredConfig: 'cart.lines',
    acp: { code: 'invalid' },
  },
  {
    ...ARTIFACT,
    code: 'price_changed',
    whoFixes: 'agent_fix',
    text: 'The price or currency of a line is not the one the merchant has signed.',
    fix: 'Read the price again, show it to the buyer, and ask with the new price.',
    requiredConfig: 'cart.lines, artifacts',
  },
  {
    ...ARTIFACT,
    code: 'inventory_snapshot_insufficient',
    whoFixes: 'agent_fix',
    text: 'The signed stock does not cover the quantity asked for.',
    fix: 'Order fewer pieces, or ask again when the merchant has more in stock.',
    requiredConfig: 'cart.lines, artifacts',
    acp: { code: 'out_of_stock' },
  },
  { ...RULE_ERROR, requiredConfig: 'cart, artifacts' },
] as const satisfies readonly SharedReason[];

export const FACTS_VALID_REASONS = ofRule('facts_valid', FACTS_REASONS);
export const HANDOFF_FACTS_VALID_REASONS = ofRule('handoff_facts_valid', FACTS_REASONS);
