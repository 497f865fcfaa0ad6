import { createServer, type AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import {
  HEALTH,
  type HealthFinding,
  type HealthRegistry,
  STARTUP_NOTES,
  StartRefused,
  type StartupNotes,
} from '../../src/base/platform/index.js';
import { startTestService } from '../support/service.js';

function deferred<Value>() {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: Value) => settle(value) };
}

describe('the service', () => {
  it('starts on a free port, is ready, and names each check with its age', async () => {
    const service = await startTestService();
    const answer = await fetch(`${service.baseUrl}/health/ready`);
    const body = (await answer.json()) as {
      checks: { name: string; healthy: boolean; age_ms: number }[];
    };
    expect([answer.status, body]).toMatchObject([200, { status: 'ready' }]);
    expect(body.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['accepting', 'database', 'migrations']),
    );
    expect(body.checks.every(({ healthy, age_ms }) => healthy && age_ms >= 0)).toBe(true);
  });

  it('logs what a room says with its fields, not the text alone', async () => {
    const service = await startTestService();
    new Logger('a-room').error('Something went wrong', { reference: 'pay_1', error: 'why' });
    const line = service
      .logText()
      .split('\n')
      .find((one) => one.includes('Something went wrong'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      msg: 'Something went wrong',
      context: 'a-room',
      reference: 'pay_1',
      error: 'why',
    });
  });

  it('hands over the notes that rooms added, with the address it listens on', async () => {
    const service = await startTestService();
    service.app.get<StartupNotes>(STARTUP_NOTES).add((baseUrl) => [`curl ${baseUrl}/x`]);
    expect(await service.notes()).toEqual([`curl ${service.baseUrl}/x`]);
  });

  it('refuses a taken port with one line', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const refused = await startTestService({ PORT: String(port) }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartRefused);
    expect((refused as Error).message).toMatch(
      new RegExp(`^PORT ${port} on 127.0.0.1 is taken: .+$`),
    );
    await new Promise((resolve) => holder.close(resolve));
  });

  it('stops in order: not ready, what is in flight answered, the port free; twice is once', async () => {
    const service = await startTestService();
    const slow = deferred<HealthFinding>();
    const asked = deferred<null>();
    service.app.get<HealthRegistry>(HEALTH).add({
      name: 'slow',
      check: () => {
        asked.resolve(null);
        return slow.promise;
      },
    });
    const inFlight = fetch(`${service.baseUrl}/health/ready`);
    await asked.promise;
    const stopped = Promise.all([service.stop(), service.stop()]);
    slow.resolve({ healthy: true });
    const answer = await inFlight;
    expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'not_ready' }]);
    expect(await stopped).toEqual([true, true]);
    await expect(fetch(`${service.baseUrl}/health/live`)).rejects.toThrow();
  });
});
