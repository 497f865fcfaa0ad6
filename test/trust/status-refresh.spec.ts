import { describe, expect, it } from 'vitest';
import { startFakeAuthority } from '../support/fake-authority.js';
import { type StatusDesk, statusDesk } from './status-desk.js';

// Copies are renewed before they end, without anybody waiting for it.

/** Time passes, and what it set going has ended. */
async function passed(desk: StatusDesk, byMs: number): Promise<number> {
  desk.pass(byMs);
  await desk.lists.idle();
  return desk.fetches();
}

describe('a copy that is used', () => {
  it.each([
    [0, 42_000],
    [0.5, 48_000],
    [0.999_999, 54_000],
  ])(
    'is renewed between 70 and 90 %% of its life, as it was drawn (%d)',
    async (random, refreshMs) => {
      const desk = await statusDesk({ random });
      desk.publish();
      await desk.ask();
      expect(await passed(desk, refreshMs - 1)).toBe(1);
      desk.publish();
      expect(await passed(desk, 1)).toBe(2);
      expect(desk.look()).toBe(0);
      desk.pass(20_000);
      expect(desk.look()).toBe(0);
      desk.publish({ atMs: desk.atMs + refreshMs - 20_000 });
      expect(await passed(desk, refreshMs - 20_000)).toBe(3);
      expect(desk.look()).toBe(0);
    },
  );

  it('is renewed by what is left of it when it was signed long before', async () => {
    const desk = await statusDesk();
    desk.publish({ atMs: desk.atMs - 40_000 });
    await desk.ask();
    expect(await passed(desk, 15_999)).toBe(1);
    expect(await passed(desk, 1)).toBe(2);
  });

  it('outlives a server that is down for half its life, and not one that is down for all of it', async () => {
    const desk = await statusDesk({ authority: await startFakeAuthority() });
    desk.publish();
    await desk.ask();
    await desk.authority.stop();
    await passed(desk, 30_000);
    expect(await desk.ask()).toBe(0);
    await desk.authority.start();
    desk.publish({ atMs: desk.atMs + 18_000 });
    await passed(desk, 18_000);
    expect(desk.warnings).toEqual([]);
    await desk.authority.stop();
    await passed(desk, 60_000);
    expect(desk.look()).toBe(0);
    await passed(desk, 1);
    expect(await desk.ask()).toBe('status_unavailable');
    await desk.authority.start();
    desk.publish();
    await passed(desk, 1_001);
    expect(await desk.ask()).toBe(0);
    await desk.authority.stop();
  });

  it('is renewed again after 1, 2, 4, 8, 16 and then every 30 s while it lasts', async () => {
    const desk = await statusDesk({ random: 0 });
    desk.publish({ claims: { ttl: 600 } });
    await desk.ask();
    desk.authority.serve(desk.uri, (_request, response) => response.writeHead(500).end());
    expect(await passed(desk, 420_000)).toBe(2);
    let fetches = 2;
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]) {
      expect(desk.clock.waiting()).toEqual([pauseMs]);
      expect(await passed(desk, pauseMs)).toBe((fetches += 1));
    }
    desk.publish({ atMs: desk.atMs + 30_000, claims: { ttl: 600 } });
    expect(await passed(desk, 30_000)).toBe(fetches + 1);
    expect(desk.look()).toBe(0);
    expect(desk.clock.waiting()).toEqual([420_000]);
  });

  it('that was fetched out of turn is renewed from then on, once', async () => {
    const desk = await statusDesk();
    desk.publish();
    await desk.ask();
    desk.pass(20_000);
    desk.publish({ claims: { version: 2 } });
    expect(await desk.ask(0, { minVersion: 2 })).toBe(0);
    expect(desk.clock.waiting()).toEqual([48_000]);
  });

  it('is not tried again when it ended before the next try was due', async () => {
    const desk = await statusDesk({ random: 0.999_999 });
    desk.publish({ claims: { ttl: 600 } });
    await desk.ask();
    desk.authority.serve(desk.uri, (_request, response) => response.writeHead(500).end());
    await passed(desk, 540_000);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000]) await passed(desk, pauseMs);
    expect(desk.clock.waiting()).toEqual([30_000]);
    expect(desk.fetches()).toBe(7);
    expect(await passed(desk, 30_000)).toBe(7);
  });

  it('is not tried again in the background once it is over', async () => {
    const desk = await statusDesk();
    desk.publish();
    await desk.ask();
    desk.authority.serve(desk.uri, (_request, response) => response.writeHead(500).end());
    for (let second = 0; second < 61; second += 1) await passed(desk, 1_000);
    const fetches = desk.fetches();
    expect(fetches).toBeGreaterThan(3);
    expect(await passed(desk, 600_000)).toBe(fetches);
    expect(desk.clock.waiting()).toEqual([]);
  });
});

