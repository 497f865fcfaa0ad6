// Generated from docs/openapi.json by `npm run generate`: the types of every route. Not edited by hand.
// Every problem has one form, so that each route names it once, as its `default` answer.

export interface paths {
  '/.well-known/jwks.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Public keys of the shop under this host
     * @description A JWK Set (RFC 7517) of the keys that sign and of those within their overlap. The tenant is found by the Host header.
     */
    get: operations['get__well_known_jwks_json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** This API as a page */
    get: operations['get_docs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs/assets/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A file of the docs page */
    get: operations['get_docs_assets_by_name'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs/problems/{code}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What a problem code means and how to fix it, as Markdown */
    get: operations['get_docs_problems_by_code'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs/reasons/{rule}/{code}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What a reason of a refusal means and what to do about it, as Markdown */
    get: operations['get_docs_reasons_by_rule_by_code'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The process runs and answers */
    get: operations['get_health_live'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether this process should get requests; each check with its age
     * @description Status 200 when every check is healthy, else 503 with the same body.
     */
    get: operations['get_health_ready'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** This API as an OpenAPI 3.0.3 document */
    get: operations['get_openapi_json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Which role may call which route */
    get: operations['get_v1_access'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Agents, by id */
    get: operations['get_v1_agents'];
    put?: never;
    /**
     * Register an agent
     * @description A stable identity; its credentials (API keys and others) come and go, blocks, budgets and history stay with it.
     */
    post: operations['post_v1_agents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{agent_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One agent */
    get: operations['get_v1_agents_by_agent_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{agent_id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Let a suspended agent work again */
    post: operations['post_v1_agents_by_agent_id_resume'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{agent_id}/suspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Suspend an agent: all its keys stop working */
    post: operations['post_v1_agents_by_agent_id_suspend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** API keys, without what could prove them */
    get: operations['get_v1_api_keys'];
    put?: never;
    /**
     * Create an API key
     * @description The key is shown this once; only its SHA-256 is kept. scopes narrow it to routes with these tags, merchant_ids to these merchants. A key of the role agent names its agent. Its times are real time, whatever the test clock says. A key with scopes gives no others, here and when it rotates a key.
     */
    post: operations['post_v1_api_keys'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys/{api_key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One API key */
    get: operations['get_v1_api_keys_by_api_key_id'];
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description At once in the process that answers, within one second in others. The last key that can administer the tenant stays.
     */
    delete: operations['delete_v1_api_keys_by_api_key_id'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys/{api_key_id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace an API key, with an overlap
     * @description The new key works at once with the same rights; the old one until the overlap is over, 0 ends it at once. Without expires_at the new key ends when the old one would have.
     */
    post: operations['post_v1_api_keys_by_api_key_id_rotate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/artifacts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Registered artifacts, newest first, each with its status now */
    get: operations['get_v1_artifacts'];
    put?: never;
    /**
     * Register a signed merchant fact
     * @description The envelope is verified completely, in this order: shape, scope, issuer key, algorithm, signature, payload hash, not before, expiry, freshness, status. The first failing check is answered with 422, and nothing is written. The same envelope again answers with its first registration. docs/tokens.md says which bytes are signed.
     */
    post: operations['post_v1_artifacts'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/artifacts/{artifact_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One artifact with its envelope and its status now */
    get: operations['get_v1_artifacts_by_artifact_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/captures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report captured money
     * @description Counts against the merchant's day, the buyer's passport and intent, and is what refunds are measured by.
     */
    post: operations['post_v1_captures'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/consents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a consent of a buyer, granted or denied
     * @description Verified completely, in this order: shape, issuer key, algorithm, signature, binding (audience, tenant), key state, times, lineage, status. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration. An agent registers only tokens that name it, a key bound to merchants only tokens that name one of them (404).
     */
    post: operations['post_v1_consents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/consents/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One consent with its status now */
    get: operations['get_v1_consents_by_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search decisions, newest first
     * @description Cursors are sequence numbers of the ledger: a page never changes because something newer was decided.
     */
    get: operations['get_v1_decisions'];
    put?: never;
    /**
     * Allow or refuse a purchase or a refund
     * @description Answers 200 with outcome allow or refuse: a refusal is an answer, not an error. agent_payment is judged by eight rules, handoff by two, refund by one. Every rule runs; the earliest that fails is named. The answer is sent after its ledger entry is durable. An agent asks without a discount (403 /cart/discount): no signed fact says what a merchant grants, so a discount counts only as the word of a merchant system, an operator or an administrator.
     */
    post: operations['post_v1_decisions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions/{decision_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One decision
     * @description Administrators, operators and auditors see what the rules saw and what each found; agents and merchant systems see the short form of their own.
     */
    get: operations['get_v1_decisions_by_decision_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/issuer-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Keys of issuers that the tenant believes, by issuer and kid */
    get: operations['get_v1_issuer_keys'];
    put?: never;
    /**
     * Believe a key of an issuer
     * @description From now on objects signed under this issuer and kid count, for this role alone. The algorithm follows from the key. Keys under which anybody could sign are refused. types limits a fact_issuer to some types of artifacts.
     */
    post: operations['post_v1_issuer_keys'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/issuer-keys/{issuer_key_id}/compromise': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Declare an issuer key compromised
     * @description Only objects that were registered here before compromised_since still count, because whoever holds the key also chooses the time it signs. The date only ever moves back.
     */
    post: operations['post_v1_issuer_keys_by_issuer_key_id_compromise'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/issuer-keys/{issuer_key_id}/retire': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Retire an issuer key
     * @description What is issued at or after retired_at is refused; what was issued before stays good until its own end.
     */
    post: operations['post_v1_issuer_keys_by_issuer_key_id_retire'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/head': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The end of the ledger */
    get: operations['get_v1_ledger_head'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/sealing': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Switch the sealing of the ledger on or off
     * @description The entry that switches it on is the first sealed one and states how many stand before it; nothing is sealed backwards.
     */
    put: operations['put_v1_ledger_sealing'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/mandates': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a mandate of a buyer
     * @description Verified completely, in this order: shape, issuer key, algorithm, signature, binding (audience, tenant), key state, times, lineage, status. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration. An agent registers only tokens that name it, a key bound to merchants only tokens that name one of them (404).
     */
    post: operations['post_v1_mandates'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/mandates/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One mandate with its status now */
    get: operations['get_v1_mandates_by_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/merchants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Merchants, by id
     * @description A key bound to merchants sees those alone.
     */
    get: operations['get_v1_merchants'];
    put?: never;
    /**
     * Create a merchant
     * @description The id is chosen by the caller and never changes. Agent-executed payment starts switched off, and no order is allowed before limits are set. rbi_profile none exists for merchants outside India.
     */
    post: operations['post_v1_merchants'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/merchants/{merchant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One merchant */
    get: operations['get_v1_merchants_by_merchant_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change what a merchant says about itself
     * @description Members that are left out stay. Another rbi_profile starts with its own default rails.
     */
    patch: operations['patch_v1_merchants_by_merchant_id'];
    trace?: never;
  };
  '/v1/merchants/{merchant_id}/agent-payment': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Switch agent-executed payment of a merchant on or off
     * @description The deployment has a switch of its own (AGENT_EXECUTED_PAYMENT_ENABLED); both are needed.
     */
    put: operations['put_v1_merchants_by_merchant_id_agent_payment'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/merchants/{merchant_id}/limits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The limits in force */
    get: operations['get_v1_merchants_by_merchant_id_limits'];
    /**
     * Set the limits of a merchant: a new version
     * @description Versions are numbered from 1 and never change; the newest is in force from its entry on. not_present holds while the buyer is away; each of its values is at most the normal one of its currency. A daily maximum of null is none.
     */
    put: operations['put_v1_merchants_by_merchant_id_limits'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/merchants/{merchant_id}/limits/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All versions of the limits, newest first */
    get: operations['get_v1_merchants_by_merchant_id_limits_versions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/merchants/{merchant_id}/limits/versions/{version}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One version of the limits */
    get: operations['get_v1_merchants_by_merchant_id_limits_versions_by_version'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/origins': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The origins of the tenant, the primary first */
    get: operations['get_v1_origins'];
    put?: never;
    /**
     * Answer under an origin
     * @description Merchant surfaces find their tenant by the Host header. An origin leads to one tenant; one of a tenant’s is its primary, at first the first.
     */
    post: operations['post_v1_origins'];
    /**
     * Answer under an origin no longer
     * @description The primary goes last. Another tenant may take the origin afterwards.
     */
    delete: operations['delete_v1_origins'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/passports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a Commerce Passport
     * @description Verified completely, in this order: shape, issuer key, algorithm, signature, binding (audience, tenant), key state, times, lineage, status. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration. An agent registers only tokens that name it, a key bound to merchants only tokens that name one of them (404).
     */
    post: operations['post_v1_passports'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/passports/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One Commerce Passport with its status now */
    get: operations['get_v1_passports_by_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/revocations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Withdraw a fact or a right, everywhere at once
     * @description Names either the id of a registered artifact, mandate, consent or passport, or its slot. revoked is final and takes all mandates below a mandate along; suspended can be taken back with valid. A repeat answers with the record that stands and lists no mandates. Payments that ran are not touched.
     */
    post: operations['post_v1_revocations'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/signing-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Signing keys of the tenant, ended ones included */
    get: operations['get_v1_signing_keys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/signing-keys/{purpose}/retire': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a replaced key before its overlap is over
     * @description For a key that somebody else may hold: rotate first, then retire. What it signed verifies nowhere any more. Other processes of the service may sign with it for up to 30 seconds after the rotation.
     */
    post: operations['post_v1_signing_keys_by_purpose_retire'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/signing-keys/{purpose}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign with a new key for this purpose
     * @description The new key signs at once. The old one stays published and verifies until its overlap is over, 7 days at least.
     */
    post: operations['post_v1_signing_keys_by_purpose_rotate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/simulate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The same rules, nothing written
     * @description Judges by the same facts, counters and rules as a decision would and shows the whole trace. Not for agents: it would tell them a merchant's limits.
     */
    post: operations['post_v1_simulate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/status-slots': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reserve places on a status list
     * @description Every signed object names a slot of its own inside its signed part. Reserve first, then sign, then register. Places are random; nobody learns from an index how many objects there are.
     */
    post: operations['post_v1_status_slots'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tenant': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The tenant of this key */
    get: operations['get_v1_tenant'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the name or the settings of the tenant
     * @description caller_asserted_allowed lets rules look at authority that a caller only asserts; it exists in the test world only.
     */
    patch: operations['patch_v1_tenant'];
    trace?: never;
  };
  '/v1/tenants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a tenant
     * @description One organisation in one world; test and live are two tenants with keys, data and ledgers of their own. The answer holds the first administrator key, which is shown this once. A repeat makes another tenant.
     */
    post: operations['post_v1_tenants'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/test-clock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Commerce time of a test tenant */
    get: operations['get_v1_test_clock'];
    /**
     * Move the clock of a test tenant forward
     * @description Commerce time only: rules, expiries, daily totals. It stands still at the given instant. Request signatures, API keys and rate limits stay on real time.
     */
    put: operations['put_v1_test_clock'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description RFC 9457 problem details. The six members of a refusal stand beside these where there is one. */
    Problem: {
      /** Format: uri-reference */
      type: string;
      title: string;
      status: number;
      /** @enum {string} */
      code:
        | 'request_malformed'
        | 'validation_failed'
        | 'idempotency_key_required'
        | 'unauthenticated'
        | 'forbidden'
        | 'not_found'
        | 'method_not_allowed'
        | 'conflict'
        | 'idempotency_conflict'
        | 'idempotency_in_flight'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'misdirected_request'
        | 'unverifiable'
        | 'rate_limited'
        | 'internal'
        | 'unavailable'
        | 'outcome_unknown';
      detail: string;
      /** @description A JSON pointer into the body, ?name for a query parameter, {name} for a path parameter, :name for a header. */
      field: string | null;
      fix: string;
      request_id: string;
      retryable: boolean;
      errors?: {
        /** @description A JSON pointer into the body, ?name for a query parameter, {name} for a path parameter, :name for a header. */
        field: string;
        detail: string;
      }[];
    };
  };
  responses: {
    /** @description The request could not be answered. */
    Problem: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description The caller’s Request-Id when it was well formed, else a new one. */
    RequestId: string;
    /** @description Seconds to wait before the same request is sent again. */
    RetryAfter: number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  get__well_known_jwks_json: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Public keys of the shop under this host */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            keys: {
              /** @enum {string} */
              kty: 'EC' | 'OKP';
              /** @enum {string} */
              crv: 'P-256' | 'Ed25519';
              x: string;
              y?: string;
              kid: string;
              /** @enum {string} */
              alg: 'ES256' | 'EdDSA';
              /** @enum {string} */
              use: 'sig';
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_docs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description This API as a page */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  get_docs_assets_by_name: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'favicon-32x32.png' | 'start.js';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A file of the docs page */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  get_docs_problems_by_code: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        code:
          | 'request_malformed'
          | 'validation_failed'
          | 'idempotency_key_required'
          | 'unauthenticated'
          | 'forbidden'
          | 'not_found'
          | 'method_not_allowed'
          | 'conflict'
          | 'idempotency_conflict'
          | 'idempotency_in_flight'
          | 'payload_too_large'
          | 'unsupported_media_type'
          | 'misdirected_request'
          | 'unverifiable'
          | 'rate_limited'
          | 'internal'
          | 'unavailable'
          | 'outcome_unknown';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What a problem code means and how to fix it, as Markdown */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  get_docs_reasons_by_rule_by_code: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        rule:
          | 'mandate_present'
          | 'consent_active'
          | 'passport_amount_cap'
          | 'verified_buyer_authority'
          | 'facts_valid'
          | 'merchant_limits'
          | 'not_present_limits'
          | 'rbi_afa'
          | 'handoff_facts_valid'
          | 'handoff_merchant_limits'
          | 'refund_within_captured'
          | 'agent_executed_payment'
          | 'allow_use';
        code:
          | 'mandate_missing'
          | 'mandate_signature_invalid'
          | 'mandate_issuer_untrusted'
          | 'mandate_merchant_mismatch'
          | 'mandate_agent_mismatch'
          | 'mandate_cart_mismatch'
          | 'mandate_currency_mismatch'
          | 'mandate_not_yet_valid'
          | 'mandate_expired'
          | 'mandate_revoked'
          | 'mandate_suspended'
          | 'mandate_parent_revoked'
          | 'status_list_unavailable'
          | 'mandate_amount_cap_exceeded'
          | 'rule_error'
          | 'consent_missing'
          | 'consent_signature_invalid'
          | 'consent_issuer_untrusted'
          | 'consent_merchant_mismatch'
          | 'consent_agent_mismatch'
          | 'consent_buyer_mismatch'
          | 'consent_denied'
          | 'consent_not_yet_valid'
          | 'consent_expired'
          | 'consent_revoked'
          | 'consent_suspended'
          | 'passport_missing'
          | 'passport_signature_invalid'
          | 'passport_issuer_untrusted'
          | 'passport_world_mismatch'
          | 'passport_merchant_mismatch'
          | 'passport_agent_mismatch'
          | 'passport_buyer_mismatch'
          | 'passport_scope_missing'
          | 'passport_currency_mismatch'
          | 'passport_lifetime_exceeded'
          | 'passport_not_yet_valid'
          | 'passport_expired'
          | 'passport_revoked'
          | 'passport_suspended'
          | 'passport_amount_cap_exceeded'
          | 'buyer_authority_caller_asserted'
          | 'artifact_missing_or_invalid'
          | 'artifact_scope_mismatch'
          | 'issuer_key_untrusted'
          | 'issuer_key_inactive'
          | 'signature_algorithm_unsupported'
          | 'signature_missing_or_placeholder'
          | 'detached_jws_verification_failed'
          | 'payload_hash_mismatch'
          | 'artifact_not_yet_valid'
          | 'artifact_expired_or_stale'
          | 'artifact_ttl_exceeds_default'
          | 'catalog_stale'
          | 'stale_inventory'
          | 'artifact_revoked'
          | 'artifact_suspended'
          | 'revocation_snapshot_stale'
          | 'product_or_variant_not_found'
          | 'quantity_invalid'
          | 'price_changed'
          | 'inventory_snapshot_insufficient'
          | 'merchant_limits_missing'
          | 'order_currency_not_allowed'
          | 'order_amount_cap_exceeded'
          | 'order_items_cap_exceeded'
          | 'daily_amount_cap_exceeded'
          | 'buyer_presence_unknown'
          | 'not_present_limits_missing'
          | 'not_present_currency_mismatch'
          | 'not_present_amount_cap_exceeded'
          | 'not_present_items_cap_exceeded'
          | 'not_present_daily_amount_cap_exceeded'
          | 'intent_cap_missing'
          | 'intent_currency_mismatch'
          | 'intent_cap_exceeded'
          | 'rbi_scope_unknown'
          | 'rbi_unclassified'
          | 'otm_already_debited'
          | 'mandate_not_live'
          | 'mandate_paused'
          | 'block_expired'
          | 'mandate_not_started'
          | 'mandate_amount_exceeded'
          | 'mandate_amount_differs'
          | 'block_exceeded'
          | 'mandate_payee_mismatch'
          | 'mandate_cycle_already_debited'
          | 'mandate_frequency_violation'
          | 'mandate_validity_absent'
          | 'circle_limit_txn'
          | 'circle_limit_month'
          | 'circle_limit_cooling'
          | 'afa_registration_missing'
          | 'afa_reference_reused'
          | 'pdn_missing'
          | 'pdn_amount_mismatch'
          | 'pdn_reference_mismatch'
          | 'pdn_opted_out'
          | 'pdn_incomplete'
          | 'pdn_stale'
          | 'upi_retry_exhausted'
          | 'afa_evidence_missing'
          | 'afa_evidence_unverified'
          | 'afa_factors_insufficient'
          | 'afa_not_dynamic'
          | 'afa_in_future'
          | 'afa_evidence_expired'
          | 'afa_evidence_amount_mismatch'
          | 'afa_currency_mismatch'
          | 'afa_payee_mismatch'
          | 'afa_evidence_mandate_mismatch'
          | 'afa_biometric_limit'
          | 'pdn_too_late'
          | 'upi_window_closed'
          | 'refund_amount_not_positive'
          | 'refund_currency_mismatch'
          | 'refund_exceeds_captured'
          | 'agent_executed_payment_disabled'
          | 'grantex_countersignature_missing';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What a reason of a refusal means and what to do about it, as Markdown */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  get_health_live: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process runs and answers */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'live';
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_health_ready: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether this process should get requests; each check with its age */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'ready' | 'not_ready';
            checks: {
              name: string;
              healthy: boolean;
              detail: string | null;
              age_ms: number;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_openapi_json: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description This API as an OpenAPI 3.0.3 document */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            openapi: '3.0.3';
          } & {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_access: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Which role may call which route */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            roles: (
              | 'tenant_admin'
              | 'operator'
              | 'auditor'
              | 'merchant_system'
              | 'agent'
              | 'psp'
              | 'platform_admin'
            )[];
            routes: {
              method: string;
              path: string;
              summary: string;
              access:
                | 'public'
                | (
                    | 'tenant_admin'
                    | 'operator'
                    | 'auditor'
                    | 'merchant_system'
                    | 'agent'
                    | 'psp'
                    | 'platform_admin'
                  )[];
              /** @enum {string} */
              idempotency: 'none' | 'optional' | 'required';
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_agents: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Agents, by id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              agent_id: string;
              name: string;
              /** @enum {string} */
              state: 'active' | 'suspended';
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_agents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
        };
      };
    };
    responses: {
      /** @description Register an agent */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            agent_id: string;
            name: string;
            /** @enum {string} */
            state: 'active' | 'suspended';
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_agents_by_agent_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        agent_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One agent */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            agent_id: string;
            name: string;
            /** @enum {string} */
            state: 'active' | 'suspended';
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_agents_by_agent_id_resume: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        agent_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Let a suspended agent work again */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            agent_id: string;
            name: string;
            /** @enum {string} */
            state: 'active' | 'suspended';
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_agents_by_agent_id_suspend: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        agent_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Suspend an agent: all its keys stop working */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            agent_id: string;
            name: string;
            /** @enum {string} */
            state: 'active' | 'suspended';
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_api_keys: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description API keys, without what could prove them */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              api_key_id: string;
              name: string;
              /** @enum {string} */
              role: 'tenant_admin' | 'operator' | 'auditor' | 'merchant_system' | 'agent' | 'psp';
              scopes: string[] | null;
              merchant_ids: string[] | null;
              agent_id: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              revoked_at: string | null;
              replaced_by: string | null;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_api_keys: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          /** @enum {string} */
          role: 'tenant_admin' | 'operator' | 'auditor' | 'merchant_system' | 'agent' | 'psp';
          /** @default null */
          scopes?:
            | (
                | 'tenants'
                | 'api-keys'
                | 'signing-keys'
                | 'merchants'
                | 'limits'
                | 'agents'
                | 'origins'
                | 'test-clock'
                | 'ledger'
                | 'decisions'
                | 'captures'
                | 'trust'
                | 'simulate'
              )[]
            | null;
          /** @default null */
          merchant_ids?: string[] | null;
          agent_id?: string | null;
          /**
           * Format: date-time
           * @example 2026-11-30T09:00:00.000Z
           */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Create an API key */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            api_key_id: string;
            /** @description Shown once. Null when this answer repeats an earlier one. */
            api_key: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_api_keys_by_api_key_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        api_key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One API key */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            api_key_id: string;
            name: string;
            /** @enum {string} */
            role: 'tenant_admin' | 'operator' | 'auditor' | 'merchant_system' | 'agent' | 'psp';
            scopes: string[] | null;
            merchant_ids: string[] | null;
            agent_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            revoked_at: string | null;
            replaced_by: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  delete_v1_api_keys_by_api_key_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        api_key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Revoke an API key */
      204: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_api_keys_by_api_key_id_rotate: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        api_key_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @default 604800 */
          overlap_seconds?: number;
          /**
           * Format: date-time
           * @example 2026-11-30T09:00:00.000Z
           */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Replace an API key, with an overlap */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            api_key_id: string;
            /** @description Shown once. Null when this answer repeats an earlier one. */
            api_key: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_artifacts: {
    parameters: {
      query?: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id?: string;
        artifact_type?:
          | 'catalog_snapshot'
          | 'price'
          | 'inventory'
          | 'policy'
          | 'protocol_adapter'
          | 'merchant_capability'
          | 'seller_agent_capability'
          | 'offer'
          | 'public_discovery'
          | 'mandate_capability'
          | 'commitment_evidence';
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Registered artifacts, newest first, each with its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              artifact_id: string;
              /** @enum {string} */
              artifact_type:
                | 'catalog_snapshot'
                | 'price'
                | 'inventory'
                | 'policy'
                | 'protocol_adapter'
                | 'merchant_capability'
                | 'seller_agent_capability'
                | 'offer'
                | 'public_discovery'
                | 'mandate_capability'
                | 'commitment_evidence';
              merchant_id: string;
              variant_id: string | null;
              subject_type: string;
              subject_id: string;
              issuer: string;
              kid: string;
              payload_hash: string;
              document_sha256: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              issued_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              not_before: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              registered_at: string;
              status: {
                /** @enum {string} */
                verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
                uri: string | null;
                idx: number | null;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                list_issued_at: string | null;
              };
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_artifacts: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The signed envelope: docs/tokens.md has every member of it, scripts/sign.mjs makes one. */
          artifact: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Register a signed merchant fact */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            artifact_id: string;
            /** @enum {string} */
            artifact_type:
              | 'catalog_snapshot'
              | 'price'
              | 'inventory'
              | 'policy'
              | 'protocol_adapter'
              | 'merchant_capability'
              | 'seller_agent_capability'
              | 'offer'
              | 'public_discovery'
              | 'mandate_capability'
              | 'commitment_evidence';
            merchant_id: string;
            variant_id: string | null;
            subject_type: string;
            subject_id: string;
            issuer: string;
            kid: string;
            payload_hash: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            uri: string;
            idx: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_artifacts_by_artifact_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        artifact_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One artifact with its envelope and its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            artifact_id: string;
            /** @enum {string} */
            artifact_type:
              | 'catalog_snapshot'
              | 'price'
              | 'inventory'
              | 'policy'
              | 'protocol_adapter'
              | 'merchant_capability'
              | 'seller_agent_capability'
              | 'offer'
              | 'public_discovery'
              | 'mandate_capability'
              | 'commitment_evidence';
            merchant_id: string;
            variant_id: string | null;
            subject_type: string;
            subject_id: string;
            issuer: string;
            kid: string;
            payload_hash: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
            artifact: {
              [key: string]: unknown;
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_captures: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The reporter's own name of this capture, once per merchant. */
          capture_id: string;
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          order_id: string;
          amount: {
            /**
             * @description Minor units as a decimal string, positive, at most 18 digits.
             * @example 2099
             */
            amount: string;
            /**
             * @description ISO 4217 code
             * @example INR
             */
            currency: string;
          };
          /** @description The allowed decision this payment rests on. */
          decision_id?: string;
        };
      };
    };
    responses: {
      /** @description Report captured money */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            capture_id: string;
            merchant_id: string;
            order_id: string;
            amount: {
              /**
               * @description Minor units as a decimal string.
               * @example 2099
               */
              amount: string;
              /**
               * @description ISO 4217 code
               * @example INR
               */
              currency: string;
            };
            decision_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            confirmed_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_consents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
          token: string;
        };
      };
    };
    responses: {
      /** @description Register a consent of a buyer, granted or denied */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            consent_id: string;
            merchant_id: string;
            state: string;
            scopes: string[];
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_consents_by_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One consent with its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            consent_id: string;
            merchant_id: string;
            state: string;
            scopes: string[];
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_decisions: {
    parameters: {
      query?: {
        flow?: 'agent_payment' | 'handoff' | 'refund';
        outcome?: 'allow' | 'refuse';
        failing_rule?:
          | 'mandate_present'
          | 'consent_active'
          | 'passport_amount_cap'
          | 'verified_buyer_authority'
          | 'facts_valid'
          | 'merchant_limits'
          | 'not_present_limits'
          | 'rbi_afa'
          | 'handoff_facts_valid'
          | 'handoff_merchant_limits'
          | 'refund_within_captured';
        reason?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        agent_id?: string;
        from?: string;
        to?: string;
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Search decisions, newest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              decision_id: string;
              flow: string;
              outcome: string;
              failing_rule: string | null;
              reason: string | null;
              merchant_id: string;
              agent_id: string | null;
              order_id: string | null;
              amount: {
                /**
                 * @description Minor units as a decimal string.
                 * @example 2099
                 */
                amount: string;
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
              };
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              decided_at: string;
              dry_run: boolean;
              usable: boolean;
              seq: number;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_decisions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          | {
              /** @enum {string} */
              flow: 'agent_payment';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description For callers that are not agents; an agent decides for itself only. */
              agent_id?: string;
              cart: {
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
                lines: {
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  product_id: string;
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  variant_id: string;
                  quantity: number;
                  unit_price: {
                    /**
                     * @description Minor units as a decimal string, at most 18 digits.
                     * @example 2099
                     */
                    amount: string;
                    /**
                     * @description ISO 4217 code
                     * @example INR
                     */
                    currency: string;
                  };
                }[];
                /** @description Taken off the lines. The merchant’s word: nothing signed covers a discount, so an agent that asks for one gets 403. */
                discount?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                tax?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                shipping?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Lines minus discount plus tax plus shipping, to the minor unit. */
                total: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Chosen by the caller: letters, digits and ._:@/+- */
                fulfilment_choice?: string;
              };
              /** @description Ids of registered artifacts, or whole signed envelopes. What is not named is looked up: the newest of each required type. */
              artifacts?: (
                | string
                | {
                    [key: string]: unknown;
                  }
              )[];
              /** @description Kept as a salted commitment only. */
              buyer_reference?: string;
              /** @description References name registered mandates, consent and passport, or are the signed tokens themselves. The other members are claims of the caller: they count only where nothing registered was named, and rule 4 refuses them in the live world. */
              buyer_authority?: {
                mandate_refs?: string[];
                consent_ref?: string;
                passport_ref?: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                mandate_expires_at?: string;
                /** @enum {string} */
                consent_state?: 'granted' | 'denied';
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                consent_expires_at?: string;
                passport_max_amount_minor_units?: number;
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                passport_currency?: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                passport_expires_at?: string;
              };
            }
          | {
              /** @enum {string} */
              flow: 'handoff';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description For callers that are not agents; an agent decides for itself only. */
              agent_id?: string;
              cart: {
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
                lines: {
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  product_id: string;
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  variant_id: string;
                  quantity: number;
                  unit_price: {
                    /**
                     * @description Minor units as a decimal string, at most 18 digits.
                     * @example 2099
                     */
                    amount: string;
                    /**
                     * @description ISO 4217 code
                     * @example INR
                     */
                    currency: string;
                  };
                }[];
                /** @description Taken off the lines. The merchant’s word: nothing signed covers a discount, so an agent that asks for one gets 403. */
                discount?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                tax?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                shipping?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Lines minus discount plus tax plus shipping, to the minor unit. */
                total: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Chosen by the caller: letters, digits and ._:@/+- */
                fulfilment_choice?: string;
              };
              /** @description Ids of registered artifacts, or whole signed envelopes. What is not named is looked up: the newest of each required type. */
              artifacts?: (
                | string
                | {
                    [key: string]: unknown;
                  }
              )[];
              /** @description Kept as a salted commitment only. */
              buyer_reference?: string;
            }
          | {
              /** @enum {string} */
              flow: 'refund';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              order_id: string;
              amount: {
                /**
                 * @description Minor units as a decimal string, at most 18 digits.
                 * @example 2099
                 */
                amount: string;
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
              };
            };
      };
    };
    responses: {
      /** @description Allow or refuse a purchase or a refund */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @enum {string} */
                outcome: 'allow';
                decision_id: string;
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                allow: {
                  decision_id: string;
                  cart_hash: string | null;
                  /**
                   * Format: date-time
                   * @example 2026-11-30T09:00:00.000Z
                   */
                  expires_at: string;
                  /** @enum {boolean} */
                  single_use: true;
                } | null;
              }
            | {
                /** @enum {string} */
                code: 'arbiter_refused';
                /** @enum {string} */
                failing_rule:
                  | 'mandate_present'
                  | 'consent_active'
                  | 'passport_amount_cap'
                  | 'verified_buyer_authority'
                  | 'facts_valid'
                  | 'merchant_limits'
                  | 'not_present_limits'
                  | 'rbi_afa'
                  | 'handoff_facts_valid'
                  | 'handoff_merchant_limits'
                  | 'refund_within_captured';
                reason: string;
                decision_id: string;
                action: string;
                required_config: string;
                /**
                 * Format: uri-reference
                 * @description What the reason means and what to do: a page of this service, relative unless it knows its public address.
                 * @example /docs/reasons/passport_amount_cap/passport_amount_cap_exceeded
                 */
                reason_page: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                not_before: string | null;
                /** @enum {string} */
                outcome: 'refuse';
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
              };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_decisions_by_decision_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        decision_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One decision */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @enum {string} */
                outcome: 'allow';
                decision_id: string;
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                allow: {
                  decision_id: string;
                  cart_hash: string | null;
                  /**
                   * Format: date-time
                   * @example 2026-11-30T09:00:00.000Z
                   */
                  expires_at: string;
                  /** @enum {boolean} */
                  single_use: true;
                } | null;
              }
            | {
                /** @enum {string} */
                code: 'arbiter_refused';
                /** @enum {string} */
                failing_rule:
                  | 'mandate_present'
                  | 'consent_active'
                  | 'passport_amount_cap'
                  | 'verified_buyer_authority'
                  | 'facts_valid'
                  | 'merchant_limits'
                  | 'not_present_limits'
                  | 'rbi_afa'
                  | 'handoff_facts_valid'
                  | 'handoff_merchant_limits'
                  | 'refund_within_captured';
                reason: string;
                decision_id: string;
                action: string;
                required_config: string;
                /**
                 * Format: uri-reference
                 * @description What the reason means and what to do: a page of this service, relative unless it knows its public address.
                 * @example /docs/reasons/passport_amount_cap/passport_amount_cap_exceeded
                 */
                reason_page: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                not_before: string | null;
                /** @enum {string} */
                outcome: 'refuse';
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
              }
            | {
                /** @enum {string} */
                outcome: 'allow';
                decision_id: string;
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                allow: {
                  decision_id: string;
                  cart_hash: string | null;
                  /**
                   * Format: date-time
                   * @example 2026-11-30T09:00:00.000Z
                   */
                  expires_at: string;
                  /** @enum {boolean} */
                  single_use: true;
                } | null;
                /** @description Facts and counters exactly as the rules saw them. */
                judged: {
                  /** @enum {string} */
                  kind: 'purchase' | 'refund';
                } & {
                  [key: string]: unknown;
                };
                trace: {
                  /** @enum {string} */
                  rule:
                    | 'mandate_present'
                    | 'consent_active'
                    | 'passport_amount_cap'
                    | 'verified_buyer_authority'
                    | 'facts_valid'
                    | 'merchant_limits'
                    | 'not_present_limits'
                    | 'rbi_afa'
                    | 'handoff_facts_valid'
                    | 'handoff_merchant_limits'
                    | 'refund_within_captured';
                  failure: {
                    code: string;
                    artifact_type: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000Z
                     */
                    not_before: string | null;
                  } | null;
                  observations: {
                    /** @enum {string} */
                    kind: 'amount' | 'instant' | 'age_ms' | 'count' | 'text';
                    name: string;
                    observed: (string | number) | null;
                    limit: (string | number) | null;
                  }[];
                  notes: string[];
                }[];
                entry: {
                  entry_id: string;
                  seq: number;
                  link: string | null;
                };
              }
            | {
                /** @enum {string} */
                code: 'arbiter_refused';
                /** @enum {string} */
                failing_rule:
                  | 'mandate_present'
                  | 'consent_active'
                  | 'passport_amount_cap'
                  | 'verified_buyer_authority'
                  | 'facts_valid'
                  | 'merchant_limits'
                  | 'not_present_limits'
                  | 'rbi_afa'
                  | 'handoff_facts_valid'
                  | 'handoff_merchant_limits'
                  | 'refund_within_captured';
                reason: string;
                decision_id: string;
                action: string;
                required_config: string;
                /**
                 * Format: uri-reference
                 * @description What the reason means and what to do: a page of this service, relative unless it knows its public address.
                 * @example /docs/reasons/passport_amount_cap/passport_amount_cap_exceeded
                 */
                reason_page: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                not_before: string | null;
                /** @enum {string} */
                outcome: 'refuse';
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                /** @description Facts and counters exactly as the rules saw them. */
                judged: {
                  /** @enum {string} */
                  kind: 'purchase' | 'refund';
                } & {
                  [key: string]: unknown;
                };
                trace: {
                  /** @enum {string} */
                  rule:
                    | 'mandate_present'
                    | 'consent_active'
                    | 'passport_amount_cap'
                    | 'verified_buyer_authority'
                    | 'facts_valid'
                    | 'merchant_limits'
                    | 'not_present_limits'
                    | 'rbi_afa'
                    | 'handoff_facts_valid'
                    | 'handoff_merchant_limits'
                    | 'refund_within_captured';
                  failure: {
                    code: string;
                    artifact_type: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000Z
                     */
                    not_before: string | null;
                  } | null;
                  observations: {
                    /** @enum {string} */
                    kind: 'amount' | 'instant' | 'age_ms' | 'count' | 'text';
                    name: string;
                    observed: (string | number) | null;
                    limit: (string | number) | null;
                  }[];
                  notes: string[];
                }[];
                entry: {
                  entry_id: string;
                  seq: number;
                  link: string | null;
                };
              };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_issuer_keys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Keys of issuers that the tenant believes, by issuer and kid */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              issuer_key_id: string;
              issuer: string;
              kid: string;
              /** @enum {string} */
              role:
                | 'fact_issuer'
                | 'credential_issuer'
                | 'agent_provider'
                | 'passport'
                | 'consent'
                | 'psp_evidence'
                | 'countersign';
              /** @enum {string} */
              alg: 'ES256' | 'EdDSA';
              jwk: {
                [key: string]: string;
              };
              thumbprint: string;
              types: (
                | 'catalog_snapshot'
                | 'price'
                | 'inventory'
                | 'policy'
                | 'protocol_adapter'
                | 'merchant_capability'
                | 'seller_agent_capability'
                | 'offer'
                | 'public_discovery'
                | 'mandate_capability'
                | 'commitment_evidence'
              )[];
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              not_before: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              retired_at: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              compromised_since: string | null;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_issuer_keys: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          issuer: string;
          kid: string;
          /** @enum {string} */
          role:
            | 'fact_issuer'
            | 'credential_issuer'
            | 'agent_provider'
            | 'passport'
            | 'consent'
            | 'psp_evidence'
            | 'countersign';
          /** @description A public JWK: EC P-256 or OKP Ed25519. */
          jwk: {
            [key: string]: unknown;
          };
          /** @default [] */
          types?: (
            | 'catalog_snapshot'
            | 'price'
            | 'inventory'
            | 'policy'
            | 'protocol_adapter'
            | 'merchant_capability'
            | 'seller_agent_capability'
            | 'offer'
            | 'public_discovery'
            | 'mandate_capability'
            | 'commitment_evidence'
          )[];
          /**
           * Format: date-time
           * @description Commerce time; null = now.
           * @example 2026-11-30T09:00:00.000Z
           */
          not_before?: string | null;
        };
      };
    };
    responses: {
      /** @description Believe a key of an issuer */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            issuer_key_id: string;
            issuer: string;
            kid: string;
            /** @enum {string} */
            role:
              | 'fact_issuer'
              | 'credential_issuer'
              | 'agent_provider'
              | 'passport'
              | 'consent'
              | 'psp_evidence'
              | 'countersign';
            /** @enum {string} */
            alg: 'ES256' | 'EdDSA';
            jwk: {
              [key: string]: string;
            };
            thumbprint: string;
            types: (
              | 'catalog_snapshot'
              | 'price'
              | 'inventory'
              | 'policy'
              | 'protocol_adapter'
              | 'merchant_capability'
              | 'seller_agent_capability'
              | 'offer'
              | 'public_discovery'
              | 'mandate_capability'
              | 'commitment_evidence'
            )[];
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            retired_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            compromised_since: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_issuer_keys_by_issuer_key_id_compromise: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        issuer_key_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: date-time
           * @example 2026-11-30T09:00:00.000Z
           */
          compromised_since?: string | null;
        };
      };
    };
    responses: {
      /** @description Declare an issuer key compromised */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            issuer_key_id: string;
            issuer: string;
            kid: string;
            /** @enum {string} */
            role:
              | 'fact_issuer'
              | 'credential_issuer'
              | 'agent_provider'
              | 'passport'
              | 'consent'
              | 'psp_evidence'
              | 'countersign';
            /** @enum {string} */
            alg: 'ES256' | 'EdDSA';
            jwk: {
              [key: string]: string;
            };
            thumbprint: string;
            types: (
              | 'catalog_snapshot'
              | 'price'
              | 'inventory'
              | 'policy'
              | 'protocol_adapter'
              | 'merchant_capability'
              | 'seller_agent_capability'
              | 'offer'
              | 'public_discovery'
              | 'mandate_capability'
              | 'commitment_evidence'
            )[];
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            retired_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            compromised_since: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_issuer_keys_by_issuer_key_id_retire: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        issuer_key_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: date-time
           * @example 2026-11-30T09:00:00.000Z
           */
          retired_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Retire an issuer key */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            issuer_key_id: string;
            issuer: string;
            kid: string;
            /** @enum {string} */
            role:
              | 'fact_issuer'
              | 'credential_issuer'
              | 'agent_provider'
              | 'passport'
              | 'consent'
              | 'psp_evidence'
              | 'countersign';
            /** @enum {string} */
            alg: 'ES256' | 'EdDSA';
            jwk: {
              [key: string]: string;
            };
            thumbprint: string;
            types: (
              | 'catalog_snapshot'
              | 'price'
              | 'inventory'
              | 'policy'
              | 'protocol_adapter'
              | 'merchant_capability'
              | 'seller_agent_capability'
              | 'offer'
              | 'public_discovery'
              | 'mandate_capability'
              | 'commitment_evidence'
            )[];
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            retired_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            compromised_since: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_ledger_head: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The end of the ledger */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description Sequence number of the last entry; the first has 0. */
            seq: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            at: string;
            /** @description Link of the last sealed entry, hex. */
            link: string | null;
            sealing: {
              on: boolean;
              kid: string | null;
              since_seq: number | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_ledger_sealing: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          on: boolean;
        };
      };
    };
    responses: {
      /** @description Switch the sealing of the ledger on or off */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description Sequence number of the last entry; the first has 0. */
            seq: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            at: string;
            /** @description Link of the last sealed entry, hex. */
            link: string | null;
            sealing: {
              on: boolean;
              kid: string | null;
              since_seq: number | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_mandates: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
          token: string;
        };
      };
    };
    responses: {
      /** @description Register a mandate of a buyer */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            mandate_id: string;
            kind: string;
            parent_id: string | null;
            root_id: string;
            depth: number;
            merchant_ids: string[];
            cart_hash: string | null;
            cap: {
              /**
               * @description Minor units as a decimal string.
               * @example 2099
               */
              amount: string;
              /**
               * @description ISO 4217 code
               * @example INR
               */
              currency: string;
            };
            buyer_key_bound: boolean;
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_mandates_by_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One mandate with its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            mandate_id: string;
            kind: string;
            parent_id: string | null;
            root_id: string;
            depth: number;
            merchant_ids: string[];
            cart_hash: string | null;
            cap: {
              /**
               * @description Minor units as a decimal string.
               * @example 2099
               */
              amount: string;
              /**
               * @description ISO 4217 code
               * @example INR
               */
              currency: string;
            };
            buyer_key_bound: boolean;
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Merchants, by id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              merchant_id: string;
              name: string;
              country: string;
              /** @enum {string|null} */
              rbi_profile: 'in-rbi-2026-04' | 'none' | null;
              rbi_rails: (
                | 'upi_autopay'
                | 'upi_otm'
                | 'upi_reserve_pay'
                | 'upi_circle_full'
                | 'upi_circle_partial'
                | 'upi_lite'
                | 'upi_once'
                | 'card_emandate'
                | 'ppi_emandate'
                | 'card_once'
                | 'card_once_xborder'
                | 'netbanking'
              )[];
              agent_payment_enabled: boolean;
              limits_version: number | null;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_merchants: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          name: string;
          /** @example IN */
          country: string;
          /**
           * @default null
           * @enum {string|null}
           */
          rbi_profile?: 'in-rbi-2026-04' | 'none' | null;
          /**
           * @description Rails that the profile is switched on for; by default UPI AutoPay alone.
           * @default null
           */
          rbi_rails?:
            | (
                | 'upi_autopay'
                | 'upi_otm'
                | 'upi_reserve_pay'
                | 'upi_circle_full'
                | 'upi_circle_partial'
                | 'upi_lite'
                | 'upi_once'
                | 'card_emandate'
                | 'ppi_emandate'
                | 'card_once'
                | 'card_once_xborder'
                | 'netbanking'
              )[]
            | null;
        };
      };
    };
    responses: {
      /** @description Create a merchant */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            name: string;
            country: string;
            /** @enum {string|null} */
            rbi_profile: 'in-rbi-2026-04' | 'none' | null;
            rbi_rails: (
              | 'upi_autopay'
              | 'upi_otm'
              | 'upi_reserve_pay'
              | 'upi_circle_full'
              | 'upi_circle_partial'
              | 'upi_lite'
              | 'upi_once'
              | 'card_emandate'
              | 'ppi_emandate'
              | 'card_once'
              | 'card_once_xborder'
              | 'netbanking'
            )[];
            agent_payment_enabled: boolean;
            limits_version: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants_by_merchant_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One merchant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            name: string;
            country: string;
            /** @enum {string|null} */
            rbi_profile: 'in-rbi-2026-04' | 'none' | null;
            rbi_rails: (
              | 'upi_autopay'
              | 'upi_otm'
              | 'upi_reserve_pay'
              | 'upi_circle_full'
              | 'upi_circle_partial'
              | 'upi_lite'
              | 'upi_once'
              | 'card_emandate'
              | 'ppi_emandate'
              | 'card_once'
              | 'card_once_xborder'
              | 'netbanking'
            )[];
            agent_payment_enabled: boolean;
            limits_version: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  patch_v1_merchants_by_merchant_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          /** @example IN */
          country?: string;
          /** @enum {string|null} */
          rbi_profile?: 'in-rbi-2026-04' | 'none' | null;
          /** @description Rails that the profile is switched on for; by default UPI AutoPay alone. */
          rbi_rails?: (
            | 'upi_autopay'
            | 'upi_otm'
            | 'upi_reserve_pay'
            | 'upi_circle_full'
            | 'upi_circle_partial'
            | 'upi_lite'
            | 'upi_once'
            | 'card_emandate'
            | 'ppi_emandate'
            | 'card_once'
            | 'card_once_xborder'
            | 'netbanking'
          )[];
        };
      };
    };
    responses: {
      /** @description Change what a merchant says about itself */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            name: string;
            country: string;
            /** @enum {string|null} */
            rbi_profile: 'in-rbi-2026-04' | 'none' | null;
            rbi_rails: (
              | 'upi_autopay'
              | 'upi_otm'
              | 'upi_reserve_pay'
              | 'upi_circle_full'
              | 'upi_circle_partial'
              | 'upi_lite'
              | 'upi_once'
              | 'card_emandate'
              | 'ppi_emandate'
              | 'card_once'
              | 'card_once_xborder'
              | 'netbanking'
            )[];
            agent_payment_enabled: boolean;
            limits_version: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_merchants_by_merchant_id_agent_payment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          enabled: boolean;
        };
      };
    };
    responses: {
      /** @description Switch agent-executed payment of a merchant on or off */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            name: string;
            country: string;
            /** @enum {string|null} */
            rbi_profile: 'in-rbi-2026-04' | 'none' | null;
            rbi_rails: (
              | 'upi_autopay'
              | 'upi_otm'
              | 'upi_reserve_pay'
              | 'upi_circle_full'
              | 'upi_circle_partial'
              | 'upi_lite'
              | 'upi_once'
              | 'card_emandate'
              | 'ppi_emandate'
              | 'card_once'
              | 'card_once_xborder'
              | 'netbanking'
            )[];
            agent_payment_enabled: boolean;
            limits_version: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants_by_merchant_id_limits: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The limits in force */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            set_at: string;
            currencies: {
              currency: string;
              order_max_minor: string;
              daily_max_minor: string | null;
            }[];
            items_max: number;
            not_present: {
              currency: string;
              items_max: number;
              order_max_minor: string;
              daily_max_minor: string | null;
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_merchants_by_merchant_id_limits: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          currencies: {
            /**
             * @description ISO 4217 code
             * @example INR
             */
            currency: string;
            /** @example 5000000 */
            order_max_minor: string;
            /** @example 5000000 */
            daily_max_minor?: string | null;
          }[];
          items_max: number;
          not_present?: {
            /**
             * @description ISO 4217 code
             * @example INR
             */
            currency: string;
            /** @example 5000000 */
            order_max_minor: string;
            items_max: number;
            /** @example 5000000 */
            daily_max_minor?: string | null;
          } | null;
        };
      };
    };
    responses: {
      /** @description Set the limits of a merchant: a new version */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            set_at: string;
            currencies: {
              currency: string;
              order_max_minor: string;
              daily_max_minor: string | null;
            }[];
            items_max: number;
            not_present: {
              currency: string;
              items_max: number;
              order_max_minor: string;
              daily_max_minor: string | null;
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants_by_merchant_id_limits_versions: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All versions of the limits, newest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              version: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              set_at: string;
              currencies: {
                currency: string;
                order_max_minor: string;
                daily_max_minor: string | null;
              }[];
              items_max: number;
              not_present: {
                currency: string;
                items_max: number;
                order_max_minor: string;
                daily_max_minor: string | null;
              } | null;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants_by_merchant_id_limits_versions_by_version: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
        version: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One version of the limits */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            set_at: string;
            currencies: {
              currency: string;
              order_max_minor: string;
              daily_max_minor: string | null;
            }[];
            items_max: number;
            not_present: {
              currency: string;
              items_max: number;
              order_max_minor: string;
              daily_max_minor: string | null;
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_origins: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The origins of the tenant, the primary first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            origins: {
              origin: string;
              primary: boolean;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_origins: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @example https://shop.example */
          origin: string;
          /** @default false */
          primary?: boolean;
        };
      };
    };
    responses: {
      /** @description Answer under an origin */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            origins: {
              origin: string;
              primary: boolean;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  delete_v1_origins: {
    parameters: {
      query: {
        origin: string;
      };
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Answer under an origin no longer */
      204: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_passports: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
          token: string;
        };
      };
    };
    responses: {
      /** @description Register a Commerce Passport */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            passport_id: string;
            merchant_id: string;
            passport_type: string;
            consent_id: string;
            scopes: string[];
            max_amount_minor_units: string | null;
            currency: string | null;
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_passports_by_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One Commerce Passport with its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            passport_id: string;
            merchant_id: string;
            passport_type: string;
            consent_id: string;
            scopes: string[];
            max_amount_minor_units: string | null;
            currency: string | null;
            issuer: string;
            kid: string;
            agent_id: string;
            buyer_commitment: string;
            document_sha256: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            not_before: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            registered_at: string;
            status: {
              /** @enum {string} */
              verdict: 'valid' | 'revoked' | 'suspended' | 'unavailable' | 'not_checked';
              uri: string | null;
              idx: number | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              list_issued_at: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_revocations: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          subject_id?: string;
          uri?: string;
          idx?: number;
          /**
           * @default revoked
           * @enum {string}
           */
          status?: 'valid' | 'revoked' | 'suspended';
          /** @enum {string} */
          reason_code:
            | 'price_error'
            | 'recall'
            | 'consent_withdrawn'
            | 'merchant_request'
            | 'key_compromise'
            | 'other';
        };
      };
    };
    responses: {
      /** @description Withdraw a fact or a right, everywhere at once */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            revocation_id: string | null;
            uri: string;
            idx: number;
            /** @enum {string} */
            status: 'valid' | 'revoked' | 'suspended';
            reason_code: string | null;
            subject_id: string | null;
            root_subject_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            effective_at: string | null;
            cascaded_subject_ids: string[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_signing_keys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Signing keys of the tenant, ended ones included */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            keys: {
              /** @enum {string} */
              purpose: 'ucp' | 'fact' | 'card' | 'webhook' | 'receipt' | 'checkpoint';
              /** @enum {string} */
              state: 'signing' | 'verifying' | 'ended';
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              ends_at: string | null;
              jwk: {
                /** @enum {string} */
                kty: 'EC' | 'OKP';
                /** @enum {string} */
                crv: 'P-256' | 'Ed25519';
                x: string;
                y?: string;
                kid: string;
                /** @enum {string} */
                alg: 'ES256' | 'EdDSA';
                /** @enum {string} */
                use: 'sig';
              };
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_signing_keys_by_purpose_retire: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        purpose: 'ucp' | 'fact' | 'card' | 'webhook' | 'receipt' | 'checkpoint';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          kid: string;
        };
      };
    };
    responses: {
      /** @description End a replaced key before its overlap is over */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            kid: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_signing_keys_by_purpose_rotate: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        purpose: 'ucp' | 'fact' | 'card' | 'webhook' | 'receipt' | 'checkpoint';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @default 604800 */
          overlap_seconds?: number;
        };
      };
    };
    responses: {
      /** @description Sign with a new key for this purpose */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            kid: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_simulate: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          | {
              /** @enum {string} */
              flow: 'agent_payment';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description For callers that are not agents; an agent decides for itself only. */
              agent_id?: string;
              cart: {
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
                lines: {
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  product_id: string;
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  variant_id: string;
                  quantity: number;
                  unit_price: {
                    /**
                     * @description Minor units as a decimal string, at most 18 digits.
                     * @example 2099
                     */
                    amount: string;
                    /**
                     * @description ISO 4217 code
                     * @example INR
                     */
                    currency: string;
                  };
                }[];
                /** @description Taken off the lines. The merchant’s word: nothing signed covers a discount, so an agent that asks for one gets 403. */
                discount?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                tax?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                shipping?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Lines minus discount plus tax plus shipping, to the minor unit. */
                total: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Chosen by the caller: letters, digits and ._:@/+- */
                fulfilment_choice?: string;
              };
              /** @description Ids of registered artifacts, or whole signed envelopes. What is not named is looked up: the newest of each required type. */
              artifacts?: (
                | string
                | {
                    [key: string]: unknown;
                  }
              )[];
              /** @description Kept as a salted commitment only. */
              buyer_reference?: string;
              /** @description References name registered mandates, consent and passport, or are the signed tokens themselves. The other members are claims of the caller: they count only where nothing registered was named, and rule 4 refuses them in the live world. */
              buyer_authority?: {
                mandate_refs?: string[];
                consent_ref?: string;
                passport_ref?: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                mandate_expires_at?: string;
                /** @enum {string} */
                consent_state?: 'granted' | 'denied';
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                consent_expires_at?: string;
                passport_max_amount_minor_units?: number;
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                passport_currency?: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                passport_expires_at?: string;
              };
            }
          | {
              /** @enum {string} */
              flow: 'handoff';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description For callers that are not agents; an agent decides for itself only. */
              agent_id?: string;
              cart: {
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
                lines: {
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  product_id: string;
                  /** @description Chosen by the caller: letters, digits and ._:@/+- */
                  variant_id: string;
                  quantity: number;
                  unit_price: {
                    /**
                     * @description Minor units as a decimal string, at most 18 digits.
                     * @example 2099
                     */
                    amount: string;
                    /**
                     * @description ISO 4217 code
                     * @example INR
                     */
                    currency: string;
                  };
                }[];
                /** @description Taken off the lines. The merchant’s word: nothing signed covers a discount, so an agent that asks for one gets 403. */
                discount?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                tax?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Added to the lines. The caller’s word: it can only raise the total, and limits and caps are measured by the total. */
                shipping?: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Lines minus discount plus tax plus shipping, to the minor unit. */
                total: {
                  /**
                   * @description Minor units as a decimal string, at most 18 digits.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /** @description Chosen by the caller: letters, digits and ._:@/+- */
                fulfilment_choice?: string;
              };
              /** @description Ids of registered artifacts, or whole signed envelopes. What is not named is looked up: the newest of each required type. */
              artifacts?: (
                | string
                | {
                    [key: string]: unknown;
                  }
              )[];
              /** @description Kept as a salted commitment only. */
              buyer_reference?: string;
            }
          | {
              /** @enum {string} */
              flow: 'refund';
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              merchant_id: string;
              /** @description Chosen by the caller: letters, digits and ._:@/+- */
              order_id: string;
              amount: {
                /**
                 * @description Minor units as a decimal string, at most 18 digits.
                 * @example 2099
                 */
                amount: string;
                /**
                 * @description ISO 4217 code
                 * @example INR
                 */
                currency: string;
              };
            };
      };
    };
    responses: {
      /** @description The same rules, nothing written */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @enum {string} */
                outcome: 'allow';
                /** @enum {boolean} */
                simulated: true;
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                /** @description Facts and counters exactly as the rules saw them. */
                judged: {
                  /** @enum {string} */
                  kind: 'purchase' | 'refund';
                } & {
                  [key: string]: unknown;
                };
                trace: {
                  /** @enum {string} */
                  rule:
                    | 'mandate_present'
                    | 'consent_active'
                    | 'passport_amount_cap'
                    | 'verified_buyer_authority'
                    | 'facts_valid'
                    | 'merchant_limits'
                    | 'not_present_limits'
                    | 'rbi_afa'
                    | 'handoff_facts_valid'
                    | 'handoff_merchant_limits'
                    | 'refund_within_captured';
                  failure: {
                    code: string;
                    artifact_type: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000Z
                     */
                    not_before: string | null;
                  } | null;
                  observations: {
                    /** @enum {string} */
                    kind: 'amount' | 'instant' | 'age_ms' | 'count' | 'text';
                    name: string;
                    observed: (string | number) | null;
                    limit: (string | number) | null;
                  }[];
                  notes: string[];
                }[];
              }
            | {
                /** @enum {string} */
                failing_rule:
                  | 'mandate_present'
                  | 'consent_active'
                  | 'passport_amount_cap'
                  | 'verified_buyer_authority'
                  | 'facts_valid'
                  | 'merchant_limits'
                  | 'not_present_limits'
                  | 'rbi_afa'
                  | 'handoff_facts_valid'
                  | 'handoff_merchant_limits'
                  | 'refund_within_captured';
                reason: string;
                action: string;
                required_config: string;
                /**
                 * Format: uri-reference
                 * @description What the reason means and what to do: a page of this service, relative unless it knows its public address.
                 * @example /docs/reasons/passport_amount_cap/passport_amount_cap_exceeded
                 */
                reason_page: string;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                not_before: string | null;
                /** @enum {string} */
                outcome: 'refuse';
                /** @enum {boolean} */
                simulated: true;
                /** @enum {string} */
                flow: 'agent_payment' | 'handoff' | 'refund';
                merchant_id: string;
                agent_id: string | null;
                order_id: string | null;
                amount: {
                  /**
                   * @description Minor units as a decimal string.
                   * @example 2099
                   */
                  amount: string;
                  /**
                   * @description ISO 4217 code
                   * @example INR
                   */
                  currency: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                decided_at: string;
                ruleset: string;
                dry_run: boolean;
                usable: boolean;
                /** @enum {string|null} */
                usable_reason:
                  'agent_executed_payment_disabled' | 'grantex_countersignature_missing' | null;
                /** @description What to do about usable_reason: nothing can be attached to this decision later, so a new one has to be asked for. Null beside null. */
                usable_action: string | null;
                /** @description Facts and counters exactly as the rules saw them. */
                judged: {
                  /** @enum {string} */
                  kind: 'purchase' | 'refund';
                } & {
                  [key: string]: unknown;
                };
                trace: {
                  /** @enum {string} */
                  rule:
                    | 'mandate_present'
                    | 'consent_active'
                    | 'passport_amount_cap'
                    | 'verified_buyer_authority'
                    | 'facts_valid'
                    | 'merchant_limits'
                    | 'not_present_limits'
                    | 'rbi_afa'
                    | 'handoff_facts_valid'
                    | 'handoff_merchant_limits'
                    | 'refund_within_captured';
                  failure: {
                    code: string;
                    artifact_type: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000Z
                     */
                    not_before: string | null;
                  } | null;
                  observations: {
                    /** @enum {string} */
                    kind: 'amount' | 'instant' | 'age_ms' | 'count' | 'text';
                    name: string;
                    observed: (string | number) | null;
                    limit: (string | number) | null;
                  }[];
                  notes: string[];
                }[];
              };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_status_slots: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          count: number;
        };
      };
    };
    responses: {
      /** @description Reserve places on a status list */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            slots: {
              uri: string;
              idx: number;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_tenant: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The tenant of this key */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tenant_id: string;
            /** @enum {string} */
            world: 'test' | 'live';
            name: string;
            sibling_tenant_id: string | null;
            caller_asserted_allowed: boolean;
            primary_origin: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  patch_v1_tenant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          caller_asserted_allowed?: boolean;
        };
      };
    };
    responses: {
      /** @description Change the name or the settings of the tenant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tenant_id: string;
            /** @enum {string} */
            world: 'test' | 'live';
            name: string;
            sibling_tenant_id: string | null;
            caller_asserted_allowed: boolean;
            primary_origin: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_tenants: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          world: 'test' | 'live';
          name: string;
          sibling_tenant_id?: string | null;
          /** @default false */
          caller_asserted_allowed?: boolean;
        };
      };
    };
    responses: {
      /** @description Create a tenant */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tenant: {
              tenant_id: string;
              /** @enum {string} */
              world: 'test' | 'live';
              name: string;
              sibling_tenant_id: string | null;
              caller_asserted_allowed: boolean;
              primary_origin: string | null;
            };
            admin_api_key: {
              api_key_id: string;
              /** @description Shown once. Null when this answer repeats an earlier one. */
              api_key: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_test_clock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Commerce time of a test tenant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            now: string;
            /** @description False until the clock was moved for the first time. */
            frozen: boolean;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_test_clock: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: date-time
           * @example 2026-11-30T09:00:00.000Z
           */
          now: string;
        };
      };
    };
    responses: {
      /** @description Move the clock of a test tenant forward */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            now: string;
            /** @description False until the clock was moved for the first time. */
            frozen: boolean;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
}
