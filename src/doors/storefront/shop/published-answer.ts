import { createHash } from 'node:crypto';
import { answerWith } from '../../../base/platform/index.js';

/**
 * WHY no age: a revoke is true at the next reading, also for who asks a cache. A copy may be kept, and is asked for with
 * its ETag each time.
 */
const CACHE_CONTROL = 'public, max-age=0, must-revalidate';

/**
 * 200 with the whole text, or 304 when the caller has these very bytes already (RFC 9110 section 13.1.2). The ETag is of the
 * bytes: it changes with whatever they say, and with nothing else.
 */
export function publishedAnswer(
  text: string,
  {
    contentType,
    known,
    headers = {},
  }: {
    readonly contentType: string;
    /** The If-None-Match header. */
    readonly known: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  },
) {
  const bytes = Buffer.from(text, 'utf8');
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const always = { etag, 'cache-control': CACHE_CONTROL, ...headers };
  return names(known, etag)
    ? answerWith(undefined, { status: 304, headers: always })
    : answerWith(bytes, { headers: { ...always, 'content-type': contentType } });
}

/** Compared weakly: a cache may have marked it so. */
const names = (known: string | undefined, etag: string): boolean =>
  known !== undefined &&
  (known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
