import { codec, invariant, type World, WORLDS } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../ledger/index.js';
import { originAdded, originMadePrimary, originRetired } from './origins.events.js';

/** One organisation in one world. The world is never changed by any event (decisions 1.1). */
export const tenantCreated = defineEvent(
  'tenant.created',
  codec.record({
    world: codec.oneOf(...WORLDS),
    name: codec.text,
    siblingTenantId: codec.nullable(codec.text),
    callerAssertedAllowed: codec.flag,
  }),
);

export const tenantChanged = defineEvent(
  'tenant.changed',
  codec.record({ name: codec.text, callerAssertedAllowed: codec.flag }),
);

export interface TenantRow {
  readonly world: World;
  readonly name: string;
  /** The same organisation in the other world; two tenants with nothing in common but this name. */
  readonly siblingTenantId: string | null;
  /** Whether rules may look at authority that the caller only asserts. Never true in the live world (mission F4, F5). */
  readonly callerAssertedAllowed: boolean;
  /** INVARIANT: one primary origin per tenant, because there is one place for it. */
  readonly primaryOrigin: string | null;
}

const world = column.text as import('../ledger/index.js').Column<World>;

const existing = (row: TenantRow | undefined): TenantRow => {
  invariant(row !== undefined, 'a tenant is created before it changes');
  return row;
};

export const tenants = defineProjection<TenantRow>({
  table: 'tenants',
  mode: 'update',
  key: [],
  columns: {
    world,
    name: column.text,
    siblingTenantId: column.nullable(column.text),
    callerAssertedAllowed: column.flag,
    primaryOrigin: column.nullable(column.text),
  },
  on: [
    when(tenantCreated, {
      keys: () => [[]],
      evolve: (_row, data) => ({ ...data, primaryOrigin: null }),
    }),
    when(tenantChanged, {
      keys: () => [[]],
      evolve: (row, data) => ({ ...existing(row), ...data }),
    }),
    when(originAdded, {
      keys: ({ primary }) => (primary ? [[]] : []),
      evolve: (row, { origin }) => ({ ...existing(row), primaryOrigin: origin }),
    }),
    when(originMadePrimary, {
      keys: () => [[]],
      evolve: (row, { origin }) => ({ ...existing(row), primaryOrigin: origin }),
    }),
    when(originRetired, {
      keys: ({ wasPrimary }) => (wasPrimary ? [[]] : []),
      evolve: (row) => ({ ...existing(row), primaryOrigin: null }),
    }),
  ],
});
