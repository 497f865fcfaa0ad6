import { problem } from '../../../core/kernel/index.js';
import { problemOfForeignError } from './foreign-error.js';
import { printProblem, PROBLEM_CONTENT_TYPE } from './problem-json.js';
import { requestIdOf } from './request-id.js';

/** The part of a socket that an answer needs. */
interface ClientSocket {
  readonly writable: boolean;
  end(text: string): void;
  destroy(): void;
}

/**
 * Answers a request that never became one: broken HTTP, headers that are too large, a request that did not arrive
 * in time. There is no route, so the answer is written to the socket and the connection closed.
 */
export function answerClientError(error: Error & { code?: string }, socket: ClientSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answered =
    problemOfForeignError(error) ??
    problem('request_malformed', 'The request is not readable HTTP/1.1.', {
      fix: 'Send a request that follows RFC 9112.',
    });
  const requestId = requestIdOf({});
  const { status, body } = printProblem(
    { problem: answered, extras: {} },
    { requestId, problemsUrl: '/docs/problems' },
  );
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} Bad Request`,
      `content-type: ${PROBLEM_CONTENT_TYPE}`,
      `content-length: ${Buffer.byteLength(text)}`,
      `request-id: ${requestId}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
