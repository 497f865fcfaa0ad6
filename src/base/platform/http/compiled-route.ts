import type { ProblemCode, Role } from '../../../core/kernel/index.js';
import type { RouteContract } from './contract.js';
import { inputReader, type ReadInput } from './read-input.js';

/** A contract with everything derived from it that a request would else have to derive again. */
export interface CompiledRoute {
  readonly contract: RouteContract;
  /** Null = public. */
  readonly roles: ReadonlySet<Role> | null;
  /** Method and path template, e.g. `POST /v1/merchants/{merchant_id}`: its name in logs and idempotency scopes. */
  readonly name: string;
  readonly readInput: ReadInput;
}

export function compileRoute(contract: RouteContract): CompiledRoute {
  return {
    contract,
    roles: rolesOf(contract),
    name: `${contract.method} ${contract.path}`,
    readInput: inputReader(contract),
  };
}

function rolesOf({ access, keyRoles = [] }: RouteContract): CompiledRoute['roles'] {
  if (access === 'public') return null;
  return new Set(access === 'optional' ? keyRoles : access);
}

/** Problems that any route may answer, so that contracts need not repeat them. */
export const PROBLEMS_OF_EVERY_ROUTE: readonly ProblemCode[] = [
  'request_malformed',
  'validation_failed',
  'rate_limited',
  'internal',
  'unavailable',
];

const PROBLEMS_OF_ROUTES_WITH_A_CALLER: readonly ProblemCode[] = ['unauthenticated', 'forbidden'];
const PROBLEMS_OF_ROUTES_WITH_A_BODY: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
];
const PROBLEMS_OF_IDEMPOTENT_ROUTES: readonly ProblemCode[] = [
  'idempotency_conflict',
  'idempotency_in_flight',
  'outcome_unknown',
];

/** Every problem a route may answer: its own, those its shape brings, those of every route. No code twice. */
export function problemsOf(contract: RouteContract): readonly ProblemCode[] {
  return [
    ...new Set([
      ...contract.problems,
      ...(contract.access === 'public' ? [] : PROBLEMS_OF_ROUTES_WITH_A_CALLER),
      ...(contract.body === undefined ? [] : PROBLEMS_OF_ROUTES_WITH_A_BODY),
      ...(contract.idempotency === 'none' ? [] : PROBLEMS_OF_IDEMPOTENT_ROUTES),
      ...(contract.idempotency === 'required' ? ['idempotency_key_required' as const] : []),
      ...PROBLEMS_OF_EVERY_ROUTE,
    ]),
  ];
}
