/** Permanent name of the authority in every test database. */
export const TEST_AUTHORITY_ORIGIN = 'https://0123456789abcdef.authority.internal';
/** What the arbiters that tests start show it: a tenant belongs to all of them. */
export const TEST_SERVICE_TOKEN = 'arbiter-of-the-tests-0123456789abcdef';
/** May rotate the authority's keys. */
export const TEST_OPERATOR_TOKEN = 'operator-of-the-tests-0123456789abcdef';

/** Settings of an authority of the tests; those on one database share their secrets. */
export const authorityEnvironment = (
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  AUTHORITY_PORT: '0',
  AUTHORITY_ORIGIN: TEST_AUTHORITY_ORIGIN,
  AUTHORITY_SERVICE_TOKENS: `arbiter=${TEST_SERVICE_TOKEN},operator=${TEST_OPERATOR_TOKEN}`,
  LOG_LEVEL: 'error',
  RATE_LIMIT_PER_MINUTE: '1000000',
  AUTHORITY_KEY_ENCRYPTION_KEY: '33'.repeat(32),
  AUTHORITY_LEDGER_HMAC_MASTER: '44'.repeat(32),
  ...environment,
});
