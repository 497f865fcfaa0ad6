import { beforeAll, describe, expect, it } from 'vitest';
import { err, type Problem, problem, type Result } from '../../src/core/kernel/index.js';
import type { Writer } from '../../src/base/ledger/index.js';
import type { AuthorityPort } from '../../src/trust/authority/index.js';
import { type Revocation, Revocations } from '../../src/trust/revocation/index.js';
import { authorityPort, startTestAuthority } from '../support/authority.js';
import { mandateToken, signedEnvelope } from '../support/issuer.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import { type TrustScene, trustRooms, trustScene } from '../support/trust.js';

const house = testHouse({ quiet: true });
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const GONE = problem('unavailable', 'It did not answer.', { fix: 'Repeat it.' });
const UNKNOWN = problem('outcome_unknown', 'The connection broke.', { fix: 'Repeat it.' });

type Authority = Pick<AuthorityPort, 'origin' | 'revoke'>;
type Break = (parts: { authority: Authority; writer: Writer }) => Partial<{
  authority: Authority;
  writer: Writer;
}>;

/** The writer with one way to end the command that writes an answer down. */
const atObserving = (writer: Writer, end: (run: () => Promise<unknown>) => Promise<Problem>) => ({
  ...writer,
  open: writer.open.bind(writer),
  execute: async <Answer>(command: Parameters<Writer['execute']>[0] & { name: string }) => {
    const run = () => writer.execute(command);
    if (command.name !== 'revocation.observe') return run() as Promise<Result<Answer, Problem>>;
    return err(await end(run));
  },
});

/** Where a revoke may break, what its caller is told, and whether the authority had acted by then. */
const FAILURES: readonly (readonly [name: string, breaks: Break, told: string, acted: boolean])[] =
  [
    [
      'the authority cannot be reached',
      ({ authority }) => ({
        authority: { origin: authority.origin, revoke: () => Promise.resolve(err(GONE)) },
      }),
      'unavailable',
      false,
    ],
    [
      'its answer is lost',
      ({ authority }) => ({
        authority: {
          origin: authority.origin,
          revoke: async (...asked) => {
            await authority.revoke(...asked);
            return err(GONE);
          },
        },
      }),
      'unavailable',
      true,
    ],
    [
      'our commit fails',
      ({ writer }) => ({
        writer: atObserving(writer, () => Promise.resolve(GONE)),
      }),
      'unavailable',
      true,
    ],
    [
      'our commit succeeds and nobody is told',
      ({ writer }) => ({
        writer: atObserving(writer, async (run) => {
          await run();
          return UNKNOWN;
        }),
      }),
      'outcome_unknown',
      true,
    ],
  ];

const NOBODYS = { merchantIds: null };

/** A mandate with two below it: what falls has to be written down as well. */
async function tree(): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const parent of [undefined, 0, 1]) {
    const slot = await scene.slot();
    const token = mandateToken(
      { key: scene.keys.mandates, scene, slot },
      parent === undefined ? {} : { parent: ids[parent] ?? '' },
    );
    const context = scene.tenant.context();
    ids.push(valueOf(await scene.rooms.credentials.register(context, { kind: 'mandate', token })));
  }
  return ids;
}

const revokeWith =
  (revocations: Revocations, subjectId: string, key: string | null) =>
  (): Promise<Result<Revocation, Problem>> =>
    revocations.change(
      scene.tenant.context(key === null ? null : { scope: 'revoke', key, requestHash: subjectId }),
      { target: { subjectId }, status: 'revoked', reasonCode: 'recall', scope: NOBODYS },
    );

/** How often each of these was written down. */
async function told(ids: readonly string[]) {
  const { rows } = await house.database.query<{ type: string; body: string }>(
    `SELECT type, body FROM entries WHERE tenant_id = $1 AND type IN ('status.changed', 'revocation.observed')`,
    [scene.tenantId],
  );
  const count = (type: string, id: string) =>
    rows
      .filter((row) => row.type === type)
      .map(({ body }) => body.split(`"subject_id":"${id}"`).length - 1)
      .reduce((sum, times) => sum + times, 0);
  return ids.map((id) => [count('status.changed', id), count('revocation.observed', id)]);
}

const verdicts = (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { viewer, atMs } = { viewer: scene.tenant.admin, atMs: scene.atMs };
      const asked = { kind: 'mandate', id, viewer, atMs } as const;
      return valueOf(await scene.rooms.credentials.get(scene.tenantId, asked)).status.verdict;
    }),
  );

