import type { z } from 'zod';
import {
  err,
  formatInstant,
  type InstantMs,
  mapOk,
  ok,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { AuthorityAddress, OutboundClient, Queryable } from '../../base/platform/index.js';
import { type IssuerKeys, type SignatureChecker, withinDeadline } from '../peers/index.js';
import { keepTold } from './authority-clocks.store.js';
import { AuthorityHttp, unreadable } from './authority-http.js';
import { AuthorityKeys } from './authority-keys.js';
import { AuthorityTenants } from './authority-tenants.js';
import { PublishedWitness } from './authority-witness.js';
import type {
  AuthorityPort,
  AuthorityWitness,
  BoundObject,
  ConsentDraft,
  CountersignAnswer,
  CountersignQuestion,
  IssuedToken,
  LogRegistration,
  MandateDraft,
  RegistrationDraft,
  Revoked,
  RevokeRequest,
} from './contract.js';
import { type RecordTrust, verifyRecords } from './verify-records.js';
import * as wire from './wire.js';

/** Time that one countersignature may take at most; the caller's own deadline is usually nearer. */
const COUNTERSIGN_DEADLINE_MS = 3_000;

/** Within the time that a health check has. */
const REACHABLE_DEADLINE_MS = 800;

export interface AuthorityClientParts {
  readonly address: AuthorityAddress;
  readonly outbound: OutboundClient;
  readonly database: Queryable;
  readonly issuerKeys: Pick<IssuerKeys, 'find' | 'follow'>;
  readonly checker: SignatureChecker;
  readonly servesLive: boolean;
  /** Real time. */
  readonly nowMs: () => InstantMs;
}

interface TenantCall<Schema extends z.ZodType> {
  readonly body: unknown;
  readonly answer: Schema;
  readonly deadlineMs?: number;
}

/** The authority over HTTP; see {@link AuthorityPort}. */
export class AuthorityClient implements AuthorityPort {
  readonly origin: string;
  readonly isEmbedded: boolean;
  readonly #http: AuthorityHttp;
  readonly #keys: AuthorityKeys;
  readonly #tenants: AuthorityTenants;
  readonly #trust: RecordTrust;
  readonly #witness: PublishedWitness;

  constructor(private readonly parts: AuthorityClientParts) {
    const { address, outbound, issuerKeys, checker, database, servesLive, nowMs } = parts;
    this.origin = address.origin;
    this.isEmbedded = address.isEmbedded;
    this.#http = new AuthorityHttp({ address, outbound });
    this.#keys = new AuthorityKeys({
      ...{ origin: address.origin, http: this.#http, issuerKeys, nowMs },
    });
    this.#tenants = new AuthorityTenants({ http: this.#http, database, servesLive });
    this.#witness = new PublishedWitness({ origin: address.origin, http: this.#http, nowMs });
    const refreshKeys = (tenantId: TenantId) => this.refreshKeys(tenantId);
    this.#trust = { origin: address.origin, issuerKeys, checker, refreshKeys };
  }

  async ensureTenant(tenantId: TenantId): Promise<Result<null, Problem>> {
    const registered = await this.#tenants.ensure(tenantId);
    return registered.ok ? this.#keys.ensure(tenantId) : registered;
  }

  refreshKeys(tenantId: TenantId): Promise<Result<null, Problem>> {
    return this.#keys.refresh(tenantId);
  }

  async isReachable(): Promise<boolean> {
    const path = '/.well-known/arbiter-authority';
    const named = await this.#http.call({
      ...{ method: 'GET', path, asService: false, deadlineMs: REACHABLE_DEADLINE_MS },
      answer: wire.authorityAnswer,
    });
    return named.ok && named.value.origin === this.origin;
  }

  async reserveSlots(
    tenantId: TenantId,
    count: number,
  ): Promise<Result<readonly StatusRef[], Problem>> {
    const answered = await this.#post(tenantId, 'slots', {
      body: { count },
      answer: wire.slotsAnswer,
    });
    if (!answered.ok) return answered;
    const slots = answered.value.slots.map(wire.slotOf);
    const isAsked = slots.length === count && slots.every((slot) => this.#isOwn(tenantId, slot));
    return isAsked ? ok(slots) : err(unreadable);
  }

  async bindObjects(
    tenantId: TenantId,
    objects: readonly BoundObject[],
  ): Promise<Result<null, Problem>> {
    if (objects.length === 0) return ok(null);
    const answered = await this.#post(tenantId, 'objects', {
      body: { objects: objects.map(wire.printObject) },
      answer: wire.boundAnswer,
    });
    return mapOk(answered, () => null);
  }

  async revoke(tenantId: TenantId, request: RevokeRequest): Promise<Result<Revoked, Problem>> {
    const revoked = await this.#revoked(tenantId, 'revocations', wire.printRevoke(request));
    if (!revoked.ok) return revoked;
    const [direct] = revoked.value.records;
    // What was never changed is valid without a record.
    const stands = direct?.status ?? 'valid';
    return stands === request.status ? revoked : err(unreadable);
  }

  async countersign(
    tenantId: TenantId,
    questions: readonly CountersignQuestion[],
    deadline: AbortSignal,
  ): Promise<readonly CountersignAnswer[]> {
    const answered = await withinDeadline(deadline, () =>
      this.#post(tenantId, 'countersignatures', {
        body: { requests: questions.map(wire.printQuestion) },
        answer: wire.countersignedAnswer,
        deadlineMs: COUNTERSIGN_DEADLINE_MS,
      }),
    );
    if (answered === null) return questions.map(() => TOO_LATE);
    if (!answered.ok) {
      const { code, detail } = answered.error;
      const kind = code === 'unavailable' ? 'unavailable' : 'refused';
      return questions.map(() => ({ kind, detail }));
    }
    const { answers } = answered.value;
    return questions.map((_question, index): CountersignAnswer => {
      const answer = answers[index];
      if (answer === undefined) return { kind: 'unavailable', detail: unreadable.detail };
      return 'jws' in answer
        ? { kind: 'signed', jws: answer.jws }
        : { kind: 'refused', detail: answer.refused };
    });
  }

  async forwardClock(tenantId: TenantId, nowMs: InstantMs): Promise<Result<null, Problem>> {
    const answered = await this.#post(tenantId, 'clock', {
      body: { now: formatInstant(nowMs) },
      answer: wire.clockAnswer,
    });
    if (!answered.ok) return answered;
    await keepTold(this.parts.database, { tenantId, nowMs });
    return ok(null);
  }

  async issueConsent(
    tenantId: TenantId,
    draft: ConsentDraft,
  ): Promise<Result<IssuedToken, Problem>> {
    const issued = await this.#post(tenantId, 'consents', {
      body: wire.printConsent(draft),
      answer: wire.consentAnswer,
    });
    return mapOk(issued, ({ consent_id: id, ...rest }) => issuedOf(id, rest));
  }

  async issueMandate(
    tenantId: TenantId,
    draft: MandateDraft,
  ): Promise<Result<IssuedToken, Problem>> {
    const issued = await this.#post(tenantId, 'mandates', {
      body: wire.printMandate(draft),
      answer: wire.mandateAnswer,
    });
    return mapOk(issued, ({ mandate_id: id, ...rest }) => issuedOf(id, rest));
  }

  async issueRegistration(
    tenantId: TenantId,
    draft: RegistrationDraft,
  ): Promise<Result<IssuedToken, Problem>> {
    const issued = await this.#post(tenantId, 'registrations', {
      body: wire.printRegistration(draft),
      answer: wire.registrationAnswer,
    });
    return mapOk(issued, ({ registration_id: id, ...rest }) => issuedOf(id, rest));
  }

  async registerLog(
    tenantId: TenantId,
    { origin, vkeys }: LogRegistration,
  ): Promise<Result<null, Problem>> {
    const answered = await this.#send('PUT', tenantId, {
      name: 'log',
      body: { origin, vkeys },
      answer: wire.logAnswer,
    });
    if (!answered.ok) return answered;
    return answered.value.origin === origin ? ok(null) : err(unreadable);
  }

  witness(): Promise<Result<AuthorityWitness, Problem>> {
    return this.#witness.find();
  }

  async #revoked(
    tenantId: TenantId,
    name: string,
    body: unknown,
  ): Promise<Result<Revoked, Problem>> {
    const answered = await this.#post(tenantId, name, { body, answer: wire.revokedAnswer });
    return answered.ok ? this.#verified(tenantId, answered.value) : answered;
  }

  async #verified(
    tenantId: TenantId,
    { revocations, lists }: z.output<typeof wire.revokedAnswer>,
  ): Promise<Result<Revoked, Problem>> {
    const records = await verifyRecords(this.#trust, tenantId, revocations);
    if (!records.ok) return records;
    // Every list with a changed slot has a version to wait for, and no other list has one.
    const shown = new Map(lists.map(({ uri, version }) => [uri, version]));
    const isWhole = records.value.every(
      ({ slot, listVersion }) => (shown.get(slot.uri) ?? -1) >= listVersion,
    );
    const isOwn = lists.every(({ uri }) => this.#isOwn(tenantId, { uri, index: 0 }));
    return isWhole && isOwn ? ok({ records: records.value, lists }) : err(unreadable);
  }

  #post<Schema extends z.ZodType>(
    tenantId: TenantId,
    name: string,
    call: TenantCall<Schema>,
  ): Promise<Result<z.output<Schema>, Problem>> {
    return this.#send('POST', tenantId, { name, ...call });
  }

  /** One call about a tenant that both sides know. */
  async #send<Schema extends z.ZodType>(
    method: 'POST' | 'PUT',
    tenantId: TenantId,
    { name, ...call }: TenantCall<Schema> & { readonly name: string },
  ): Promise<Result<z.output<Schema>, Problem>> {
    const ensured = await this.ensureTenant(tenantId);
    if (!ensured.ok) return ensured;
    const path = `/v1/tenants/${tenantId}/${name}`;
    const answered = await this.#http.call({ method, path, asService: true, ...call });
    if (!answered.ok && answered.error.code === 'not_found') this.#tenants.forget(tenantId);
    return answered;
  }

  #isOwn(tenantId: TenantId, { uri }: StatusRef): boolean {
    return uri.startsWith(`${this.origin}/status/${tenantId}/`);
  }
}

const TOO_LATE: CountersignAnswer = { kind: 'unavailable', detail: 'the time was over' };

const issuedOf = (
  id: string,
  { token, slot }: { token: string; slot: z.output<typeof wire.slotAnswer> },
): IssuedToken => ({ id, token, slot: wire.slotOf(slot) });
