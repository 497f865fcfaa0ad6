import type { CommandContext } from '../../base/ledger/index.js';
import type { CallerContext } from '../../base/platform/index.js';

/** What a caller's command carries into the ledger: whose it is, who caused it, by which request. */
export const commandContext = ({
  principal,
  requestId,
  signature,
  idempotency,
}: CallerContext): CommandContext => ({
  tenantId: principal.tenantId,
  actor: { role: principal.role, id: principal.apiKeyId },
  requestId,
  signature,
  idempotency,
});
