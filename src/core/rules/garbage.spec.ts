import { describe, expect, it } from 'vitest';
import {
  change,
  limitsOf,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
  soundRefund,
} from '../../../test/support/purchase-case.js';
import { type Decision, decidePurchase, decideRefund, type PurchaseCase } from './index.js';

/** What no honest caller sends and no codec lets through, and the far ends of what may be sent. */
const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  '',
  'garbage',
  true,
  false,
  -1,
  0,
  1.5,
  NaN,
  Infinity,
  Number.MAX_SAFE_INTEGER,
  -1n,
  0n,
  10n ** 30n,
  [],
  {},
];

type Path = readonly string[];
type Meaning = readonly [path: RegExp, why: string, isThat?: (garbage: unknown) => boolean];

const any = () => true;
const is =
  (...values: readonly unknown[]) =>
  (garbage: unknown) =>
    values.includes(garbage);
const longAgo = is(-1, 0);

/** Where a replaced value still means the same, or nothing: why, and for which values. All else has to refuse. */
const EVERYWHERE: readonly Meaning[] = [
  [/^facts\.cart\.hash$/, 'binds the allow at its use, is judged by no rule'],
  [/^facts\.limits\.version$/, 'a name for the trace'],
  [/^facts\.limits\.currencies\[USD\]/, 'limits for another currency'],
  [/\.ref$|artifacts\[\w+\]\.id$/, 'a name for the trace'],
  [/\.intentRefs\b/, 'what a capture counts against later, is judged by no rule'],
  [/\.ancestorSlots\b/, 'where to look again at the use, is judged by no rule'],
  [/^facts\.callerAssertedAllowed$/, 'nothing is claimed'],
  [/^facts\.rbi\.(?!profile$)/, 'the merchant is outside India'],
  [/^facts\.limits\..*dailyMaxMinor$/, 'not set', is(null)],
  [/(capMinor|orderMaxMinor|dailyMaxMinor)$/, 'a higher cap', is(10n ** 30n)],
  [/itemsMax$/, 'a higher cap', is(Number.MAX_SAFE_INTEGER)],
  [/^counters\.\w+Minor$/, 'nothing counted yet', is(0n)],
  [/^counters\.intentSpentMinor$/, 'each intent has its own sum', is(10n ** 30n)],
  [
    /^counters\.intentsSpent$/,
    'the most drawn on stands for each',
    (garbage) => Array.isArray(garbage),
  ],
  [/^counters\.intentsSpent\[line\]\.spentMinor$/, 'nothing counted yet', is(0n)],
  [/^counters\.stock$/, 'no stock is kept here', (garbage) => Array.isArray(garbage)],
  [/^counters\.stock\[line\]\.variantId$/, 'another variant', is('garbage')],
  [/^counters\.usedMandateRefs$/, 'no mandate was used', (garbage) => Array.isArray(garbage)],
  [/^counters\.usedMandateRefs\[/, 'another mandate', is('garbage')],
  [/^counters\..*quantityAvailable$/, 'more in stock', is(Number.MAX_SAFE_INTEGER)],
  [/status\.listUri$|parentStatus\.listUri$/i, 'another list', is('garbage')],
  [/status\.index$|parentStatus\.index$/i, 'another slot', is(0, Number.MAX_SAFE_INTEGER)],
  [/status\.listVersion$/i, 'floors are compared under the lock'],
  [/^facts\.artifacts\[\w+\]\.notBeforeAtMs$/, 'optional in the envelope', is(null, -1, 0)],
  [
    /artifacts\[(?!catalog_snapshot|inventory)\w+\]\.sourceObservedAtMs$/,
    'only catalogue and stock say when they were observed',
  ],
  [/artifacts\[inventory\]\.staleInventoryRefusal$/, 'the count is fresh anyway'],
  [/artifacts\[(?!inventory)\w+\]\.staleInventoryRefusal$/, 'not stock'],
  [/artifacts\[(?!inventory)\w+\]\.quantityAvailable$/, 'not stock'],
  [/artifacts\[(?!price)\w+\]\.unitPrice$/, 'not a price'],
  [/artifacts\[(?!price|inventory)\w+\]\.(productId|variantId)$/, 'not about a variant'],
  [/artifacts\[(?!catalog_snapshot)\w+\]\.productRefs$/, 'not a catalogue'],
  [/artifacts\[inventory\]\.quantityAvailable$/, 'more in stock', is(Number.MAX_SAFE_INTEGER)],
  [/artifacts\[\w+\]\.payloadHash$/, 'the verifier compared it', is('garbage')],
  [/productRefs\[cup\]$/, 'a product that nobody orders'],
];

const AGENT_PAYMENT: readonly Meaning[] = [
  [/^facts\.flow$/, 'all but the very word handoff is judged by eight rules'],
  [/(mandates\[\w+\]|consent|passport)\.notBeforeAtMs$/, 'long ago', longAgo],
  [/mandates\[(intent|payment)\]\.issuedAtMs$/, 'long ago', longAgo],
  [/mandates\[\w+\]\.parentStatus$/, 'builds on no other mandate', is(null)],
  [/mandates\[(intent|payment)\]\.cartHash$/, 'names no cart', is(null)],
  [/mandates\[(intent|payment)\]\.buyerKeyBound$/, 'only a cart mandate proves presence'],
  [/mandates\[(cart|payment)\]\.capMinor$/, 'no cap of its own', is(null)],
  [/scopes\[commerce:checkout\.create\]$/, 'a scope that paying does not need'],
];

const PRESENT: readonly Meaning[] = [
  ...AGENT_PAYMENT,
  [/mandates\[intent\]\.capMinor$/, 'what was left for absence'],
  [/mandates\[intent\]\.currency$/, 'an intent may leave the currency open', is(null)],
  [/^facts\.presenceEvidence$/, 'presence is proved'],
  [/^facts\.limits\.notPresent$/, 'presence is proved'],
  [/^counters\.(intentSpentMinor|intentsSpent\b.*|notPresentDayMinor)$/, 'presence is proved'],
];

const ABSENT: readonly Meaning[] = [
  ...AGENT_PAYMENT,
  [/^facts\.cart\.coreHash$/, 'no mandate names a cart'],
];

const HANDOFF: readonly Meaning[] = [
  [/^facts\.(agentId|merchantId|world|presenceEvidence|rbi)\b/, 'not read (mission M21)'],
  [/^facts\.(authority|limits\.notPresent|cart\.coreHash)\b/, 'not read (mission M21)'],
  [/^counters\.(?!merchantDayMinor|stock)/, 'not read (mission M21)'],
];

/** A present buyer of a merchant that sells to nobody who is away: all rests on the cart mandate. */
const present = () => change(soundPurchase(), (draft) => (limitsOf(draft).notPresent = null));

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([member, part]) => pathsOf(part, [...path, member]));
  return path.length === 0 ? inner : [path, ...inner];
}

