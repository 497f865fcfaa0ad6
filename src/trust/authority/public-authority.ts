import { err, ok, type Problem, type Result } from '../../core/kernel/index.js';
import type { AuthorityAddress, OutboundClient } from '../../base/platform/index.js';
import {
  AUTHORITY_ANSWER_BYTES_MAX,
  AUTHORITY_DEADLINE_MS,
  parseJson,
  problemOf,
  unavailable,
  unreadable,
} from './authority-http.js';

/** Questions of strangers that are under way at once; the connections are shared with what decisions need. */
export const PASSED_AT_ONCE_MAX = 8;

/** What a public route of the authority is asked. */
export interface PublicQuestion {
  /** Parts of the path, not encoded yet. */
  readonly path: readonly string[];
  /** The only media type in which an answer is passed on. */
  readonly mediaType: string;
  /** As the asker sent it. */
  readonly ifNoneMatch?: string | undefined;
  /** Makes it a POST. */
  readonly body?: unknown;
}

/** The authority's own bytes, and those of its headers that say how long they may be kept. */
export interface PassedAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/**
 * Hands on what the authority tells everybody, byte for byte: for those who can reach this service and not the
 * authority. Problems: the authority's own 4xx with their code, detail, fix and field; `unavailable` for everything else
 * that is no answer, and when {@link PASSED_AT_ONCE_MAX} questions are under way. Never throws. Not checked: signatures, ages;
 * whoever asks verifies what he gets.
 */
export class PublicAuthority {
  #underWay = 0;

  constructor(
    private readonly parts: {
      readonly address: AuthorityAddress;
      readonly outbound: OutboundClient;
    },
  ) {}

  async ask(question: PublicQuestion): Promise<Result<PassedAnswer, Problem>> {
    if (this.#underWay >= PASSED_AT_ONCE_MAX) return err(crowded);
    this.#underWay += 1;
    try {
      return await this.#pass(question);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #pass(question: PublicQuestion): Promise<Result<PassedAnswer, Problem>> {
    const { address, outbound } = this.parts;
    const { mediaType, body: sent } = question;
    const known = sendable(question.ifNoneMatch);
    const outcome = await outbound.fetch({
      url: `${address.origin}/${question.path.map(encodeURIComponent).join('/')}`,
      headers: {
        accept: `${mediaType}, application/problem+json`,
        ...(known === null ? {} : { 'if-none-match': known }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined
        ? {}
        : { method: 'POST', body: Buffer.from(JSON.stringify(sent), 'utf8') }),
      deadlineMs: AUTHORITY_DEADLINE_MS,
      bodyBytesMax: AUTHORITY_ANSWER_BYTES_MAX,
    });
    if (outcome.kind !== 'ok') return err(unavailable(`it could not be asked (${outcome.kind})`));
    const { status, headers, body } = outcome;
    if (status >= 400) return err(problemOf(status, parseJson(body), headers['retry-after']));
    if (status === 304 && known !== null)
      return ok({ status, headers: passedOf(headers), body: undefined });
    // WHY: another type would let the authority show a page, or a script, under this service's name.
    if (status !== 200 || mediaTypeOf(headers['content-type']) !== mediaType)
      return err(unreadable);
    return ok({ status, headers: { ...passedOf(headers), 'content-type': mediaType }, body });
  }
}

const crowded = unavailable('too many ask it through this service just now', 1);

const PASSED_HEADERS = ['etag', 'cache-control', 'age', 'access-control-allow-origin'] as const;

const passedOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = sendable(headers[name]);
      return value === null ? [] : [[name, value]];
    }),
  );

/** A value of a header that may be sent on; another one is as good as none. */
const sendable = (value: string | undefined): string | null =>
  value !== undefined && /^[\x20-\x7e]{1,1000}$/.test(value) ? value : null;

const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1).join('').trim().toLowerCase();

/** Nest token of the {@link PublicAuthority}. */
export const PUBLIC_AUTHORITY = Symbol('PublicAuthority');
