/**
 * Personal data that tests send, collected in one place: after a whole run none of it may stand in any entry of any ledger
 * (test/personal-data). A test that needs a person takes one from here, or an address of mail, which is found by its form.
 */
export const CANARY_PEOPLE = {
  /** The buyer of the demo and of most tests, as issuers name it; an entry holds a commitment to it at most. */
  buyer: 'demo-buyer',
  name: 'Asha Canary-Kulkarni',
  email: 'asha.canary@example.org',
  phone: '+919820012345',
  street: '12 Canary Lane, Matunga',
  card: '4111111111111111',
} as const;

/** Other people whom tests name. */
const OTHERS = ['another-buyer', 'buyer@example.org', 'asha@example.org', 'ravi@example.org'];

export const CANARIES: readonly string[] = [...Object.values(CANARY_PEOPLE), ...OTHERS];
