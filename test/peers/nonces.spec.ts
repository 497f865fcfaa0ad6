import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/base/platform/database/pool.js';
import type { NonceClaim } from '../../src/core/httpsig/index.js';
import type { Queryable } from '../../src/base/platform/index.js';
import {
  NONCE_FLUSH_MAX,
  NONCE_FLUSHES_MAX,
  NONCE_GRACE_MS,
  NONCE_LIFE_MS_MAX,
  NONCE_SWEEP_DELAY_MS,
  NONCES_WAITING_MAX,
  SignatureNonces,
} from '../../src/trust/peers/index.js';
import { closeAfterFile } from '../support/closing.js';
import { runScript } from '../support/compiled.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';

const NOW_MS = 1_796_000_000_000;
const WINDOW_MS = 480_000;

let database: TestDatabase;
const clock = { nowMs: NOW_MS };
beforeAll(async () => {
  database = await freshDatabase();
});

const nonces = (on: Queryable = database.pool, claimMsMax = 30_000) =>
  new SignatureNonces({ database: on, nowMs: () => clock.nowMs, claimMsMax });

const wordOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function claimOf(changes: Partial<NonceClaim> = {}): NonceClaim {
  return {
    profile: 'tap',
    source: 'pinned',
    keyId: 'key-1',
    nonceHash: wordOf(randomUUID()),
    expiresAtMs: NOW_MS + WINDOW_MS,
    ...changes,
  };
}

/** Its row is there: written by whoever was told that the state is unavailable. */
async function untilReplayed(room: SignatureNonces, claim: NonceClaim): Promise<void> {
  for (;;) {
    const { rowCount: count } = await database.pool.query(
      'SELECT 1 FROM signature_nonces WHERE kept_until_ms = $1',
      [claim.expiresAtMs + NONCE_GRACE_MS],
    );
    if (count === 1) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await room.claim(claim)).toBe('replayed');
}

const rowCount = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: string }>(
    'SELECT count(*) FROM signature_nonces',
  );
  return Number(rows[0]?.count);
};

describe('a word', () => {
  it('is claimed once', async () => {
    const claim = claimOf();
    expect(await nonces().claim(claim)).toBe('claimed');
    expect(await nonces().claim(claim)).toBe('replayed');
    expect(await nonces().claim({ ...claim, expiresAtMs: claim.expiresAtMs + 1 })).toBe('replayed');
  });

  it('belongs to its profile, source and key: others may choose the same', async () => {
    const claim = claimOf({ source: 'https://a.example/', keyId: 'b' });
    const others: Partial<NonceClaim>[] = [
      {},
      { profile: 'wba' },
      { source: 'https://b.example/' },
      { keyId: 'c' },
      { nonceHash: wordOf(randomUUID()) },
      // The same letters with the border elsewhere.
      { source: 'https://a.example', keyId: '/b' },
      { source: 'https://a.example/","b' },
    ];
    for (const other of others)
      expect(await nonces().claim({ ...claim, ...other }), JSON.stringify(other)).toBe('claimed');
  });

  it('is free again after its end, and not before', async () => {
    const claim = claimOf();
    const endMs = claim.expiresAtMs + NONCE_GRACE_MS;
    const at = (nowMs: number) => {
      const room = new SignatureNonces({ database: database.pool, nowMs: () => nowMs });
      return room.claim({ ...claim, expiresAtMs: nowMs + 1 });
    };
    expect(await nonces().claim(claim)).toBe('claimed');
    expect(await at(claim.expiresAtMs)).toBe('replayed');
    expect(await at(endMs - 1)).toBe('replayed');
    expect(await at(endMs)).toBe('claimed');
    expect(await at(endMs)).toBe('replayed');
  });

  it.each([
    ['that is over', 0],
    ['that was over', -1],
    ['that would have to be kept too long', NONCE_LIFE_MS_MAX + 1],
    ['without an end', Number.NaN],
    ['for ever', Number.POSITIVE_INFINITY],
  ])('%s is never claimed', async (_name, lifeMs) => {
    const before = await rowCount();
    expect(await nonces().claim(claimOf({ expiresAtMs: NOW_MS + lifeMs }))).toBe('unavailable');
    expect(await rowCount()).toBe(before);
  });

  it('is kept to a fraction of a millisecond rounded up', async () => {
    expect(await nonces().claim(claimOf({ expiresAtMs: NOW_MS + 0.5 }))).toBe('claimed');
  });
});

