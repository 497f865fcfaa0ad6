import { codec, type Decoded } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/**
 * An AP2 object was verified and is held, under the authority's registration of it. `objectSha256` is the digest that the
 * registration names. Object and registration are erasable documents; the buyer is a commitment.
 */
export const ap2Registered = defineEvent(
  'foreign_mandate.registered',
  codec.record({
    objectSha256: codec.text,
    registrationId: codec.text,
    family: codec.oneOf('checkout', 'payment', 'purchase'),
    /** Closed mandates serve one purchase as they are; an open one waits for what closes it. */
    isOpen: codec.flag,
    issuer: codec.text,
    issuerKid: codec.text,
    /** The issuer key that verified the object's root. */
    rootKeyId: codec.text,
    documentSha256: codec.text,
    registrationSha256: codec.text,
    parentId: codec.nullable(codec.text),
    agentId: codec.text,
    buyerCommitment: codec.text,
    issuedAtMs: codec.instant,
    expiresAtMs: codec.instant,
    listUri: codec.text,
    slotIndex: codec.integer,
  }),
);
export type Ap2Registered = Decoded<typeof ap2Registered.data>;

export interface Ap2ObjectRow extends Omit<Ap2Registered, 'family'> {
  readonly family: string;
  readonly registeredAtMs: number;
}

/** INVARIANT: one object has one registration here, so that nobody escapes what was withdrawn under it by another. */
export const ap2Objects = defineProjection<Ap2ObjectRow>({
  table: 'ap2_objects',
  mode: 'append',
  key: ['objectSha256'],
  columns: {
    objectSha256: column.text,
    registrationId: column.text,
    family: column.text,
    isOpen: column.flag,
    issuer: column.text,
    issuerKid: column.text,
    rootKeyId: column.text,
    documentSha256: column.text,
    registrationSha256: column.text,
    parentId: column.nullable(column.text),
    agentId: column.text,
    buyerCommitment: column.text,
    issuedAtMs: column.integer,
    expiresAtMs: column.integer,
    listUri: column.text,
    slotIndex: column.integer,
    registeredAtMs: column.integer,
  },
  on: [
    when(ap2Registered, {
      keys: ({ objectSha256 }) => [[objectSha256]],
      evolve: (_row, data, { entry }) => ({ ...data, registeredAtMs: entry.atMs }),
    }),
  ],
});
