import { column, defineProjection, when } from '../ledger/index.js';
import { originAdded, originRetired } from './origins.events.js';

export interface OriginRow {
  /** As browsers spell it: scheme, host and a port that is not the scheme's own. */
  readonly origin: string;
  readonly host: string;
  readonly retiredAtMs: number | null;
}

/** `https://shop.example` -> `shop.example`; what a Host header says. */
export const hostOfOrigin = (origin: string): string => origin.slice(origin.indexOf('//') + 2);

export const origins = defineProjection<OriginRow>({
  table: 'tenant_origins',
  mode: 'update',
  key: ['origin'],
  columns: {
    origin: column.text,
    host: column.text,
    retiredAtMs: column.nullable(column.integer),
  },
  on: [
    when(originAdded, {
      keys: ({ origin }) => [[origin]],
      evolve: (_row, { origin }) => ({ origin, host: hostOfOrigin(origin), retiredAtMs: null }),
    }),
    when(originRetired, {
      keys: ({ origin }) => [[origin]],
      evolve: (_row, { origin }, { entry }) => ({
        origin,
        host: hostOfOrigin(origin),
        retiredAtMs: entry.atMs,
      }),
    }),
  ],
});
