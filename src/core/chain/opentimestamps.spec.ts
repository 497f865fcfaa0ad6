import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keccak256 } from './keccak.js';
import {
  CALENDAR_ANSWER_BYTES_MAX,
  formatDetachedTimestamp,
  OTS_FILE_BYTES_MAX,
  parseCalendarAnswer,
  parseDetachedTimestamp,
} from './opentimestamps.js';
import { applyStep, type TimestampStep } from './opentimestamps-steps.js';
import {
  type Attestation,
  isCalendarAddress,
  mergeTimestamps,
  type Timestamp,
  TIMESTAMP_DEPTH_MAX,
  TIMESTAMP_PARTS_MAX,
  writeTimestamp,
} from './opentimestamps-tree.js';
import { attestedIn, judgeTimestamp, parseBlockHeaders } from './opentimestamps-verdict.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Written by the reference library (python-opentimestamps): every step, both kinds of attestation, two unknown ones. */
const FILE_TEXT = 'a head\n';
const GOLDEN = Buffer.from(
  '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401088e68185b0e97a31aaa7e36e5dc447c36ce3854d027ad89f1' +
    '2adad910bf1c1c3af010000102030405060708090a0b0c0d0e0f08fff001010006869a0d73d71b450107fff0c801' +
    'ff'.repeat(200) +
    '67f3f208ff000102030405060708020001ff000588960d73d7190102ac02ff000588960d73d7190103c7f63a080083dfe30d2ef90c8e121168' +
    '747470733a2f2f612e6578616d706c65f10201020203ff0083dfe30d2ef90c8e171668747470733a2f2f612e6578616d706c653a38343433' +
    '0083dfe30d2ef90c8e161568747470733a2f2f622e6578616d706c652f6f7473',
  'hex',
);

const read = (bytes: Uint8Array): Timestamp => {
  const parsed = parseDetachedTimestamp(bytes);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value.timestamp;
};

describe('the format', () => {
  it('the golden file is read as the reference library reads it', () => {
    const timestamp = read(GOLDEN);
    expect(hex(timestamp.message)).toBe(hex(sha256(FILE_TEXT)));
    const told = attestedIn(timestamp).map(({ attestation, message }) => [
      attestation.kind === 'bitcoin'
        ? attestation.height
        : attestation.kind === 'pending'
          ? attestation.calendar
          : `${attestation.tagHex} ${hex(attestation.payload)}`,
      hex(message),
    ]);
    const root = 'f77e3ce4ad706dae6f13f4f509eac26ac1f817785f9cbfef37e551c914c970d5';
    const nonced = sha256(
      Buffer.concat([sha256(FILE_TEXT), Buffer.from(Array.from({ length: 16 }, (_, at) => at))]),
    );
    expect(told).toEqual([
      ['06869a0d73d71b45 07', `${hex(nonced)}01`],
      ['0102030405060708 0001', root],
      [300, root],
      [965447, root],
      ['https://a.example', hex(sha256(Buffer.from(root, 'hex')))],
      ['https://a.example:8443', 'ba4dfa3d7fe67e878e73e4896d66e57c97eb78df'],
      ['https://b.example/ots', 'ba4dfa3d7fe67e878e73e4896d66e57c97eb78df'],
    ]);
  });

  it('and written as it writes it, byte for byte', () => {
    expect(hex(formatDetachedTimestamp({ timestamp: read(GOLDEN) }))).toBe(hex(GOLDEN));
  });

  it.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['\u0007'.repeat(300), '4d8e06a2ea36a409a5388896fd1535153f4d61f2eb6601ae357e34e1bd73692a'],
  ])('Keccak-256 of %j', (text, digest) => {
    expect(hex(keccak256(Buffer.from(text, 'latin1')))).toBe(digest);
  });

  it.each<readonly [string, string]>([
    ['', 'no OpenTimestamps proof'],
    ['00', 'no OpenTimestamps proof'],
    [hex(GOLDEN).replace('9401', '9402'), 'another version'],
    [hex(GOLDEN).replace('940108', '940103'), 'other than SHA-256'],
    [hex(GOLDEN).slice(0, 100), 'ends too early'],
    [hex(GOLDEN).slice(0, -2), 'ends too early'],
    [`${hex(GOLDEN)}00`, 'behind its end'],
    [hex(GOLDEN).replace('67f3f2', '69f3f2'), 'unknown kind (69)'],
    [hex(GOLDEN).replace('612e6578', '6120 6578'.replace(' ', '')), 'malformed address'],
    [hex(GOLDEN).replace('190102ac02', '190102acff'), 'malformed height'],
  ])('%# is refused', (text, reason) => {
    const parsed = parseDetachedTimestamp(Buffer.from(text, 'hex'));
    expect(parsed.ok ? null : parsed.error).toContain(reason);
  });

  it('an address that a proof cannot carry is told before it is asked', () => {
    expect(isCalendarAddress('https://a.example:8443/x-y_z')).toBe(true);
    for (const no of [
      'https://u@a',
      'https://a/?q',
      'https://a/%41',
      'https://ü',
      `h${'a'.repeat(1000)}`,
    ])
      expect(isCalendarAddress(no)).toBe(false);
  });
});

