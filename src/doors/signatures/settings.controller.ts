import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  type Config,
  CONFIG,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import {
  SIGNATURE_SETTINGS,
  type SignatureSettings,
  TENANT_SITES,
  type TenantSignatureSettings,
  type TenantSites,
} from '../../base/tenants/index.js';
import { DEFAULT_VERIFICATION_SETTINGS } from '../../core/httpsig/index.js';
import { err, mapOk, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import { agentNameOf } from '../../core/httpsig/index.js';
import { TAP_AGENTS } from './allowed-agents.js';
import { changeSignatureSettings, readSignatureSettings } from './settings.contract.js';

@Controller()
export class SignatureSettingsController {
  constructor(
    @Inject(SIGNATURE_SETTINGS) private readonly settings: SignatureSettings,
    @Inject(TENANT_SITES) private readonly sites: TenantSites,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(readSignatureSettings)
  async read(@Caller() { principal }: CallerContext) {
    return ok(this.#print(await this.settings.read(principal.tenantId)));
  }

  @Handles(changeSignatureSettings)
  async change(
    @Input() { body }: InputOf<typeof changeSignatureSettings>,
    @Caller() { principal, requestId, signature, idempotency }: CallerContext,
  ) {
    const allowedAgents = this.#namesOf(body.allowed_agents);
    if (!allowedAgents.ok) return allowedAgents;
    const changed = await this.settings.change(
      {
        tenantId: principal.tenantId,
        actor: { role: principal.role, id: principal.apiKeyId },
        requestId,
        signature,
        idempotency,
      },
      { mode: body.mode, allowedAgents: allowedAgents.value },
    );
    this.sites.forget(principal.tenantId);
    return mapOk(changed, (settings) => this.#print(settings));
  }

  /** Agents under the names their signatures give them. Problem: validation_failed. */
  #namesOf(given: readonly string[] | null): Result<readonly string[] | null, Problem> {
    if (given === null) return ok(null);
    const names: string[] = [];
    for (const [index, text] of given.entries()) {
      const name = text === TAP_AGENTS ? TAP_AGENTS : this.#nameOf(text);
      if (name === null) return err(noAgent(index));
      names.push(name);
    }
    return ok([...new Set(names)].sort());
  }

  #nameOf(text: string): string | null {
    const allowLoopbackAgents = this.config.allowLoopbackPeers;
    return agentNameOf(text, { ...DEFAULT_VERIFICATION_SETTINGS, allowLoopbackAgents });
  }

  #print({ mode, allowedAgents }: TenantSignatureSettings) {
    return {
      mode,
      allowed_agents: allowedAgents === null ? null : [...allowedAgents],
      mode_in_force: mode ?? this.config.agentSignatureMode,
    };
  }
}

const noAgent = (index: number): Problem =>
  problem('validation_failed', 'This is no URL of an agent.', {
    field: `/allowed_agents/${index}`,
    fix: `Give the https URL under which the agent publishes its key, as https://agent.example, or ${TAP_AGENTS}.`,
  });
