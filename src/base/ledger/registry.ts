import { invariant } from '../../core/kernel/index.js';
import type { AnyProjection, EventHandler } from './projection.js';

/** Longest table name: statements are prepared under it, and PostgreSQL cuts names at 63 bytes. */
export const TABLE_NAME_LENGTH_MAX = 50;

export interface Projector {
  readonly projection: AnyProjection;
  readonly handler: EventHandler<Record<string, unknown>>;
}

/** Which projections follow which events. The writer and rebuild read the same one, so they cannot disagree. */
export interface Registry {
  readonly projections: readonly AnyProjection[];
  projectorsOf(eventType: string): readonly Projector[];
}

export function registryOf(projections: readonly AnyProjection[]): Registry {
  const tables = new Set<string>();
  const byType = new Map<string, Projector[]>();
  for (const projection of projections) {
    const { table } = projection;
    invariant(!tables.has(table), `${table} is the table of one projection`);
    invariant(table.length <= TABLE_NAME_LENGTH_MAX, `${table} is a short name`);
    tables.add(table);
    for (const handler of projection.on) {
      const { type } = handler.eventType;
      byType.set(type, [...(byType.get(type) ?? []), { projection, handler }]);
    }
  }
  return { projections, projectorsOf: (eventType) => byType.get(eventType) ?? [] };
}