const partAt = (whole: unknown, path: Path): unknown =>
  path.reduce((part, member) => (part as Record<string, unknown>)[member], whole);

function replaced<Case>(sample: Case, path: Path, garbage: unknown): Case {
  return change(sample, (draft) => {
    const part = partAt(draft, path.slice(0, -1)) as Record<string, unknown>;
    part[path.at(-1) ?? expect.fail('no path')] = garbage;
  });
}

/** `facts.artifacts[price].status.index`: items of lists are called by what they are. */
function printed(sample: unknown, path: Path): string {
  return path
    .map((member, index) => {
      if (!/^\d+$/.test(member)) return index === 0 ? member : `.${member}`;
      const item = partAt(sample, path.slice(0, index + 1));
      if (typeof item !== 'object' || item === null) return `[${String(item)}]`;
      const { mandateKind, type, currency } = item as Record<string, string | undefined>;
      return `[${mandateKind ?? type ?? currency ?? 'line'}]`;
    })
    .join('');
}

function allowsIn<Case>(
  sample: Case,
  meanings: readonly Meaning[],
  decide: (judged: Case) => Decision,
): string[] {
  const wrong: string[] = [];
  for (const path of pathsOf(sample)) {
    const name = printed(sample, path);
    const before = partAt(sample, path);
    for (const garbage of GARBAGE) {
      const isSame =
        Object.is(garbage, before) ||
        meanings.some(([at, , isThat = any]) => at.test(name) && isThat(garbage));
      if (isSame || !isAllowed(replaced(sample, path, garbage), decide)) continue;
      wrong.push(`${name} <- ${typeof garbage} ${String(garbage)}`);
    }
  }
  return wrong;
}

/** A case without facts or counters at all is no case: judging it throws, which allows nothing. */
function isAllowed<Case>(judged: Case, decide: (judged: Case) => Decision): boolean {
  try {
    return decide(judged).outcome === 'allow';
  } catch {
    return false;
  }
}

describe('garbage in any one place never allows', () => {
  it.each<[string, PurchaseCase, readonly Meaning[]]>([
    ['buyer present', present(), PRESENT],
    ['buyer away', soundAbsentPurchase(), ABSENT],
    ['handoff', soundHandoff(), HANDOFF],
  ])('%s', (_name, sample, meanings) => {
    expect(decidePurchase(sample).outcome).toBe('allow');
    expect(allowsIn(sample, [...EVERYWHERE, ...meanings], decidePurchase)).toEqual([]);
  });

  it('refund', () => {
    const meanings: readonly Meaning[] = [
      [/^atMs$|^facts\.(merchantId|orderId)$/, 'whose order it is was looked up before'],
      [/capturedMinor$/, 'more was captured', is(10n ** 30n)],
      [/refundedMinor$/, 'nothing refunded yet', is(0n)],
    ];
    expect(allowsIn(soundRefund(), meanings, decideRefund)).toEqual([]);
  });

  it('every tolerance above is needed somewhere', () => {
    const samples = [present(), soundAbsentPurchase(), soundHandoff()];
    const names = samples.flatMap((sample) => pathsOf(sample).map((path) => printed(sample, path)));
    for (const [at] of [...EVERYWHERE, ...PRESENT, ...ABSENT, ...HANDOFF])
      expect(
        names.some((name) => at.test(name)),
        String(at),
      ).toBe(true);
  });
});
