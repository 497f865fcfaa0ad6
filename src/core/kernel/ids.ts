/**
 * Identifiers: a prefix that says what is named, then a uuidv7 in 32 hex digits (sortable by time), except decisions,
 * which keep the mission's form. Chosen ids of merchants, orders and variants come from callers: see {@link isChosenId}.
 */
export type TenantId = `tnt_${string}`;
export type AgentId = `agt_${string}`;
export type ApiKeyId = `key_${string}`;
export type EntryId = `ent_${string}`;
export type DecisionId = `arbdec_${string}`;

/** Names a merchant's own system chose: merchant, order, variant, policy ids. */
export type MerchantId = string;
export type OrderId = string;

/** Longest chosen id, in characters. */
export const CHOSEN_ID_LENGTH_MAX = 128;

const CHOSEN_ID = /^[A-Za-z0-9][A-Za-z0-9._:@/+-]{0,127}$/;
const DECISION_ID = /^arbdec_[0-9a-f]{12}$/;
const PREFIXED_ID = /^[a-z]{3,6}_[0-9a-z]{1,64}$/;

/** Letters, digits and `._:@/+-`, starting with a letter or digit, at most 128: no space, no control character, no newline. */
export const isChosenId = (text: string): boolean => CHOSEN_ID.test(text);

export const isDecisionId = (text: string): text is DecisionId => DECISION_ID.test(text);

export const isPrefixedId = <Prefix extends string>(
  prefix: Prefix,
  text: string,
): text is `${Prefix}_${string}` => text.startsWith(`${prefix}_`) && PREFIXED_ID.test(text);

/** `arbdec_` and the first 12 hex digits of 6 or more random bytes (or of a seeded hash in a frozen demo tenant). */
export const decisionIdOf = (hex: string): DecisionId => `arbdec_${hex.slice(0, 12)}`;
