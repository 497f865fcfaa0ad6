/** The typed client of the service. Needs a fetch (Node 20 or newer, or a browser) and nothing else of this repository. */
export {
  type Answer,
  type Answered,
  type Failure,
  type Problem,
  type ProblemRefusal,
  refusalOf,
} from './answer.js';
export type { components, paths } from './api.js';
export {
  arbiterClient,
  type ArbiterClient,
  type ArbiterClientOptions,
  type Download,
} from './client.js';
export type { CallOptions, InputOf, Method, PathOf, ValueOf } from './operations.js';
export { everyPage, type Page } from './pages.js';
