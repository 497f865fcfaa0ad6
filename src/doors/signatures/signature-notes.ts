import { Counter, type Registry } from 'prom-client';
import type { HttpRequest } from '../../base/platform/index.js';
import type { SignatureMode } from '../../base/tenants/index.js';
import type { SignatureVerdict } from '../../core/httpsig/index.js';
import type { DirectoryFetch } from '../../trust/peers/index.js';
import type { Surface } from './surfaces.js';

const AGENT_CHARACTERS_MAX = 200;

export interface Judged {
  readonly surface: Surface;
  /** Of this request. */
  readonly mode: SignatureMode;
  readonly verdict: SignatureVerdict;
  /** The mode enforce refuses it; in the mode log it was answered all the same. */
  readonly wouldRefuse: boolean;
}

/** Counters and log lines about request signatures. The fine reasons stand here and in no answer. */
export class SignatureNotes {
  readonly #requests: Counter<'surface' | 'mode' | 'status' | 'reason' | 'profile'>;
  readonly #wouldRefuse: Counter<'surface' | 'reason'>;
  readonly #directories: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'signature_requests_total',
      help: 'Requests by how they were signed',
      labelNames: ['surface', 'mode', 'status', 'reason', 'profile'],
      registers: [registry],
    });
    this.#wouldRefuse = new Counter({
      name: 'signature_would_refuse_total',
      help: 'Requests that the mode enforce refuses, or would refuse if it were on',
      labelNames: ['surface', 'reason'],
      registers: [registry],
    });
    this.#directories = new Counter({
      name: 'signature_directory_fetches_total',
      help: 'Key directories that were asked, by how that ended',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** The host is no label: strangers choose it. */
  countFetch({ outcome }: DirectoryFetch): void {
    this.#directories.inc({ outcome });
  }

  count({ surface, mode, verdict, wouldRefuse }: Judged): void {
    const reason = verdict.reason ?? 'none';
    this.#requests.inc({
      surface,
      mode,
      status: verdict.status,
      reason,
      profile: verdict.profile ?? 'none',
    });
    if (wouldRefuse) this.#wouldRefuse.inc({ surface, reason });
  }

  note(judged: Judged & { readonly request: HttpRequest }): void {
    this.count(judged);
    const { request, surface, mode, verdict } = judged;
    const line = {
      request_id: request.id,
      route: request.routeOptions.url ?? null,
      surface,
      signature_mode: mode,
      signature_status: verdict.status,
      signature_reason: verdict.reason,
      signature_profile: verdict.profile,
      signature_agent: visible(verdict.agent),
      signature_keyid: visible(verdict.keyId),
      signature_tag: visible(verdict.tag),
      signature_coverage: verdict.coverage,
    };
    request.server.log.info(line, 'request signature');
  }
}

/** A text of a stranger's as it may stand in a log: short, and nothing but visible ASCII. */
const visible = (text: string | null): string | null =>
  text === null ? null : text.slice(0, AGENT_CHARACTERS_MAX).replace(/[^\x21-\x7e]/g, '?');
