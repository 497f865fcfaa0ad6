import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../arbiter/uses.js';
import { freshId, mandateToken, signedEnvelope } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import {
  resolveArtifacts,
  resolveAuthority,
  type TrustScene,
  trustRooms,
  trustScene,
} from '../support/trust.js';

/**
 * Registering, revoking, suspending, taking back and asking in any order, through two replicas that each keep their own
 * copies of the lists, against a model of a few lines: after every answer both replicas say what the model says.
 */

const RUNS = Number(process.env['REVOCATION_RUNS'] ?? 5);
const SEED = Number(process.env['REVOCATION_SEED'] ?? 20_261_130);
const SLOTS_PER_RUN = 24;

const house = testHouse({ quiet: true });
const other = testHouse({ quiet: true });
let scene: TrustScene;
let replicas: readonly TrustScene[];
beforeAll(async () => {
  scene = await trustScene(house);
  replicas = [scene, { ...scene, rooms: trustRooms(other) }];
});

type Status = 'valid' | 'suspended' | 'revoked';
type Verdict = Status | 'none';

/** What stands, in the plainest words. */
class Model {
  readonly parents = new Map<string, string | null>();
  readonly statuses = new Map<string, Status>();

  ancestors(id: string): readonly string[] {
    const parent = this.parents.get(id) ?? null;
    return parent === null ? [] : [parent, ...this.ancestors(parent)];
  }

  status(id: string): Status {
    return this.statuses.get(id) ?? 'valid';
  }

  mayBearUnder(parent: string): boolean {
    return [parent, ...this.ancestors(parent)].every((id) => this.status(id) === 'valid');
  }

  /** False: INVALID is final. */
  change(id: string, status: Status): boolean {
    if (this.status(id) === 'revoked') return status === 'revoked';
    this.statuses.set(id, status);
    if (status === 'revoked')
      for (const below of this.parents.keys())
        if (this.ancestors(below).includes(id)) this.statuses.set(below, 'revoked');
    return true;
  }

  above(id: string): Verdict {
    const worst = this.ancestors(id).map((one) => this.status(one));
    if (worst.length === 0) return 'none';
    return worst.includes('revoked')
      ? 'revoked'
      : worst.includes('suspended')
        ? 'suspended'
        : 'valid';
  }
}

type Step =
  | { readonly kind: 'mandate'; readonly parent: number | null; readonly at: number }
  | { readonly kind: 'price'; readonly at: number }
  | { readonly kind: 'change'; readonly of: number; readonly status: Status; readonly at: number };

const at = fc.integer({ min: 0, max: 1 });
const nth = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mandate' as const),
      parent: fc.option(nth, { nil: null, freq: 4 }),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('price' as const), at }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      of: nth,
      status: fc.constantFrom<Status>('valid', 'suspended', 'suspended', 'revoked'),
      at,
    }),
  },
);

const pick = (ids: readonly string[], place: number): string | null =>
  ids.length === 0 ? null : (ids[place % ids.length] ?? null);

class Run {
  readonly model = new Model();
  /** Prices by id, with the variant that they are of. */
  readonly variants = new Map<string, string>();

  async take(one: Step): Promise<void> {
    if (one.kind === 'mandate') return this.bear(one);
    if (one.kind === 'price') return this.publish(one.at);
    if (one.kind === 'change') await this.change(one);
  }

  private get ids(): readonly string[] {
    return [...this.model.parents.keys(), ...this.variants.keys()];
  }

  private async bear({ parent: place, at: replica }: Extract<Step, { kind: 'mandate' }>) {
    const parent = place === null ? null : pick([...this.model.parents.keys()], place);
    const token = mandateToken(
      { key: scene.keys.mandates, scene, slot: await scene.slot() },
      parent === null ? {} : { parent },
    );
    const { credentials } = roomsOf(replica);
    const born = await credentials.register(scene.tenant.context(), { kind: 'mandate', token });
    const mayBear = parent === null || this.model.mayBearUnder(parent);
    expect(born.ok, JSON.stringify(born)).toBe(mayBear);
    if (born.ok) this.model.parents.set(born.value, parent);
  }

  private async publish(replica: number) {
    const variantId = freshId('variant');
    const slot = await scene.slot();
    const envelope = signedEnvelope({ key: scene.keys.facts, scene, slot }, { variantId });
    const held = await roomsOf(replica).artifacts.register(scene.tenant.context(), {
      envelope,
      scope: { merchantIds: null },
    });
    this.variants.set(valueOf(held).artifactId, variantId);
  }

  private async change({ of, status, at: replica }: Extract<Step, { kind: 'change' }>) {
    const id = pick(this.ids, of);
    if (id === null) return;
    const changed = await roomsOf(replica).revocations.change(scene.tenant.context(), {
      target: { subjectId: id },
      status,
      reasonCode: 'other',
      scope: { merchantIds: null },
    });
    const mayChange = this.model.change(id, status);
    expect(changed.ok, JSON.stringify(changed)).toBe(mayChange);
    if (changed.ok) expect(changed.value.status).toBe(status);
  }

  /** Both replicas, about everything there is. */
  async agrees(): Promise<void> {
    const mandates = [...this.model.parents.keys()];
    for (const replica of replicas) {
      for (const few of inChunks(mandates, 8)) {
        const { facts } = await resolveAuthority(replica, { evidence: { mandates: few } });
        expect(
          facts.mandates.map(({ ref, status, parentStatus }) => ({
            ref,
            status: status.verdict,
            above: parentStatus?.verdict ?? 'none',
          })),
        ).toEqual(
          few.map((ref) => ({ ref, status: this.model.status(ref), above: this.model.above(ref) })),
        );
      }
      for (const [id, variantId] of this.variants) {
        const lines = [{ productId: 'tea', variantId }];
        const { artifacts } = await resolveArtifacts(replica, { lines });
        expect(artifacts.map(({ status }) => status.verdict)).toEqual([this.model.status(id)]);
      }
    }
  }
}

const roomsOf = (replica: number) => (replicas[replica] ?? scene).rooms;

const inChunks = (ids: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );

it(`two replicas say what a plain model says, whatever happens (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: SLOTS_PER_RUN }), async (steps) => {
      scene = await trustScene(house);
      replicas = [scene, { ...scene, rooms: trustRooms(other) }];
      const run = new Run();
      for (const one of steps) {
        await run.take(one);
        await run.agrees();
      }
      expect(await differencesOf(scene)).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 120_000);
