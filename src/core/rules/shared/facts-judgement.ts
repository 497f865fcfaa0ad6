import { invariant, reasonPlace } from '../../kernel/index.js';
import type { Failure, Observation } from '../decision.js';
import {
  ARTIFACT_TYPES,
  type ArtifactFact,
  type ArtifactType,
  type CartFacts,
  freshAtMsOf,
  type PurchaseCase,
  REQUIRED_ARTIFACT_TYPES,
} from '../facts.js';
import { countedStock, requireSums } from './amounts.js';
import { ARTIFACT_LIFETIME_MS_MAX, artifactFault, type FactsCode } from './artifact.js';
import { isName } from './credential.js';
import { type Finding, judgeLines } from './cart-lines.js';
import { ageMs } from './instants.js';
import { age, text } from './observe.js';
import { STATUS_AGE_MS_MAX } from './status.js';

export interface FactsJudgement {
  readonly failure: Failure<FactsCode> | null;
  readonly observations: readonly Observation[];
  readonly notes: readonly string[];
}

type ArtifactsByType = ReadonlyMap<ArtifactType, readonly ArtifactFact[]>;

/**
 * The merchant's signed facts behind a purchase: every artifact of the given types is good, each needed one is there,
 * and together they carry every line. Type by type in their fixed order, then line by line; the order in which
 * artifacts and lines arrive changes nothing, not even the trace.
 * INVARIANT: what was named and cannot be read refuses under any type: nobody knows which of the needed facts it was.
 */
export function judgeFacts(purchase: PurchaseCase, types: readonly ArtifactType[]): FactsJudgement {
  const { facts, counters, atMs } = purchase;
  const freshAtMs = freshAtMsOf(purchase);
  const artifacts = groupByType(facts.artifacts);
  const finding =
    firstArtifactFinding({ artifacts, types, cart: facts.cart, atMs, freshAtMs }) ??
    judgeLines(facts.cart, {
      catalogs: artifacts.get('catalog_snapshot') ?? [],
      prices: artifacts.get('price') ?? [],
      inventories: artifacts.get('inventory') ?? [],
      stock: countedStock(counters),
    });
  if (finding === null) requireSums(facts.cart);
  return {
    failure: finding?.failure ?? null,
    observations: [
      ...observeAges({ artifacts, types, atMs, freshAtMs }),
      ...(finding?.observations ?? []),
    ],
    notes: [],
  };
}

function groupByType(artifacts: readonly ArtifactFact[]): ArtifactsByType {
  const groups = new Map<ArtifactType, ArtifactFact[]>();
  for (const artifact of artifacts) {
    invariant(ARTIFACT_TYPES.includes(artifact.type), 'artifacts are of a known type');
    const group = groups.get(artifact.type);
    if (group === undefined) groups.set(artifact.type, [artifact]);
    else group.push(artifact);
  }
  return groups;
}

/** When statuses are judged, and when ages are. */
interface Instants {
  readonly atMs: number;
  readonly freshAtMs: number;
}

interface Examined extends Instants {
  readonly artifacts: ArtifactsByType;
  readonly types: readonly ArtifactType[];
  readonly cart: CartFacts;
}

function firstArtifactFinding({ artifacts, types, cart, ...at }: Examined): Finding | null {
  for (const type of types) {
    const group = artifacts.get(type) ?? [];
    const missing = missingOf(type, group, cart);
    if (missing !== null) return missingFinding(type, missing);
    const worst = worstOf(group, at);
    if (worst !== null) return flawFinding(type, worst);
  }
  for (const type of ARTIFACT_TYPES) {
    const unreadable = (artifacts.get(type) ?? []).filter(isUnreadable);
    const worst = worstOf(unreadable, at);
    if (worst !== null) return flawFinding(type, worst);
  }
  return null;
}

const isUnreadable = ({ verdict }: ArtifactFact): boolean =>
  verdict === 'artifact_missing_or_invalid';

/** What no artifact of this type speaks about: the type as a whole, or the smallest variant id without its own; null = nothing. */
function missingOf(
  type: ArtifactType,
  group: readonly ArtifactFact[],
  cart: CartFacts,
): string | null {
  if (group.length === 0) return REQUIRED_ARTIFACT_TYPES.includes(type) ? type : null;
  if (type !== 'price' && type !== 'inventory') return null;
  const spokenOf = new Set(group.map(({ variantId }) => variantId));
  const unspoken = cart.lines
    .map(({ variantId }) => variantId)
    .filter((variantId) => !isName(variantId) || !spokenOf.has(variantId));
  return unspoken.length === 0 ? null : String(unspoken.sort()[0]);
}

interface Flawed {
  readonly code: FactsCode;
  readonly artifact: ArtifactFact;
}

function worstOf(group: readonly ArtifactFact[], { atMs, freshAtMs }: Instants): Flawed | null {
  let worst: Flawed | null = null;
  for (const artifact of group) {
    const code = artifactFault(artifact, atMs, freshAtMs);
    if (code !== null && (worst === null || isWorse({ code, artifact }, worst)))
      worst = { code, artifact };
  }
  return worst;
}

function isWorse(left: Flawed, right: Flawed): boolean {
  const lead = reasonPlace('facts_valid', left.code) - reasonPlace('facts_valid', right.code);
  return lead === 0 ? left.artifact.id < right.artifact.id : lead < 0;
}

const missingFinding = (artifactType: ArtifactType, missing: string): Finding => ({
  failure: { code: 'artifact_missing_or_invalid', artifactType, notBeforeMs: null },
  observations: [text(`${artifactType}.missing`, missing)],
});

const flawFinding = (artifactType: ArtifactType, { code, artifact }: Flawed): Finding => ({
  failure: {
    code,
    artifactType,
    notBeforeMs: code === 'artifact_not_yet_valid' ? artifact.notBeforeAtMs : null,
  },
  observations: [text(`${artifactType}.artifact`, artifact.id)],
});

/** Per type the oldest artifact and the oldest word about revocation, each beside its limit. */
function observeAges({ artifacts, types, atMs, freshAtMs }: Omit<Examined, 'cart'>): Observation[] {
  const observations: Observation[] = [];
  for (const type of types) {
    const group = artifacts.get(type);
    if (group === undefined) continue;
    let oldestMs: number | null = null;
    let oldestStatusMs: number | null = null;
    for (const { issuedAtMs, status } of group) {
      oldestMs = older(oldestMs, ageMs(issuedAtMs, freshAtMs));
      oldestStatusMs = older(oldestStatusMs, ageMs(status.listIssuedAtMs, atMs));
    }
    observations.push(
      age(`${type}.age`, oldestMs, ARTIFACT_LIFETIME_MS_MAX[type]),
      age(`${type}.status_age`, oldestStatusMs, STATUS_AGE_MS_MAX),
    );
  }
  return observations;
}

const older = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? (left ?? right) : Math.max(left, right);
