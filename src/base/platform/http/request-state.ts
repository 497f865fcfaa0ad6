import type { SignatureVerdict } from '../../../core/httpsig/index.js';
import type { Caller } from './contract.js';
import type { CompiledRoute } from './compiled-route.js';
import type { RawInput } from './read-input.js';

/** What guard and interceptor learned about one request and the decorators hand on. `caller` is null on a public route. */
export interface RequestState {
  readonly route: CompiledRoute;
  readonly caller: Caller | null;
  /** How the request is signed; undefined where nobody looked. */
  readonly signature?: SignatureVerdict;
  /** Set before the handler runs; null while only the guard has run. */
  readonly input: RawInput | null;
}