describe.each(FAILURES)('%s', (_name, breaks, code, acted) => {
  it.each([
    ['without a key', null],
    ['under a key', 'key'],
  ])('and the same request again ends where an unbroken one does, %s', async (_how, key) => {
    const ids = await tree();
    const [root = ''] = ids;
    const { writer, database } = house;
    const authority = scene.rooms.authorityPort;
    const { publisher } = scene.rooms;
    const sound = { database, writer, authority, publisher };
    const broken = new Revocations({ ...sound, ...breaks({ authority, writer }) });
    const claim = key && `${key} ${root}`;
    expect(problemOf(await revokeWith(broken, root, claim)()).code).toBe(code);
    // What the authority did already shows at the authority, whatever we remember of it.
    const atAuthority = await authority.revoke(scene.tenantId, {
      target: { kind: 'mandate', objectId: root },
      status: acted ? 'revoked' : 'suspended',
      reasonCode: 'other',
      revokedBy: 'operator',
    });
    expect(valueOf(atAuthority).records[0]?.reasonCode).toBe(acted ? 'recall' : 'other');
    const again = revokeWith(new Revocations(sound), root, claim);
    const settled = valueOf(await again());
    expect(settled).toMatchObject({ status: 'revoked', cascadedSubjectIds: ids.slice(1) });
    expect(valueOf(await again())).toEqual(settled);
    expect(await verdicts(ids)).toEqual(['revoked', 'revoked', 'revoked']);
    expect(await told(ids)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });
});

describe('a key of idempotency', () => {
  it('repeats the first answer and changes nothing more', async () => {
    const [id = ''] = await tree();
    const { revocations } = scene.rooms;
    const change = (status: 'suspended' | 'valid', key: string) =>
      revocations.change(
        scene.tenant.context({ scope: 'suspend', key: `${key} ${id}`, requestHash: status }),
        { target: { subjectId: id }, status, reasonCode: 'recall', scope: NOBODYS },
      );
    const suspended = valueOf(await change('suspended', 'first'));
    valueOf(await change('valid', 'second'));
    expect(valueOf(await change('suspended', 'first'))).toEqual(suspended);
    expect(await verdicts([id])).toEqual(['valid']);
  });

  it('that found nothing to change changes nothing later', async () => {
    const [id = ''] = await tree();
    const { revocations } = scene.rooms;
    const request = { target: { subjectId: id }, reasonCode: 'recall', scope: NOBODYS } as const;
    const first = () =>
      revocations.change(scene.tenant.context({ scope: 'valid', key: id, requestHash: 'valid' }), {
        ...request,
        status: 'valid',
      });
    expect(valueOf(await first())).toMatchObject({ revocationId: null, status: 'valid' });
    const suspend = { ...request, status: 'suspended' } as const;
    const suspended = valueOf(await revocations.change(scene.tenant.context(), suspend));
    expect(valueOf(await first())).toMatchObject({ status: 'suspended' });
    expect(await verdicts([id])).toEqual(['suspended']);
    // At the authority the same record stands: it was not asked again.
    expect(valueOf(await revocations.change(scene.tenant.context(), suspend))).toEqual(suspended);
  });

  it('that was used with another request changes nothing, at the authority neither', async () => {
    const [one = ''] = await tree();
    const [other = ''] = await tree();
    const { revocations } = scene.rooms;
    const revoke = (subjectId: string) =>
      revocations.change(
        scene.tenant.context({ scope: 'revoke', key: `same ${one}`, requestHash: subjectId }),
        { target: { subjectId }, status: 'revoked', reasonCode: 'recall', scope: NOBODYS },
      );
    valueOf(await revoke(one));
    expect(problemOf(await revoke(other)).code).toBe('idempotency_conflict');
    const suspended = await scene.rooms.authorityPort.revoke(scene.tenantId, {
      target: { kind: 'mandate', objectId: other },
      status: 'suspended',
      reasonCode: 'other',
      revokedBy: 'operator',
    });
    expect(suspended.ok).toBe(true);
  });
});

describe('with the authority stopped', () => {
  it('revoking and registering say so, nothing is half done, and both go on when it is back', async () => {
    const ids = await tree();
    const [root = ''] = ids;
    const stopped = await startTestAuthority();
    const rooms = trustRooms(house, authorityPort(house, stopped));
    const price = {
      envelope: signedEnvelope({ key: scene.keys.facts, scene, slot: await scene.slot() }),
      scope: NOBODYS,
    };
    await stopped.stop();
    const revoked = await revokeWith(rooms.revocations, root, null)();
    expect(problemOf(revoked)).toMatchObject({ code: 'unavailable' });
    expect(problemOf(revoked).retryAfterSeconds).toBeGreaterThan(0);
    const registered = await rooms.artifacts.register(scene.tenant.context(), price);
    expect(problemOf(registered).code).toBe('unavailable');
    expect(await told(ids)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    valueOf(await scene.rooms.artifacts.register(scene.tenant.context(), price));
    valueOf(await revokeWith(scene.rooms.revocations, root, null)());
    expect(await verdicts(ids)).toEqual(['revoked', 'revoked', 'revoked']);
  });
});
