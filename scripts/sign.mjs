// Signs what docs/first-allow.md registers, as docs/tokens.md says. Node alone: the file works wherever it is copied.
import * as crypto from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const USAGE = `usage: node scripts/sign.mjs key FILE                        prints the public JWK; makes the Ed25519 key when FILE is not there
       node scripts/sign.mjs facts FILE < facts.json         what a purchase of one variant needs, as bodies of POST /v1/artifacts
       node scripts/sign.mjs token FILE KID TYP < claims     a compact token
SIGN_AT=<RFC 3339> dates facts by a test clock that was moved.`;

const NOW_MS = process.env.SIGN_AT ? Date.parse(process.env.SIGN_AT) : Date.now();
const COMMANDS = { key: printJwk, facts: printFacts, token: printToken };

/** Signed with the facts: what agents may do with them. */
const SAFETY = {
  public_safe: true,
  contains_private_data: false,
  allowed_agent_uses: ['quote', 'purchase'],
  forbidden_agent_uses: [],
  commitment_allowed: true,
  offline_commitment_allowed: false,
  requires_online_confirmation: true,
  requires_provider_direct_verification: false,
  requires_merchant_system_confirmation: false,
  stale_behavior: 'refuse_final_commitment',
  refusal_code_if_invalid: 'artifact_missing_or_invalid',
};

const [command, file, ...rest] = process.argv.slice(2);
if (
  !Object.hasOwn(COMMANDS, command ?? '') ||
  !file ||
  (command === 'token' && rest.length !== 2)
) {
  console.error(USAGE);
  process.exit(2);
}
COMMANDS[command](...rest);

function printJwk() {
  if (!existsSync(file)) {
    const { privateKey } = crypto.generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  }
  console.log(JSON.stringify(crypto.createPublicKey(readFileSync(file)).export({ format: 'jwk' })));
}

function printToken(kid, typ) {
  const { header, content, signature } = jws({ alg: 'EdDSA', kid, typ }, canonical(input()));
  console.log(`${header}.${content}.${signature}`);
}

function printFacts() {
  const facts = input();
  for (const [index, fact] of factsOf(facts).entries())
    console.log(JSON.stringify({ artifact: artifactOf(facts, fact, facts.slots[index]) }));
}

/** `seconds`: the longest life that a fact of this type may have. */
function factsOf({ merchant_id, product_id, variant_id, price, stock }) {
  const variant = { product_id, variant_id };
  const catalog = {
    catalog_snapshot_id: `catalog.${merchant_id}`,
    product_refs: [product_id],
    category_refs: [],
    source_system_refs: [],
    private_field_redaction_status: 'none_present',
    sample_count: 1,
  };
  const policy = {
    return_policy_summary: 'Unopened goods within 7 days.',
    warranty_policy_summary: 'As the law says.',
    fulfillment_policy_summary: 'Sent the next working day.',
    cancellation_policy_summary: 'Until it is sent.',
    support_policy_summary: 'By e-mail.',
    jurisdiction_scope: ['IN'],
  };
  const adapter = {
    adapter_type: 'ucp',
    adapter_version: '2026-04-08',
    referenced_artifact_ids: [],
    referenced_artifact_expires_at: [],
    generated_from_artifact_hashes: [],
    public_claim_limits: [],
  };
  const priced = {
    ...variant,
    amount_minor_units: Number(price.amount),
    currency: price.currency,
    price_source: 'shop',
    price_valid_until: instant(300),
  };
  const stocked = {
    ...variant,
    availability_state: stock > 0 ? 'in_stock' : 'out_of_stock',
    quantity_bucket: stock,
    hold_allowed: false,
    stale_inventory_refusal: true,
  };
  return [
    { type: 'catalog_snapshot', seconds: 21_600, payload: catalog },
    { type: 'policy', seconds: 21_600, payload: policy },
    { type: 'protocol_adapter', seconds: 86_400, payload: adapter },
    { type: 'price', seconds: 300, payload: priced },
    { type: 'inventory', seconds: 60, payload: stocked },
  ];
}

/** A renewal has an id of its own and the slot of what it renews. */
function artifactOf(facts, { type, seconds, payload }, slot) {
  const { tenant_id, merchant_id, issuer, kid } = facts;
  const subject = payload.variant_id ?? merchant_id;
  const envelope = {
    artifact_id: `${type}.${subject}.${NOW_MS}`,
    artifact_type: type,
    schema_version: 'oacp.internal.v1',
    issuer,
    issuer_key_id: kid,
    tenant_id,
    merchant_id,
    seller_agent_id: 'shop',
    buyer_agent_id: '*',
    subject_type: payload.variant_id ? 'variant' : 'merchant',
    subject_id: subject,
    issued_at: instant(0),
    source_observed_at: instant(0),
    expires_at: instant(seconds),
    freshness_class: 'fresh',
    policy_version: '1',
    evidence_refs: [],
    revocation_status_url: slot.uri,
    status: { status_list: { uri: slot.uri, idx: slot.idx } },
    safety: SAFETY,
    payload_hash: crypto.createHash('sha256').update(canonical(payload)).digest('hex'),
    signature_alg: 'EdDSA',
  };
  const { header, signature } = jws({ alg: 'EdDSA', kid }, canonical(envelope));
  return { ...envelope, signature: `${header}..${signature}`, payload };
}

function jws(members, text) {
  const header = Buffer.from(JSON.stringify(members)).toString('base64url');
  const content = Buffer.from(text).toString('base64url');
  const signature = crypto.sign(null, Buffer.from(`${header}.${content}`), readFileSync(file));
  return { header, content, signature: signature.toString('base64url') };
}

/** RFC 8785 of a value whose numbers are whole. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function instant(seconds) {
  return new Date(NOW_MS + seconds * 1000).toISOString();
}

function input() {
  return JSON.parse(readFileSync(0, 'utf8'));
}
