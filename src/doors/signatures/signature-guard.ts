import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from '../../base/platform/index.js';
import type { SignatureMode, TenantSite, TenantSites } from '../../base/tenants/index.js';
import {
  type CallerSignature,
  invariant,
  SIGNATURE_PROFILES,
  type SignatureProfile,
} from '../../core/kernel/index.js';
import {
  refusedVerdict,
  type SignatureVerdict,
  unsignedVerdict,
} from '../../core/httpsig/index.js';
import { SIGNATURE_CHECK_PATH } from './check.contract.js';
import { refuse } from './refusal.js';
import { requestMessage } from './request-message.js';
import type { RequestSignatures } from './request-signatures.js';
import { routeKindOf } from './route-kind.js';
import type { SignatureNotes } from './signature-notes.js';
import { siteOf } from './site.js';
import { type Surface, surfaceOf } from './surfaces.js';

export interface SignatureGuardDependencies {
  readonly signatures: Pick<RequestSignatures, 'judge'>;
  readonly sites: Pick<TenantSites, 'byTenant' | 'byHost'>;
  readonly notes: SignatureNotes;
  /** What the deployment says where a tenant says nothing. */
  readonly mode: SignatureMode;
  readonly publicBaseUrl: string | null;
}

/** Where a request goes, by its route and not by how its target is spelt. */
interface Reached {
  readonly request: HttpRequest;
  readonly path: string;
  readonly surface: Surface;
}

interface Judgement {
  readonly verdict: SignatureVerdict;
  /** Of this request: what is not enforceable is only ever logged. */
  readonly mode: SignatureMode;
  /** False: nobody answers under this host, which the route itself says (421). */
  readonly isKnownSite: boolean;
}

const UNSIGNED = unsignedVerdict(null);

/**
 * Behind the guard that says who calls: how the request is signed, noted for the log and the ledger, and on the routes
 * of class `enforceable`, where the mode is `enforce`, whether it is answered at all. A signature grants nothing.
 */
export class SignatureGuard implements CanActivate {
  readonly #surfaces = new Map<string, Surface>();

  constructor(private readonly dependencies: SignatureGuardDependencies) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const { arbiterState: state } = request;
    invariant(state !== null, 'who calls is known before how the request is signed');
    const { path } = state.route.contract;
    const surface = this.#surfaceOf(path);
    const { notes } = this.dependencies;
    // Most requests: nothing to judge, and nobody who asks for it.
    if (surface !== 'enforceable' && !isSigned(request)) {
      notes.count({ surface, mode: 'log', verdict: UNSIGNED, wouldRefuse: false });
      return true;
    }
    const { verdict, mode, isKnownSite } = await this.#judge({ request, path, surface });
    const wouldRefuse = surface === 'enforceable' && isKnownSite && verdict.status !== 'verified';
    notes.note({ request, surface, mode, verdict, wouldRefuse });
    const { caller } = state;
    request.arbiterState = {
      ...state,
      signature: verdict,
      caller: caller === null ? null : { ...caller, signature: recordedOf(verdict) },
    };
    if (!wouldRefuse || mode !== 'enforce') return true;
    throw refuse(verdict, {
      routeKind: routeKindOf(request.method, path),
      hasBody: request.rawBody !== null,
      hasQuery: (request.raw.url ?? '').includes('?'),
    });
  }

  async #judge({ request, path, surface }: Reached): Promise<Judgement> {
    const { signatures, publicBaseUrl } = this.dependencies;
    const isEnforceable = surface === 'enforceable';
    let site: TenantSite | null;
    try {
      site = await this.#siteOf(request, surface);
    } catch {
      // What the tenant says is not known, so what is enforceable is enforced, and said to be our fault.
      const why = 'The settings of the tenant could not be read.';
      const verdict = refusedVerdict('verifier_error', why);
      return { verdict, mode: isEnforceable ? 'enforce' : 'log', isKnownSite: true };
    }
    const mode = isEnforceable ? (site?.mode ?? this.dependencies.mode) : 'log';
    const isKnownSite = site !== null;
    if (!isSigned(request)) return { verdict: UNSIGNED, mode, isKnownSite };
    const place = siteOf(request.host, { origins: site?.origins ?? [], publicBaseUrl });
    if (place === null) {
      const why = 'The request names a host that is not ours.';
      return { verdict: refusedVerdict('authority_not_ours', why), mode, isKnownSite };
    }
    const isCheck = path === SIGNATURE_CHECK_PATH;
    const verdict = await signatures.judge({
      message: requestMessage(request, place),
      routeKind: routeKindOf(request.method, path),
      profiles: profilesOf(path),
      // A check waits and asks as what it stands for would.
      mode: isCheck ? (site?.mode ?? this.dependencies.mode) : mode,
      world: site?.world ?? 'live',
      allowedAgents: site?.allowedAgents ?? null,
      clientAddress: request.ip,
      claimsNonces: !isCheck,
    });
    return { verdict, mode, isKnownSite };
  }

  /** A merchant's surface is the host's, whoever's key comes with the request; the API is the key's tenant's. */
  #siteOf(request: HttpRequest, surface: Surface): Promise<TenantSite | null> {
    const { sites } = this.dependencies;
    const principal = request.arbiterState?.caller?.principal;
    return surface === 'enforceable' ||
      principal === undefined ||
      principal.role === 'platform_admin'
      ? sites.byHost(request.host)
      : sites.byTenant(principal.tenantId);
  }

  #surfaceOf(path: string): Surface {
    const known = this.#surfaces.get(path) ?? surfaceOf(path);
    invariant(known !== null, `the route ${path} is classified for request signatures`);
    this.#surfaces.set(path, known);
    return known;
  }
}

const isSigned = ({ headers }: HttpRequest): boolean =>
  headers['signature-input'] !== undefined || headers['signature'] !== undefined;

/** UCP's own signature has no tag: it is looked for where UCP is spoken, and where somebody asks. */
const profilesOf = (path: string): readonly SignatureProfile[] =>
  path.startsWith('/ucp/') || path === SIGNATURE_CHECK_PATH ? SIGNATURE_PROFILES : ['tap', 'wba'];

/** What entries record: nothing but what verified. */
export function recordedOf(verdict: SignatureVerdict): CallerSignature | null {
  const { status, profile, keyId, coverage } = verdict;
  if (status !== 'verified' || profile === null || keyId === null || coverage === null) return null;
  return {
    profile,
    keyId,
    coverage,
    agent: verdict.agent,
    tag: verdict.tag,
    createdAtMs: millisOf(verdict.createdSeconds),
    expiresAtMs: millisOf(verdict.expiresSeconds),
    nonceHash: verdict.nonceHash,
  };
}

const millisOf = (seconds: number | null): number | null =>
  seconds === null ? null : seconds * 1_000;
