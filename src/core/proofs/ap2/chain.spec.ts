import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absentPurchase,
  type Ap2World,
  ap2World,
  boundSdToken,
  checkoutJwt,
  closedCheckout,
  directCheckout,
  joined,
  type JsonMembers,
  mandateSdToken,
  openCheckout,
  paymentObject,
  sdToken,
} from '../../../../test/support/ap2.js';
import { makeKey } from '../../../../test/support/issuer.js';
import { CHAIN_TOKENS_MAX, isHumanPresent, parseAp2Chain } from './chain.js';
import { judgeAp2Objects, parseAp2Object } from './evidence.js';
import { ap2Hash, DISCLOSURES_MAX, parseSdToken } from './sd-jwt.js';

const world: Ap2World = ap2World();
const checkout = checkoutJwt(world);
const open = openCheckout(world);
const good = joined(open, closedCheckout(world, { open, checkout }));

const faultOf = (text: string) => {
  const parsed = parseAp2Chain(text);
  return parsed.ok ? null : `${parsed.error.check} ${parsed.error.member ?? ''}`.trim();
};

/** A closed token with something else in its payload or header. */
const closedWith = (payload: JsonMembers, header: JsonMembers = {}, members: JsonMembers = {}) =>
  joined(
    open,
    closedCheckout(
      world,
      { open, checkout },
      { closed: { payload, header }, closedMembers: members },
    ),
  );

const cnf = {
  jwk: Object.fromEntries(Object.entries(world.agent.jwk).filter(([name]) => name !== 'd')),
};
/** An open mandate that the agent passes on, narrower, to another key. */
const between = (payload: JsonMembers = {}, header: JsonMembers = { typ: 'kb+sd-jwt+kb' }) =>
  boundSdToken(
    open,
    {
      key: world.agent,
      header,
      payload,
      mandate: (disclosures) => ({
        vct: 'mandate.checkout.open.1',
        constraints: [
          {
            type: 'checkout.line_items',
            items: [
              {
                id: 'l',
                acceptable_items: [disclosures.element({ id: 'tea-100g', title: 'Tea' })],
                quantity: 1,
              },
            ],
          },
        ],
        cnf,
      }),
    },
    world.now,
  );

