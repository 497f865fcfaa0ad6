import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RequestState } from './request-state.js';

/** Fastify's own types, taken from the adapter that brings Fastify, so that there is one version of them. */
export type HttpServer = Awaited<ReturnType<NestFastifyApplication['register']>>;
type ErrorHandlerParameters = Parameters<HttpServer['errorHandler']>;
export type HttpRequest = ErrorHandlerParameters[1] & {
  /** Set by the guard; null before it ran. */
  arbiterState: RequestState | null;
  /** The exact bytes of the body; null when there is none. */
  rawBody: Buffer | null;
};
export type HttpReply = ErrorHandlerParameters[2];
