/** What the tests use of build.mjs. */
export function compiledForTests(): string;
