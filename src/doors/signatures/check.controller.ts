import { Controller, createParamDecorator, type ExecutionContext, Inject } from '@nestjs/common';
import type { z } from 'zod';
import {
  Caller,
  type CallerContext,
  CONFIG,
  type Config,
  Handles,
  type HttpRequest,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { TENANT_SITES, type TenantSites } from '../../base/tenants/index.js';
import {
  acceptSignature,
  type BaseComparison,
  basesOf,
  explainBase,
  type HttpRequestMessage,
  type LabelledBase,
  refusedVerdict,
  type SignatureVerdict,
  unsignedVerdict,
} from '../../core/httpsig/index.js';
import { ok, SIGNATURE_PROFILES, type SignatureProfile } from '../../core/kernel/index.js';
import { ADVICE } from './advice.js';
import { checkSignature } from './check.contract.js';
import { refusalCodeOf } from './refusal.js';
import { requestMessage } from './request-message.js';
import type { RequestSignatures } from './request-signatures.js';
import { REQUEST_SIGNATURES } from './tokens.js';
import { routeKindOfTarget } from './route-kind.js';
import { siteOf } from './site.js';

const ArrivedRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext): HttpRequest =>
    context.switchToHttp().getRequest<HttpRequest>(),
);

interface Checked {
  readonly message: HttpRequestMessage;
  readonly verdict: SignatureVerdict;
}

interface Asked {
  readonly caller: CallerContext;
  readonly profiles: readonly SignatureProfile[];
  readonly clientAddress: string;
}

@Controller()
export class SignatureCheckController {
  constructor(
    @Inject(REQUEST_SIGNATURES) private readonly signatures: RequestSignatures,
    @Inject(TENANT_SITES) private readonly sites: TenantSites,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(checkSignature)
  async check(
    @Input() { body }: InputOf<typeof checkSignature>,
    @Caller() caller: CallerContext,
    @ArrivedRequest() request: HttpRequest,
  ) {
    const { message, profiles = SIGNATURE_PROFILES } = body;
    const checked =
      message === undefined
        ? await this.#arrived(request, caller)
        : await this.#described(message, { caller, profiles, clientAddress: request.ip });
    return ok(printCheck(checked, body.expected_base ?? null));
  }

  /** The guard has judged it already, and left its nonce alone. */
  async #arrived(request: HttpRequest, { principal }: CallerContext): Promise<Checked> {
    const site = await this.sites.byTenant(principal.tenantId);
    const { publicBaseUrl } = this.config;
    const known = siteOf(request.host, { origins: site?.origins ?? [], publicBaseUrl });
    const place = known ?? ({ scheme: 'https', authority: request.host } as const);
    return {
      message: requestMessage(request, place),
      verdict: request.arbiterState?.signature ?? unsignedVerdict(null),
    };
  }

  async #described(
    described: z.output<NonNullable<typeof checkSignature.body>>['message'] & object,
    { caller, profiles, clientAddress }: Asked,
  ): Promise<Checked> {
    const { method, scheme, authority, target, headers, body } = described;
    const bytes = body === null ? null : Buffer.from(body, 'utf8');
    const message: HttpRequestMessage = {
      ...{ kind: 'request', method, scheme, authority, target, headers },
      body: bytes,
    };
    const { principal } = caller;
    const site = await this.sites.byTenant(principal.tenantId);
    const { publicBaseUrl, agentSignatureMode } = this.config;
    const isOurs = siteOf(authority, { origins: site?.origins ?? [], publicBaseUrl }) !== null;
    if (!isOurs) {
      const verdict = refusedVerdict(
        'authority_not_ours',
        'The request names a host that is not ours.',
      );
      return { message, verdict };
    }
    const verdict = await this.signatures.judge({
      message,
      routeKind: routeKindOfTarget(method, target),
      profiles,
      mode: site?.mode ?? agentSignatureMode,
      world: principal.world,
      allowedAgents: site?.allowedAgents ?? null,
      clientAddress,
      claimsNonces: false,
    });
    return { message, verdict };
  }
}

function printCheck({ message, verdict }: Checked, expected: string | null) {
  const { status, reason } = verdict;
  return {
    ...{ status, reason, detail: verdict.note },
    advice: reason === null ? null : ADVICE[reason],
    in_enforce: {
      answered: status === 'verified',
      code: status === 'verified' ? null : refusalCodeOf(verdict),
    },
    profile: verdict.profile,
    label: verdict.label,
    keyid: verdict.keyId,
    agent: verdict.agent,
    agent_form: verdict.agentForm,
    tag: verdict.tag,
    coverage: verdict.coverage,
    covered: [...verdict.covered],
    accept_signature: acceptSignature({
      routeKind: routeKindOfTarget(message.method, message.target),
      hasBody: message.body !== null,
      hasQuery: message.target.includes('?'),
    }),
    bases: basesOf(message).map((base) => printBase(base, expected)),
  };
}

function printBase({ label, base, fault }: LabelledBase, expected: string | null) {
  const isCompared = base !== null && expected !== null;
  return {
    label,
    base,
    fault: fault?.reason ?? null,
    detail: fault?.detail ?? null,
    comparison: isCompared ? printComparison(explainBase(base, expected)) : null,
  };
}

const printComparison = ({ same, lines, first, cause, advice }: BaseComparison) => ({
  same,
  lines: lines.map((line) => ({ ...line })),
  first_difference: first === null ? null : { ...first },
  cause,
  advice,
});
