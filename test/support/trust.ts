import { cellsOutsideLock, type OutsideLock } from '../../src/base/ledger/index.js';
import type { AuthorityPort } from '../../src/trust/authority/index.js';
import {
  type AuthorityRequest,
  AuthorityVerifier,
  Credentials,
  type ResolvedAuthority,
} from '../../src/trust/buyer-authority/index.js';
import {
  type ArtifactRequest,
  Artifacts,
  FactPublisher,
  StoredArtifactResolver,
} from '../../src/trust/facts/index.js';
import { type IssuerKeyRole, IssuerKeys, SignatureChecker } from '../../src/trust/peers/index.js';
import { Revocations } from '../../src/trust/revocation/index.js';
import {
  IssuerListTrust,
  ListKeys,
  processClock,
  SignedStatusChecker,
  StatusLists,
  StatusSlots,
} from '../../src/trust/status/index.js';
import { authorityOutbound, authorityPort } from './authority.js';
import { closeAfterFile } from './closing.js';
import { makeKey, type Scene, type SigningPair, type SlotRef } from './issuer.js';
import { createTestTenant, type TestHouse, type TestTenant, valueOf } from './tenants.js';

const NOTHING_PUBLISHED = { ofCart: () => Promise.resolve([]) };

/** The rooms of trust/ on a test house, with the authority of the run or another one. */
export function trustRooms(
  house: Pick<TestHouse, 'database' | 'writer' | 'signingKeys'>,
  authority: AuthorityPort = authorityPort(house),
) {
  const { database, writer } = house;
  const issuerKeys = new IssuerKeys({ database, writer });
  const checker = new SignatureChecker();
  const lists = new StatusLists({
    ...{ database, signatures: checker, clock: processClock, random: Math.random },
    outbound: authorityOutbound(),
    keys: new ListKeys(new IssuerListTrust({ issuerKeys, authority }), processClock),
  });
  closeAfterFile(() => lists.stop());
  const statuses = new SignedStatusChecker({ database, lists, ownOrigin: authority.origin });
  const outsideLock: OutsideLock = (tenantId, reads) => cellsOutsideLock(database, tenantId, reads);
  const shared = { database, writer, issuerKeys, checker, statuses, authority, outsideLock };
  const slots = new StatusSlots({ writer, authority });
  const { signingKeys } = house;
  const publisher = new FactPublisher({ ...shared, signingKeys, slots });
  return {
    issuerKeys,
    checker,
    statuses,
    authorityPort: authority,
    slots,
    publisher,
    artifacts: new Artifacts(shared),
    credentials: new Credentials(shared),
    authority: new AuthorityVerifier({ ...shared, merchantKeys: house.signingKeys }),
    // These scenes have no catalogue that facts were published from.
    facts: new StoredArtifactResolver({ ...shared, published: NOTHING_PUBLISHED }),
    revocations: new Revocations({ database, writer, authority, publisher }),
  };
}
export type TrustRooms = ReturnType<typeof trustRooms>;

export interface TrustScene extends Scene {
  readonly tenant: TestTenant;
  readonly tenantId: TestTenant['tenantId'];
  readonly rooms: TrustRooms;
  readonly keys: Readonly<Record<'facts' | 'mandates' | 'consents' | 'passports', SigningPair>>;
  slot(): Promise<SlotRef>;
}

/** One second before every key was added. Tests sign at `atMs`, which is real time: these tenants have no test clock. */
export async function trustScene(
  house: TestHouse,
  draft: Parameters<typeof createTestTenant>[1] = {},
): Promise<TrustScene> {
  const tenant = await createTestTenant(house, draft);
  const rooms = trustRooms(house);
  const issuer = 'https://issuer.example';
  const add = async (role: IssuerKeyRole, key: SigningPair): Promise<SigningPair> => {
    const { kid, jwk } = key;
    const added = { issuer, kid, role, jwk, types: [], notBeforeAtMs: 0 };
    valueOf(await rooms.issuerKeys.add(tenant.context(), added));
    return key;
  };
  const keys = {
    facts: await add('fact_issuer', makeKey('ES256')),
    mandates: await add('credential_issuer', makeKey('ES256')),
    consents: await add('consent', makeKey('EdDSA')),
    passports: await add('passport', makeKey('ES256')),
  };
  const reserved = [...valueOf(await rooms.slots.reserve(tenant.context(), 60))];
  return {
    tenant,
    rooms,
    keys,
    tenantId: tenant.tenantId,
    merchantId: 'shop-1',
    agentId: 'agt_1',
    buyer: 'buyer@example.org',
    issuer,
    // Whole seconds: what a token says in seconds and what an artifact says in milliseconds is then the same instant.
    atMs: Math.floor(Date.now() / 1_000) * 1_000,
    slot: () => {
      const next = reserved.pop();
      if (next === undefined) throw new Error('the scene reserved too few slots');
      return Promise.resolve(next);
    },
  };
}

const forever = (): AbortSignal => new AbortController().signal;

export const resolveAuthority = (
  scene: TrustScene,
  request: Partial<Omit<AuthorityRequest, 'evidence'>> & {
    evidence?: Partial<AuthorityRequest['evidence']>;
  },
): Promise<ResolvedAuthority> =>
  scene.rooms.authority.resolveAuthority({
    tenantId: scene.tenantId,
    world: 'test',
    merchantId: scene.merchantId,
    agentId: scene.agentId,
    asserted: null,
    atMs: scene.atMs,
    deadline: forever(),
    ...request,
    evidence: { mandates: [], foreign: [], consent: null, passport: null, ...request.evidence },
  });

export const resolveArtifacts = (scene: TrustScene, request: Partial<ArtifactRequest> = {}) =>
  scene.rooms.facts.resolveArtifacts({
    tenantId: scene.tenantId,
    merchantId: scene.merchantId,
    agentId: scene.agentId,
    lines: [],
    named: [],
    atMs: scene.atMs,
    deadline: forever(),
    ...request,
  });
