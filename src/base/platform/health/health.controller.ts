import { Controller, Inject } from '@nestjs/common';
import { ok, type Result } from '../../../core/kernel/index.js';
import { answerWith, type HttpAnswer } from '../http/answer.js';
import { Handles } from '../http/handles.js';
import { HEALTH } from '../tokens.js';
import { readLiveness, readReadiness } from './contracts.js';
import type { HealthRegistry } from './health.js';

const READY = 200;
const NOT_READY = 503;

@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: HealthRegistry) {}

  @Handles(readLiveness)
  live(): Result<{ readonly status: 'live' }, never> {
    return ok({ status: 'live' });
  }

  @Handles(readReadiness)
  async ready(): Promise<Result<HttpAnswer, never>> {
    const { ready, checks } = await this.health.report();
    const body = {
      status: ready ? 'ready' : 'not_ready',
      checks: checks.map(({ ageMs, ...check }) => ({ ...check, age_ms: ageMs })),
    };
    return ok(answerWith(body, { status: ready ? READY : NOT_READY }));
  }
}
