import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  deriveLedgerKey,
  entryBodyText,
  entryLink,
  entryMac,
  GENESIS_PREV,
  isKeyId,
} from './index.js';

/** The golden vectors, computed by an independent program: {@link PYTHON} prints them from the same inputs. */
const TENANT = 'tnt_golden';
const KID = 'k1';
const MASTER = Uint8Array.from({ length: 32 }, (_, index) => index);
const KEY_HEX = 'eada844e061dcc9d66e570de123554ef4d5670624ec2f2b19c470be32860e7bd';
const ENTRIES = [
  {
    seq: 0,
    prev: GENESIS_PREV,
    body: '{"actor":{"id":"system","role":"system"},"at":"2026-11-30T10:00:00.000Z","data":{"format":"arbiter-ledger/1"},"id":"ent_0","request_id":"req_0","type":"golden.first","v":1}',
    mac: 'ebc5f272b7b4468614a999d4735d1400dc557298824076a965720bdf9f7f1a57',
    link: 'bb5fc7929a79ef6e7ff88aba8d0e3588291f25cf0f2705b7a9169c91c871d85f',
  },
  {
    seq: 1,
    prev: 'bb5fc7929a79ef6e7ff88aba8d0e3588291f25cf0f2705b7a9169c91c871d85f',
    body: '{"actor":{"id":"key_1","role":"operator"},"at":"2026-11-30T10:00:00.001Z","data":{"amount":{"amount":"2099","currency":"INR"},"note":"café ₹ 😀 \\n"},"id":"ent_1","request_id":"req_1","type":"golden.second","v":1}',
    mac: 'c88dd1ec1dd556554fc154354bd530ea673c7932aea9b21e5a00989a199ce0eb',
    link: '0d3d977a32da7a1586f51d01b962c4e347aff9b3f372b791cfb1f6e62abddc41',
  },
] as const;

const PYTHON = `
import hashlib, hmac, json, sys
given = json.load(sys.stdin)
tenant, kid = given['tenant'], given['kid']
prk = hmac.new(bytes(32), bytes.fromhex(given['master']), hashlib.sha256).digest()
info = ('arbiter-ledger-key/1\\n' + tenant + '\\n' + kid).encode()
key = hmac.new(prk, info + b'\\x01', hashlib.sha256).digest()
prev, out = '0' * 64, []
for seq, body in enumerate(given['bodies']):
    place = '\\n'.join([tenant, str(seq), kid, prev])
    mac = hmac.new(key, ('arbiter-mac/1\\n' + place + '\\n' + body).encode(), hashlib.sha256).hexdigest()
    link = hashlib.sha256(('arbiter-link/1\\n' + place + '\\n' + mac + '\\n' + body).encode()).hexdigest()
    out.append({'mac': mac, 'link': link, 'prev': prev})
    prev = link
print(json.dumps({'key': key.hex(), 'entries': out}))
`;

describe('entry bytes, version 1', () => {
  const key = deriveLedgerKey(MASTER, TENANT, KID);

  it('derives the key of a tenant and kid by HKDF-SHA256', () => {
    expect(Buffer.from(key).toString('hex')).toBe(KEY_HEX);
    expect(deriveLedgerKey(MASTER, TENANT, 'k2')).not.toEqual(key);
    expect(deriveLedgerKey(MASTER, 'tnt_other', KID)).not.toEqual(key);
  });

  it.each(ENTRIES)(
    'mac and link of entry $seq are the golden ones',
    ({ seq, prev, body, mac, link }) => {
      const entry = { tenantId: TENANT, seq, kid: KID, prev, body };
      expect(entryMac(key, entry)).toBe(mac);
      expect(entryLink(entry, mac)).toBe(link);
    },
  );

  it('prints the body as the golden canonical text', () => {
    const text = entryBodyText({
      id: 'ent_1',
      type: 'golden.second',
      atMs: Date.UTC(2026, 10, 30, 10, 0, 0, 1),
      actor: { role: 'operator', id: 'key_1' },
      requestId: 'req_1',
      data: { note: 'café ₹ 😀 \n', amount: { currency: 'INR', amount: '2099' } },
    });
    expect(text).toBe(ENTRIES[1].body);
  });

  it('every field that is hashed moves the link', () => {
    const [{ mac, link, ...first }] = ENTRIES;
    const entry = { tenantId: TENANT, kid: KID, ...first };
    const others = [
      { ...entry, tenantId: 'tnt_goldem' },
      { ...entry, seq: 1 },
      { ...entry, kid: 'k2' },
      { ...entry, prev: link },
      { ...entry, body: entry.body.replace('ent_0', 'ent_1') },
    ];
    for (const other of others) {
      expect(entryLink(other, mac)).not.toBe(link);
      expect(entryMac(key, other)).not.toBe(mac);
    }
    expect(entryLink(entry, link)).not.toBe(link);
  });

  it.each(['', 'k\n1', 'k1\n', 'k 1', 'é', 'k'.repeat(65)])('%j is no key id', (kid) => {
    expect(isKeyId(kid)).toBe(false);
  });

  it('an independent program computes the same', ({ skip }) => {
    const python = spawnSync('python3', ['-c', PYTHON], {
      input: JSON.stringify({
        tenant: TENANT,
        kid: KID,
        master: Buffer.from(MASTER).toString('hex'),
        bodies: ENTRIES.map(({ body }) => body),
      }),
      encoding: 'utf8',
    });
    if (python.error !== undefined) {
      console.warn('PYTHON MISSING: the independent check of the entry bytes DID NOT RUN.');
      skip();
    }
    expect(python.stderr).toBe('');
    expect(JSON.parse(python.stdout)).toEqual({
      key: KEY_HEX,
      entries: ENTRIES.map(({ mac, link, prev }) => ({ mac, link, prev })),
    });
  });
});