describe('a chain of tokens', () => {
  it('is read: the open mandate above, the closed one below, and who signs what', () => {
    const parsed = parseAp2Chain(good);
    if (!parsed.ok) throw new Error(parsed.error.detail);
    expect(parsed.value).toMatchObject({
      family: 'checkout',
      root: { kid: world.provider.kid, subject: world.subject, isCredential: false },
      bindings: [{ audiences: ['grantex-commerce'], nonce: 'n-1' }],
      expiresAtMs: (world.now + 3_600) * 1_000,
    });
    expect([parsed.value.opens.length, isHumanPresent(parsed.value)]).toEqual([1, false]);
  });

  it('binds by the hash of the whole token or of its signed part, and may be three long', () => {
    const byJwt = { sd_hash: undefined, issuer_jwt_hash: ap2Hash(open.split('~', 1)[0] ?? '') };
    expect(faultOf(closedWith(byJwt))).toBeNull();
    const middle = between();
    const last = closedCheckout(world, { open: middle, checkout });
    const parsed = parseAp2Chain(joined(open, middle, last));
    expect(parsed.ok && parsed.value.opens.length).toBe(2);
  });

  it('tells a present buyer by the absence of any open mandate, with one token or with two', () => {
    const direct = parseAp2Chain(directCheckout(world, checkout));
    expect(direct.ok && isHumanPresent(direct.value)).toBe(true);
    const credential = sdToken(world.provider, {
      header: { typ: 'dc+sd-jwt', kid: 'issuer-1' },
      payload: { iss: 'https://bank.example', sub: world.subject, cnf },
      disclosures: [],
    });
    const closed = closedCheckout(world, { open: credential, checkout });
    const parsed = parseAp2Chain(joined(credential, closed));
    expect(parsed.ok && [parsed.value.root.isCredential, isHumanPresent(parsed.value)]).toEqual([
      true,
      true,
    ]);
  });

  const rows: readonly (readonly [string, string, string])[] = [
    ['nothing', '', 'shape header.typ'],
    ['an id', 'mnd_1', 'shape header.typ'],
    ['an open token without its last ~', open.slice(0, -1), 'shape'],
    ['a chain without its last ~', good.slice(0, -1), 'shape'],
    [
      'a closed token alone that is key-bound',
      closedCheckout(world, { open, checkout }),
      'shape header.typ',
    ],
    [
      'too many tokens',
      Array(CHAIN_TOKENS_MAX + 1)
        .fill(open)
        .join('~'),
      'shape',
    ],
    ['an end with an intermediate token', joined(open, between()), 'shape header.typ'],
    [
      'a terminal token between',
      joined(open, between({}, {}), closedCheckout(world, { open: between(), checkout })),
      'shape header.typ',
    ],
    ['no hash of the token before', closedWith({ sd_hash: undefined }), 'shape sd_hash'],
    ['both hashes', closedWith({ issuer_jwt_hash: 'x' }), 'shape sd_hash'],
    ['the hash of another token', closedWith({ sd_hash: ap2Hash('another') }), 'signature sd_hash'],
    ['no audience', closedWith({ aud: undefined }), 'shape aud'],
    ['no nonce', closedWith({ nonce: undefined }), 'shape nonce'],
    ['no time', closedWith({ iat: undefined }), 'shape iat'],
    ['a cnf in the last token', closedWith({ cnf }), 'shape cnf'],
    ['a cnf inside the closed mandate', closedWith({}, {}, { cnf }), 'shape cnf'],
    ['another digest', closedWith({ _sd_alg: 'sha-512' }), 'shape _sd_alg'],
    [
      'a family of the other kind',
      joined(
        open,
        boundSdToken(
          open,
          { key: world.agent, mandate: () => paymentObject(world, checkout) },
          world.now,
        ),
      ),
      'shape vct',
    ],
    ['a vct that nobody knows', closedWith({}, {}, { vct: 'mandate.checkout.2' }), 'shape vct'],
    ['an x5c', closedWith({}, { x5c: [] }), 'shape header.x5c'],
    ['no signature algorithm', closedWith({}, { alg: 'none' }), 'algorithm header.alg'],
    [
      'a root without kid',
      openCheckout(world, { open: { header: { kid: undefined } } }),
      'shape header.kid',
    ],
    [
      'a root that is a key binding',
      openCheckout(world, { open: { header: { typ: 'kb+sd-jwt' } } }),
      'shape header.typ',
    ],
    [
      'an open mandate without cnf',
      openCheckout(world, { openMembers: { cnf: undefined } }),
      'shape cnf',
    ],
    [
      'a private key in cnf',
      openCheckout(world, { openMembers: { cnf: { jwk: { ...cnf.jwk, d: 'AA' } } } }),
      'shape mandate.cnf.jwk',
    ],
    [
      'two keys',
      openCheckout(world, {
        open: { payload: { cnf: { jwk: makeKey('ES256').jwk as JsonMembers } } },
      }),
      'shape cnf',
    ],
    [
      'two mandates in one token',
      mandateSdToken({
        key: world.provider,
        payload: {
          delegate_payload: [{ vct: 'mandate.checkout.1' }, { vct: 'mandate.checkout.1' }],
        },
        mandate: () => ({}),
      }),
      'shape disclosure',
    ],
  ];
  it.each(rows)('is refused with %s', (_, text, fault) => {
    expect(faultOf(text)).toMatch(new RegExp(`^${fault.replaceAll('.', '\\.')}`));
  });
});

