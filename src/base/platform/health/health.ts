/** What one check found. `detail` is for operators and holds no secret; of a healthy one, what that rests on. */
export type HealthFinding =
  | { readonly healthy: true; readonly detail?: string }
  | { readonly healthy: false; readonly detail: string };

/** Something that operators watch; without most of it this process should get no requests. A room adds its own to {@link HealthRegistry}. */
export interface HealthCheck {
  /** Unique, snake_case, e.g. `database`. */
  readonly name: string;
  /** False = told, but a failing one keeps no requests away. */
  readonly decidesReadiness?: boolean;
  check(): Promise<HealthFinding> | HealthFinding;
}

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly healthy: boolean;
    readonly detail: string | null;
    /** How long ago this was found, in milliseconds. */
    readonly ageMs: number;
  }[];
}

/** A check that has not answered by then has failed. */
export const HEALTH_CHECK_MS_MAX = 1_000;
/** Findings younger than this are told again instead of asked again. */
export const HEALTH_FRESH_MS = 500;

const STOPPING: HealthFinding = { healthy: false, detail: 'this process is stopping' };

interface Observation {
  readonly finding: HealthFinding;
  readonly foundAtMs: number;
}

/** The checks of this process. Their order is the order in which they were added. */
export class HealthRegistry {
  private readonly checks = new Map<string, () => Promise<Observation>>();
  private readonly undecided = new Set<string>();
  private stopping = false;

  /** `monotonicMs` never steps back (performance.now). */
  constructor(private readonly monotonicMs: () => number) {
    this.add({ name: 'accepting', check: () => (this.stopping ? STOPPING : { healthy: true }) });
  }

  add(check: HealthCheck): void {
    this.checks.set(check.name, remembered(check, this.monotonicMs));
    if (check.decidesReadiness === false) this.undecided.add(check.name);
  }

  /** From now on this process is not ready: the first step of a shutdown, before it stops accepting. */
  stop(): void {
    this.stopping = true;
  }

  async report(): Promise<HealthReport> {
    const checks = await Promise.all(
      [...this.checks].map(async ([name, observe]) => {
        const { finding, foundAtMs } = await observe();
        return {
          name,
          healthy: finding.healthy,
          detail: finding.detail ?? null,
          ageMs: Math.max(0, Math.round(this.monotonicMs() - foundAtMs)),
        };
      }),
    );
    const decides = checks.filter(({ name }) => !this.undecided.has(name));
    return { ready: !this.stopping && decides.every(({ healthy }) => healthy), checks };
  }
}

/** Asks at most once per {@link HEALTH_FRESH_MS}, whoever many ask for the answer. */
function remembered(check: HealthCheck, monotonicMs: () => number): () => Promise<Observation> {
  let last: Observation | null = null;
  let running: Promise<Observation> | null = null;
  return async () => {
    if (last !== null && monotonicMs() - last.foundAtMs < HEALTH_FRESH_MS) return last;
    running ??= bounded(check).then((finding) => {
      last = { finding, foundAtMs: monotonicMs() };
      running = null;
      return last;
    });
    return running;
  };
}

async function bounded(check: HealthCheck): Promise<HealthFinding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthFinding>((resolve) => {
    timer = setTimeout(
      () => resolve({ healthy: false, detail: `no answer in ${HEALTH_CHECK_MS_MAX} ms` }),
      HEALTH_CHECK_MS_MAX,
    );
  });
  try {
    return await Promise.race([Promise.resolve(check.check()), late]);
  } catch {
    // WHY: the message of a driver may hold an address or a user; the log has it, the public answer does not.
    return { healthy: false, detail: 'the check failed' };
  } finally {
    clearTimeout(timer);
  }
}