describe('bounds', () => {
  const head = GOLDEN.subarray(0, 65);
  const pending = Buffer.from('0083dfe30d2ef90c8e0201 61'.replace(' ', ''), 'hex');
  const refusal = (bytes: Uint8Array) => {
    const parsed = parseDetachedTimestamp(bytes);
    return parsed.ok ? null : parsed.error;
  };

  it('steps below each other', () => {
    const deep = (steps: number) => Buffer.concat([head, Buffer.alloc(steps, 0x08), pending]);
    expect(refusal(deep(TIMESTAMP_DEPTH_MAX - 1))).toBeNull();
    expect(refusal(deep(TIMESTAMP_DEPTH_MAX))).toContain('nested too deep');
    expect(refusal(deep(OTS_FILE_BYTES_MAX - 100))).toContain('nested too deep');
  });

  it('parts of a tree', () => {
    const wide = (parts: number) =>
      Buffer.concat([
        head,
        ...Array.from({ length: parts - 1 }, () => Buffer.concat([Buffer.of(0xff), pending])),
        pending,
      ]);
    expect(refusal(wide(TIMESTAMP_PARTS_MAX))).toBeNull();
    expect(refusal(wide(TIMESTAMP_PARTS_MAX + 1))).toContain('too many parts');
  });

  it('bytes of a message, of a file and of an answer', () => {
    const hexlified = (times: number) => Buffer.concat([head, Buffer.alloc(times, 0xf3), pending]);
    expect(refusal(hexlified(7))).toBeNull();
    expect(refusal(hexlified(8))).toContain('longer than 4096 bytes');
    expect(refusal(Buffer.alloc(OTS_FILE_BYTES_MAX + 1))).toContain('larger');
    const answer = parseCalendarAnswer(Buffer.alloc(CALENDAR_ANSWER_BYTES_MAX + 1), Buffer.of(1));
    expect(answer).toMatchObject({ ok: false });
  });
});

const bytes = (least: number, most: number) => fc.uint8Array({ minLength: least, maxLength: most });

const step: fc.Arbitrary<TimestampStep> = fc.oneof(
  fc.record({ kind: fc.constantFrom('append' as const, 'prepend' as const), bytes: bytes(1, 40) }),
  fc.record({
    kind: fc.constantFrom('reverse', 'sha1', 'ripemd160', 'sha256', 'keccak256', 'hexlify'),
  }) as fc.Arbitrary<TimestampStep>,
);
const attestation: fc.Arbitrary<Attestation> = fc.oneof(
  fc
    .constantFrom('https://a.example', 'https://b.example/c', '')
    .map((calendar) => ({ kind: 'pending' as const, calendar })),
  fc.nat().map((height) => ({ kind: 'bitcoin' as const, height })),
  bytes(0, 20).map((payload) => ({ kind: 'unknown' as const, tagHex: '00'.repeat(8), payload })),
);

/** A tree described without its messages, which follow from the first. */
interface Plan {
  readonly attestations: readonly Attestation[];
  readonly branches: readonly { readonly step: TimestampStep; readonly plan: Plan }[];
}
const planOf = (depth: number): fc.Arbitrary<Plan> =>
  fc.record({
    attestations: fc.array(attestation, { minLength: 1, maxLength: 3 }),
    branches:
      depth === 0
        ? fc.constant([])
        : fc.array(fc.record({ step, plan: planOf(depth - 1) }), { maxLength: 3 }),
  });

function built(message: Uint8Array, { attestations, branches }: Plan): Timestamp {
  const empty: Timestamp = { message, attestations: [], branches: [] };
  const parts = branches.flatMap(({ step: taken, plan: next }) => {
    const after = applyStep(taken, message);
    return after === null ? [] : [{ step: taken, timestamp: built(after, next) }];
  });
  return mergeTimestamps(empty, { message, attestations, branches: parts });
}

const tree = planOf(3).map((drawn) => built(sha256(FILE_TEXT), drawn));
const file = (timestamp: Timestamp) => formatDetachedTimestamp({ timestamp });