describe('disclosures', () => {
  const parse = (payload: JsonMembers, disclosures: readonly (string | readonly unknown[])[]) => {
    const encoded = disclosures.map((one) =>
      typeof one === 'string' ? one : Buffer.from(JSON.stringify(one)).toString('base64url'),
    );
    const text = sdToken(world.provider, {
      header: { typ: 'dc+sd-jwt' },
      payload,
      disclosures: encoded,
    });
    const parsed = parseSdToken(text, ['dc+sd-jwt']);
    return parsed.ok ? parsed.value.payload : parsed.error.detail;
  };
  const digest = (disclosure: readonly unknown[]) =>
    ap2Hash(Buffer.from(JSON.stringify(disclosure)).toString('base64url'));
  const [one, two] = [
    ['s1', 'a', 1],
    ['s2', { b: 2 }],
  ] as const;

  it('put members and elements in their places, also inside each other, and drop what is hidden', () => {
    const inner = ['s3', 'c', [{ '...': digest(two) }, { '...': 'hidden' }]] as const;
    expect(
      parse({ _sd: [digest(one), digest(inner), 'hidden too'], d: 4 }, [one, two, inner]),
    ).toEqual({ a: 1, c: [{ b: 2 }], d: 4 });
  });

  it.each([
    ['that nothing refers to', {}, [one]],
    ['that stand there twice', { _sd: [digest(one)] }, [one, one]],
    ['whose digest stands there twice', { _sd: [digest(one)], x: { _sd: [digest(one)] } }, [one]],
    ['of a member as an element', { x: [{ '...': digest(one) }] }, [one]],
    ['of an element as a member', { _sd: [digest(two)] }, [two]],
    ['of a member that is there', { a: 0, _sd: [digest(one)] }, [one]],
    ['of an element beside something', { x: [{ '...': digest(two), y: 1 }] }, [two]],
    ['outside arrays', { '...': digest(two) }, [two]],
    ['of four parts', { _sd: [digest(['s', 'a', 1, 2])] }, [['s', 'a', 1, 2]]],
    ['with a salt that is no text', { _sd: [digest([1, 'a', 1])] }, [[1, 'a', 1]]],
    ['of _sd', { _sd: [digest(['s', '_sd', []])] }, [['s', '_sd', []]]],
    ['that are no base64url', { _sd: ['x'] }, ['?']],
    ['of which _sd is no list', { _sd: 'x' }, []],
    ['with an algorithm inside', { x: { _sd_alg: 'sha-256' } }, []],
    ['too many', {}, Array.from({ length: DISCLOSURES_MAX + 1 }, (_, n) => [`s${n}`, 'a', n])],
  ] as const)('are refused %s', (_, payload, disclosures) => {
    expect(parse(payload as JsonMembers, disclosures)).toEqual(expect.any(String));
  });
});

describe('whatever is changed in a chain', () => {
  const purchase = absentPurchase(world);
  const SEED = 20_261_130;

  it('by one character, it says the same or nothing: nothing that is signed is read otherwise', () => {
    const meaning = (text: string) => {
      const parsed = parseAp2Chain(text);
      if (!parsed.ok) return null;
      const { closed, opens, root, links } = parsed.value;
      const signed = [root.token.jws.signingInput, ...links.map(({ jws }) => jws.signingInput)];
      const said = JSON.stringify([closed?.object, opens.map(({ object }) => object)]);
      return { signed: signed.join(), said };
    };
    for (const text of [purchase.checkoutChain, purchase.paymentChain]) {
      const before = meaning(text);
      fc.assert(
        fc.property(
          fc.nat(text.length - 1),
          fc.constantFrom(...'ABCxyz019-_~.{'),
          (place, letter) => {
            if (text[place] === letter) return true;
            const after = meaning(`${text.slice(0, place)}${letter}${text.slice(place + 1)}`);
            // What still reads is either the same, with another signature, or signs other bytes: then no signature holds.
            return after === null || after.said === before?.said || after.signed !== before?.signed;
          },
        ),
        { seed: SEED, numRuns: 400 },
      );
    }
  });

  it('by leaving out, doubling or moving a disclosure or a token, it says the same or is not read', () => {
    const meaning = (text: string) => {
      const object = parseAp2Object(text);
      return object.ok ? judgeAp2Objects([object.value], world.now * 1_000) : null;
    };
    for (const text of [purchase.checkoutChain, purchase.paymentChain]) {
      const tokens = text.split('~~').map((token) => token.split('~'));
      fc.assert(
        fc.property(
          fc.nat(tokens.length - 1),
          fc.nat(3),
          fc.constantFrom('drop', 'double', 'swap'),
          (which, place, how) => {
            const parts = [...(tokens[which] ?? [])];
            const at = 1 + (place % Math.max(1, parts.length - 1));
            const part = parts[at] ?? '';
            if (part === '') return true;
            if (how === 'drop') parts.splice(at, 1);
            if (how === 'double') parts.splice(at, 0, part);
            if (how === 'swap') parts.splice(at, 1, ...[parts[at - 1] ?? '', part].reverse());
            const changed = tokens.map((token, index) => (index === which ? parts : token));
            const again = changed.map((token) => token.join('~')).join('~~');
            const said = meaning(again);
            if (said !== null) expect(said).toEqual(meaning(text));
            return true;
          },
        ),
        { seed: SEED, numRuns: 200 },
      );
      expect(parseAp2Chain(text.split('~~').reverse().join('~~')).ok).toBe(false);
    }
  });
});
