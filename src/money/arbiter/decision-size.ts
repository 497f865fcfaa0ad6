import {
  canonicalize,
  err,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import type { ArtifactFact, CartFacts, MandateFact } from '../../core/rules/index.js';
import { type DecisionRecorded, decisionRecorded } from './decision.events.js';

/** Longest decision that is recorded, in characters of its canonical text: an entry's envelope still fits around it. */
export const DECISION_LENGTH_MAX = 250_000;

/** More than any one fact needs beside its own texts: names, instants, digests, numbers. */
const FACT_LENGTH = 1_000;

/**
 * Refuses what would not fit into one entry: only carts that name hundreds of artifacts, or artifacts with very long
 * names, come near it. The exact length is computed only for them. Problem: validation_failed `/artifacts`.
 */
export function checkSize(decision: DecisionRecorded): Result<null, Problem> {
  if (upperBound(decision) <= DECISION_LENGTH_MAX) return ok(null);
  const { length } = canonicalize(decisionRecorded.data.encode(decision));
  return length <= DECISION_LENGTH_MAX
    ? ok(null)
    : err(
        problem('validation_failed', 'The facts of this purchase are too long for one entry.', {
          fix: 'Name fewer artifacts, or split the cart.',
          field: '/artifacts',
        }),
      );
}

function upperBound({ judged, decision }: DecisionRecorded): number {
  if (judged.kind === 'refund') return 0;
  const { artifacts, authority, cart } = judged.facts;
  const { stock } = judged.counters;
  const mandates = authority.mandates.map(mandateLength);
  const observed = decision.trace.flatMap(({ observations }) => observations).length;
  return (
    sum(artifacts.map(artifactLength)) +
    sum(mandates) +
    sum(cart.lines.map(lineLength)) +
    sum(stock.map(({ variantId }) => 100 + lengthOf([variantId]))) +
    observed * FACT_LENGTH +
    20 * FACT_LENGTH
  );
}

/** A chain of mandates names a place for each of its up to 63 ancestors. */
const mandateLength = ({ merchantIds, intentRefs, status, ancestorSlots }: MandateFact): number =>
  3 * FACT_LENGTH +
  lengthOf([...merchantIds, ...intentRefs, status.listUri ?? '']) +
  sum(ancestorSlots.map(({ listUri, lineage }) => 100 + lengthOf([listUri, lineage])));

const artifactLength = ({ id, status, variantId, productRefs }: ArtifactFact): number =>
  FACT_LENGTH + lengthOf([id, status.listUri ?? '', variantId ?? '', ...(productRefs ?? [])]);

const lineLength = ({ productId, variantId }: CartFacts['lines'][number]): number =>
  200 + lengthOf([productId, variantId]);

/** A character may be written as six (\u0000) and stands between quotes. */
const lengthOf = (texts: readonly string[]): number =>
  sum(texts.map((text) => 6 * text.length + 3));

const sum = (lengths: readonly number[]): number =>
  lengths.reduce((total, length) => total + length, 0);
