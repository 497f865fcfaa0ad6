import { err, ok, type Problem, problem } from '../../core/kernel/index.js';
import { cell, type Command, type CommandContext, event } from '../ledger/index.js';
import { originAdded, originMadePrimary, originRetired } from './origins.events.js';
import { origins } from './origins.ledger.js';
import { parseOrigin } from './origin-form.js';
import { noSuchTenant } from './tenants.commands.js';
import { tenants } from './tenants.ledger.js';

/**
 * The tenant's surfaces answer under this origin; the first one is the primary, and so is one that asks for it.
 * Adding what is there already changes nothing, or makes it the primary. That no other tenant has it is not checked
 * here: no lock of this tenant sees it; the unique index does.
 * Problems, in order: not_found (tenant), validation_failed (see parseOrigin).
 */
export function addOrigin(
  context: CommandContext,
  {
    origin,
    primary,
    loopbackAllowed,
  }: { origin: string; primary: boolean; loopbackAllowed: boolean },
): Command<string> {
  return {
    ...context,
    name: 'origin.add',
    reads: [cell(tenants), cell(origins, origin)],
    decide(view) {
      const tenant = view.get(tenants, []);
      if (tenant === undefined) return err(noSuchTenant);
      const parsed = parseOrigin(origin, { world: tenant.world, loopbackAllowed });
      if (!parsed.ok) return parsed;
      const row = view.get(origins, [origin]);
      if (row === undefined || row.retiredAtMs !== null) {
        const becomesPrimary = primary || tenant.primaryOrigin === null;
        return ok({ events: [event(originAdded, { origin, primary: becomesPrimary })] });
      }
      const moves = primary && tenant.primaryOrigin !== origin;
      return ok({ events: moves ? [event(originMadePrimary, { origin })] : [] });
    },
    answer: () => origin,
  };
}

/**
 * The tenant's surfaces no longer answer under this origin; another tenant may take it. Retiring twice is answered as
 * success. Problems, in order: not_found, conflict (the primary, while there are others).
 */
export function retireOrigin(
  context: CommandContext,
  { origin, otherOrigins }: { origin: string; otherOrigins: readonly string[] },
): Command<null> {
  return {
    ...context,
    name: 'origin.retire',
    reads: [cell(tenants), ...[origin, ...otherOrigins].map((name) => cell(origins, name))],
    decide(view) {
      const row = view.get(origins, [origin]);
      if (row === undefined) return err(noSuchOrigin(origin));
      if (row.retiredAtMs !== null) return ok({ events: [] });
      const wasPrimary = view.get(tenants, [])?.primaryOrigin === origin;
      const othersLive = otherOrigins.some(
        (name) => name !== origin && view.get(origins, [name])?.retiredAtMs === null,
      );
      if (wasPrimary && othersLive) return err(primaryNeeded);
      return ok({ events: [event(originRetired, { origin, wasPrimary })] });
    },
    answer: () => null,
  };
}

const noSuchOrigin = (origin: string): Problem =>
  problem('not_found', `This tenant has no origin ${origin}.`, {
    fix: 'Name an origin that GET /v1/origins lists.',
    field: '?origin',
  });

const primaryNeeded = problem('conflict', 'This is the primary origin and there are others.', {
  fix: 'Make another one the primary first: POST /v1/origins with primary true.',
  field: '?origin',
});

/** Two tenants never answer under one origin: which one a buyer meant could not be told. */
export const originTaken = problem('conflict', 'Another tenant answers under this origin.', {
  fix: 'Use an origin of your own; if this one is yours, ask the operator of the deployment.',
  field: '/origin',
});
