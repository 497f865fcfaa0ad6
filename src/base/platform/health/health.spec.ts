import { describe, expect, it, vi } from 'vitest';
import { HEALTH_CHECK_MS_MAX, HEALTH_FRESH_MS, HealthRegistry } from './health.js';

function registry() {
  const clock = { nowMs: 0 };
  return { clock, health: new HealthRegistry(() => clock.nowMs) };
}

describe('HealthRegistry', () => {
  it('is ready when every check is healthy, and tells the age of each finding', async () => {
    const { clock, health } = registry();
    let asked = 0;
    health.add({ name: 'database', check: () => ((asked += 1), { healthy: true }) });
    await health.report();
    clock.nowMs = HEALTH_FRESH_MS - 1;
    expect(await health.report()).toEqual({
      ready: true,
      checks: [
        { name: 'accepting', healthy: true, detail: null, ageMs: HEALTH_FRESH_MS - 1 },
        { name: 'database', healthy: true, detail: null, ageMs: HEALTH_FRESH_MS - 1 },
      ],
    });
    clock.nowMs = HEALTH_FRESH_MS;
    await health.report();
    expect(asked).toBe(2);
  });

  it('tells of a check that decides nothing, and stays ready', async () => {
    const { health } = registry();
    const finding = { healthy: false, detail: 'late' } as const;
    health.add({ name: 'jobs', decidesReadiness: false, check: () => finding });
    const { ready, checks } = await health.report();
    expect(ready).toBe(true);
    expect(checks.at(-1)).toMatchObject({ name: 'jobs', healthy: false, detail: 'late' });
  });

  it('tells what a healthy finding rests on', async () => {
    const { health } = registry();
    health.add({ name: 'history', check: () => ({ healthy: true, detail: 'read 5 rows' }) });
    expect((await health.report()).checks.at(-1)).toMatchObject({
      healthy: true,
      detail: 'read 5 rows',
    });
  });

  it('names what is wrong without the message of a driver', async () => {
    const { health } = registry();
    health.add({ name: 'writer', check: () => ({ healthy: false, detail: 'stopped' }) });
    health.add({ name: 'database', check: () => Promise.reject(new Error('user root refused')) });
    const { ready, checks } = await health.report();
    expect(ready).toBe(false);
    expect(checks.map(({ detail }) => detail)).toEqual([null, 'stopped', 'the check failed']);
  });

  it('does not wait for a check that hangs', async () => {
    vi.useFakeTimers();
    const { health } = registry();
    health.add({ name: 'database', check: () => new Promise(() => undefined) });
    const report = health.report();
    await vi.advanceTimersByTimeAsync(HEALTH_CHECK_MS_MAX);
    expect((await report).checks[1]).toMatchObject({
      healthy: false,
      detail: 'no answer in 1000 ms',
    });
    vi.useRealTimers();
  });

  it('is not ready from the moment it stops, whatever was found before', async () => {
    const { health } = registry();
    expect((await health.report()).ready).toBe(true);
    health.stop();
    expect((await health.report()).ready).toBe(false);
  });
});
