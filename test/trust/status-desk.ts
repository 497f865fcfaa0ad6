import type { TenantId } from '../../src/core/kernel/index.js';
import { parsePublicJwk, type StatusListFault } from '../../src/core/proofs/index.js';
import { SignatureChecker } from '../../src/trust/peers/index.js';
import {
  ListKeys,
  type ListKey,
  type ListTrust,
  StatusLists,
} from '../../src/trust/status/index.js';
import { closeAfterFile } from '../support/closing.js';
import { manualClock } from '../support/copy-clock.js';
import { testDatabase } from '../support/database.js';
import {
  type FakeAuthority,
  type ListDraft,
  startFakeAuthority,
  statusListToken,
} from '../support/fake-authority.js';
import { freshId, makeKey, type SigningPair } from '../support/issuer.js';

/** Commerce time of every desk until a test moves it. */
export const AT_MS = Date.UTC(2026, 10, 30, 9, 30);

/** The keys that a tenant believes, as a test says. */
export class FakeListTrust implements ListTrust {
  readonly keys = new Map<string, ListKey>();
  isTrusting = true;
  refetches = 0;
  /** What asking for the keys again brings. */
  published: readonly SigningPair[] = [];

  constructor(readonly ownOrigin: string) {}

  believe({ kid, jwk }: SigningPair, state: Partial<ListKey> = {}): void {
    const parsed = parsePublicJwk(jwk);
    if (!parsed.ok) throw new Error(parsed.error);
    this.keys.set(kid, {
      ...{ notBeforeAtMs: 0, retiredAtMs: null, compromisedSinceAtMs: null },
      ...state,
      key: parsed.value,
    });
  }

  isTrusted(): Promise<boolean> {
    return Promise.resolve(this.isTrusting);
  }

  keyOf(_tenantId: string, _uri: string, kid: string): Promise<ListKey | null> {
    return Promise.resolve(this.keys.get(kid) ?? null);
  }

  refetchKeys(): Promise<void> {
    this.refetches += 1;
    for (const pair of this.published) this.believe(pair);
    return Promise.resolve();
  }
}

/** What is asked instead of the desk's own list without a floor. */
type AskedOf = Partial<Pick<ListQuestion, 'uri' | 'minVersion' | 'tenantId'>>;

export interface DeskOptions {
  /** Whose lists the fake authority keeps; `own` when left out. */
  readonly kind?: 'own' | 'foreign';
  readonly random?: number;
  readonly bytesMax?: number;
  /** When a fetch is given up; much less than in the service for servers that never answer. */
  readonly fetchMsMax?: number;
  readonly authority?: FakeAuthority;
}

let shared: FakeAuthority | null = null;

/** A fake authority that all tests of a file share, each with lists of its own. */
export async function sharedAuthority(): Promise<FakeAuthority> {
  if (shared === null) {
    const started = await startFakeAuthority();
    shared = started;
    closeAfterFile(async () => {
      shared = null;
      await started.stop();
    });
  }
  return shared;
}

/** One tenant, one list of one authority, one process that keeps copies. */
export async function statusDesk(options: DeskOptions = {}) {
  const authority = options.authority ?? (await sharedAuthority());
  const tenantId = freshId('tnt') as TenantId;
  const uri = authority.newListUri(tenantId);
  const key = makeKey('EdDSA');
  const isOwn = (options.kind ?? 'own') === 'own';
  const trust = new FakeListTrust(isOwn ? authority.origin : 'https://ours.example');
  trust.believe(key);
  const clock = manualClock();
  const warnings: string[] = [];
  const database = { current: testDatabase().pool as Pick<StatusListsParts['database'], 'query'> };
  const lists = (): StatusLists =>
    new StatusLists({
      database: { query: (text, values) => database.current.query(text, values) },
      outbound: authority.outbound,
      keys: new ListKeys(trust, clock),
      signatures: new SignatureChecker(),
      clock,
      random: () => options.random ?? 0.5,
      ...(options.fetchMsMax === undefined ? {} : { fetchMsMax: options.fetchMsMax }),
      log: { warn: (message) => void warnings.push(message) },
      ...(options.bytesMax === undefined ? {} : { bytesMax: options.bytesMax }),
    });
  const desk = {
    authority,
    tenantId,
    uri,
    key,
    trust,
    clock,
    warnings,
    database,
    lists: lists(),
    /** Another process over the same database and clock, or this one started again. */
    another: lists,
    /** Commerce time that asks come with. */
    atMs: AT_MS,
    /** Serves the list as the draft says, issued now. */
    publish(draft: Partial<ListDraft> = {}, headers: Readonly<Record<string, string>> = {}): void {
      const token = statusListToken(key, { uri, atMs: desk.atMs, ...draft });
      authority.serve(draft.uri ?? uri, { token, headers });
    },
    /** Time passes on both clocks. */
    pass(byMs: number): void {
      desk.atMs += byMs;
      clock.advance(byMs);
    },
    question: (more: AskedOf = {}) => ({
      ...{ tenantId, uri, minVersion: -1 },
      ...more,
      atMs: desk.atMs,
    }),
    /** The value of a place, or the fault, fetching where it has to be. */
    async ask(
      index = 0,
      more: AskedOf & { readonly lists?: StatusLists } = {},
    ): Promise<number | StatusListFault> {
      const { lists: asked = desk.lists, ...rest } = more;
      const question = desk.question(rest);
      return (await asked.ensure(question)) ?? desk.look(index, more);
    },
    /** The same from what is held now, without a fetch. */
    look(
      index = 0,
      more: AskedOf & { readonly lists?: StatusLists } = {},
    ): number | StatusListFault {
      const { lists: asked = desk.lists, ...rest } = more;
      const answer = asked.consult(desk.question(rest), index);
      return answer.ok ? answer.value.value : answer.error;
    },
    fetches: (): number => authority.requestsOf(uri).length,
  };
  return desk;
}

type ListQuestion = Parameters<StatusLists['consult']>[0];
type StatusListsParts = ConstructorParameters<typeof StatusLists>[0];
export type StatusDesk = Awaited<ReturnType<typeof statusDesk>>;
