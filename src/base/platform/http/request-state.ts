import type { Caller } from './contract.js';
import type { CompiledRoute } from './compiled-route.js';
import type { RawInput } from './read-input.js';

/** What guard and interceptor learned about one request and the decorators hand on. `caller` is null on a public route. */
export interface RequestState {
  readonly route: CompiledRoute;
  readonly caller: Caller | null;
  /** Set before the handler runs; null while only the guard has run. */
  readonly input: RawInput | null;
}
