import type { SigningKeys } from '../../base/keys/index.js';
import type { Config } from '../../base/platform/index.js';
import type { IssuerKeys, SignatureChecker } from '../../trust/peers/index.js';
import type { ConfirmParts } from './confirm.js';
import { NO_COUNTERSIGNER } from './countersigner.js';
import { LocalCountersigner } from './local-countersigner.js';

export const CONFIRMING = Symbol('Confirming');

/** Who countersigns here, and whose countersignatures count. */
export type Confirming = Pick<ConfirmParts, 'countersigner' | 'trust'>;

export function confirmingOf(
  config: Pick<Config, 'countersigner' | 'localCountersignerForLive'>,
  signingKeys: SigningKeys,
  ...[issuerKeys, checker]: [IssuerKeys, SignatureChecker]
): Confirming {
  const local =
    config.countersigner === 'local'
      ? new LocalCountersigner({ signingKeys, signsForLive: config.localCountersignerForLive })
      : null;
  return { countersigner: local ?? NO_COUNTERSIGNER, trust: { issuerKeys, checker, local } };
}
