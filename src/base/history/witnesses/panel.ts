import {
  isQuorum,
  parseVkey,
  type VerifierKey,
  type WitnessPolicy,
} from '../../../core/chain/index.js';
import type { WitnessSource, WitnessSources } from './sources.js';

/** A witness that checkpoints are sent to. */
export interface Witness {
  /** The name it signs under. */
  readonly name: string;
  readonly isSelf: boolean;
  /** Through which it learns of our logs; null = its operator enters them. */
  readonly source: WitnessSource | null;
  /** Where and under which keys it answers; asked at each round. Null = it cannot be said now. */
  place(): Promise<{ readonly url: string; readonly keys: readonly VerifierKey[] } | null>;
}

/**
 * The witnesses of this deployment: those of its policy that have an address, or, without a policy, those of the sources
 * (the trust authority), of which any one is enough.
 */
export class WitnessPanel {
  constructor(
    private readonly policy: WitnessPolicy | null,
    private readonly sources: WitnessSources,
  ) {}

  get witnesses(): readonly Witness[] {
    const { all } = this.sources;
    if (this.policy === null) return all.map(witnessOfSource);
    const byName = new Map<string, Witness>();
    for (const { key, url } of this.policy.witnesses) {
      const source = all.find(({ name }) => name === key.name) ?? null;
      const witness =
        source === null
          ? this.#ofPolicy(key.name, url)
          : // Its keys are those that the policy names; where it is, its own room knows.
            { ...witnessOfSource(source), place: () => this.#placeOf(source) };
      if (witness !== null && !byName.has(key.name)) byName.set(key.name, witness);
    }
    return [...byName.values()];
  }

  /** Names of those that the operator of this service runs itself. */
  get selfNames(): readonly string[] {
    return this.sources.all
      .filter(({ isSelf }) => isSelf)
      .map(({ name }) => name)
      .toSorted();
  }

  /** Whether these verified cosignatures are enough. */
  isQuorum(
    cosignatures: readonly { readonly witnessName: string; readonly keyId: string }[],
  ): boolean {
    const { policy } = this;
    if (policy === null) return cosignatures.length > 0;
    const given = policy.witnesses
      .map(({ key }) => key)
      .filter((key) =>
        cosignatures.some(
          ({ witnessName, keyId }) => witnessName === key.name && keyId === key.keyId,
        ),
      );
    return isQuorum(policy, given);
  }

  #keysOf(name: string): readonly VerifierKey[] {
    return (this.policy?.witnesses ?? []).map(({ key }) => key).filter((key) => key.name === name);
  }

  #ofPolicy(name: string, url: string | null): Witness | null {
    if (url === null) return null;
    const place = { url: url.replace(/\/+$/, ''), keys: this.#keysOf(name) };
    return { name, isSelf: false, source: null, place: () => Promise.resolve(place) };
  }

  async #placeOf(source: WitnessSource) {
    const place = await source.witness();
    return place.ok ? { url: place.value.url, keys: this.#keysOf(source.name) } : null;
  }
}

const witnessOfSource = (source: WitnessSource): Witness => ({
  name: source.name,
  isSelf: source.isSelf,
  source,
  async place() {
    const place = await source.witness();
    if (!place.ok) return null;
    const keys = place.value.vkeys.map((vkey) => parseVkey(vkey));
    const good = keys.flatMap((key) => (key.ok && isOf(source, key.value) ? [key.value] : []));
    return good.length === 0 ? null : { url: place.value.url, keys: good };
  },
});

const isOf = (source: WitnessSource, { name, kind }: VerifierKey): boolean =>
  name === source.name && kind === 'cosignature';
