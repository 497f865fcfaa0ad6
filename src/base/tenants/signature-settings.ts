import { ok, type Problem, type Result, type TenantId } from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  event,
  readRow,
  type Writer,
} from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import {
  allowedAgentsOf,
  SIGNATURE_MODES,
  type SignatureMode,
  signatureSettings,
  signatureSettingsChanged,
  type SignatureSettingsRow,
} from './signature-settings.ledger.js';

/** What a tenant says about request signatures. `mode` null: what the deployment says. */
export interface TenantSignatureSettings {
  readonly mode: SignatureMode | null;
  /** URLs of agents whose signatures count; null: any agent's whose key is found. */
  readonly allowedAgents: readonly string[] | null;
}

const NO_SIGNATURE_SETTINGS: TenantSignatureSettings = { mode: null, allowedAgents: null };

/** Reads and sets a tenant's own word about request signatures. */
export class SignatureSettings {
  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly writer: Writer },
  ) {}

  async read(tenantId: TenantId): Promise<TenantSignatureSettings> {
    return settingsOf(
      await readRow(this.dependencies.database, signatureSettings, { tenantId, key: [] }),
    );
  }

  /** Sets all of it; what is so already is no entry. Problem: not_found (no such tenant). */
  change(
    context: CommandContext,
    settings: TenantSignatureSettings,
  ): Promise<Result<TenantSignatureSettings, Problem>> {
    return this.dependencies.writer.execute(changeSignatureSettings(context, settings));
  }
}

function settingsOf(row: SignatureSettingsRow | undefined): TenantSignatureSettings {
  if (row === undefined) return NO_SIGNATURE_SETTINGS;
  return {
    mode: SIGNATURE_MODES.find((mode) => mode === row.mode) ?? null,
    allowedAgents: allowedAgentsOf(row.allowedAgents),
  };
}

const isSame = (one: TenantSignatureSettings, other: TenantSignatureSettings): boolean =>
  one.mode === other.mode &&
  JSON.stringify(one.allowedAgents) === JSON.stringify(other.allowedAgents);

const changeSignatureSettings = (
  context: CommandContext,
  settings: TenantSignatureSettings,
): Command<TenantSignatureSettings> => ({
  ...context,
  name: 'tenant.change_signature_settings',
  reads: [cell(signatureSettings)],
  decide(view) {
    const { mode, allowedAgents } = settings;
    if (isSame(settings, settingsOf(view.get(signatureSettings, [])))) return ok({ events: [] });
    const named = allowedAgents === null ? null : [...allowedAgents];
    return ok({ events: [event(signatureSettingsChanged, { mode, allowedAgents: named })] });
  },
  answer: () => settings,
});
