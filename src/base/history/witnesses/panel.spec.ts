import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePolicy, type VerifierKey, vkeyOf } from '../../../core/chain/index.js';
import { err, ok, problem } from '../../../core/kernel/index.js';
import { WitnessPanel } from './panel.js';
import { type WitnessSource, WitnessSources } from './sources.js';

function keyOf(name: string, kind: VerifierKey['kind'] = 'cosignature'): VerifierKey {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return vkeyOf(kind, name, Buffer.from(x, 'base64url'));
}

function panelOf(policyText: string | null, ...sources: readonly WitnessSource[]): WitnessPanel {
  const registered = new WitnessSources();
  for (const source of sources) registered.register(source);
  if (policyText === null) return new WitnessPanel(null, registered);
  const policy = parsePolicy(policyText);
  if (!policy.ok) throw new Error(policy.error);
  return new WitnessPanel(policy.value, registered);
}

const sourceOf = (
  name: string,
  vkeys: readonly string[] | null,
  isSelf = false,
): WitnessSource => ({
  ...{ name, isSelf },
  witness: () =>
    Promise.resolve(
      vkeys === null
        ? err(problem('unavailable', 'away', { fix: 'Wait.' }))
        : ok({ url: `https://${name}`, vkeys }),
    ),
  registerLog: () => Promise.resolve(ok(null)),
});

const placesOf = (panel: WitnessPanel) =>
  Promise.all(
    panel.witnesses.map(async (witness) => {
      const place = await witness.place();
      return [witness.name, place?.url ?? null, place?.keys.map(({ text }) => text) ?? null];
    }),
  );
const cosigned = (...keys: readonly VerifierKey[]) =>
  keys.map(({ name, keyId }) => ({ witnessName: name, keyId }));

describe('the witnesses of a deployment', () => {
  it('without a policy are the sources, of which any one is enough', async () => {
    const [newer, older] = [keyOf('authority/witness'), keyOf('authority/witness')];
    const panel = panelOf(null, sourceOf('authority/witness', [newer.text, older.text], true));
    expect(await placesOf(panel)).toEqual([
      ['authority/witness', 'https://authority/witness', [newer.text, older.text]],
    ]);
    expect(panel.selfNames).toEqual(['authority/witness']);
    expect(panel.isQuorum([])).toBe(false);
    expect(panel.isQuorum(cosigned(newer))).toBe(true);
  });

  it('takes no key of another name or kind from a source', async () => {
    const [good, other] = [keyOf('a'), keyOf('b')];
    const log = keyOf('a', 'ed25519');
    const vkeys = ['nonsense', other.text, log.text];
    expect(await placesOf(panelOf(null, sourceOf('a', [...vkeys, good.text])))).toEqual([
      ['a', 'https://a', [good.text]],
    ]);
    expect(await placesOf(panelOf(null, sourceOf('a', vkeys)))).toEqual([['a', null, null]]);
    expect(await placesOf(panelOf(null, sourceOf('a', null)))).toEqual([['a', null, null]]);
  });

  it('with a policy are those that have an address there, and a source that it names', async () => {
    const [one, silent, authority, foreign] = [
      keyOf('one'),
      keyOf('silent'),
      keyOf('auth'),
      keyOf('auth'),
    ];
    const panel = panelOf(
      `witness w1 ${one.text} https://one.example/prefix/
       witness w2 ${silent.text}
       witness w3 ${authority.text}
       group g 2 w1 w2 w3
       quorum g\n`,
      // Its newest key is not the one that the policy names: the policy's word holds.
      sourceOf('auth', [foreign.text]),
      sourceOf('unnamed', [keyOf('unnamed').text]),
    );
    expect(await placesOf(panel)).toEqual([
      ['one', 'https://one.example/prefix', [one.text]],
      ['auth', 'https://auth', [authority.text]],
    ]);
    expect(panel.witnesses.map(({ source }) => source?.name ?? null)).toEqual([null, 'auth']);
    expect(panel.isQuorum(cosigned(one, one, foreign))).toBe(false);
    expect(panel.isQuorum(cosigned(one, silent))).toBe(true);
    expect(panel.isQuorum(cosigned(one, authority))).toBe(true);
  });

  it('of one name under two keys are one, known under both', async () => {
    const [newer, older] = [keyOf('one'), keyOf('one')];
    const panel = panelOf(
      `witness w1 ${newer.text} https://one.example\nwitness w2 ${older.text} https://one.example\ngroup g any w1 w2\nquorum g\n`,
    );
    expect(await placesOf(panel)).toEqual([
      ['one', 'https://one.example', [newer.text, older.text]],
    ]);
  });
});