describe('whatever is written', () => {
  it('is read again as it was, and in one spelling', () => {
    fc.assert(
      fc.property(tree, (timestamp) => {
        const written = file(timestamp);
        const again = read(written);
        expect(file(again)).toEqual(written);
        expect(attestedIn(again).length).toBe(attestedIn(timestamp).length);
      }),
    );
  });

  it('is merged in any order to the same, and nothing is lost', () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const merged = mergeTimestamps(one, other);
        expect(file(mergeTimestamps(other, one))).toEqual(file(merged));
        expect(file(mergeTimestamps(merged, one))).toEqual(file(merged));
        const told = new Set(attestedIn(merged).map((each) => JSON.stringify(each)));
        for (const each of [...attestedIn(one), ...attestedIn(other)])
          expect(told).toContain(JSON.stringify(each));
      }),
    );
  });

  it('never throws, whatever the bytes are, and what it reads it can write', () => {
    const anything = fc.oneof(
      bytes(0, 300).map((tail) => Buffer.concat([GOLDEN.subarray(0, 65), tail])),
      bytes(0, 300),
      fc.tuple(tree, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([timestamp, at, change]) => {
        const written = file(timestamp);
        const place = at % written.length;
        written[place] = (written[place] ?? 0) ^ change;
        return written;
      }),
    );
    fc.assert(
      fc.property(anything, (given) => {
        const parsed = parseDetachedTimestamp(given);
        if (!parsed.ok) expect(parsed.error).toMatch(/^[A-Z].*\.$/);
        else expect(parseDetachedTimestamp(file(parsed.value.timestamp)).ok).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the verdict', () => {
  const digest = sha256(FILE_TEXT);
  const root = sha256(digest);
  const header = (height: number, merkleRoot: Buffer, timeSeconds = 1_790_000_000) => {
    const block = Buffer.alloc(80);
    merkleRoot.copy(block, 36);
    block.writeUInt32LE(timeSeconds, 68);
    return `${height} ${block.toString('hex')}`;
  };
  const pending: Attestation = { kind: 'pending', calendar: 'https://a.example' };
  const block = (height: number): Attestation => ({ kind: 'bitcoin', height });
  const proof = (...attestations: readonly Attestation[]) => ({
    timestamp: {
      message: digest,
      attestations: [],
      branches: [
        {
          step: { kind: 'sha256' } as const,
          timestamp: { message: root, attestations, branches: [] },
        },
      ],
    },
  });
  const unknown: Attestation = { kind: 'unknown', tagHex: '01'.repeat(8), payload: Buffer.of() };
  const verdict = (
    given: readonly Attestation[],
    headerLines: readonly string[] = [],
    of: Uint8Array = digest,
  ) => {
    const headers = parseBlockHeaders(headerLines.join('\n'));
    if (!headers.ok) throw new Error(headers.error);
    const { result, height } = judgeTimestamp(proof(...given), of, headers.value);
    return [result, height];
  };
  const wrong = sha256('another');

  it.each([
    [[pending], [], ['pending', null]],
    [[pending], [header(7, wrong)], ['pending', null]],
    [[unknown], [], ['unknown', null]],
    [[unknown, pending], [], ['pending', null]],
    [[pending, block(7)], [], ['attested', 7]],
    [[block(9), block(7)], [], ['attested', 7]],
    [[block(9), block(7)], [header(8, wrong)], ['attested', 7]],
    [[block(9), block(7)], [header(9, root)], ['confirmed', 9]],
    [
      [block(9), block(7)],
      [header(9, root), header(7, root)],
      ['confirmed', 7],
    ],
    [
      [block(9), block(7)],
      [header(9, root), header(7, wrong)],
      ['confirmed', 9],
    ],
    [[block(9), block(7)], [header(7, wrong)], ['block_mismatch', 7]],
    [[pending, block(7)], [header(7, wrong)], ['block_mismatch', 7]],
  ] as const)('%j with %j is %j', (given, headers, expected) => {
    expect(verdict(given, headers)).toEqual(expected);
  });

  it('other bytes are found before anything else is asked', () => {
    for (const given of [[pending], [block(7)], [unknown]])
      expect(verdict(given, [header(7, root)], wrong)).toEqual(['file_mismatch', null]);
  });

  it('a message that cannot be a root is contradicted with no header at all', () => {
    const timestamp = { message: digest, attestations: [block(7)], branches: [] };
    const short: Timestamp = {
      message: digest,
      attestations: [],
      branches: [
        {
          step: { kind: 'sha1' },
          timestamp: { ...timestamp, message: createHash('sha1').update(digest).digest() },
        },
      ],
    };
    expect(judgeTimestamp({ timestamp: short }, digest, new Map()).result).toBe('block_mismatch');
    expect(writeTimestamp(short).length).toBeGreaterThan(0);
  });

  it.each([
    '7',
    'x '.repeat(2),
    `7 ${'00'.repeat(79)}`,
    `7 ${'0g'.repeat(80)}`,
    `-7 ${'00'.repeat(80)}`,
  ])('%j is no line of headers', (line) => {
    expect(parseBlockHeaders(`# heights and headers\n\n${line}`)).toMatchObject({
      ok: false,
      error: expect.stringContaining('Line 3') as string,
    });
  });

  it('one height has one header', () => {
    expect(parseBlockHeaders(`${header(7, root)}\n${header(7, root)}`).ok).toBe(false);
  });
});
