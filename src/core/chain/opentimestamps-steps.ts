import { createHash } from 'node:crypto';
import { keccak256 } from './keccak.js';

/** What is done to a message on the way to an attestation, with the tags and limits of the OpenTimestamps format. */
export type TimestampStep =
  | { readonly kind: 'append' | 'prepend'; readonly bytes: Uint8Array }
  | { readonly kind: PlainStepKind };

export type PlainStepKind = 'reverse' | 'hexlify' | 'sha1' | 'ripemd160' | 'sha256' | 'keccak256';

/** Longest message between two steps, in bytes; also the longest argument. */
export const MESSAGE_BYTES_MAX = 4_096;

export const STEP_TAGS: Readonly<Record<TimestampStep['kind'], number>> = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
};

const KINDS = new Map(
  Object.entries(STEP_TAGS).map(([kind, tag]) => [tag, kind as TimestampStep['kind']]),
);

export const stepKindOf = (tag: number): TimestampStep['kind'] | null => KINDS.get(tag) ?? null;

/** The message after a step; null = it would be empty or longer than {@link MESSAGE_BYTES_MAX}. */
export function applyStep(step: TimestampStep, message: Uint8Array): Uint8Array | null {
  const result = resultOf(step, message);
  return result.length === 0 || result.length > MESSAGE_BYTES_MAX ? null : result;
}

function resultOf(step: TimestampStep, message: Uint8Array): Uint8Array {
  switch (step.kind) {
    case 'append':
      return Buffer.concat([message, step.bytes]);
    case 'prepend':
      return Buffer.concat([step.bytes, message]);
    case 'reverse':
      return Buffer.from(message).reverse();
    case 'hexlify':
      return Buffer.from(Buffer.from(message).toString('hex'), 'latin1');
    case 'keccak256':
      return keccak256(message);
    case 'sha1':
    case 'ripemd160':
    case 'sha256':
      return createHash(step.kind).update(message).digest();
  }
}

/** The step as people read it: its name, and its argument in hexadecimal. */
export const stepText = (step: TimestampStep): string =>
  'bytes' in step ? `${step.kind} ${Buffer.from(step.bytes).toString('hex')}` : step.kind;
