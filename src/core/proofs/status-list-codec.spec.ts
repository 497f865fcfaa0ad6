import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import { encodeBase64url } from './base64url.js';
import {
  deflateStatusList,
  hasLostInvalid,
  inflateStatusList,
  setStatusValue,
  STATUS_LIST_BYTES_MAX,
  STATUS_WIDTHS,
  statusListBytes,
  statusListPlaces,
  statusValueAt,
  type StatusWidth,
} from './status-list-codec.js';

const bounds = { bytesMax: STATUS_LIST_BYTES_MAX };
const valueOf = (bytes: Uint8Array, bits: StatusWidth, index: number) => {
  const value = statusValueAt(bytes, bits, index);
  return value.ok ? value.value : value.error;
};

/** Reads a place by its definition, in whole numbers of any size: bit k of byte b is place (8 b + k) / bits. */
function plainValue(bytes: Uint8Array, bits: StatusWidth, index: number): number {
  const whole = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return Number((whole >> BigInt(index * bits)) % 2n ** BigInt(bits));
}

describe('places', () => {
  it.each(STATUS_WIDTHS)('of %i bits are where the plain reading finds them', (bits) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), (bytes) => {
        for (let index = 0; index < statusListPlaces(bytes, bits); index += 1)
          expect(valueOf(bytes, bits, index)).toBe(plainValue(bytes, bits, index));
      }),
    );
  });

  it.each(STATUS_WIDTHS)('of %i bits are written without touching another', (bits) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(2 ** bits - 1),
        (bytes, drawn, value) => {
          const places = statusListPlaces(bytes, bits);
          const index = drawn % places;
          const written = Uint8Array.from(bytes);
          setStatusValue(written, bits, { index, value });
          for (let other = 0; other < places; other += 1)
            expect(valueOf(written, bits, other)).toBe(
              other === index ? value : plainValue(bytes, bits, other),
            );
        },
      ),
    );
  });

  it.each([
    [2, -1, 0],
    [2, 8, 0],
    [2, 1.5, 0],
    [2, 2 ** 32, 0],
    [1, 0, 2],
    [2, 0, 4],
    [2, 0, -1],
    [4, 0, 16],
    [8, 0, 256],
    [2, 0, 1.5],
  ] as const)('%i bits: place %d does not take %d', (bits, index, value) => {
    expect(() => setStatusValue(new Uint8Array(2), bits, { index, value })).toThrow();
  });

  it('beyond two and four thousand million are read without a shift that wraps around', () => {
    const far = new Uint8Array(2 ** 29 + 2);
    far[2 ** 28] = 1;
    far[2 ** 29 + 1] = 1;
    expect(valueOf(far, 1, 2 ** 31)).toBe(1);
    expect(valueOf(far, 1, 2 ** 32 + 8)).toBe(1);
    expect(valueOf(far, 1, 2 ** 32)).toBe(0);
    expect(valueOf(far, 1, 8)).toBe(0);
  });

  it('a list of n places has as many bytes as they need', () => {
    expect([12, 131_072, 1].map((places) => statusListBytes(places, 2))).toEqual([3, 32_768, 1]);
    expect(statusListBytes(9, 1)).toBe(2);
    expect(statusListBytes(3, 8)).toBe(3);
  });
});

describe('hasLostInvalid', () => {
  const invalidIn = (bytes: Uint8Array, bits: StatusWidth): number[] =>
    Array.from({ length: statusListPlaces(bytes, bits) }, (_, index) => index).filter(
      (index) => valueOf(bytes, bits, index) === 1,
    );

  it.each(STATUS_WIDTHS)('%i bits: agrees with looking at each place', (bits) => {
    const list = fc.uint8Array({ minLength: 0, maxLength: 6 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const kept = new Set(invalidIn(after, bits));
        const lost = invalidIn(before, bits).some((index) => !kept.has(index));
        expect(hasLostInvalid(before, after, bits)).toBe(lost);
      }),
      { numRuns: 500 },
    );
  });

  it('lets a list grow and everything but INVALID change', () => {
    const list = (...values: number[]) => Uint8Array.from(values);
    expect(hasLostInvalid(list(0b10_00_01_00), list(0b00_10_01_01, 0b01), 2)).toBe(false);
    expect(hasLostInvalid(list(0b01), list(0b10), 2)).toBe(true);
    expect(hasLostInvalid(list(0b01), list(), 2)).toBe(true);
    expect(hasLostInvalid(list(), list(), 2)).toBe(false);
  });
});