describe('copies', () => {
  it('that come together: exactly one is claimed', async () => {
    const room = nonces();
    const claim = claimOf();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => room.claim(claim)));
    expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(99);
  });

  it('in many statements at once, in whatever order: exactly one of each, and no deadlock', async () => {
    const claims = Array.from({ length: 60 }, () => claimOf());
    const rooms = Array.from({ length: 6 }, () => nonces());
    const outcomes = await Promise.all(
      rooms.map((room, index) => {
        const order = index % 2 === 0 ? claims : claims.toReversed();
        return Promise.all(order.map(async (claim) => [claim, await room.claim(claim)] as const));
      }),
    );
    for (const claim of claims) {
      const said = outcomes.flat().filter(([one]) => one === claim);
      expect(said.filter(([, outcome]) => outcome === 'claimed')).toHaveLength(1);
      expect(said.filter(([, outcome]) => outcome === 'replayed')).toHaveLength(rooms.length - 1);
    }
  });

  it('in two processes: of 100 each exactly one is claimed', async () => {
    const claim = claimOf();
    const text = `
      import { createPool } from 'DIST/base/platform/database/pool.js';
      import { SignatureNonces } from 'DIST/trust/peers/index.js';
      const pool = createPool({ connectionString: process.env.URL });
      const nonces = new SignatureNonces({ database: pool, nowMs: () => ${NOW_MS}, claimMsMax: 60_000 });
      await pool.query('SELECT 1');
      console.log('ready');
      process.stdin.once('data', async () => {
        const claim = ${JSON.stringify(claim)};
        const outcomes = await Promise.all(Array.from({ length: 100 }, () => nonces.claim(claim)));
        console.log(JSON.stringify(outcomes));
        await pool.end();
        process.exit(0);
      });`;
    const children = await Promise.all(
      [1, 2].map(() => runScript(text, { URL: database.connectionString })),
    );
    const readers = children.map(({ stdout }) => {
      if (stdout === null) throw new Error('a script has a stdout');
      return createInterface({ input: stdout })[Symbol.asyncIterator]();
    });
    const line = async (index: number) => String((await readers[index]?.next())?.value);
    expect(await Promise.all([line(0), line(1)])).toEqual(['ready', 'ready']);
    const ended = children.map((child) => once(child, 'close'));
    for (const { stdin } of children) stdin?.write('go\n');
    const lines = await Promise.all([line(0), line(1)]);
    await Promise.all(ended);
    const outcomes = lines.flatMap((one) => JSON.parse(one) as string[]);
    expect(outcomes).toHaveLength(200);
    expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(199);
  });

  it('go to the database in few statements', async () => {
    let statements = 0;
    const counting: Queryable = {
      query: (text, values) => {
        statements += 1;
        return database.pool.query(text, values as unknown[]);
      },
    };
    const room = nonces(counting);
    const claims = Array.from({ length: NONCE_FLUSH_MAX }, () => claimOf());
    expect(new Set(await Promise.all(claims.map((claim) => room.claim(claim))))).toEqual(
      new Set(['claimed']),
    );
    expect(statements).toBeLessThanOrEqual(2);
  });
});

describe('the database alone', () => {
  const digest = () => Buffer.from(wordOf(randomUUID()), 'base64url');

  it('refuses a word twice', async () => {
    const values = [digest(), NOW_MS, NOW_MS + 1_000];
    const insert = () =>
      database.pool.query('INSERT INTO signature_nonces VALUES ($1, $2, $3)', values);
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505' });
  });

  it('refuses to move a word that is not over', async () => {
    const word = digest();
    await database.pool.query('INSERT INTO signature_nonces VALUES ($1, $2, $3)', [
      word,
      NOW_MS,
      NOW_MS + 1_000,
    ]);
    const move = (claimedAtMs: number) =>
      database.pool.query(
        'UPDATE signature_nonces SET claimed_at_ms = $2::bigint, kept_until_ms = $2::bigint + 1000 WHERE claim_sha256 = $1',
        [word, claimedAtMs],
      );
    await expect(move(NOW_MS + 999)).rejects.toMatchObject({ code: '23000' });
    await move(NOW_MS + 1_000);
  });
});