describe('a copy that nobody looks at', () => {
  it('is renewed once, after which it waits until it is needed', async () => {
    const desk = await statusDesk();
    desk.publish();
    await desk.ask();
    desk.pass(20_000);
    desk.publish();
    expect(await passed(desk, 28_000)).toBe(2);
    expect(await passed(desk, 600_000)).toBe(2);
    expect(desk.clock.waiting()).toEqual([]);
    desk.publish();
    expect(await desk.ask()).toBe(0);
    expect(desk.fetches()).toBe(3);
  });
});

describe('stopping', () => {
  it('ends all refreshes, and waits for the fetch that is under way', async () => {
    const desk = await statusDesk({ authority: await startFakeAuthority() });
    desk.publish();
    await desk.ask();
    const release = desk.authority.hold();
    const arrived = desk.authority.nextRequest();
    desk.pass(48_000);
    await arrived;
    let isStopped = false;
    const stopped = desk.lists.stop().then(() => (isStopped = true));
    await Promise.resolve();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    expect(desk.clock.waiting()).toEqual([]);
    expect(await passed(desk, 600_000)).toBe(2);
    await desk.authority.stop();
  });
});

describe('a copy that is confirmed', () => {
  const etag = '"v1"';
  const confirm = (desk: StatusDesk, headers: Readonly<Record<string, string>> = {}) =>
    desk.authority.serve(desk.uri, (request, response) => {
      expect(request.headers['if-none-match']).toBe(etag);
      response.writeHead(304, { 'cache-control': 'max-age=20', ...headers }).end();
    });

  it('lives anew from the request on, but not beyond its own times', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { ttl: 60 } }, { etag, 'cache-control': 'max-age=20' });
    await desk.ask();
    confirm(desk);
    expect(await passed(desk, 16_000)).toBe(2);
    await desk.lists.stop();
    desk.pass(20_000);
    expect(desk.look()).toBe(0);
    desk.pass(1);
    expect(desk.look()).toBe('status_copy_too_old');
    expect(await desk.ask()).toBe(0);
    expect(await desk.ask(0)).toBe(0);
    desk.atMs += 23_999;
    expect(desk.look()).toBe(0);
    desk.atMs += 1;
    expect(desk.look()).toBe('status_stale');
  });

  it('keeps the limit of before when the confirmation names none', async () => {
    const desk = await statusDesk();
    desk.publish({}, { etag, 'cache-control': 'max-age=20' });
    await desk.ask();
    desk.authority.serve(desk.uri, (_request, response) => response.writeHead(304).end());
    await passed(desk, 16_000);
    await desk.lists.stop();
    desk.clock.advance(20_000);
    expect(desk.look()).toBe(0);
    desk.clock.advance(1);
    expect(desk.look()).toBe('status_copy_too_old');
  });

  it('is fetched whole once its own times are over', async () => {
    const desk = await statusDesk();
    desk.publish({}, { etag });
    await desk.ask();
    await desk.lists.stop();
    desk.pass(60_001);
    desk.publish({}, { etag });
    expect(await desk.ask()).toBe(0);
    expect(desk.authority.requestsOf(desk.uri)[1]?.['if-none-match']).toBeUndefined();
  });

  it('that is confirmed unasked is no list', async () => {
    const desk = await statusDesk();
    desk.publish();
    await desk.ask();
    confirm(desk);
    desk.authority.serve(desk.uri, (_request, response) => response.writeHead(304).end());
    await passed(desk, 48_000);
    expect(desk.warnings).toEqual([expect.stringContaining('status_http')]);
  });
});
