import { Controller, Global, Inject, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ok } from '../../../core/kernel/index.js';
import { answerWith } from '../http/answer.js';
import { Handles } from '../http/handles.js';
import { METRICS } from '../tokens.js';
import { readMetrics } from './metrics.contract.js';

@Controller()
export class MetricsController {
  constructor(@Inject(METRICS) private readonly metrics: Registry) {}

  @Handles(readMetrics)
  async read() {
    const headers = { 'content-type': this.metrics.contentType };
    return ok(answerWith(await this.metrics.metrics(), { headers }));
  }
}

/** A registry of this application's own: several of them in one process count apart. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [{ provide: METRICS, useFactory: () => new Registry() }],
  exports: [METRICS],
})
export class MetricsModule {}
