import type { MappedOrigin } from './outbound/index.js';

/**
 * The trust authority of this deployment: its permanent name, where it is reached now, and what is shown to it. The
 * embedded one is a child of this process, and its place changes whenever it is started again.
 */
export interface AuthorityAddress extends MappedOrigin {
  readonly isEmbedded: boolean;
  readonly serviceToken: string;
}
