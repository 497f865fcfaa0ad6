import { addressGroupOf } from '../../../base/platform/index.js';

/** Sources without a copy that are asked in a minute, in this process: by everybody, for one caller, on one host. */
export const NEW_SOURCES_MAX = 100;
export const NEW_SOURCES_OF_CALLER_MAX = 10;
export const NEW_SOURCES_OF_HOST_MAX = 10;
export const BUDGET_WINDOW_MS = 60_000;

export interface BudgetRequest {
  /** Null: nobody is counted. */
  readonly clientAddress: string | null;
  /** Null: the place that its host has only one of; strangers cannot use up its chances by naming others. */
  readonly host: string | null;
}

/**
 * How often requests of strangers may make us ask places that we know nothing of: so that this service is no tool to
 * flood others. What was granted within the last minute is remembered, which is at most {@link NEW_SOURCES_MAX} things.
 */
export class SourceBudget {
  #granted: {
    readonly atMs: number;
    readonly caller: string | null;
    readonly host: string | null;
  }[] = [];

  constructor(private readonly monotonicMs: () => number) {}

  /** Whether one more may be asked now; if so, it is counted. */
  take({ clientAddress, host }: BudgetRequest): boolean {
    const atMs = this.monotonicMs();
    const caller = clientAddress === null ? null : addressGroupOf(clientAddress);
    this.#granted = this.#granted.filter((one) => atMs - one.atMs < BUDGET_WINDOW_MS);
    const ofCaller = this.#granted.filter((one) => caller !== null && one.caller === caller);
    const ofHost = this.#granted.filter((one) => host !== null && one.host === host);
    const isFree =
      this.#granted.length < NEW_SOURCES_MAX &&
      ofCaller.length < NEW_SOURCES_OF_CALLER_MAX &&
      ofHost.length < NEW_SOURCES_OF_HOST_MAX;
    if (isFree) this.#granted.push({ atMs, caller, host });
    return isFree;
  }
}
