import { FROZEN_AT_MS, FROZEN_TENANT_ID, REAL_TIME_TENANT_ID } from './demo-world.js';
import type { DemoTenantSpec } from './seed.js';

/** One tenant whose printed curls keep working because its time stands still, one on real time (decisions 3.15). */
export const DEMO_TENANTS: readonly DemoTenantSpec[] = [
  {
    tenantId: FROZEN_TENANT_ID,
    name: 'demo-frozen',
    frozenAtMs: FROZEN_AT_MS,
    isWitnessed: true,
  },
  { tenantId: REAL_TIME_TENANT_ID, name: 'demo', frozenAtMs: null, isWitnessed: true },
];
