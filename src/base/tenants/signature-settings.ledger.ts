import { type CanonicalValue, codec } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../ledger/index.js';

export const SIGNATURE_MODES = ['log', 'enforce'] as const;
export type SignatureMode = (typeof SIGNATURE_MODES)[number];

const agentUrls = codec.list(codec.text);

/** The whole of a tenant's settings from this entry on; null = what the deployment says, and any agent. */
export const signatureSettingsChanged = defineEvent(
  'tenant.signature_settings_changed',
  codec.record({
    mode: codec.nullable(codec.oneOf(...SIGNATURE_MODES)),
    allowedAgents: codec.nullable(agentUrls),
  }),
);

export interface SignatureSettingsRow {
  readonly mode: string | null;
  readonly allowedAgents: CanonicalValue | null;
}

export const signatureSettings = defineProjection<SignatureSettingsRow>({
  table: 'signature_settings',
  mode: 'update',
  key: [],
  columns: { mode: column.nullable(column.text), allowedAgents: column.nullable(column.json) },
  on: [
    when(signatureSettingsChanged, {
      keys: () => [[]],
      evolve: (_row, { mode, allowedAgents }) => ({
        mode,
        allowedAgents: allowedAgents === null ? null : agentUrls.encode(allowedAgents),
      }),
    }),
  ],
});

export const allowedAgentsOf = (stored: CanonicalValue | null): readonly string[] | null =>
  stored === null ? null : agentUrls.decode(stored, 'signature_settings.allowed_agents');
