import { Pool } from 'undici';

/** Connections that are kept open to the mapped origin's place, at most. */
const KEPT_CONNECTIONS_MAX = 16;

/**
 * An origin that others only name, and the place where the operator's configuration says it is reached. The place may
 * be this machine, and plain http: no caller and no tenant chose it.
 */
export interface MappedOrigin {
  /** Permanent, https, without a slash at its end. */
  readonly origin: string;
  /** Origin of the place now; null while there is none. */
  transportOrigin(): string | null;
}

/**
 * The connections to the mapped origin's place. They are kept between requests, unlike those to places that others
 * chose: nothing about this address has to be checked again. A place that moved gets new ones.
 */
export class KeptConnections {
  #pool: { readonly place: string; readonly connections: Pool } | null = null;

  constructor(
    private readonly mapped: MappedOrigin,
    private readonly options: Pool.Options,
  ) {}

  current(): Pool | null {
    const place = this.mapped.transportOrigin();
    if (place === this.#pool?.place) return this.#pool?.connections ?? null;
    void this.#pool?.connections.close().catch(() => undefined);
    this.#pool =
      place === null
        ? null
        : {
            place,
            connections: new Pool(place, { ...this.options, connections: KEPT_CONNECTIONS_MAX }),
          };
    return this.#pool?.connections ?? null;
  }
}
