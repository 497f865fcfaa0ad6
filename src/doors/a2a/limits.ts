/** Bounds of what A2A callers send and keep here. Bodies are bounded before (BODY_BYTES_MAX). */

/** Longest name a caller gives to a message, context or push configuration, in characters. */
export const CHOSEN_NAME_CHARACTERS_MAX = 255;
/** Most parts of one message. */
export const PARTS_MAX = 16;
/** Longest question in words, in characters. */
export const QUESTION_CHARACTERS_MAX = 500;
/** Most tasks a message refers to, and extensions it names. */
export const REFERENCES_MAX = 32;
/** Tasks kept of one caller; the oldest go. */
export const TASKS_PER_CALLER_MAX = 1_000;
/** Largest task kept, in bytes. One with a long refusal has 3 KiB. */
export const TASK_BYTES_MAX = 65_536;
/** Tasks go after so long; the decision stays in the ledger. */
export const TASKS_KEPT_MS = 30 * 24 * 3_600_000;
/** Tasks per page of a list when none is asked for; the SDK takes at most 100. */
export const TASK_PAGE_DEFAULT = 50;
/** Push configurations of one task. */
export const PUSH_CONFIGS_PER_TASK_MAX = 8;
/** Longest token and credential of a push configuration, in characters. */
export const PUSH_SECRET_CHARACTERS_MAX = 1_024;
