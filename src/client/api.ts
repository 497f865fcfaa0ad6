// Generated from docs/openapi.json by `npm run generate`: the types of every route. Not edited by hand.
// Every problem has one form, so that each route names it once, as its `default` answer.

export interface paths {
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The shop under this host, as HTML
     * @description Where no shop answers, it leads to the page of this API. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out.
     */
    get: operations['get_'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/agent-card.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Agent card of the shop under this host, signed
     * @description For versions 1.0 and 0.3 of A2A in one. Its signatures are by the tenant’s card key, which stands in /.well-known/jwks.json of the same host.
     */
    get: operations['get__well_known_agent_card_json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
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
  '/a2a/rpc': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A2A over JSON-RPC, versions 1.0 and 0.3
     * @description Every method of the protocol but streaming. Questions about products need no key; everything else answers 401 without one.
     */
    post: operations['post_a2a_rpc'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/card': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not offered: the public card is the whole card */
    get: operations['get_a2a_v1_card'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/extendedAgentCard': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not offered: the public card is the whole card */
    get: operations['get_a2a_v1_extendedAgentCard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/message:send': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask the shop’s agent (A2A SendMessage)
     * @description A question about products is answered with a message. A data part with the body of POST /v1/decisions is decided, once per messageId: an allow completes the task, a refusal rejects it.
     */
    post: operations['post_a2a_v1_message_send'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/message:stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Not offered: this agent does not stream */
    post: operations['post_a2a_v1_message_stream'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The caller’s tasks, the latest first (A2A ListTasks) */
    get: operations['get_a2a_v1_tasks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks/{task_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** State of one of the caller’s tasks (A2A GetTask) */
    get: operations['get_a2a_v1_tasks_by_task_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks/{task_id}/pushNotificationConfigs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Where the end of a task is told */
    get: operations['get_a2a_v1_tasks_by_task_id_pushNotificationConfigs'];
    put?: never;
    /**
     * Tell the end of a task to an address
     * @description The task has ended, so the message is due at once. It is signed (Standard Webhooks, v1a) by the tenant’s webhook key and tried again for about a day. Token and credentials are kept wrapped and shown to nobody.
     */
    post: operations['post_a2a_v1_tasks_by_task_id_pushNotificationConfigs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One address where the end of a task is told */
    get: operations['get_a2a_v1_tasks_by_task_id_pushNotificationConfigs_by_config_id'];
    put?: never;
    post?: never;
    /** Tell the end of a task there no more */
    delete: operations['delete_a2a_v1_tasks_by_task_id_pushNotificationConfigs_by_config_id'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks/{task_id}:cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Never possible: every task has ended (A2A CancelTask) */
    post: operations['post_a2a_v1_tasks__task_id_cancel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/a2a/v1/tasks/{task_id}:subscribe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not offered: this agent does not stream */
    get: operations['get_a2a_v1_tasks__task_id_subscribe'];
    put?: never;
    /** Not offered: this agent does not stream */
    post: operations['post_a2a_v1_tasks__task_id_subscribe'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/.well-known/arbiter-authority': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The permanent name of the trust authority */
    get: operations['get_authority__well_known_arbiter_authority'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/.well-known/jwks.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Public keys of the trust authority */
    get: operations['get_authority__well_known_jwks_json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/consents/{tenant_id}/{consent_id}/withdrawals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take a consent back at the trust authority, with a proof of the buyer
     * @description proof is a compact JWS of typ consent-withdrawal+jwt, signed with the key that the consent was registered with: claims iss (the name of the buyer as it stands in the consent), aud (the origin of the authority), jti, iat (within 300 s of now), consent_id, tenant_id. Whoever has the proof may send it.
     */
    post: operations['post_authority_consents_by_tenant_id_by_consent_id_withdrawals'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/revocations/{tenant_id}/{revocation_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The signed record of one change of a status
     * @description application/jwt, the bytes of the authority.
     */
    get: operations['get_authority_revocations_by_tenant_id_by_revocation_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/status/{tenant_id}/{number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A signed status list of the trust authority
     * @description application/statuslist+jwt, the bytes of the authority. The list with the uri <origin>/status/<tenant_id>/<number>; its sub says so.
     */
    get: operations['get_authority_status_by_tenant_id_by_number'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authority/witness/{origin_sha256}/checkpoint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The newest checkpoint of a log that the trust authority cosigned
     * @description text/plain, the bytes of the authority: a signed note (C2SP tlog-checkpoint), cosigned as of now. origin_sha256 is the SHA-256 of the first line of the checkpoints of the log.
     */
    get: operations['get_authority_witness_by_origin_sha256_checkpoint'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/catalog.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The products of a shop, with signed prices and the ids of their facts
     * @description By merchant and product id. A page may hold fewer products than asked for, even none, and have a next one. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_catalog_json'];
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
  '/docs/reasons': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Every reason a refusal can name, in order of precedence, as Markdown */
    get: operations['get_docs_reasons'];
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
     * @description Status 200 when every check but jobs, authority and witness is healthy, else 503 with the same body.
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
  '/llms.txt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The shop for language models, as Markdown
     * @description Where its data stands, and its first products. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_llms_txt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Counters of this process, in the text form of Prometheus
     * @description Of this process alone, since it started. Labels are from closed lists: no tenant, no URL, no key.
     */
    get: operations['get_metrics'];
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
  '/pay/{token}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The sandbox’s pay page, as HTML
     * @description Shows what is to be paid and three buttons. Looking at it changes nothing.
     */
    get: operations['get_pay_by_token'];
    put?: never;
    /**
     * Press a button of the sandbox’s pay page
     * @description Pays, fails or cancels the link, once; a link that cannot be paid any more stays as it is. Answers with the way back to the page. Whoever has the token may press: it is the buyer’s only credential, and there is no cookie to ride on.
     */
    post: operations['post_pay_by_token'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/products/{slug}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One product, as HTML with JSON-LD in it
     * @description Always HTML: its data stands under the same address with .json and .jsonld. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_products_by_slug'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/products/{slug}.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One product, with its signed facts
     * @description 404 also for what may be shown again later. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_products__slug_json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/products/{slug}.jsonld': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One product as schema.org JSON-LD
     * @description A Product with an Offer for each variant. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_products__slug_jsonld'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/robots.txt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Everybody may read; the sitemap is named
     * @description The shop is found by the Host header.
     */
    get: operations['get_robots_txt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sitemap.xml': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The pages of a shop
     * @description Of a large shop an index of sitemaps. Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out. The shop is found by the Host header. Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.
     */
    get: operations['get_sitemap_xml'];
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
  '/v1/afa-evidence': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register evidence that the bank authenticated the buyer
     * @description Verified completely, in this order: shape, issuer key (role psp_evidence), algorithm, signature, binding (audience, tenant), key state, times. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration; another token under its jti is a conflict. A key bound to merchants reports for those only (404). Evidence serves one payment.
     */
    post: operations['post_v1_afa_evidence'];
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
  '/v1/buyers/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erase the personal data of a buyer
     * @description Takes away who the buyer is, the salt of the commitment and the bytes of every signed token and note that names the buyer. The ledger stays as it is and still verifies; what was decided stays decided. The erased tokens no longer verify, and the same buyer_reference gets another commitment from then on. Give buyer_reference or buyer_commitment, not both. A buyer that was erased before is answered with that erasure. Of a buyer_reference that stands for nobody (any more) buyer_commitment is null: whether it was erased or never known, nobody can tell.
     */
    post: operations['post_v1_buyers_erase'];
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
     * @description Counts against the merchant's day, the buyer's passport and intent, and is what refunds are measured by. A payment that it names, by payment_id or by its decision_id, is paid from then on and stops counting as open. With neither it is money of the payment that its order is offered for, else of none until it is reported again with its payment. A decision whose allow nobody used is used up by it.
     */
    post: operations['post_v1_captures'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/imports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a catalogue as JSON
     * @description All rows or none, at most 2000 of each kind. Rows that are so already write nothing; what is not named stays. A row may rest on another of the same request. What was revoked stays revoked, unless its price is another.
     */
    post: operations['post_v1_catalog_imports'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/imports/{kind}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a catalogue as CSV
     * @description The body is a table with a header line (RFC 4180; a quote inside an unquoted cell is taken as it is), in UTF-8. products: id, title, price and perhaps image_url, each product with one variant of the same id. variants: id, product_id, and perhaps title and price. prices: id, price. inventory: product_id or variant_id, quantity. Prices are minor units in the currency of the query. All rows or none, at most 2000; a problem names line and column.
     */
    post: operations['post_v1_catalog_imports_by_kind'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/policies': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The policies of a merchant */
    get: operations['get_v1_catalog_policies'];
    /**
     * Set the policies of a merchant
     * @description What the policy fact says. Other policies are another fact. If its published fact was revoked, setting it, even as it was, says that it holds again: a new fact with a place of its own is published. An import never does that. The same holds for the protocol fact of the merchant.
     */
    put: operations['put_v1_catalog_policies'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/prices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The prices of a merchant, by variant id */
    get: operations['get_v1_catalog_prices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/prices/{variant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The price of one variant */
    get: operations['get_v1_catalog_prices_by_variant_id'];
    /**
     * Set the price of a variant
     * @description From this entry on purchases are judged by this price; its fact is published when it is first read. The fact of the price before ends within 300 seconds and is given to nobody any more. If its published fact was revoked, setting it, even as it was, says that it holds again: a new fact with a place of its own is published. An import never does that.
     */
    put: operations['put_v1_catalog_prices_by_variant_id'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/products': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The products of a merchant, by id */
    get: operations['get_v1_catalog_products'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/products/{product_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One product */
    get: operations['get_v1_catalog_products_by_product_id'];
    /**
     * Set a product of the catalogue
     * @description Facts are published of products that are listed. A product that is not listed any more is renewed no more: its fact ends within 15 minutes; revoke it to stop it at once. If its published fact was revoked, setting it, even as it was, says that it holds again: a new fact with a place of its own is published. An import never does that.
     */
    put: operations['put_v1_catalog_products_by_product_id'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/variants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The variants of a merchant, by id */
    get: operations['get_v1_catalog_variants'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/catalog/variants/{variant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One variant */
    get: operations['get_v1_catalog_variants_by_variant_id'];
    /**
     * Set a variant of a product
     * @description A variant is what is bought: it has a price and a stock, and stays with its product. If its published fact was revoked, setting it, even as it was, says that it holds again: a new fact with a place of its own is published. An import never does that.
     */
    put: operations['put_v1_catalog_variants_by_variant_id'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Charge on the buyer’s mandates, if the arbiter allows it
     * @description Agent-executed payment: eight rules, then the allow is used, then the provider charges. Off unless the deployment and the merchant both switched it on; off, the answer is 403 agent_executed_payment_disabled and nothing can be charged.
     */
    post: operations['post_v1_charges'];
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
  '/v1/decisions/{decision_id}/consume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Use an allow for one payment or refund
     * @description An allow is used one time, within ten minutes, for exactly the cart that was decided. The rules run once more on everything that can be withdrawn or used up meanwhile. A used, expired or other-cart allow is refused with failing_rule allow_use and its own decision_id; a re-check that fails is a decision of its own. The same Idempotency-Key answers the same again.
     */
    post: operations['post_v1_decisions_by_decision_id_consume'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions/{decision_id}/notes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Notes beside a decision, oldest first */
    get: operations['get_v1_decisions_by_decision_id_notes'];
    put?: never;
    /**
     * Write a note beside a decision
     * @description A note has no force: it changes no decision, makes no allow out of a refusal, and its text is never parsed. It is an entry of the ledger and never changes; the text is kept beside the ledger, so that it can be erased.
     */
    post: operations['post_v1_decisions_by_decision_id_notes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions/{decision_id}/notes/{note_id}/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erase the text of a note
     * @description For a note that names a person. That there was a note, whose and when, stays in the ledger. Erasing a buyer erases the notes beside decisions that name the buyer as well.
     */
    post: operations['post_v1_decisions_by_decision_id_notes_by_note_id_erase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions/{decision_id}/receipt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A receipt of a decision that others can check without asking anybody
     * @description A signed statement with the proof that the decision stands in the ledger under a checkpoint that witnesses cosigned; scripts/verify-receipt.mjs checks it offline. Whoever may read the decision may read its receipt; agents and merchant systems get it without the entry, which the statement binds by its link. An entry that no cosigned checkpoint covers yet is shown to the witnesses now: if they do not answer within three seconds the answer is 503. It writes no entry.
     */
    get: operations['get_v1_decisions_by_decision_id_receipt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/facts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The published facts of a merchant, each with its status now
     * @description Withdrawn and ended ones included; nothing is renewed by this.
     */
    get: operations['get_v1_facts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/facts/publications': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Publish the facts of a catalogue
     * @description Facts are published and renewed by themselves when somebody reads them; publishing them before saves the first reader the wait. One request does at most 200 subjects: repeat it with next_cursor until that is null. What serves stays as it is, so a repeat publishes nothing. What was revoked is not renewed.
     */
    post: operations['post_v1_facts_publications'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/handoffs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A payment link for the buyer, if the arbiter allows it
     * @description Decides, uses the allow and starts the link in one transaction, and only then asks the provider. state issuing: the provider has not answered; the link counts and the arbiter finds out. Repeat with the same Idempotency-Key to see the same payment as it stands. A refusal is 403 with the six fields; then no provider was called. An order is offered by one payment at a time, whoever asked for it: until that one ends, another is 409, so a link of an agent holds the place of its order for the life of the link, unless the merchant cancels it.
     */
    post: operations['post_v1_handoffs'];
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
  '/v1/ledger/checkpoint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The newest signed checkpoint, with the cosignatures that are known
     * @description A signed note (C2SP tlog-checkpoint): origin, size and root, then a line of the log and one for each witness. Nothing is signed by asking: not_found until the ledger is sealed and was exported or witnessed once.
     */
    get: operations['get_v1_ledger_checkpoint'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/entries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Entries of the ledger as they are stored
     * @description Cursors are sequence numbers: a page never changes because something newer was written. One page looks at 10,000 entries at most, so with a filter it may be short, or empty, and still have a next_cursor. Times are inclusive from, exclusive to.
     */
    get: operations['get_v1_ledger_entries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The ledger as a file that anybody can check
     * @description Without export_id it writes the entry ledger.exported, makes a signed checkpoint, and answers with every entry from 0 to a fixed last one, as they are stored, between a header and a trailer. A file that was cut off goes on with export_id and after_seq: the parts are the same bytes as the whole. The newest 100 exports of a tenant can be asked for again. scripts/verify-ledger.mjs checks the file without this service; docs/ledger.md says what its answers mean. Answers carry Arbiter-Export-Id and Arbiter-Export-Head, the sequence number of the last entry.
     */
    get: operations['get_v1_ledger_export'];
    put?: never;
    post?: never;
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
  '/v1/ledger/inclusion': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Proof that one entry is in the ledger
     * @description Of a decision or of a sequence number: the entry, and what leads from it to a signed checkpoint of the whole ledger. The leaf is SHA-256 of a zero byte and the 32 bytes of the link. Cosigned checkpoints are taken before others.
     */
    get: operations['get_v1_ledger_inclusion'];
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
     * @description The entry that switches it on is the first sealed one and states how many stand before it; nothing is sealed backwards. It is sealed with the newest key that the tenant ever had.
     */
    put: operations['put_v1_ledger_sealing'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/sealing/rotations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Seal with the next key from now on
     * @description Keys are named k1, k2, ... and a name never comes back, so that the secret of a key that was left can be given to an auditor. The chain goes on; the entry of the rotation is the first under the new key.
     */
    post: operations['post_v1_ledger_sealing_rotations'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ledger/witnessing': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How it stands with the witnesses of the ledger */
    get: operations['get_v1_ledger_witnessing'];
    /**
     * Switch the witnessing of the ledger on or off
     * @description On, checkpoints of the sealed entries are sent to the witnesses of the deployment as the ledger goes on. A witness sees sizes and hashes, never entries; one that is away or disagrees holds up nothing.
     */
    put: operations['put_v1_ledger_witnessing'];
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
     * @description Verified completely, in this order: shape, issuer key, algorithm, signature, binding (audience, tenant), key state, times, lineage, status. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration. An agent registers only tokens that name it, a key bound to merchants only tokens that name one of them (404). An AP2 object comes with the trust authority’s registration of it: a purchase then names the object, or a chain under it, alone.
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
  '/v1/merchants/{merchant_id}/facts/{artifact_type}/{subject}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The newest fact of a subject
     * @description The signed envelope, judged now as a purchase would: its signature, its times and its status. A fact that would not count is refused (403) with the bare reason, artifact_revoked or status_list_unavailable among them. The subject is a product of catalog_snapshot, a variant of price and inventory, the merchant itself of policy and protocol_adapter. Of a variant whose product is withdrawn (its catalog_snapshot), price and inventory are refused with it.
     */
    get: operations['get_v1_merchants_by_merchant_id_facts_by_artifact_type_by_subject'];
    put?: never;
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
  '/v1/merchants/{merchant_id}/review-copy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Copy a merchant's refusals to its review queue, or stop
     * @description Off at first. From then on a worker copies refusals to GET /v1/review-queue after they are durable. It changes no decision, neither what it says nor when it is answered, and nobody is waited for.
     */
    put: operations['put_v1_merchants_by_merchant_id_review_copy'];
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
  '/v1/passports/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Whether a Commerce Passport is good now, and if not, why
     * @description Answers 200 with `valid` and one code of a closed list. The status list is always asked, whatever the mode; `read_only` only lets a passport for browsing count. A key bound to merchants gets `merchant_mismatch` for the others. Writes nothing.
     */
    post: operations['post_v1_passports_verify'];
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
  '/v1/payment-mandates': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report how a debit mandate or block of funds stands at the bank
     * @description Verified completely, in this order: shape, issuer key (role psp_evidence), algorithm, signature, binding (audience, tenant), key state, times. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration; another token under its jti is a conflict. A key bound to merchants reports for those only (404). A later report has a higher version; one that is not newer than the known one is a conflict that names the newer one. A revoked, completed or rejected mandate stays so.
     */
    post: operations['post_v1_payment_mandates'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search payments, newest first
     * @description url is null for an auditor: whoever has it may pay.
     */
    get: operations['get_v1_payments'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{payment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One payment
     * @description An agent sees the payments of its own decisions. url is shown to those who may start or cancel payments; it is null for auditor and psp.
     */
    get: operations['get_v1_payments_by_payment_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{payment_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop offering a payment link
     * @description Asks the provider where there is one. A canceled link may still be paid, so it counts on its issue day; money that comes after it is kept and marked for review. A charge is offered to nobody: 409.
     */
    post: operations['post_v1_payments_by_payment_id_cancel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{payment_id}/reports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report what became of a payment
     * @description For payments that the merchant’s own system or its provider makes; of a rail of this service: 409, whoever reports, because the rail reports them itself. Reports may come late, twice and in any order: a payment only moves forward. Captured money is reported at /v1/captures. A failed report releases the amount, except of a Shopify link: it counts its whole issue day.
     */
    post: operations['post_v1_payments_by_payment_id_reports'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pre-debit-notices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report a notice that the buyer gets before a debit
     * @description Verified completely, in this order: shape, issuer key (role psp_evidence), algorithm, signature, binding (audience, tenant), key state, times. The first failing check is answered with 422, and nothing is written. The same token again answers with its first registration; another token under its jti is a conflict. A key bound to merchants reports for those only (404). A later report has a higher version; one that is not newer than the known one is a conflict that names the newer one.
     */
    post: operations['post_v1_pre_debit_notices'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give money back, if the arbiter allows it
     * @description One rule: above zero, in the order’s currency, within what was captured and not yet given back. A refund whose outcome is not known counts as done. Given back by the rail that took the money; otherwise the merchant’s own system refunds and reports. Of one payment: 409 where no single one, or not the named one, has enough left; nothing stays reserved.
     */
    post: operations['post_v1_refunds'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{refund_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One refund */
    get: operations['get_v1_refunds_by_refund_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{refund_id}/reports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report what became of a refund
     * @description failed gives the amount back to what may still be refunded. Of a refund by a rail of this service: 409, whoever reports.
     */
    post: operations['post_v1_refunds_by_refund_id_reports'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/review-queue': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Copies of refusals, newest first
     * @description Refusals of merchants that chose copy_refusals_to_review_queue, copied after they were durable. Nothing waits for anybody to look here, and nothing done here changes a decision. Cursors are sequence numbers of the ledger.
     */
    get: operations['get_v1_review_queue'];
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
     * @description Names the id of an artifact, mandate, consent, passport or registration, or its slot, or the current fact of a merchant by type and variant. The trust authority flips the slots and signs a record for each; revoked is final and takes all mandates below a mandate along, and the passports of a consent; suspended can be taken back with valid. A repeat answers with the record that stands. Payments that ran are not touched.
     */
    post: operations['post_v1_revocations'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/behaviour': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How the sandbox provider behaves now */
    get: operations['get_v1_sandbox_behaviour'];
    /**
     * Tell the sandbox provider how to behave
     * @description For one merchant, or for the whole tenant without merchant_id; a merchant’s own setting replaces the tenant’s. What is left out behaves well. docs/sandbox.md says what each word does. Test world only.
     */
    put: operations['put_v1_sandbox_behaviour'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The last webhooks the sandbox provider sent or is sending, newest first */
    get: operations['get_v1_sandbox_events'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/webhook-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A new secret for the sandbox provider’s webhooks
     * @description Shown here and nowhere else: with it, you can send webhooks yourself. The sandbox signs with both secrets, and the one before verifies, for overlap_seconds more. Test world only.
     */
    post: operations['post_v1_sandbox_webhook_secret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/signature-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * How a request is signed, as it is judged here, and why
     * @description With an empty object as the body this request itself is judged; with `message` one that is described. `expected_base` is the text that the signer signed: the answer shows where it differs from the one that was verified. No nonce is used up. UCP’s own signatures are judged here too. At most 4 labels.
     */
    post: operations['post_v1_signature_check'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/signatures/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the tenant says about request signatures
     * @description `mode_in_force` is what holds: the tenant’s word, else the deployment’s.
     */
    get: operations['get_v1_signatures_settings'];
    /**
     * Set what holds for request signatures
     * @description All of it at once; an entry of the ledger. `enforce` refuses requests to catalog JSON, product JSON and A2A that are not signed well; public pages, `/v1` and checkouts are never refused for a signature. Other processes follow within a second.
     */
    put: operations['put_v1_signatures_settings'];
    post?: never;
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
     * @description Judges by the same facts, counters and rules as a decision would and shows the whole trace. Not for agents: it would tell them a merchant's limits. A decision that a daily maximum would refuse first lets links lapse that are over; a simulation writes nothing and leaves them counting.
     */
    post: operations['post_v1_simulate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/status-lists': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The status lists that the tenant’s objects live on
     * @description For each list what this service knows of its own slots, and what the signed list says: its version, its age and how many places have which value.
     */
    get: operations['get_v1_status_lists'];
    put?: never;
    post?: never;
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
  '/v1/stock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The stock a merchant keeps here, by variant id */
    get: operations['get_v1_stock'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/stock/{variant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The stock of one variant */
    get: operations['get_v1_stock_by_variant_id'];
    /**
     * Set the stock of a variant
     * @description Stock is optional. Once it is set, a purchase is judged by the lower of it and the signed inventory fact, a payment that may still come holds its pieces, and a payment that came takes them. on_hand counts all pieces there are, held ones included; fewer than are held is a conflict. A variant whose stock was never set is judged by the fact alone.
     */
    put: operations['put_v1_stock_by_variant_id'];
    post?: never;
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
  '/v1/webhook-deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What was sent or will be, the newest first, each with its last try
     * @description Finished deliveries are kept for 30 days. Times are real time, whatever the test clock says.
     */
    get: operations['get_v1_webhook_deliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-deliveries/{delivery_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One delivery with every try */
    get: operations['get_v1_webhook_deliveries_by_delivery_id'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-deliveries/{delivery_id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message again
     * @description Within seconds, under the same webhook-id, whatever became of it; then with the usual retries.
     */
    post: operations['post_v1_webhook_deliveries_by_delivery_id_resend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Webhook endpoints, in the order of their creation */
    get: operations['get_v1_webhook_endpoints'];
    put?: never;
    /**
     * Be told of events under a URL
     * @description Requests follow Standard Webhooks: POST of {type, timestamp, data} with webhook-id, webhook-timestamp and webhook-signature; `v1` is HMAC-SHA256 under the secret of this answer, `v1a` Ed25519 by the tenant’s webhook key (/.well-known/jwks.json). At least once and in no order: webhook-id tells repeats. Any 2xx within 10 seconds is a delivery; redirects are not followed; what fails is tried 11 times within about a day. An endpoint that answers 410, or that nothing reached for 5 days, is disabled. merchant_id narrows it to one merchant; a key that is bound to merchants has to name one. The URL is kept in the ledger: put no secret into it.
     */
    post: operations['post_v1_webhook_endpoints'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{endpoint_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Be told of nothing more under a URL
     * @description For good. What was not delivered by then is given up.
     */
    delete: operations['delete_v1_webhook_endpoints_by_endpoint_id'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{endpoint_id}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send to a disabled endpoint again
     * @description What was recorded while it was disabled is not sent.
     */
    post: operations['post_v1_webhook_endpoints_by_endpoint_id_enable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{endpoint_id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign with a new secret, with an overlap
     * @description The new secret signs at once, the ones before sign beside it until the overlap is over: webhook-signature then holds a signature for each. A secret that somebody else may hold is ended by deleting its endpoint.
     */
    post: operations['post_v1_webhook_endpoints_by_endpoint_id_rotate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/sandbox/{endpoint_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Where the sandbox provider reports
     * @description Signed by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature over the exact bytes; 300 seconds of real time). 2xx = durable. A message may come twice, late and in any order. One that names what is not known here, or another amount or currency than was agreed, is kept and changes nothing.
     */
    post: operations['post_v1_webhooks_sandbox_by_endpoint_id'];
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
        | 'signature_missing'
        | 'signature_invalid'
        | 'key_not_found'
        | 'digest_mismatch'
        | 'algorithm_unsupported'
        | 'arbiter_refused'
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
        | 'signature_undecided'
        | 'outcome_unknown';
      detail: string;
      /** @description A JSON pointer into the body, ?name for a query parameter, {name} for a path parameter, :name for a header. */
      field: string | null;
      fix: string;
      request_id: string;
      retryable: boolean;
      /** @description Of a refusal only, as the five members after it. */
      failing_rule?: string;
      reason?: string;
      decision_id?: string;
      action?: string;
      required_config?: string;
      /** Format: uri-reference */
      reason_page?: string;
      /** Format: date-time */
      not_before?: string | null;
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
  get_: {
    parameters: {
      query?: {
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The shop under this host, as HTML */
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
  get__well_known_agent_card_json: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Agent card of the shop under this host, signed */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
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
  post_a2a_rpc: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': unknown;
      };
    };
    responses: {
      /** @description A2A over JSON-RPC, versions 1.0 and 0.3 */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_card: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not offered: the public card is the whole card */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_extendedAgentCard: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not offered: the public card is the whole card */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_a2a_v1_message_send: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/a2a+json': unknown;
        'application/json': unknown;
      };
    };
    responses: {
      /** @description Ask the shop’s agent (A2A SendMessage) */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_a2a_v1_message_stream: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/a2a+json': unknown;
        'application/json': unknown;
      };
    };
    responses: {
      /** @description Not offered: this agent does not stream */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_tasks: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
        contextId?: string;
        status?: string;
        pageSize?: string;
        pageToken?: string;
        historyLength?: string;
        statusTimestampAfter?: string;
        includeArtifacts?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller’s tasks, the latest first (A2A ListTasks) */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_tasks_by_task_id: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
        historyLength?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description State of one of the caller’s tasks (A2A GetTask) */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_tasks_by_task_id_pushNotificationConfigs: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Where the end of a task is told */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_a2a_v1_tasks_by_task_id_pushNotificationConfigs: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/a2a+json': unknown;
        'application/json': unknown;
      };
    };
    responses: {
      /** @description Tell the end of a task to an address */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_tasks_by_task_id_pushNotificationConfigs_by_config_id: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
        config_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One address where the end of a task is told */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  delete_a2a_v1_tasks_by_task_id_pushNotificationConfigs_by_config_id: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
        config_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Tell the end of a task there no more */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_a2a_v1_tasks__task_id_cancel: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/a2a+json': unknown;
        'application/json': unknown;
      };
    };
    responses: {
      /** @description Never possible: every task has ended (A2A CancelTask) */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_a2a_v1_tasks__task_id_subscribe: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not offered: this agent does not stream */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_a2a_v1_tasks__task_id_subscribe: {
    parameters: {
      query?: {
        /** @description For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3. */
        'A2A-Version'?: string;
      };
      header?: never;
      path: {
        /** @description Of a task that the caller’s message made. */
        task_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/a2a+json': unknown;
        'application/json': unknown;
      };
    };
    responses: {
      /** @description Not offered: this agent does not stream */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/a2a+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_authority__well_known_arbiter_authority: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The permanent name of the trust authority */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            origin: string;
            jwks_uri: string;
            embedded: boolean;
            /** @description Under which keys it cosigns logs (C2SP tlog-witness). */
            witness?: {
              vkeys: string[];
              submission_prefix: string;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_authority__well_known_jwks_json: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Public keys of the trust authority */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            keys: ({
              kty: string;
              kid: string;
              purpose: string;
            } & {
              [key: string]: unknown;
            })[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_authority_consents_by_tenant_id_by_consent_id_withdrawals: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description As it stands in the uri of a list. */
        tenant_id: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        consent_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          proof: string;
        };
      };
    };
    responses: {
      /** @description Take a consent back at the trust authority, with a proof of the buyer */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            revocations: string[];
            lists: {
              uri: string;
              version: number;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_authority_revocations_by_tenant_id_by_revocation_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description As it stands in the uri of a list. */
        tenant_id: string;
        revocation_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The signed record of one change of a status */
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
  get_authority_status_by_tenant_id_by_number: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description As it stands in the uri of a list. */
        tenant_id: string;
        number: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A signed status list of the trust authority */
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
  get_authority_witness_by_origin_sha256_checkpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        origin_sha256: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The newest checkpoint of a log that the trust authority cosigned */
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
  get_catalog_json: {
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
      /** @description The products of a shop, with signed prices and the ids of their facts */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            products: {
              merchant: {
                merchant_id: string;
                name: string;
              };
              product_id: string;
              slug: string;
              /** @description The merchant’s words: nobody signs them. */
              title: string;
              image_url: string | null;
              url: string;
              json_url: string;
              /** @description The earliest end of what is said. */
              valid_until: string;
              /** @description The catalogue entry. */
              artifacts: {
                /** @description A decision may name it. */
                artifact_id: string;
                /** @enum {string} */
                artifact_type: 'catalog_snapshot' | 'price' | 'inventory';
                valid_until: string;
                /** @description The newest signed envelope of this subject; needs a key. */
                href: string;
                /** @description The signed envelope (docs/tokens.md); with one product only. */
                artifact?: {
                  [key: string]: unknown;
                };
              }[];
              variants: {
                variant_id: string;
                title: string | null;
                price: {
                  /** @description Minor units, as the signed fact says. */
                  amount: string;
                  currency: string;
                };
                /** @enum {string} */
                availability: 'in_stock' | 'out_of_stock' | 'unknown';
                /** @description Of the price. */
                valid_until: string;
                artifacts: {
                  /** @description A decision may name it. */
                  artifact_id: string;
                  /** @enum {string} */
                  artifact_type: 'catalog_snapshot' | 'price' | 'inventory';
                  valid_until: string;
                  /** @description The newest signed envelope of this subject; needs a key. */
                  href: string;
                  /** @description The signed envelope (docs/tokens.md); with one product only. */
                  artifact?: {
                    [key: string]: unknown;
                  };
                }[];
              }[];
            }[];
            next_cursor: string | null;
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
          | 'signature_missing'
          | 'signature_invalid'
          | 'key_not_found'
          | 'digest_mismatch'
          | 'algorithm_unsupported'
          | 'arbiter_refused'
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
          | 'signature_undecided'
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
  get_docs_reasons: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every reason a refusal can name, in order of precedence, as Markdown */
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
          | 'mandate_constraint_violated'
          | 'mandate_constraint_unresolved'
          | 'mandate_not_yet_valid'
          | 'mandate_expired'
          | 'mandate_revoked'
          | 'mandate_suspended'
          | 'mandate_parent_revoked'
          | 'mandate_already_used'
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
          | 'upi_mandate_capability_missing'
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
          | 'mandate_debit_underway'
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
          | 'afa_cart_mismatch'
          | 'afa_evidence_mandate_mismatch'
          | 'afa_biometric_limit'
          | 'pdn_too_late'
          | 'upi_window_closed'
          | 'refund_amount_not_positive'
          | 'refund_currency_mismatch'
          | 'refund_exceeds_captured'
          | 'agent_executed_payment_disabled'
          | 'allow_already_used'
          | 'allow_expired'
          | 'allow_cart_mismatch'
          | 'grantex_countersignature_missing'
          | 'grantex_countersignature_invalid';
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
  get_llms_txt: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The shop for language models, as Markdown */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_metrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Counters of this process, in the text form of Prometheus */
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
  get_pay_by_token: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The unguessable end of a payment’s url. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sandbox’s pay page, as HTML */
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
  post_pay_by_token: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The unguessable end of a payment’s url. */
        token: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          /** @enum {string} */
          press: 'pay' | 'fail' | 'cancel';
        };
      };
    };
    responses: {
      /** @description Press a button of the sandbox’s pay page */
      303: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  get_products_by_slug: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `<product_id>` of the tenant’s oldest merchant, `<merchant_id>~<product_id>` of the others, with `~-` for a slash. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One product, as HTML with JSON-LD in it */
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
  get_products__slug_json: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `<product_id>` of the tenant’s oldest merchant, `<merchant_id>~<product_id>` of the others, with `~-` for a slash. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One product, with its signed facts */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant: {
              merchant_id: string;
              name: string;
            };
            product_id: string;
            slug: string;
            /** @description The merchant’s words: nobody signs them. */
            title: string;
            image_url: string | null;
            url: string;
            json_url: string;
            /** @description The earliest end of what is said. */
            valid_until: string;
            /** @description The catalogue entry. */
            artifacts: {
              /** @description A decision may name it. */
              artifact_id: string;
              /** @enum {string} */
              artifact_type: 'catalog_snapshot' | 'price' | 'inventory';
              valid_until: string;
              /** @description The newest signed envelope of this subject; needs a key. */
              href: string;
              /** @description The signed envelope (docs/tokens.md); with one product only. */
              artifact?: {
                [key: string]: unknown;
              };
            }[];
            variants: {
              variant_id: string;
              title: string | null;
              price: {
                /** @description Minor units, as the signed fact says. */
                amount: string;
                currency: string;
              };
              /** @enum {string} */
              availability: 'in_stock' | 'out_of_stock' | 'unknown';
              /** @description Of the price. */
              valid_until: string;
              artifacts: {
                /** @description A decision may name it. */
                artifact_id: string;
                /** @enum {string} */
                artifact_type: 'catalog_snapshot' | 'price' | 'inventory';
                valid_until: string;
                /** @description The newest signed envelope of this subject; needs a key. */
                href: string;
                /** @description The signed envelope (docs/tokens.md); with one product only. */
                artifact?: {
                  [key: string]: unknown;
                };
              }[];
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_products__slug_jsonld: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `<product_id>` of the tenant’s oldest merchant, `<merchant_id>~<product_id>` of the others, with `~-` for a slash. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One product as schema.org JSON-LD */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/ld+json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_robots_txt: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Everybody may read; the sitemap is named */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_sitemap_xml: {
    parameters: {
      query?: {
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pages of a shop */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/xml': string;
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
                | ('public' | 'optional')
                | (
                    | 'tenant_admin'
                    | 'operator'
                    | 'auditor'
                    | 'merchant_system'
                    | 'agent'
                    | 'psp'
                    | 'platform_admin'
                  )[];
              key_roles?: (
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
  post_v1_afa_evidence: {
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
      /** @description Register evidence that the bank authenticated the buyer */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            evidence_id: string;
            merchant_id: string;
            mandate_ref: string;
            issuer: string;
            kid: string;
            payer_commitment: string | null;
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
            registered_at: string;
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
                | 'payments'
                | 'refunds'
                | 'trust'
                | 'buyers'
                | 'review-queue'
                | 'stock'
                | 'catalog'
                | 'sandbox'
                | 'simulate'
                | 'webhooks'
                | 'a2a'
                | 'signatures'
                | 'metrics'
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
  post_v1_buyers_erase: {
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
          /** @description The name that requests and tokens use: buyer_reference, sub or the payer. */
          buyer_reference?: string;
          /** @description What stands in the ledger instead of the buyer. */
          buyer_commitment?: string;
        };
      };
    };
    responses: {
      /** @description Erase the personal data of a buyer */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description What stands in the ledger instead of the buyer. */
            buyer_commitment: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            erased_at: string | null;
            documents_erased: number;
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
          /** @description The payment that was started when its allow was used. Either of payment_id and decision_id names the other; both may be sent if they match. */
          payment_id?: string;
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
            payment_id: string | null;
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
  post_v1_catalog_imports: {
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
          /** @default [] */
          products?: {
            /** @description Chosen by the caller: letters, digits and ._:@/+- */
            product_id: string;
            title: string;
            /** @default null */
            image_url?: string | null;
            /** @default true */
            listed?: boolean;
          }[];
          /** @default [] */
          variants?: {
            /** @description Chosen by the caller: letters, digits and ._:@/+- */
            variant_id: string;
            /** @description Chosen by the caller: letters, digits and ._:@/+- */
            product_id: string;
            /** @default null */
            title?: string | null;
          }[];
          /** @default [] */
          prices?: {
            /** @description Chosen by the caller: letters, digits and ._:@/+- */
            variant_id: string;
            price: {
              /**
               * @description Minor units as a decimal string.
               * @example 45900
               */
              amount: string;
              /**
               * @description ISO 4217 code
               * @example INR
               */
              currency: string;
            };
          }[];
          /** @default [] */
          counts?: {
            /** @description Chosen by the caller: letters, digits and ._:@/+- */
            variant_id: string;
            on_hand: number;
          }[];
          /** @default null */
          policies?: {
            /** @example 30 days, unopened, at our cost. */
            returns: string;
            warranty: string;
            fulfillment: string;
            cancellation: string;
            support: string;
            /** @description Where these policies hold, as country codes or names. */
            jurisdictions: string[];
          } | null;
        };
      };
    };
    responses: {
      /** @description Import a catalogue as JSON */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            products: number;
            variants: number;
            prices: number;
            counts: number;
            policies: boolean;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_catalog_imports_by_kind: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
        /** @description Needed where there are prices. */
        currency?: string;
      };
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        kind: 'products' | 'variants' | 'prices' | 'inventory';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'text/csv': string;
      };
    };
    responses: {
      /** @description Import a catalogue as CSV */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            products: number;
            variants: number;
            prices: number;
            counts: number;
            policies: boolean;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_policies: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The policies of a merchant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            /** @description null: the merchant states none. */
            policies: {
              /** @example 30 days, unopened, at our cost. */
              returns: string;
              warranty: string;
              fulfillment: string;
              cancellation: string;
              support: string;
              /** @description Where these policies hold, as country codes or names. */
              jurisdictions: string[];
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_catalog_policies: {
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
          /** @example 30 days, unopened, at our cost. */
          returns: string;
          warranty: string;
          fulfillment: string;
          cancellation: string;
          support: string;
          /** @description Where these policies hold, as country codes or names. */
          jurisdictions: string[];
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
        };
      };
    };
    responses: {
      /** @description Set the policies of a merchant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            /** @description null: the merchant states none. */
            policies: {
              /** @example 30 days, unopened, at our cost. */
              returns: string;
              warranty: string;
              fulfillment: string;
              cancellation: string;
              support: string;
              /** @description Where these policies hold, as country codes or names. */
              jurisdictions: string[];
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_prices: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        cursor?: string;
        limit?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The prices of a merchant, by variant id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              merchant_id: string;
              variant_id: string;
              price: {
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
              /** @description Grows with every other price: the fact of an earlier one is never renewed. */
              revision: number;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_prices_by_variant_id: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The price of one variant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            price: {
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
            /** @description Grows with every other price: the fact of an earlier one is never renewed. */
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_catalog_prices_by_variant_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          price: {
            /**
             * @description Minor units as a decimal string.
             * @example 45900
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
      /** @description Set the price of a variant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            price: {
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
            /** @description Grows with every other price: the fact of an earlier one is never renewed. */
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_products: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        cursor?: string;
        limit?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The products of a merchant, by id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              merchant_id: string;
              product_id: string;
              title: string;
              image_url: string | null;
              listed: boolean;
              revision: number;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_products_by_product_id: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path: {
        /** @description A slash in it is sent as %2F. */
        product_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One product */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            product_id: string;
            title: string;
            image_url: string | null;
            listed: boolean;
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_catalog_products_by_product_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description A slash in it is sent as %2F. */
        product_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          title: string;
          /** @default null */
          image_url?: string | null;
          /** @default true */
          listed?: boolean;
        };
      };
    };
    responses: {
      /** @description Set a product of the catalogue */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            product_id: string;
            title: string;
            image_url: string | null;
            listed: boolean;
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_variants: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        cursor?: string;
        limit?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variants of a merchant, by id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              merchant_id: string;
              variant_id: string;
              product_id: string;
              title: string | null;
              revision: number;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_catalog_variants_by_variant_id: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One variant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            product_id: string;
            title: string | null;
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_catalog_variants_by_variant_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          product_id: string;
          /** @default null */
          title?: string | null;
        };
      };
    };
    responses: {
      /** @description Set a variant of a product */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            product_id: string;
            title: string | null;
            revision: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_charges: {
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
            mandate_refs?: (
              | string
              | {
                  /** @description An AP2 presentation: a chain of SD-JWTs, or the JSON text of version 0.1; docs/ap2.md. */
                  object: string;
                  /** @description The registration+jwt of the trust authority for exactly this object. */
                  registration?: string;
                }
            )[];
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
          /** @description Id of registered evidence (POST /v1/afa-evidence) that the bank authenticated the buyer for this payment. It serves one payment. */
          afa_evidence?: string;
          /** @description notice_ref of a reported notice (POST /v1/pre-debit-notices) that announced this debit. */
          pre_debit_notice?: string;
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          order_id: string;
          /**
           * @description sandbox: this service’s own rail of the test world. The others: the merchant’s own system makes it and reports.
           * @enum {string}
           */
          provider: 'sandbox' | 'merchant' | 'shopify' | 'plural';
        };
      };
    };
    responses: {
      /** @description Charge on the buyer’s mandates, if the arbiter allows it */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            decision:
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
            payment: {
              payment_id: string;
              decision_id: string;
              /** @enum {string} */
              kind: 'link' | 'charge';
              merchant_id: string;
              order_id: string;
              provider: string;
              /** @enum {string} */
              state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
              captured: {
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
              refunded: {
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
              /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
              url: string | null;
              provider_ref: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              started_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string | null;
              /** @description Why a person has to look at it; empty = no reason. */
              review: (
                | 'amount_differs'
                | 'capture_refused'
                | 'oversold'
                | 'paid_after_cancel'
                | 'paid_after_failure'
                | 'paid_after_rejection'
                | 'paid_twice'
              )[];
            };
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
                mandate_refs?: (
                  | string
                  | {
                      /** @description An AP2 presentation: a chain of SD-JWTs, or the JSON text of version 0.1; docs/ap2.md. */
                      object: string;
                      /** @description The registration+jwt of the trust authority for exactly this object. */
                      registration?: string;
                    }
                )[];
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
              /** @description Id of registered evidence (POST /v1/afa-evidence) that the bank authenticated the buyer for this payment. It serves one payment. */
              afa_evidence?: string;
              /** @description notice_ref of a reported notice (POST /v1/pre-debit-notices) that announced this debit. */
              pre_debit_notice?: string;
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
  post_v1_decisions_by_decision_id_consume: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key': string;
      };
      path: {
        decision_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          order_id: string;
          /**
           * @description Who moves the money: the merchant’s own system by itself, or by one of these.
           * @enum {string}
           */
          provider: 'merchant' | 'shopify' | 'plural';
          /** @description Of a purchase: the whole cart as it was decided. A refund has none. */
          cart?: {
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
          /** @description Of a link: how long it can be paid, 1800 when left out. */
          expires_in_seconds?: number;
          /** @description Of a refund: the amount that was decided, to be compared. */
          amount?: {
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
          /** @description Of a refund: the captured payment that it is given back from. */
          payment_id?: string;
        };
      };
    };
    responses: {
      /** @description Use an allow for one payment or refund */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            decision_id: string;
            /** @enum {string} */
            flow: 'agent_payment' | 'handoff' | 'refund';
            merchant_id: string;
            order_id: string;
            provider: string;
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
            used_at: string;
            payment: {
              payment_id: string;
              /** @enum {string} */
              kind: 'link' | 'charge';
              /** @enum {string} */
              state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
              url: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string | null;
            } | null;
            refund: {
              refund_id: string;
              payment_id: string | null;
              /** @enum {string} */
              state: 'reserved' | 'submitted' | 'done' | 'failed' | 'lapsed';
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_decisions_by_decision_id_notes: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path: {
        decision_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Notes beside a decision, oldest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              note_id: string;
              decision_id: string;
              author: {
                role: string;
                api_key_id: string;
              };
              /** @description Null: it was erased. */
              text: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              noted_at: string;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_decisions_by_decision_id_notes: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        decision_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          text: string;
        };
      };
    };
    responses: {
      /** @description Write a note beside a decision */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            note_id: string;
            decision_id: string;
            author: {
              role: string;
              api_key_id: string;
            };
            /** @description Null: it was erased. */
            text: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            noted_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_decisions_by_decision_id_notes_by_note_id_erase: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        decision_id: string;
        note_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Erase the text of a note */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            note_id: string;
            /** @enum {string|null} */
            text: null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_decisions_by_decision_id_receipt: {
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
      /** @description A receipt of a decision that others can check without asking anybody */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            format: 'arbiter-receipt';
            /** @enum {number} */
            version: 1;
            /** @description Whether a quorum of witnesses cosigned the checkpoint; false while witnessing is off for this tenant. */
            witnessed: boolean;
            /** @description Compact JWS (typ decision-receipt+jwt) by the receipt key of the tenant: the decision, the place and link of its entry, the key of the checkpoint. */
            statement: string;
            /** @description The whole entry; null for readers of the short form of decisions. */
            entry: {
              seq: number;
              kid: string;
              prev: string;
              mac: string;
              link: string;
              body: string;
            } | null;
            /** @description C2SP tlog-proof: where the entry stands in the tree, the path to its root, the signed checkpoint. */
            proof: string;
            issuer_jwk: {
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
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_facts: {
    parameters: {
      query: {
        cursor?: string;
        limit?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
        artifact_type?: 'catalog_snapshot' | 'price' | 'inventory' | 'policy' | 'protocol_adapter';
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        subject?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The published facts of a merchant, each with its status now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              /** @enum {string} */
              artifact_type:
                'catalog_snapshot' | 'price' | 'inventory' | 'policy' | 'protocol_adapter';
              subject: string;
              revision: number;
              artifact_id: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              issued_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string;
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
  post_v1_facts_publications: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          /** @enum {string} */
          artifact_type?:
            'catalog_snapshot' | 'price' | 'inventory' | 'policy' | 'protocol_adapter';
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          subject?: string;
          cursor?: string;
        };
      };
    };
    responses: {
      /** @description Publish the facts of a catalogue */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description Facts of subjects or prices that had none. */
            published: number;
            renewed: number;
            /** @description They serve as they are. */
            unchanged: number;
            /** @description Revoked, suspended, or nobody can tell: never renewed. */
            withheld: number;
            /** @description The catalogue has nothing to publish of them. */
            absent: number;
            /** @description Subjects of all pages together. */
            total: number;
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_handoffs: {
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
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          order_id: string;
          /**
           * @description sandbox: this service’s own rail of the test world. The others: the merchant’s own system makes it and reports.
           * @enum {string}
           */
          provider: 'sandbox' | 'merchant' | 'shopify' | 'plural';
          /** @description Of a link: how long it can be paid, 1800 when left out. */
          expires_in_seconds?: number;
          /** @description Shown on the pay page; no personal data. */
          description?: string;
          /** @description Where the pay page leads afterwards. */
          return_url?: string;
        };
      };
    };
    responses: {
      /** @description A payment link for the buyer, if the arbiter allows it */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            decision:
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
            payment: {
              payment_id: string;
              decision_id: string;
              /** @enum {string} */
              kind: 'link' | 'charge';
              merchant_id: string;
              order_id: string;
              provider: string;
              /** @enum {string} */
              state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
              captured: {
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
              refunded: {
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
              /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
              url: string | null;
              provider_ref: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              started_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string | null;
              /** @description Why a person has to look at it; empty = no reason. */
              review: (
                | 'amount_differs'
                | 'capture_refused'
                | 'oversold'
                | 'paid_after_cancel'
                | 'paid_after_failure'
                | 'paid_after_rejection'
                | 'paid_twice'
              )[];
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
                | 'countersign'
                | 'status_list'
                | 'revocation';
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
            | 'countersign'
            | 'status_list'
            | 'revocation';
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
              | 'countersign'
              | 'status_list'
              | 'revocation';
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
              | 'countersign'
              | 'status_list'
              | 'revocation';
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
              | 'countersign'
              | 'status_list'
              | 'revocation';
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
  get_v1_ledger_checkpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The newest signed checkpoint, with the cosignatures that are known */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_ledger_entries: {
    parameters: {
      query?: {
        type?: string;
        /** @description The entry of this decision, and those of its allow, its use, its payment, captures, refunds and notes, as far as tables name them. */
        decision_id?: string;
        from?: string;
        to?: string;
        order?: 'asc' | 'desc';
        /** @description Begin behind this place, in the order that is asked for. */
        after_seq?: string;
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Entries of the ledger as they are stored */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              seq: number;
              type: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              at: string;
              /** @description Null when the body is not one that this service writes. */
              actor: {
                role: string;
                id: string;
              } | null;
              /** @description The key that sealed it; null = it is unsealed. */
              kid: string | null;
              prev: string | null;
              mac: string | null;
              link: string | null;
              /** @description The exact canonical text that is sealed. */
              body: string;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_ledger_export: {
    parameters: {
      query?: {
        /** @description jsonl: a line for every entry, between a header and a trailer; this is what is written when nothing is said. json: one document. */
        form?: 'jsonl' | 'json';
        /** @description The Arbiter-Export-Id of an earlier answer: the same file again. */
        export_id?: string;
        /** @description With export_id: only what stands behind the row of this entry. */
        after_seq?: string;
        /** @description End after so many rows; Arbiter-Export-Next says behind which one to go on. Without it the file is written to its end. */
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ledger as a file that anybody can check */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/jsonl': string;
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
            /** @description Link of the last sealed entry, hex; while sealing is off that is an earlier one than seq names. */
            link: string | null;
            /** @description The last sealed entry, number and link of the same one: the head to keep elsewhere. Null: nothing was ever sealed. */
            sealed_head: {
              seq: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              at: string;
              link: string;
            } | null;
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
  get_v1_ledger_inclusion: {
    parameters: {
      query?: {
        decision_id?: string;
        seq?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Proof that one entry is in the ledger */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            entry: {
              seq: number;
              type: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              at: string;
              /** @description Null when the body is not one that this service writes. */
              actor: {
                role: string;
                id: string;
              } | null;
              /** @description The key that sealed it; null = it is unsealed. */
              kid: string | null;
              prev: string | null;
              mac: string | null;
              link: string | null;
              /** @description The exact canonical text that is sealed. */
              body: string;
            };
            /**
             * @description unsealed: nothing chains this entry. uncovered: it is sealed and newer than every checkpoint; ask again later.
             * @enum {string}
             */
            state: 'included' | 'uncovered' | 'unsealed';
            inclusion: {
              /** @description Which leaf of the Merkle tree it is, from 0. */
              leaf_index: number;
              tree_size: number;
              /** @description 64 hex digits. */
              root: string;
              /** @description From the leaf up (RFC 6962 section 2.1.1). */
              proof: string[];
              /** @description The signed note (C2SP tlog-checkpoint) of the tree of that size. */
              checkpoint: string;
              /** @description Who cosigned that checkpoint. */
              witnesses: string[];
            } | null;
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
            /** @description Link of the last sealed entry, hex; while sealing is off that is an earlier one than seq names. */
            link: string | null;
            /** @description The last sealed entry, number and link of the same one: the head to keep elsewhere. Null: nothing was ever sealed. */
            sealed_head: {
              seq: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              at: string;
              link: string;
            } | null;
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
  post_v1_ledger_sealing_rotations: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Seal with the next key from now on */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * @description The key that seals from this entry on.
             * @example k2
             */
            kid: string;
            /** @description The entry of the rotation: the first under this key. */
            since_seq: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_ledger_witnessing: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How it stands with the witnesses of the ledger */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            on: boolean;
            /** @description The permanent name of the ledger's log. */
            origin: string | null;
            /** @description Verifier keys (C2SP signed-note) that sign checkpoints: the one in force first. Witnesses need them. */
            log_keys: string[];
            /** @description What does not hold in the ledger's own history: nothing is signed. */
            broken_invariant: string | null;
            newest_checkpoint: {
              /** @description Sealed entries under it. */
              size: number;
              /** @description The last of them. */
              seq: number;
              cosigners: string[];
              /** @description Whether they are enough by the policy. */
              quorum: boolean;
            } | null;
            witnesses: {
              /** @description The name it signs under. */
              name: string;
              /** @description Whether the operator of this service runs it too. */
              self: boolean;
              /** @description Leaves of the largest tree that it cosigned; 0 = none. */
              size: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              last_cosigned_at: string | null;
              /** @description Since when nothing came of asking it, and why. It is asked again. */
              failing: {
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                since: string;
                reason: string;
              } | null;
              /** @description The invariant that does not hold between it and this ledger. */
              disagreement: string | null;
            }[];
            alarms: {
              invariant: string;
              witness: string | null;
              detail: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              raised_at: string;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_ledger_witnessing: {
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
      /** @description Switch the witnessing of the ledger on or off */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            on: boolean;
            /** @description The permanent name of the ledger's log. */
            origin: string | null;
            /** @description Verifier keys (C2SP signed-note) that sign checkpoints: the one in force first. Witnesses need them. */
            log_keys: string[];
            /** @description What does not hold in the ledger's own history: nothing is signed. */
            broken_invariant: string | null;
            newest_checkpoint: {
              /** @description Sealed entries under it. */
              size: number;
              /** @description The last of them. */
              seq: number;
              cosigners: string[];
              /** @description Whether they are enough by the policy. */
              quorum: boolean;
            } | null;
            witnesses: {
              /** @description The name it signs under. */
              name: string;
              /** @description Whether the operator of this service runs it too. */
              self: boolean;
              /** @description Leaves of the largest tree that it cosigned; 0 = none. */
              size: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              last_cosigned_at: string | null;
              /** @description Since when nothing came of asking it, and why. It is asked again. */
              failing: {
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                since: string;
                reason: string;
              } | null;
              /** @description The invariant that does not hold between it and this ledger. */
              disagreement: string | null;
            }[];
            alarms: {
              invariant: string;
              witness: string | null;
              detail: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              raised_at: string;
            }[];
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
        'application/json':
          | {
              /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
              token: string;
            }
          | {
              /** @description The AP2 object exactly as it was signed; docs/ap2.md. */
              object: string;
              /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
              registration: string;
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
          'application/json':
            | {
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
              }
            | {
                /** @description The id of its registration. */
                mandate_id: string;
                object_sha256: string;
                family: string;
                is_open: boolean;
                parent_id: string | null;
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
          'application/json':
            | {
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
              }
            | {
                /** @description The id of its registration. */
                mandate_id: string;
                object_sha256: string;
                family: string;
                is_open: boolean;
                parent_id: string | null;
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
              copy_refusals_to_review_queue: boolean;
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
            copy_refusals_to_review_queue: boolean;
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
            copy_refusals_to_review_queue: boolean;
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
            copy_refusals_to_review_queue: boolean;
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
            copy_refusals_to_review_queue: boolean;
            limits_version: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_merchants_by_merchant_id_facts_by_artifact_type_by_subject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
        artifact_type: 'catalog_snapshot' | 'price' | 'inventory' | 'policy' | 'protocol_adapter';
        /** @description A slash in it is sent as %2F. */
        subject: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The newest fact of a subject */
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
              'catalog_snapshot' | 'price' | 'inventory' | 'policy' | 'protocol_adapter';
            merchant_id: string;
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            issued_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string;
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
            };
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
  put_v1_merchants_by_merchant_id_review_copy: {
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
          copy_refusals_to_review_queue: boolean;
        };
      };
    };
    responses: {
      /** @description Copy a merchant's refusals to its review queue, or stop */
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
            copy_refusals_to_review_queue: boolean;
            limits_version: number | null;
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
  post_v1_passports_verify: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description The compact token, exactly as its issuer signed it; docs/tokens.md. */
          token: string;
          /**
           * @default payment_affecting
           * @enum {string}
           */
          mode?: 'payment_affecting' | 'read_only';
        };
      };
    };
    responses: {
      /** @description Whether a Commerce Passport is good now, and if not, why */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            valid: boolean;
            /** @enum {string|null} */
            code:
              | 'malformed'
              | 'kid_required'
              | 'kid_unknown'
              | 'kid_wrong_namespace'
              | 'kid_retired_iat_after'
              | 'kid_retired_window_exceeded'
              | 'algorithm_rejected'
              | 'signature_invalid'
              | 'expired'
              | 'not_yet_valid'
              | 'wrong_audience'
              | 'wrong_issuer'
              | 'missing_claims'
              | 'temporal_claim_invalid'
              | 'lifetime_exceeded'
              | 'invalid_passport_type'
              | 'revoked'
              | 'revocation_unavailable'
              | 'tenant_mismatch'
              | 'merchant_mismatch'
              | null;
            detail: string | null;
            passport: {
              passport_id: string;
              /** @enum {string} */
              passport_type: 'browse' | 'checkout';
              merchant_id: string;
              agent_id: string;
              consent_id: string;
              scopes: string[];
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string;
            } | null;
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
            } | null;
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
  post_v1_payment_mandates: {
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
      /** @description Report how a debit mandate or block of funds stands at the bank */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            report_id: string;
            version: number;
            status: string;
            merchant_id: string;
            mandate_ref: string;
            issuer: string;
            kid: string;
            payer_commitment: string | null;
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
            registered_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_payments: {
    parameters: {
      query?: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        order_id?: string;
        state?: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
        /** @description true: only those that a person has to look at. */
        review?: 'true' | 'false';
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Search payments, newest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              payment_id: string;
              decision_id: string;
              /** @enum {string} */
              kind: 'link' | 'charge';
              merchant_id: string;
              order_id: string;
              provider: string;
              /** @enum {string} */
              state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
              captured: {
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
              refunded: {
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
              /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
              url: string | null;
              provider_ref: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              started_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              expires_at: string | null;
              /** @description Why a person has to look at it; empty = no reason. */
              review: (
                | 'amount_differs'
                | 'capture_refused'
                | 'oversold'
                | 'paid_after_cancel'
                | 'paid_after_failure'
                | 'paid_after_rejection'
                | 'paid_twice'
              )[];
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_payments_by_payment_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        payment_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One payment */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payment_id: string;
            decision_id: string;
            /** @enum {string} */
            kind: 'link' | 'charge';
            merchant_id: string;
            order_id: string;
            provider: string;
            /** @enum {string} */
            state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
            captured: {
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
            refunded: {
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
            /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
            url: string | null;
            provider_ref: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string | null;
            /** @description Why a person has to look at it; empty = no reason. */
            review: (
              | 'amount_differs'
              | 'capture_refused'
              | 'oversold'
              | 'paid_after_cancel'
              | 'paid_after_failure'
              | 'paid_after_rejection'
              | 'paid_twice'
            )[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_payments_by_payment_id_cancel: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key': string;
      };
      path: {
        payment_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Stop offering a payment link */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payment_id: string;
            decision_id: string;
            /** @enum {string} */
            kind: 'link' | 'charge';
            merchant_id: string;
            order_id: string;
            provider: string;
            /** @enum {string} */
            state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
            captured: {
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
            refunded: {
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
            /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
            url: string | null;
            provider_ref: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string | null;
            /** @description Why a person has to look at it; empty = no reason. */
            review: (
              | 'amount_differs'
              | 'capture_refused'
              | 'oversold'
              | 'paid_after_cancel'
              | 'paid_after_failure'
              | 'paid_after_rejection'
              | 'paid_twice'
            )[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_payments_by_payment_id_reports: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key': string;
      };
      path: {
        payment_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          report: 'issued' | 'rejected' | 'lapsed' | 'canceled' | 'failed';
          /** @description The provider’s own name of it. */
          provider_ref?: string;
          url?: string;
          /** @description For people, one line; kept in the ledger for ever: no personal data. */
          detail?: string;
        };
      };
    };
    responses: {
      /** @description Report what became of a payment */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payment_id: string;
            decision_id: string;
            /** @enum {string} */
            kind: 'link' | 'charge';
            merchant_id: string;
            order_id: string;
            provider: string;
            /** @enum {string} */
            state: 'issuing' | 'open' | 'lapsed' | 'canceled' | 'rejected' | 'failed' | 'paid';
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
            captured: {
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
            refunded: {
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
            /** @description Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none. */
            url: string | null;
            provider_ref: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            expires_at: string | null;
            /** @description Why a person has to look at it; empty = no reason. */
            review: (
              | 'amount_differs'
              | 'capture_refused'
              | 'oversold'
              | 'paid_after_cancel'
              | 'paid_after_failure'
              | 'paid_after_rejection'
              | 'paid_twice'
            )[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_pre_debit_notices: {
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
      /** @description Report a notice that the buyer gets before a debit */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            notice_ref: string;
            report_id: string;
            version: number;
            status: string;
            merchant_id: string;
            mandate_ref: string;
            issuer: string;
            kid: string;
            payer_commitment: string | null;
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
            registered_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_refunds: {
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
          /** @description The captured payment to give back from; left out: the oldest with enough left. */
          payment_id?: string;
        };
      };
    };
    responses: {
      /** @description Give money back, if the arbiter allows it */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            decision:
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
            refund: {
              refund_id: string;
              decision_id: string;
              merchant_id: string;
              order_id: string;
              payment_id: string | null;
              provider: string | null;
              /** @enum {string} */
              state: 'reserved' | 'submitted' | 'done' | 'failed' | 'lapsed';
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
              provider_ref: string | null;
            };
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_refunds_by_refund_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        refund_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One refund */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            refund_id: string;
            decision_id: string;
            merchant_id: string;
            order_id: string;
            payment_id: string | null;
            provider: string | null;
            /** @enum {string} */
            state: 'reserved' | 'submitted' | 'done' | 'failed' | 'lapsed';
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
            provider_ref: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_refunds_by_refund_id_reports: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key': string;
      };
      path: {
        refund_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          report: 'accepted' | 'done' | 'failed';
          /** @description The provider’s own name of it. */
          provider_ref?: string;
          /** @description For people, one line; kept in the ledger for ever: no personal data. */
          detail?: string;
        };
      };
    };
    responses: {
      /** @description Report what became of a refund */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            refund_id: string;
            decision_id: string;
            merchant_id: string;
            order_id: string;
            payment_id: string | null;
            provider: string | null;
            /** @enum {string} */
            state: 'reserved' | 'submitted' | 'done' | 'failed' | 'lapsed';
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
            provider_ref: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_review_queue: {
    parameters: {
      query?: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id?: string;
        reason?: string;
        since?: string;
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Copies of refusals, newest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              decision_id: string;
              /** @enum {string} */
              flow: 'agent_payment' | 'handoff' | 'refund';
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
              seq: number;
            }[];
            next_cursor: string | null;
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
          /**
           * @description What subject_id names. Needed where objects of several kinds have this id, and for what only the trust authority knows.
           * @enum {string}
           */
          subject_kind?: 'artifact' | 'mandate' | 'consent' | 'passport' | 'registration';
          uri?: string;
          idx?: number;
          /** @enum {string} */
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
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id?: string;
          /** @description Of a price or a stock its variant, of a published product its id; left out for the merchant itself. */
          variant_id?: string;
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
            /** @description Where everybody reads the signed record of revocation_id; without PUBLIC_BASE_URL a path of this service. */
            record_url: string | null;
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
            /** @description Every list that the change touched, with the least version that shows it. From this answer on no older copy is believed here, whatever its age. */
            lists: {
              uri: string;
              version: number;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_sandbox_behaviour: {
    parameters: {
      query?: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How the sandbox provider behaves now */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string | null;
            /**
             * @description Making a payment link.
             * @enum {string}
             */
            issue: 'ok' | 'reject' | 'fail' | 'fail_but_persist' | 'slow' | 'lose_answer';
            /**
             * @description Charging on the buyer’s mandates.
             * @enum {string}
             */
            charge:
              | 'ok'
              | 'reject'
              | 'fail'
              | 'fail_but_persist'
              | 'slow'
              | 'lose_answer'
              | 'decline'
              | 'later'
              | 'later_decline';
            /**
             * @description Giving money back; how a refund taken on is told of is the whole tenant’s setting.
             * @enum {string}
             */
            refund:
              | 'ok'
              | 'reject'
              | 'fail'
              | 'fail_but_persist'
              | 'slow'
              | 'lose_answer'
              | 'decline'
              | 'later'
              | 'later_decline';
            /**
             * @description Answering what became of something. Only the whole tenant’s setting counts.
             * @enum {string}
             */
            look_up: 'ok' | 'fail' | 'slow' | 'lose_answer';
            /**
             * @description How often each one is delivered.
             * @enum {string}
             */
            webhooks: 'once' | 'twice' | 'never';
            /**
             * @description Whether a canceled or expired link can still be paid.
             * @enum {string}
             */
            late_payments: 'refused' | 'taken';
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_sandbox_behaviour: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id?: string;
          /**
           * @description Making a payment link.
           * @enum {string}
           */
          issue?: 'ok' | 'reject' | 'fail' | 'fail_but_persist' | 'slow' | 'lose_answer';
          /**
           * @description Charging on the buyer’s mandates.
           * @enum {string}
           */
          charge?:
            | 'ok'
            | 'reject'
            | 'fail'
            | 'fail_but_persist'
            | 'slow'
            | 'lose_answer'
            | 'decline'
            | 'later'
            | 'later_decline';
          /**
           * @description Giving money back; how a refund taken on is told of is the whole tenant’s setting.
           * @enum {string}
           */
          refund?:
            | 'ok'
            | 'reject'
            | 'fail'
            | 'fail_but_persist'
            | 'slow'
            | 'lose_answer'
            | 'decline'
            | 'later'
            | 'later_decline';
          /**
           * @description Answering what became of something. Only the whole tenant’s setting counts.
           * @enum {string}
           */
          look_up?: 'ok' | 'fail' | 'slow' | 'lose_answer';
          /**
           * @description How often each one is delivered.
           * @enum {string}
           */
          webhooks?: 'once' | 'twice' | 'never';
          /**
           * @description Whether a canceled or expired link can still be paid.
           * @enum {string}
           */
          late_payments?: 'refused' | 'taken';
        };
      };
    };
    responses: {
      /** @description Tell the sandbox provider how to behave */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string | null;
            /**
             * @description Making a payment link.
             * @enum {string}
             */
            issue: 'ok' | 'reject' | 'fail' | 'fail_but_persist' | 'slow' | 'lose_answer';
            /**
             * @description Charging on the buyer’s mandates.
             * @enum {string}
             */
            charge:
              | 'ok'
              | 'reject'
              | 'fail'
              | 'fail_but_persist'
              | 'slow'
              | 'lose_answer'
              | 'decline'
              | 'later'
              | 'later_decline';
            /**
             * @description Giving money back; how a refund taken on is told of is the whole tenant’s setting.
             * @enum {string}
             */
            refund:
              | 'ok'
              | 'reject'
              | 'fail'
              | 'fail_but_persist'
              | 'slow'
              | 'lose_answer'
              | 'decline'
              | 'later'
              | 'later_decline';
            /**
             * @description Answering what became of something. Only the whole tenant’s setting counts.
             * @enum {string}
             */
            look_up: 'ok' | 'fail' | 'slow' | 'lose_answer';
            /**
             * @description How often each one is delivered.
             * @enum {string}
             */
            webhooks: 'once' | 'twice' | 'never';
            /**
             * @description Whether a canceled or expired link can still be paid.
             * @enum {string}
             */
            late_payments: 'refused' | 'taken';
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_sandbox_events: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The last webhooks the sandbox provider sent or is sending, newest first */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              event_id: string;
              type: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
              delivered_count: number;
              attempt_count: number;
              last_status: number | null;
              last_error: string | null;
              /**
               * Format: date-time
               * @description Real time; null = not sent any more.
               * @example 2026-11-30T09:00:00.000Z
               */
              next_try_at: string | null;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_sandbox_webhook_secret: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @default 86400 */
          overlap_seconds?: number;
        };
      };
    };
    responses: {
      /** @description A new secret for the sandbox provider’s webhooks */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            endpoint_id: string;
            webhook_path: string;
            /** @description whsec_ and base64 (Standard Webhooks). */
            secret: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_signature_check: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          message?: {
            /** @example GET */
            method: string;
            /**
             * @default https
             * @enum {string}
             */
            scheme?: 'https' | 'http';
            /** @example shop.example */
            authority: string;
            /**
             * @description Path and query, as they are sent.
             * @example /catalog.json
             */
            target: string;
            /** @description Lines in their order, name and value. */
            headers: string[][];
            /** @default null */
            body?: string | null;
          };
          expected_base?: string;
          /** @description Of a described message; all of them when left out. */
          profiles?: ('tap' | 'wba' | 'ucp')[];
        };
      };
    };
    responses: {
      /** @description How a request is signed, as it is judged here, and why */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'unsigned' | 'verified' | 'invalid' | 'unverified';
            /** @enum {string|null} */
            reason:
              | 'malformed_header'
              | 'label_mismatch'
              | 'duplicate_label'
              | 'duplicate_component'
              | 'bad_component'
              | 'missing_component'
              | 'missing_parameter'
              | 'bad_parameter_type'
              | 'component_not_in_message'
              | 'target_not_covered'
              | 'agent_not_covered'
              | 'agent_ambiguous'
              | 'window_too_long'
              | 'expired'
              | 'not_yet_valid'
              | 'algorithm_not_allowed'
              | 'algorithm_mismatch'
              | 'keyid_not_thumbprint'
              | 'bad_signature'
              | 'digest_missing'
              | 'digest_mismatch'
              | 'replayed'
              | 'authority_not_ours'
              | 'target_form_refused'
              | 'agent_absent'
              | 'agent_url_refused'
              | 'agent_type_unsupported'
              | 'agent_not_allowed'
              | 'key_source_not_allowed'
              | 'key_source_unavailable'
              | 'key_not_found'
              | 'key_expired'
              | 'key_pending'
              | 'busy'
              | 'replay_state_unavailable'
              | 'verifier_error'
              | 'test_key'
              | 'no_canonicalisation'
              | null;
            detail: string | null;
            advice: string | null;
            in_enforce: {
              answered: boolean;
              code: string | null;
            };
            /** @enum {string|null} */
            profile: 'tap' | 'wba' | 'ucp' | null;
            label: string | null;
            keyid: string | null;
            agent: string | null;
            agent_form: string | null;
            tag: string | null;
            /** @enum {string|null} */
            coverage: 'full' | 'identity' | null;
            covered: string[];
            accept_signature: string;
            bases: {
              label: string | null;
              base: string | null;
              /** @enum {string|null} */
              fault:
                | 'malformed_header'
                | 'label_mismatch'
                | 'duplicate_label'
                | 'duplicate_component'
                | 'bad_component'
                | 'missing_component'
                | 'missing_parameter'
                | 'bad_parameter_type'
                | 'component_not_in_message'
                | 'target_not_covered'
                | 'agent_not_covered'
                | 'agent_ambiguous'
                | 'window_too_long'
                | 'expired'
                | 'not_yet_valid'
                | 'algorithm_not_allowed'
                | 'algorithm_mismatch'
                | 'keyid_not_thumbprint'
                | 'bad_signature'
                | 'digest_missing'
                | 'digest_mismatch'
                | 'replayed'
                | 'authority_not_ours'
                | 'target_form_refused'
                | 'agent_absent'
                | 'agent_url_refused'
                | 'agent_type_unsupported'
                | 'agent_not_allowed'
                | 'key_source_not_allowed'
                | 'key_source_unavailable'
                | 'key_not_found'
                | 'key_expired'
                | 'key_pending'
                | 'busy'
                | 'replay_state_unavailable'
                | 'verifier_error'
                | 'test_key'
                | 'no_canonicalisation'
                | null;
              detail: string | null;
              comparison: {
                same: boolean;
                lines: {
                  ours: string | null;
                  expected: string | null;
                  same: boolean;
                }[];
                first_difference: {
                  line: number;
                  character: number;
                  component: string | null;
                } | null;
                cause: string | null;
                advice: string | null;
              } | null;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_signatures_settings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the tenant says about request signatures */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * @description null: what the deployment says (COMMERCE_AGENT_SIGNATURE_MODE).
             * @enum {string|null}
             */
            mode: 'log' | 'enforce' | null;
            /** @description null: any agent whose key is found. An empty list takes none. */
            allowed_agents: string[] | null;
            /** @enum {string} */
            mode_in_force: 'log' | 'enforce';
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_signatures_settings: {
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
           * @description null: what the deployment says (COMMERCE_AGENT_SIGNATURE_MODE).
           * @enum {string|null}
           */
          mode: 'log' | 'enforce' | null;
          /** @description null: any agent whose key is found. An empty list takes none. */
          allowed_agents: string[] | null;
        };
      };
    };
    responses: {
      /** @description Set what holds for request signatures */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * @description null: what the deployment says (COMMERCE_AGENT_SIGNATURE_MODE).
             * @enum {string|null}
             */
            mode: 'log' | 'enforce' | null;
            /** @description null: any agent whose key is found. An empty list takes none. */
            allowed_agents: string[] | null;
            /** @enum {string} */
            mode_in_force: 'log' | 'enforce';
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
                mandate_refs?: (
                  | string
                  | {
                      /** @description An AP2 presentation: a chain of SD-JWTs, or the JSON text of version 0.1; docs/ap2.md. */
                      object: string;
                      /** @description The registration+jwt of the trust authority for exactly this object. */
                      registration?: string;
                    }
                )[];
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
              /** @description Id of registered evidence (POST /v1/afa-evidence) that the bank authenticated the buyer for this payment. It serves one payment. */
              afa_evidence?: string;
              /** @description notice_ref of a reported notice (POST /v1/pre-debit-notices) that announced this debit. */
              pre_debit_notice?: string;
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
  get_v1_status_lists: {
    parameters: {
      query?: {
        uri?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The status lists that the tenant’s objects live on */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              uri: string;
              /** @description The slots that are reserved here, as this service knows them. */
              own: {
                reserved: number;
                /** @description A signed object lives on them. */
                bound: number;
                revoked: number;
                suspended: number;
              };
              /** @description No copy below this version is believed, because of a change that was answered. */
              min_version: number | null;
              /** @description Why no copy counts now, so that everything on this list is refused; null: one does. */
              fault: string | null;
              /** @description What the signed list says, all its places together. */
              list: {
                version: number | null;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                issued_at: string;
                age_seconds: number;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                expires_at: string;
                places: number;
                /** @description Unused places look valid. */
                valid: number;
                revoked: number;
                suspended: number;
                other: number;
              } | null;
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
  get_v1_stock: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        cursor?: string;
        limit?: string;
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stock a merchant keeps here, by variant id */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              merchant_id: string;
              variant_id: string;
              /** @description Pieces there are, held ones included. */
              on_hand: number;
              /** @description Pieces set aside for payments that may still come. */
              held: number;
              /** @description on_hand less held: what rule 5 sees. */
              available: number;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_stock_by_variant_id: {
    parameters: {
      query: {
        /** @description Chosen by the caller: letters, digits and ._:@/+- */
        merchant_id: string;
      };
      header?: never;
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stock of one variant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            /** @description Pieces there are, held ones included. */
            on_hand: number;
            /** @description Pieces set aside for payments that may still come. */
            held: number;
            /** @description on_hand less held: what rule 5 sees. */
            available: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  put_v1_stock_by_variant_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description A slash in it is sent as %2F. */
        variant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Chosen by the caller: letters, digits and ._:@/+- */
          merchant_id: string;
          on_hand: number;
        };
      };
    };
    responses: {
      /** @description Set the stock of a variant */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            merchant_id: string;
            variant_id: string;
            /** @description Pieces there are, held ones included. */
            on_hand: number;
            /** @description Pieces set aside for payments that may still come. */
            held: number;
            /** @description on_hand less held: what rule 5 sees. */
            available: number;
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
  get_v1_webhook_deliveries: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: string;
        endpoint_id?: string;
        status?: 'pending' | 'delivered' | 'given_up';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was sent or will be, the newest first, each with its last try */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              delivery_id: string;
              endpoint_id: string;
              merchant_id: string | null;
              /** @description The webhook-id header. */
              message_id: string;
              event_type: string;
              /** @description The ledger entry that is told of. */
              sequence: number;
              /** @enum {string} */
              status: 'pending' | 'delivered' | 'given_up';
              attempt_count: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              next_attempt_at: string | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              finished_at: string | null;
              last_attempt: {
                attempt_no: number;
                /**
                 * Format: date-time
                 * @example 2026-11-30T09:00:00.000Z
                 */
                started_at: string;
                /** @description Null while it is under way. */
                duration_ms: number | null;
                status_code: number | null;
                /** @enum {string|null} */
                error_class:
                  | 'http_status'
                  | 'redirect'
                  | 'timeout'
                  | 'connect_failed'
                  | 'tls_failed'
                  | 'dns_failed'
                  | 'refused_url'
                  | 'refused_address'
                  | 'too_large'
                  | 'not_signed'
                  | 'interrupted'
                  | null;
              } | null;
            }[];
            next_cursor: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_webhook_deliveries_by_delivery_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        delivery_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One delivery with every try */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            delivery_id: string;
            endpoint_id: string;
            merchant_id: string | null;
            /** @description The webhook-id header. */
            message_id: string;
            event_type: string;
            /** @description The ledger entry that is told of. */
            sequence: number;
            /** @enum {string} */
            status: 'pending' | 'delivered' | 'given_up';
            attempt_count: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            finished_at: string | null;
            attempts: {
              attempt_no: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              started_at: string;
              /** @description Null while it is under way. */
              duration_ms: number | null;
              status_code: number | null;
              /** @enum {string|null} */
              error_class:
                | 'http_status'
                | 'redirect'
                | 'timeout'
                | 'connect_failed'
                | 'tls_failed'
                | 'dns_failed'
                | 'refused_url'
                | 'refused_address'
                | 'too_large'
                | 'not_signed'
                | 'interrupted'
                | null;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_webhook_deliveries_by_delivery_id_resend: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        delivery_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Send a message again */
      202: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            delivery_id: string;
            endpoint_id: string;
            merchant_id: string | null;
            /** @description The webhook-id header. */
            message_id: string;
            event_type: string;
            /** @description The ledger entry that is told of. */
            sequence: number;
            /** @enum {string} */
            status: 'pending' | 'delivered' | 'given_up';
            attempt_count: number;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            finished_at: string | null;
            last_attempt: {
              attempt_no: number;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              started_at: string;
              /** @description Null while it is under way. */
              duration_ms: number | null;
              status_code: number | null;
              /** @enum {string|null} */
              error_class:
                | 'http_status'
                | 'redirect'
                | 'timeout'
                | 'connect_failed'
                | 'tls_failed'
                | 'dns_failed'
                | 'refused_url'
                | 'refused_address'
                | 'too_large'
                | 'not_signed'
                | 'interrupted'
                | null;
            } | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  get_v1_webhook_endpoints: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Webhook endpoints, in the order of their creation */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: {
              endpoint_id: string;
              merchant_id: string | null;
              url: string;
              event_types: string[];
              /** @enum {string} */
              state: 'active' | 'disabled';
              /**
               * @description gone: it answered 410. failing: nothing reached it for 5 days.
               * @enum {string|null}
               */
              disabled_reason: 'gone' | 'failing' | null;
              /**
               * Format: date-time
               * @example 2026-11-30T09:00:00.000Z
               */
              created_at: string;
              replaced_secrets_end_at: string[];
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_webhook_endpoints: {
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
           * @description https, port 443 or 8443, a public host.
           * @example https://shop.example/hooks
           */
          url: string;
          event_types: (
            | 'decision.allowed'
            | 'decision.refused'
            | 'payment.started'
            | 'payment.issued'
            | 'payment.lapsed'
            | 'payment.canceled'
            | 'payment.rejected'
            | 'payment.failed'
            | 'payment.captured'
            | 'refund.allowed'
            | 'refund.submitted'
            | 'refund.done'
            | 'refund.failed'
            | 'refund.lapsed'
          )[];
          /**
           * @description Chosen by the caller: letters, digits and ._:@/+-
           * @default null
           */
          merchant_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Be told of events under a URL */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            endpoint_id: string;
            merchant_id: string | null;
            url: string;
            event_types: string[];
            /** @enum {string} */
            state: 'active' | 'disabled';
            /**
             * @description gone: it answered 410. failing: nothing reached it for 5 days.
             * @enum {string|null}
             */
            disabled_reason: 'gone' | 'failing' | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
            replaced_secrets_end_at: string[];
            /** @description whsec_ and base64. Shown once; null when this answer repeats an earlier one. */
            secret: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  delete_v1_webhook_endpoints_by_endpoint_id: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        endpoint_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Be told of nothing more under a URL */
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
  post_v1_webhook_endpoints_by_endpoint_id_enable: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        endpoint_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Send to a disabled endpoint again */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            endpoint_id: string;
            merchant_id: string | null;
            url: string;
            event_types: string[];
            /** @enum {string} */
            state: 'active' | 'disabled';
            /**
             * @description gone: it answered 410. failing: nothing reached it for 5 days.
             * @enum {string|null}
             */
            disabled_reason: 'gone' | 'failing' | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            created_at: string;
            replaced_secrets_end_at: string[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_webhook_endpoints_by_endpoint_id_rotate: {
    parameters: {
      query?: never;
      header?: {
        /** @description Of the caller’s choice. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        endpoint_id: string;
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
      /** @description Sign with a new secret, with an overlap */
      201: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description whsec_ and base64. Shown once; null when this answer repeats an earlier one. */
            secret: string | null;
            /**
             * Format: date-time
             * @example 2026-11-30T09:00:00.000Z
             */
            previous_ends_at: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  post_v1_webhooks_sandbox_by_endpoint_id: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpoint_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description Where the sandbox provider reports */
      200: {
        headers: {
          'Request-Id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            event_id: string;
            /** @enum {string} */
            outcome:
              | 'applied'
              | 'nothing_new'
              | 'unknown_reference'
              | 'provider_differs'
              | 'amount_differs'
              | 'currency_differs'
              | 'refused'
              | 'repeat';
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
}
