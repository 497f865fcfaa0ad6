import { createHash } from 'node:crypto';
import type { TenantId } from '../../core/kernel/index.js';
import {
  type Ap2Judged,
  type Ap2Object,
  fault,
  judgeAp2Objects,
  MANDATE_DEPTH_MAX,
  parseAp2Object,
  parseRegistration,
  type ProofFault,
  type RegistrationClaims,
} from '../../core/proofs/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type IssuerKeys,
  issuerKeyIdOf,
  type SignatureChecker,
  withinDeadline,
} from '../peers/index.js';
import type { SlotQuestion } from '../status/index.js';
import {
  ap2Fault,
  type Ap2Keys,
  merchantKeysOf,
  registrationFault,
  rootKeyOf,
} from './ap2-proof.js';
import {
  findRegistrations,
  findTreePlaces,
  type StoredRegistration,
  type TreePlace,
} from './ap2.store.js';
import { findErased } from './buyers.store.js';
import type { ForeignMandate } from './contract.js';
import { tokenLineage } from './verify-token.js';

export interface Ap2Sources {
  readonly database: Queryable;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
  readonly merchantKeys: Pick<SigningKeys, 'list'>;
}

interface Asked {
  readonly tenantId: TenantId;
  readonly atMs: number;
  readonly deadline: AbortSignal;
}

/** An AP2 object whose signatures all hold, judged together with those named beside it. */
export interface VerifiedAp2 {
  readonly object: Ap2Object;
  /** The issuer key that verified its root. */
  readonly rootKeyId: string;
  readonly registration: RegistrationClaims;
  readonly slot: SlotQuestion;
  readonly ancestors: readonly SlotQuestion[];
  readonly hasUnknownParent: boolean;
  readonly subject: string | null;
  readonly judged: Ap2Judged;
  /** Bytes that came with the request, to be kept beside the decision. */
  readonly inline: readonly string[];
}

export type FoundAp2 =
  | { readonly state: 'verified'; readonly ap2: VerifiedAp2 }
  | { readonly state: 'rejected'; readonly text: string; readonly fault: ProofFault }
  | { readonly state: 'unknown' | 'unavailable'; readonly ref: string };

/** Reads, looks up, verifies and judges the AP2 objects of one purchase; the answers stand in the order asked. */
export async function gatherAp2(
  sources: Ap2Sources,
  named: readonly ForeignMandate[],
  asked: Asked,
): Promise<readonly FoundAp2[]> {
  if (named.length === 0) return [];
  const read = named.map(readNamed);
  const held = await lookUpHeld(sources, read, asked);
  const loaded = read.map((one) => ('fault' in one ? one : withRegistration(one, held)));
  const keys = await lookUpKeys(sources, loaded, asked);
  const checked = await Promise.all(
    loaded.map(async (one) => {
      if (!('object' in one)) return one;
      if (keys === null) return unavailable(one.object);
      return verified(one, { ...asked, keys, checker: sources.checker });
    }),
  );
  const places = await lookUpPlaces(sources, checked, asked);
  return judgedTogether(checked, { ...asked, places });
}

interface Read {
  readonly object: Ap2Object;
  readonly registration: RegistrationClaims | null;
  readonly inline: readonly string[];
  readonly knownSinceMs: number | null;
}

interface Registered extends Read {
  readonly registration: RegistrationClaims;
}

interface Checked extends Registered {
  readonly rootKeyId: string;
}

type Rejected = Extract<FoundAp2, { state: 'rejected' }>;
type Missing = Extract<FoundAp2, { state: 'unknown' | 'unavailable' }>;

const rejected = (text: string, found: ProofFault): Rejected => ({
  state: 'rejected',
  text,
  fault: found,
});

const unavailable = ({ text }: Ap2Object): Missing => ({
  state: 'unavailable',
  ref: sha256Of(text),
});

export const sha256Of = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

function readNamed({ object: text, registration }: ForeignMandate): Read | Rejected {
  const object = parseAp2Object(text);
  if (!object.ok) return rejected(text, object.error);
  if (registration === null)
    return { object: object.value, registration: null, inline: [text], knownSinceMs: null };
  const claims = parseRegistration(registration);
  return claims.ok
    ? {
        object: object.value,
        registration: claims.value,
        inline: [text, registration],
        knownSinceMs: null,
      }
    : rejected(text, claims.error);
}

interface Held {
  readonly registrations: ReadonlyMap<string, StoredRegistration>;
  readonly erased: ReadonlySet<string>;
}

/** Null: the database did not answer in time. */
async function lookUpHeld(
  { database }: Ap2Sources,
  read: readonly (Read | Rejected)[],
  { tenantId, deadline }: Asked,
): Promise<Held | null> {
  const objects = read.flatMap((one) => ('object' in one ? [one] : []));
  const digests = objects.flatMap(({ object }) => object.registrable);
  const texts = objects.flatMap(({ inline }) => inline.map(sha256Of));
  const [registrations, erased] = await Promise.all([
    withinDeadline(deadline, () => findRegistrations(database, tenantId, digests)),
    withinDeadline(deadline, () => findErased(database, tenantId, texts)),
  ]);
  return registrations === null || erased === null ? null : { registrations, erased };
}

const ANOTHER_REGISTRATION = fault(
  'binding',
  'registration.jti',
  'this object is registered here under another registration',
);

