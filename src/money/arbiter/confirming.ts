import type { Config } from '../../base/platform/index.js';
import type { AuthorityPort } from '../../trust/authority/index.js';
import type { IssuerKeys, SignatureChecker } from '../../trust/peers/index.js';
import { AuthorityCountersigner } from './authority-countersigner.js';
import type { ConfirmParts } from './confirm.js';
import { NO_COUNTERSIGNER } from './countersigner.js';

export const CONFIRMING = Symbol('Confirming');

/** Who countersigns here, and whose countersignatures count. */
export type Confirming = Pick<ConfirmParts, 'countersigner' | 'trust'>;

export function confirmingOf(
  config: Pick<Config, 'countersigner' | 'embeddedAuthorityForLive'>,
  authority: AuthorityPort,
  ...[issuerKeys, checker]: [IssuerKeys, SignatureChecker]
): Confirming {
  const signsForLive = !authority.isEmbedded || config.embeddedAuthorityForLive;
  const countersigner =
    config.countersigner === 'authority'
      ? new AuthorityCountersigner({ authority, signsForLive })
      : NO_COUNTERSIGNER;
  return { countersigner, trust: { issuerKeys, checker } };
}
