import { problem } from '../../../core/kernel/index.js';
import { ProblemException } from './problem-json.js';

const CHARSETS = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/** Bodies are read as UTF-8, so one that names another encoding would be read as other text than was sent. */
export function charsetProblem(contentType: string): ProblemException | null {
  const named = [...contentType.matchAll(CHARSETS)].map(([, charset = '']) => charset);
  return named.every((charset) => /^utf-?8$/i.test(charset)) ? null : otherCharset;
}

const otherCharset = new ProblemException(
  problem('unsupported_media_type', 'The body is not sent as UTF-8.', {
    field: ':content-type',
    fix: 'Encode the body as UTF-8, and leave charset out or set it to utf-8.',
  }),
);
