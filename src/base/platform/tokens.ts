/** Injection token of the frozen `Config`. */
export const CONFIG = Symbol('CONFIG');
/** Injection token of the database's `Pool`: a `Queryable` whose clients pipeline. */
export const DATABASE = Symbol('DATABASE');
/** Injection token of the process's `HealthRegistry`: a room adds its checks there. */
export const HEALTH = Symbol('HEALTH');
/** Injection token of the process's `StartupNotes`. */
export const STARTUP_NOTES = Symbol('STARTUP_NOTES');
/** Injection token of the application's metrics: a `Registry` of prom-client. */
export const METRICS = Symbol('METRICS');
/** Injection token of the deployment's `AuthorityAddress`. */
export const AUTHORITY_ADDRESS = Symbol('AUTHORITY_ADDRESS');