describe('without its database a word is never claimed', () => {
  it('when there is none', async () => {
    const pool = createPool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    closeAfterFile(() => pool.end());
    const room = nonces(pool);
    const outcomes = await Promise.all([room.claim(claimOf()), room.claim(claimOf())]);
    expect(outcomes).toEqual(['unavailable', 'unavailable']);
  });

  it('when it does not answer in time; what waits behind is not burned, and later ones are claimed', async () => {
    const answers: (() => void)[] = [];
    let isSlow = true;
    const slow: Queryable = {
      async query(text, values) {
        if (isSlow) await new Promise<void>((resolve) => answers.push(resolve));
        return database.pool.query(text, values as unknown[]);
      },
    };
    const room = nonces(slow, 50);
    // Ends of their own, to find their rows by.
    const stuck = [101, 102].map((more) => claimOf({ expiresAtMs: NOW_MS + WINDOW_MS + more }));
    for (const claim of stuck) expect(await room.claim(claim)).toBe('unavailable');
    expect(answers).toHaveLength(NONCE_FLUSHES_MAX);
    const behind = claimOf();
    expect(await room.claim(behind)).toBe('unavailable');
    expect(answers).toHaveLength(NONCE_FLUSHES_MAX);
    const later = nonces();
    isSlow = false;
    for (const answer of answers) answer();
    // Goes the way of what waited before it.
    while ((await room.claim(claimOf())) !== 'claimed');
    // What was under way is burned, whoever was told so.
    for (const claim of stuck) await untilReplayed(later, claim);
    expect(await later.claim(behind)).toBe('claimed');
  });

  it('when the connection is cut behind the statement: the word may be burned, and no one is let in', async () => {
    const proxy = await FaultyProxy.start(database.connectionString);
    const pool = createPool({ connectionString: proxy.connectionString });
    closeAfterFile(async () => {
      await pool.end();
      await proxy.close();
    });
    const claim = claimOf();
    await pool.query('SELECT 1');
    // Parse carries the text; the answer of the insert is what gets lost.
    proxy.arm(/INSERT INTO signature_nonces/, (connection, message) => {
      connection.cutAtAnswer = /INSERT 0 1/;
      connection.send(message);
    });
    const room = nonces(pool);
    expect(await room.claim(claim)).toBe('unavailable');
    expect(proxy.isArmed).toBe(false);
    expect(await nonces().claim(claim)).toBe('replayed');
    expect(await room.claim(claimOf())).toBe('claimed');
  });

  it('when too many wait', async () => {
    const never: Queryable = { query: () => new Promise(() => undefined) };
    const room = nonces(never, 500);
    const waiting = Array.from({ length: NONCES_WAITING_MAX }, () => room.claim(claimOf()));
    let isFirstOver = false;
    void waiting[0]?.then(() => (isFirstOver = true));
    expect(await room.claim(claimOf())).toBe('unavailable');
    expect(isFirstOver).toBe(false);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['unavailable']));
  });
});

describe('the sweep', () => {
  it('takes at most so many, the oldest first, and none that another clock may still ask for', async () => {
    const { pool } = await freshDatabase();
    const room = new SignatureNonces({ database: pool, nowMs: () => clock.nowMs });
    const claims = [1, 2, 3, 4, 5].map((second) =>
      claimOf({ expiresAtMs: NOW_MS + second * 1_000 }),
    );
    for (const claim of claims) expect(await room.claim(claim)).toBe('claimed');
    const left = async () => {
      const { rows } = await pool.query<{ kept_until_ms: string }>(
        'SELECT kept_until_ms FROM signature_nonces ORDER BY kept_until_ms',
      );
      return rows.map((row) => (Number(row.kept_until_ms) - NONCE_GRACE_MS - NOW_MS) / 1_000);
    };
    const all = { tenantId: null, limit: 2 };
    try {
      clock.nowMs = NOW_MS + 4_000 + NONCE_GRACE_MS + NONCE_SWEEP_DELAY_MS;
      expect(await room.sweepDue({ tenantId: 'tnt_1', limit: 2 })).toBe(0);
      expect(await room.sweepDue(all)).toBe(2);
      expect(await left()).toEqual([3, 4, 5]);
      expect(await room.sweepDue(all)).toBe(1);
      expect(await room.sweepDue(all)).toBe(0);
      expect(await left()).toEqual([4, 5]);
    } finally {
      clock.nowMs = NOW_MS;
    }
  });
});