describe('inflateStatusList', () => {
  const lstOf = (bytes: Uint8Array) => encodeBase64url(bytes);
  const bytes = randomBytes(300);

  it.each([1, 6, 9])('takes back what was deflated at level %i', (level) => {
    const lst = deflateStatusList(bytes, level);
    expect(inflateStatusList(lst, { ...bounds, bytesExact: 300 })).toEqual({
      ok: true,
      value: bytes,
    });
  });

  it.each([
    ['a list that fills the bound', deflateSync(bytes), { bytesMax: 300 }, null],
    ['one byte more', deflateSync(bytes), { bytesMax: 299 }, 'status_bomb'],
    [
      'one byte more than declared',
      deflateSync(bytes),
      { ...bounds, bytesExact: 299 },
      'status_bomb',
    ],
    ['one byte less', deflateSync(bytes), { ...bounds, bytesExact: 301 }, 'status_length'],
    ['gzip', gzipSync(bytes), bounds, 'status_encoding'],
    ['no wrapper', deflateRawSync(bytes), bounds, 'status_encoding'],
    ['cut', deflateSync(bytes).subarray(0, -1), bounds, 'status_encoding'],
    [
      'a byte behind it',
      Buffer.concat([deflateSync(bytes), Buffer.alloc(1)]),
      bounds,
      'status_trailing',
    ],
    [
      'two streams',
      Buffer.concat([deflateSync(bytes), deflateSync(bytes)]),
      bounds,
      'status_trailing',
    ],
    ['nothing', Buffer.alloc(0), bounds, 'status_encoding'],
  ] as const)('%s', (_name, deflated, within, fault) => {
    const inflated = inflateStatusList(lstOf(deflated), within);
    expect(inflated.ok ? null : inflated.error).toBe(fault);
  });

  it('stops a bomb at the bound, whatever would come after', () => {
    const bomb = deflateStatusList(new Uint8Array(64 * 1024 * 1024), 9);
    expect(bomb.length).toBeLessThan(100_000);
    expect(inflateStatusList(bomb, bounds)).toEqual({ ok: false, error: 'status_bomb' });
  });

  it('takes no text but the one spelling of the bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), (junk, drawn) => {
        const lst = deflateStatusList(bytes, 6);
        const at = drawn % lst.length;
        const spoiled = lst.slice(0, at) + junk + lst.slice(at + 1);
        const inflated = inflateStatusList(spoiled, { ...bounds, bytesExact: 300 });
        // One letter for another is another stream, which may inflate to the same bytes; it is the one spelling of itself.
        const isOneSpelling = Buffer.from(spoiled, 'base64url').toString('base64url') === spoiled;
        if (!isOneSpelling) expect(inflated.ok).toBe(false);
      }),
    );
  });
});

interface Vector {
  readonly name: string;
  readonly bits: StatusWidth;
  readonly entries: number;
  readonly lst: string;
  readonly inflated_bytes: number;
  readonly inflated_sha256: string;
  readonly listed: readonly (readonly [number, number])[];
}
interface Oracle {
  readonly small: readonly Vector[];
  readonly long: readonly Vector[];
  readonly packing: readonly {
    readonly bits: StatusWidth;
    readonly value_bytes_hex: string;
    readonly set?: readonly number[];
    readonly values?: readonly number[];
  }[];
  readonly index_probes: {
    readonly ok: readonly (readonly [number, number])[];
    readonly refuse_json: readonly unknown[];
  };
  readonly rejects: readonly {
    readonly name: string;
    readonly capacity_bytes: number;
    readonly lst: string;
    readonly expect: string;
  }[];
}

describeWithOracle<Oracle>('trust/token-status-list.json', 'public vectors', (oracle) => {
  it.each([...oracle.small, ...oracle.long].map((vector) => [vector.name, vector] as const))(
    '%s',
    (_name, { bits, entries, lst, inflated_bytes: bytesExact, inflated_sha256, listed }) => {
      const inflated = inflateStatusList(lst, { ...bounds, bytesExact });
      if (!inflated.ok) expect.fail(inflated.error);
      const bytes = inflated.value;
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(inflated_sha256);
      expect(statusListBytes(entries, bits)).toBe(bytes.length);
      const written = new Uint8Array(bytesExact);
      for (const [index, value] of listed) {
        expect(valueOf(bytes, bits, index)).toBe(value);
        setStatusValue(written, bits, { index, value });
      }
      expect(Buffer.compare(written, bytes)).toBe(0);
      const again = inflateStatusList(deflateStatusList(written, 9), bounds);
      expect(again.ok && Buffer.compare(again.value, bytes)).toBe(0);
    },
  );

  it.each(oracle.packing.map((one) => [`${one.bits} bits ${one.value_bytes_hex}`, one] as const))(
    '%s is packed from the lowest bit',
    (_name, { bits, value_bytes_hex, set, values }) => {
      const packed = Buffer.from(value_bytes_hex, 'hex');
      const expected =
        values ?? Array.from({ length: packed.length * 8 }, (_, at) => Number(set?.includes(at)));
      expect(expected.map((_, index) => valueOf(packed, bits, index))).toEqual(expected);
    },
  );

  const [small] = oracle.small;
  const bytes = inflateStatusList(small?.lst ?? '', bounds);

  it.each(oracle.index_probes.ok)('place %i holds %i', (index, value) => {
    expect(bytes.ok && valueOf(bytes.value, 1, index)).toBe(value);
  });

  const noPlaces = [...oracle.index_probes.refuse_json, NaN, Infinity, -Infinity, -0.5, undefined];
  it.each([...noPlaces, 1n].map((index) => [typeof index, String(index), index] as const))(
    '%s %s is no place',
    (_type, _text, index) => {
      expect(bytes.ok && valueOf(bytes.value, 1, index as number)).toBe('status_index');
    },
  );

  it.each(oracle.rejects.map((one) => [one.name, one] as const))(
    '%s is refused',
    (_name, { lst, capacity_bytes: bytesExact, expect: fault }) => {
      expect(inflateStatusList(lst, { ...bounds, bytesExact })).toEqual({
        ok: false,
        error: fault,
      });
    },
  );
});
