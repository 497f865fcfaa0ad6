import { describe, expect, it } from 'vitest';
import { both, boundary, type Edit } from '../../../test/support/boundaries.js';
import {
  artifactOf,
  AT_MS,
  capsOf,
  change,
  limitsOf,
  type PurchaseDraft,
  soundHandoff,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import { AMOUNT_MINOR_MAX } from '../kernel/index.js';
import {
  ARTIFACT_LIFETIME_MS_MAX,
  ARTIFACT_TYPES,
  decidePurchase,
  type PurchaseCase,
} from './index.js';

describe('signed facts', () => {
  const one = (draft: PurchaseDraft) => artifactOf(draft, 'policy');
  both(soundHandoff, [
    boundary<number>(
      'expires 1 ms after now, expires now',
      (draft, value) => (one(draft).expiresAtMs = value),
      { inside: AT_MS + 1, outside: AT_MS, reason: 'artifact_expired_or_stale:policy' },
    ),
    boundary<number>(
      'begins now, begins 1 ms after now',
      (draft, value) => (one(draft).notBeforeAtMs = value),
      { inside: AT_MS, outside: AT_MS + 1, reason: 'artifact_not_yet_valid:policy' },
    ),
    boundary<number>(
      'issued 30 000 ms ahead, 30 001 ms ahead',
      (draft, value) => {
        one(draft).issuedAtMs = value;
        one(draft).expiresAtMs = AT_MS + 60_000;
      },
      { inside: AT_MS + 30_000, outside: AT_MS + 30_001, reason: 'artifact_not_yet_valid:policy' },
    ),
    boundary<number>(
      'list 600 000 ms old, 600 001 ms old',
      (draft, value) => (one(draft).status.listIssuedAtMs = value),
      {
        inside: AT_MS - 600_000,
        outside: AT_MS - 600_001,
        reason: 'revocation_snapshot_stale:policy',
      },
    ),
    boundary<number>(
      'catalogue compared with its source 900 000 ms ago, 900 001 ms ago',
      (draft, value) => (artifactOf(draft, 'catalog_snapshot').sourceObservedAtMs = value),
      {
        inside: AT_MS - 900_000,
        outside: AT_MS - 900_001,
        reason: 'catalog_stale:catalog_snapshot',
      },
    ),
    boundary<number>(
      'stock counted 60 000 ms ago, 60 001 ms ago',
      (draft, value) => (artifactOf(draft, 'inventory').sourceObservedAtMs = value),
      { inside: AT_MS - 60_000, outside: AT_MS - 60_001, reason: 'stale_inventory:inventory' },
    ),
    boundary<number>(
      'stock covers the pieces, is 1 short',
      (draft, value) => (artifactOf(draft, 'inventory').quantityAvailable = value),
      { inside: 2, outside: 1, reason: 'inventory_snapshot_insufficient:inventory' },
    ),
  ]);

  const kept = boundary<number>(
    'kept stock covers the pieces, is 1 short',
    ({ counters }, value) =>
      (counters.stock = [
        { variantId: 'tea-250', quantityAvailable: value },
        { variantId: 'nobody-asks', quantityAvailable: 0 },
      ]),
    { inside: 2, outside: 1, reason: 'inventory_snapshot_insufficient:inventory' },
  );
  both(soundHandoff, [kept]);
  both(soundPurchase, [kept]);

  it('where stock is kept, the lower of it and the signed count holds', () => {
    const reasonOf = (signed: number, quantityAvailable: number | null) =>
      decidePurchase(
        change(soundHandoff(), (draft) => {
          artifactOf(draft, 'inventory').quantityAvailable = signed;
          draft.counters.stock =
            quantityAvailable === null ? [] : [{ variantId: 'tea-250', quantityAvailable }];
        }),
      ).reason;
    const short = 'inventory_snapshot_insufficient:inventory';
    expect(reasonOf(2, 2)).toBe(null);
    expect(reasonOf(2, null)).toBe(null);
    expect(reasonOf(2, 1)).toBe(short);
    expect(reasonOf(1, 2)).toBe(short);
    expect(reasonOf(1, null)).toBe(short);
    expect(reasonOf(2, 0)).toBe(short);
  });

  const lifetimes = ARTIFACT_TYPES.map((type) =>
    boundary<number>(
      `${type} lives as long as its type may, 1 ms longer`,
      ({ facts }, value) => {
        const sample = facts.artifacts.find((candidate) => candidate.type === type);
        const [offer] = facts.artifacts.filter((candidate) => candidate.type === 'offer');
        const longest = sample ?? { ...offer, id: 'art_more', type };
        if (sample === undefined) facts.artifacts.push(longest as never);
        Object.assign(longest, { issuedAtMs: AT_MS - 10, expiresAtMs: AT_MS - 10 + value });
      },
      {
        inside: ARTIFACT_LIFETIME_MS_MAX[type],
        outside: ARTIFACT_LIFETIME_MS_MAX[type] + 1,
        reason: `artifact_ttl_exceeds_default:${type}`,
      },
    ),
  );
  both(soundPurchase, lifetimes);

  it('the lifetimes are those of the book', () => {
    expect(ARTIFACT_LIFETIME_MS_MAX).toEqual({
      catalog_snapshot: 21_600_000,
      price: 300_000,
      inventory: 60_000,
      policy: 21_600_000,
      protocol_adapter: 86_400_000,
      merchant_capability: 86_400_000,
      seller_agent_capability: 21_600_000,
      offer: 900_000,
      public_discovery: 900_000,
      mandate_capability: 120_000,
      commitment_evidence: 300_000,
    });
  });

  it('an old count stands where its issuer does not refuse it', () => {
    const tolerant = change(soundHandoff(), (draft) => {
      const inventory = artifactOf(draft, 'inventory');
      inventory.staleInventoryRefusal = false;
      inventory.sourceObservedAtMs = null;
    });
    expect(decidePurchase(tolerant).outcome).toBe('allow');
  });

  it('pieces of one variant in two lines are counted together', () => {
    const split = (by: 'fact' | 'stock', available: number) =>
      change(soundHandoff(), (draft) => {
        const [tea] = draft.facts.cart.lines;
        if (tea !== undefined) {
          tea.quantity = 1;
          draft.facts.cart.lines.push({ ...tea });
        }
        const inventory = artifactOf(draft, 'inventory');
        const variantId = String(inventory.variantId);
        if (by === 'fact') inventory.quantityAvailable = available;
        else draft.counters.stock = [{ variantId, quantityAvailable: available }];
      });
    for (const by of ['fact', 'stock'] as const) {
      expect(decidePurchase(split(by, 2)).reason).toBe(null);
      expect(decidePurchase(split(by, 1)).reason).toBe('inventory_snapshot_insufficient:inventory');
    }
  });

  it('two prices signed for one variant leave none to trust, and of two counts the lower holds', () => {
    const doubled = (edit: Record<string, unknown>, type: 'price' | 'inventory') =>
      change(soundHandoff(), ({ facts }) => {
        const first = facts.artifacts.find((candidate) => candidate.type === type);
        facts.artifacts.push({ ...first, id: 'art_second', ...edit } as never);
      });
    const other = { unitPrice: { amountMinor: 44_999n, currency: 'INR' } };
    expect(decidePurchase(doubled(other, 'price')).reason).toBe('price_changed:price');
    expect(decidePurchase(doubled({}, 'price')).reason).toBe(null);
    expect(decidePurchase(doubled({ quantityAvailable: 1 }, 'inventory')).reason).toBe(
      'inventory_snapshot_insufficient:inventory',
    );
  });

  it('the handoff does not read artifacts of other kinds; rule 5 reads all', () => {
    const revoked = (sound: PurchaseCase) =>
      change(sound, ({ facts }) => {
        const [some] = facts.artifacts;
        facts.artifacts.push({ ...some, id: 'art_extra', type: 'offer' } as never);
        const last = facts.artifacts.at(-1);
        if (last !== undefined) last.status = { ...last.status, verdict: 'revoked' };
      });
    expect(decidePurchase(revoked(soundHandoff())).reason).toBe(null);
    expect(decidePurchase(revoked(soundPurchase())).reason).toBe('artifact_revoked:offer');
  });

  it('what was named and cannot be read refuses in both flows: it may have been any of the facts', () => {
    for (const sound of [soundHandoff(), soundPurchase()]) {
      const unreadable = change(sound, ({ facts }) => {
        const [some] = facts.artifacts;
        const verdict = 'artifact_missing_or_invalid';
        facts.artifacts.push({ ...some, type: 'commitment_evidence', verdict } as never);
      });
      expect(decidePurchase(unreadable).reason).toBe(
        'artifact_missing_or_invalid:commitment_evidence',
      );
    }
  });

  it('a variant is not bought under the name of another product of the catalogue', () => {
    const renamed = change(soundHandoff(), ({ facts }) => {
      const [line] = facts.cart.lines;
      if (line !== undefined) line.productId = 'cup';
    });
    expect(decidePurchase(renamed).reason).toBe('product_or_variant_not_found:catalog_snapshot');
    for (const type of ['price', 'inventory'] as const) {
      const split = change(soundHandoff(), (draft) => (artifactOf(draft, type).productId = 'cup'));
      expect(decidePurchase(split).reason).toBe('product_or_variant_not_found:catalog_snapshot');
      const unnamed = change(soundHandoff(), (draft) => (artifactOf(draft, type).productId = null));
      expect(decidePurchase(unnamed).reason).toBe(`artifact_missing_or_invalid:${type}`);
    }
  });

  it('a catalogue that names no products, a price and a stock without their content are no such facts', () => {
    const edits: readonly (readonly [Edit, string])[] = [
      [(draft) => (artifactOf(draft, 'catalog_snapshot').productRefs = null), 'catalog_snapshot'],
      [(draft) => (artifactOf(draft, 'price').unitPrice = null), 'price'],
      [(draft) => (artifactOf(draft, 'price').variantId = null), 'price'],
      [(draft) => (artifactOf(draft, 'inventory').quantityAvailable = null), 'inventory'],
      [(draft) => (artifactOf(draft, 'inventory').quantityAvailable = -1), 'inventory'],
    ];
    for (const [edit, type] of edits)
      expect(decidePurchase(change(soundHandoff(), edit)).reason).toBe(
        `artifact_missing_or_invalid:${type}`,
      );
  });
});

describe('cart', () => {
  const line = ({ facts }: PurchaseDraft) => facts.cart.lines[0] ?? expect.fail('two lines');

  /** Quantity and unit price such that everything else still fits. */
  const pieces: (draft: PurchaseDraft, quantity: number) => void = (draft, quantity) => {
    const { cart } = draft.facts;
    line(draft).quantity = quantity;
    cart.subtotalMinor = 119_900n + 45_000n * BigInt(Math.trunc(quantity));
    cart.totalMinor = cart.subtotalMinor;
    limitsOf(draft).itemsMax = 2_000_000;
    capsOf(draft).orderMaxMinor = AMOUNT_MINOR_MAX;
    capsOf(draft).dailyMaxMinor = null;
    artifactOf(draft, 'inventory').quantityAvailable = 2_000_000;
  };

  both(soundHandoff, [
    boundary('1 piece, none', pieces, { inside: 1, outside: 0, reason: 'quantity_invalid' }),
    boundary('1 piece, less than none', pieces, {
      inside: 1,
      outside: -1,
      reason: 'quantity_invalid',
    }),
    boundary('2 pieces, a half more', pieces, {
      inside: 2,
      outside: 2.5,
      reason: 'quantity_invalid',
    }),
    boundary('a million pieces, one more', pieces, {
      inside: 1_000_000,
      outside: 1_000_001,
      reason: 'quantity_invalid',
    }),
    boundary<number>(
      '100 lines, 101 lines',
      (draft, lines) => {
        const { cart } = draft.facts;
        cart.lines = Array.from({ length: lines }, () => ({ ...line(draft), quantity: 1 }));
        cart.subtotalMinor = 45_000n * BigInt(lines);
        cart.totalMinor = cart.subtotalMinor;
        limitsOf(draft).itemsMax = 1_000;
        capsOf(draft).orderMaxMinor = AMOUNT_MINOR_MAX;
        capsOf(draft).dailyMaxMinor = null;
        artifactOf(draft, 'inventory').quantityAvailable = 1_000;
      },
      { inside: 100, outside: 101, reason: 'quantity_invalid' },
    ),
  ]);

  it('an empty cart is refused', () => {
    const empty = change(soundHandoff(), ({ facts }) => (facts.cart.lines = []));
    expect(decidePurchase(empty).reason).toBe('quantity_invalid');
  });

  it('sums that do not add up, by one minor unit, are nobody’s cart', () => {
    const parts = [
      'subtotalMinor',
      'discountMinor',
      'taxMinor',
      'shippingMinor',
      'totalMinor',
    ] as const;
    for (const part of parts)
      for (const off of [1n, -1n])
        expect(
          decidePurchase(change(soundHandoff(), ({ facts }) => (facts.cart[part] += off))),
        ).toMatchObject({ failingRule: 'handoff_facts_valid', reason: 'rule_error' });
  });

  it('a total of zero or less is never paid, even where the sums agree', () => {
    for (const totalMinor of [0n, -1n]) {
      const free = change(soundHandoff(), ({ facts }) => {
        facts.cart.discountMinor += facts.cart.totalMinor - totalMinor;
        facts.cart.totalMinor = totalMinor;
      });
      expect(decidePurchase(free).trace.map(({ failure }) => failure?.code)).toEqual([
        'rule_error',
        'rule_error',
      ]);
    }
  });

  it('a negative part that another part hides is refused', () => {
    const hidden = change(soundHandoff(), ({ facts }) => {
      facts.cart.taxMinor = -1n;
      facts.cart.shippingMinor += 6_001n;
    });
    expect(decidePurchase(hidden).reason).toBe('rule_error');
  });
});
