// The house rules of docs/architecture.md, one rule each; the comment is the sentence.
// Order matters: a room may import the rooms written before it in its own wing and every wing before its own.
const wings = {
  core: ['kernel', 'rules', 'chain', 'proofs', 'httpsig', 'replay'],
  base: ['platform', 'ledger', 'keys', 'tenants', 'history', 'outbox'],
  trust: [
    'peers',
    'authority',
    'status',
    'facts',
    'buyer-authority',
    'rail-evidence',
    'revocation',
  ],
  money: ['payments', 'book', 'arbiter', 'spend', 'rails'],
  doors: ['signatures', 'api', 'checkout', 'storefront', 'a2a', 'mcp', 'console'],
  background: ['jobs', 'relay'],
};
const names = Object.keys(wings);

const wingRules = names.slice(0, -1).map((wing, index) => ({
  name: `wing-${wing}-looks-only-back`,
  comment: `core <- base <- trust <- money <- doors <- background: ${wing}/ imports no later wing.`,
  severity: 'error',
  from: { path: `^src/${wing}/` },
  to: { path: `^src/(${names.slice(index + 1).join('|')})/` },
}));

const roomRules = names
  .filter((wing) => wing !== 'doors')
  .flatMap((wing) =>
    wings[wing].slice(0, -1).map((room, index) => ({
      name: `room-${wing}-${room}-looks-only-up`,
      comment: `A room never imports a room written below it in its own wing: ${wing}/${room}.`,
      severity: 'error',
      from: { path: `^src/${wing}/${room}/` },
      to: { path: `^src/${wing}/(${wings[wing].slice(index + 1).join('|')})/` },
    })),
  );

module.exports = {
  forbidden: [
    ...wingRules,
    ...roomRules,
    {
      name: 'doors-never-import-doors',
      comment: 'doors/x never imports doors/y except checkout/core.',
      severity: 'error',
      from: { path: '^src/doors/([^/]+)/', pathNot: '^src/doors/a2a/' },
      to: { path: '^src/doors/([^/]+)/', pathNot: ['^src/doors/$1/', '^src/doors/checkout/core/'] },
    },
    {
      name: 'a2a-asks-for-decisions-as-the-api-does',
      comment:
        'doors/a2a carries the native request in a data part, so it reads, asks and prints decisions through the face of api/decisions.',
      severity: 'error',
      from: { path: '^src/doors/a2a/' },
      to: {
        path: '^src/doors/([^/]+)/',
        pathNot: ['^src/doors/a2a/', '^src/doors/api/decisions/index\\.ts$'],
      },
    },
    {
      name: 'a-room-is-entered-through-its-face',
      comment: 'A room is entered through its index.ts.',
      severity: 'error',
      from: { path: '^src/([^/]+)/([^/]+)/' },
      to: {
        path: '^src/([^/]+)/([^/]+)/.+',
        pathNot: [
          '^src/$1/$2/',
          '^src/[^/]+/[^/]+/index\\.ts$',
          // The second face of two rooms; see the rule below.
          '^src/trust/(facts|buyer-authority)/tables\\.ts$',
          '^src/doors/checkout/core/index\\.ts$',
          '^src/doors/api/decisions/index\\.ts$',
          // The one builder that a room hides even from its face; see the rule below.
          '^src/money/payments/consumed-allow\\.ts$',
        ],
      },
    },
    {
      name: 'only-the-consuming-transaction-builds-a-consumed-allow',
      comment:
        'No code path calls a provider without a used allow: only its consumption imports the builder.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/money/payments/', '^src/money/arbiter/consumed\\.ts$', '\\.spec\\.ts$'],
      },
      to: { path: '^src/money/payments/consumed-allow\\.ts$' },
    },
    {
      name: 'facts-are-read-through-the-status-checker',
      comment:
        'Who is not trust/ never reads facts and rights as they are stored: the rooms answer with what the StatusChecker said.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/trust/', '^src/projections\\.ts$', '\\.spec\\.ts$'] },
      to: { path: '^src/trust/(facts|buyer-authority)/tables\\.ts$' },
    },
    {
      name: 'core-is-pure',
      comment:
        'Nest, drivers and IO never in core/: it imports itself, node:crypto, node:zlib for its synchronous functions of bytes, and the pure parser of structured fields.',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: ['^src/core/', '^(node:)?(crypto|zlib)$', 'node_modules/structured-headers/'],
      },
    },
    {
      name: 'sql-only-in-stores',
      comment:
        'SQL only in *.store.ts: nothing else imports the driver (the database folder of platform opens the pool).',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['\\.store\\.ts$', '\\.spec\\.ts$', '^src/base/platform/database/'],
      },
      to: { path: 'node_modules/(pg|pg-pool|node-pg-migrate)/' },
    },
    {
      name: 'rules-are-independent',
      comment: 'Rule files do not import each other: what they share stands in core/rules/shared.',
      severity: 'error',
      from: { path: '^src/core/rules/rule-[^/]+\\.ts$', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/core/rules/rule-[^/]+\\.ts$' },
    },
    {
      name: 'the-authority-is-another-party',
      comment: 'trust-authority/ is reached only over HTTP; it may use core/ and base/.',
      severity: 'error',
      from: { path: '^src/trust-authority/' },
      to: { path: '^src/(trust|money|doors|background)/' },
    },
    {
      name: 'nobody-imports-the-authority',
      comment: 'trust-authority/ is reached only over HTTP; authority.ts is its own process.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/trust-authority/', '^src/authority\\.ts$'] },
      to: { path: '^src/trust-authority/' },
    },
    {
      name: 'the-client-stands-alone',
      comment:
        'client/ is given to others: it imports itself and openapi-fetch only, nothing of the service.',
      severity: 'error',
      from: { path: '^src/client/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^src/client/', 'node_modules/openapi-fetch/'] },
    },
    {
      name: 'the-signer-stands-alone',
      comment: 'signer/ is given to agents: it imports itself, core/ and node:crypto only.',
      severity: 'error',
      from: { path: '^src/signer/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^src/signer/', '^src/core/[^/]+/index\\.ts$', '^(node:)?crypto$'] },
    },
    {
      name: 'nobody-imports-the-signer',
      comment:
        'The service verifies and never signs as an agent; cli/ offers the signer as a command.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(signer|cli)/', '\\.spec\\.ts$'] },
      to: { path: '^src/signer/' },
    },
    {
      name: 'the-command-line-speaks-http',
      comment:
        'cli/ knows the service through client/ only; it may use core/ and signer/. Beside the database work cli/rebuild.ts and cli/auditor-key.ts.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: '^src/cli/(rebuild|auditor-key)\\.ts$' },
      to: { path: '^src/(?!(?:cli|client|core|signer)/)' },
    },
    {
      name: 'nobody-imports-the-command-line',
      comment: 'cli/ is used by cli.ts, and client/ by cli/: the service needs neither.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/cli\\.ts$', '^src/client/'] },
      to: { path: '^src/(cli|client)/' },
    },
    {
      name: 'verifiers-stand-alone',
      comment:
        'verifiers/ are programs for others: they import core/ and files of Node, and nobody imports them.',
      severity: 'error',
      from: { path: '^src/verifiers/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^src/verifiers/', '^src/core/', '^(node:)?[a-z_]+$'] },
    },
    {
      name: 'nobody-imports-a-verifier',
      comment: 'verifiers/ are bundled by scripts/lib/verifiers.mjs.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/verifiers/' },
      to: { path: '^src/verifiers/' },
    },
    {
      name: 'no-cycles',
      comment: 'No cycles.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dependencies-in-src',
      comment: 'What runs in production is a production dependency.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