/** INVARIANT: what no list can withdraw never counts: an object that nobody registered is none that is known here. */
function withRegistration(read: Read, held: Held | null): Registered | Rejected | Missing {
  const { object, registration, inline } = read;
  const unknown: Missing = { state: 'unknown', ref: sha256Of(object.text) };
  if (held === null) return unavailable(object);
  // An erased object counts as never registered, also when somebody kept it and sends it again.
  if (inline.some((text) => held.erased.has(sha256Of(text)))) return unknown;
  const stored = object.registrable.flatMap((digest) => held.registrations.get(digest) ?? [])[0];
  if (registration !== null)
    return stored === undefined || registration.id === stored.registrationId
      ? { ...read, registration }
      : rejected(object.text, ANOTHER_REGISTRATION);
  if (stored === undefined || stored.registration === null) return unknown;
  const claims = parseRegistration(stored.registration);
  if (!claims.ok) return rejected(object.text, claims.error);
  return { ...read, registration: claims.value, knownSinceMs: stored.registeredAtMs };
}

async function lookUpKeys(
  { issuerKeys, merchantKeys }: Ap2Sources,
  loaded: readonly (Registered | Rejected | Missing)[],
  { tenantId, deadline }: Asked,
): Promise<Ap2Keys | null> {
  const reads = loaded.flatMap((one) => ('object' in one ? [one] : []));
  if (reads.length === 0) return null;
  const ids = reads.flatMap(({ object, registration }) => {
    const { issuer, kid } = object.proof.root;
    return [
      ...(issuer === null ? [] : [issuerKeyIdOf(issuer, kid)]),
      issuerKeyIdOf(registration.issuer, registration.kid),
    ];
  });
  const kids = reads.flatMap(({ object: { proof } }) =>
    proof.root.issuer === null ? [proof.root.kid] : [],
  );
  const isSigned = reads.some(({ object }) => object.proof.merchantJws.length > 0);
  const [byId, byKid, own] = await Promise.all([
    withinDeadline(deadline, () => issuerKeys.find(tenantId, ids)),
    withinDeadline(deadline, () => issuerKeys.findByKid(tenantId, kids)),
    isSigned ? withinDeadline(deadline, () => merchantKeys.list(tenantId)) : [],
  ]);
  if (byId === null || byKid === null || own === null) return null;
  return { byId, byKid, merchant: merchantKeysOf(own) };
}

async function verified(
  read: Registered,
  trust: Omit<Parameters<typeof ap2Fault>[1], 'knownSinceMs'>,
): Promise<Checked | Rejected> {
  const { object, registration, knownSinceMs } = read;
  const known = { ...trust, knownSinceMs };
  const found =
    (await ap2Fault(object, known)) ?? (await registrationFault(registration, object, known));
  return found === null
    ? { ...read, rootKeyId: rootKeyOf(object, trust.keys)?.id ?? '' }
    : rejected(object.text, found);
}

async function lookUpPlaces(
  { database }: Ap2Sources,
  checked: readonly (Checked | Rejected | Missing)[],
  { tenantId, deadline }: Asked,
): Promise<ReadonlyMap<string, TreePlace>> {
  const reads = checked.flatMap((one) => ('object' in one ? [one] : []));
  const parentIds = reads.flatMap(({ registration }) => registration.parentId ?? []);
  const held = await withinDeadline(deadline, () => findTreePlaces(database, tenantId, parentIds));
  const sent = reads.map(({ registration }): [string, TreePlace] => {
    const { id, parentId, issuer, status } = registration;
    return [id, { id, parentId, issuer, listUri: status.uri, slotIndex: status.index }];
  });
  // What is held here wins: nobody replaces a registered ancestor by sending another.
  return new Map([...sent, ...(held ?? [])]);
}

function judgedTogether(
  checked: readonly (Checked | Rejected | Missing)[],
  { places, atMs }: Asked & { readonly places: ReadonlyMap<string, TreePlace> },
): readonly FoundAp2[] {
  const objects = checked.flatMap((one) => ('object' in one ? [one.object] : []));
  const judged = judgeAp2Objects(objects, atMs);
  return checked.map((one): FoundAp2 => {
    if (!('object' in one)) return one;
    const { object, registration, inline, rootKeyId } = one;
    const verdict = judged[objects.indexOf(object)] ?? { mandates: [], finding: null };
    const { ancestors, hasUnknownParent } = ancestorsOf(registration, places);
    const slot = slotOf(registration);
    const { ownStatus, issuer } = object.proof.root;
    const own: readonly SlotQuestion[] =
      ownStatus === null
        ? []
        : [{ ...ownStatus, lineage: `ap2|${sha256Of(object.text)}`, issuer: issuer ?? '' }];
    return {
      state: 'verified',
      ap2: {
        object,
        rootKeyId,
        registration,
        slot,
        ancestors: [...own, ...ancestors],
        hasUnknownParent,
        subject: registration.subject ?? object.subject,
        judged: verdict,
        inline,
      },
    };
  });
}

const slotOf = ({ id, issuer, status }: RegistrationClaims): SlotQuestion => ({
  ...status,
  lineage: tokenLineage('mandate', id),
  issuer,
});

function ancestorsOf(
  registration: RegistrationClaims,
  places: ReadonlyMap<string, TreePlace>,
): { readonly ancestors: readonly SlotQuestion[]; readonly hasUnknownParent: boolean } {
  const ancestors: SlotQuestion[] = [];
  for (let above = registration.parentId; above !== null;) {
    const place = places.get(above);
    if (place === undefined || ancestors.length >= MANDATE_DEPTH_MAX)
      return { ancestors, hasUnknownParent: true };
    const { id, issuer, listUri: uri, slotIndex: index } = place;
    ancestors.push({ uri, index, issuer, lineage: tokenLineage('mandate', id) });
    above = place.parentId;
  }
  return { ancestors, hasUnknownParent: false };
}
