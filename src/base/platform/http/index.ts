export type { InputOf, RouteContract } from './contract.js';
export { route } from './contract.js';
export { Handles, controllersOf, routesOf } from './handles.js';
export {
  Arrival,
  type ArrivalContext,
  Caller,
  type CallerContext,
  Input,
  PublicHost,
  RequestId,
} from './parameters.js';
export type { HttpRequest } from './fastify.js';
export { ProblemException } from './problem-json.js';
export { answerWith } from './answer.js';
export { keyRefused, unauthenticated } from './caller-guard.js';
export { inputReader } from './read-input.js';
export { A2A_JSON_CONTENT_TYPE, JSON_CONTENT_TYPE } from './json-media-type.js';
export { escapeHtml, PLAIN_PAGE_HEADERS, printPlainPage } from './plain-page.js';
export { AUTHENTICATOR, type Authenticator } from './authenticator.js';
export type { FieldError, ForeignForm, ProblemPlace, ProblemPrinter } from './problem-json.js';
export { createHttpApplication, type HttpApplicationOptions } from './application.js';
export { HttpModule, type HttpModuleOptions, ROUTES } from './http.module.js';
export type { LogLevel, LogStream } from './request-log.js';
export type { RateLimits } from './rate-limiter.js';
export { type CompiledRoute, problemsOf } from './compiled-route.js';
export * from './limits.js';
export { listen, type ListeningPlace, stopServing } from './serving.js';
