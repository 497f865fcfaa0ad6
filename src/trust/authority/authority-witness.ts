import { parseVkey } from '../../core/chain/index.js';
import { err, ok, type Problem, type Result } from '../../core/kernel/index.js';
import type { WitnessSource } from '../../base/history/index.js';
import { type AuthorityHttp, unavailable, unreadable } from './authority-http.js';
import type { AuthorityPort, AuthorityWitness } from './contract.js';
import { witnessAnswer } from './wire.js';

/** A key that was rotated away cosigns nothing new after this long. */
export const WITNESS_KNOWN_MS = 30_000;

/** The name under which an authority cosigns, known without asking it. */
export const witnessNameOf = (origin: string): string =>
  `${origin.replace(/^https:\/\//, '')}/witness`;

export interface PublishedWitnessParts {
  readonly origin: string;
  readonly http: AuthorityHttp;
  /** Real time: the keys are published by a process outside, whose clock no test clock moves. */
  readonly nowMs: () => number;
}

/** The authority as one of the witnesses of this deployment's logs. */
export const witnessSource = (authority: AuthorityPort): WitnessSource => ({
  name: witnessNameOf(authority.origin),
  isSelf: authority.isEmbedded,
  witness: () => authority.witness(),
  registerLog: (tenantId, log) => authority.registerLog(tenantId, log),
});

/** Where the authority cosigns checkpoints and under which keys, as it publishes it; only success is remembered. */
export class PublishedWitness {
  #known: { readonly witness: AuthorityWitness; readonly askedAtMs: number } | null = null;

  constructor(private readonly parts: PublishedWitnessParts) {}

  /** Problem: unavailable (not reached, another authority answers there, or what it publishes is no such key). */
  async find(): Promise<Result<AuthorityWitness, Problem>> {
    const { http, origin, nowMs } = this.parts;
    const askedAtMs = nowMs();
    if (this.#known !== null && askedAtMs - this.#known.askedAtMs < WITNESS_KNOWN_MS)
      return ok(this.#known.witness);
    const path = '/.well-known/arbiter-authority';
    const answered = await http.call({
      ...{ method: 'GET', path, asService: false, answer: witnessAnswer },
    });
    if (!answered.ok) return answered;
    if (answered.value.origin !== origin)
      return err(unavailable('another authority answers at its address', 60));
    const { vkeys, submission_prefix: url } = answered.value.witness;
    // INVARIANT: below its own origin, so that an answer leads no request to another party.
    if (
      !url.startsWith(`${origin}/`) ||
      url.endsWith('/') ||
      !areCosigners(vkeys, witnessNameOf(origin))
    )
      return err(unreadable);
    const witness = { url, vkeys };
    this.#known = { witness, askedAtMs };
    return ok(witness);
  }
}

/** All are read, of type 04, and of the agreed name. */
const areCosigners = (vkeys: readonly string[], name: string): boolean =>
  vkeys.every((text) => {
    const key = parseVkey(text);
    return key.ok && key.value.kind === 'cosignature' && key.value.name === name;
  });
