import { v7 } from 'uuid';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's Request-Id when it is 1 to 64 letters, digits, dots, underscores or hyphens, else a new uuidv7. */
export function requestIdOf(headers: NodeJS.Dict<string | string[]>): string {
  const offered = headers['request-id'];
  return typeof offered === 'string' && REQUEST_ID.test(offered) ? offered : v7();
}
