import { Module } from '@nestjs/common';
import type { CompiledRoute } from '../http/compiled-route.js';
import { ROUTES } from '../http/http.module.js';
import { SERVICE_VERSION } from '../service-version.js';
import { DocumentationController } from './documentation.controller.js';
import { DOCUMENTATION, documentationOf } from './publication.js';

@Module({
  controllers: [DocumentationController],
  providers: [
    {
      provide: DOCUMENTATION,
      inject: [ROUTES],
      useFactory: (routes: readonly CompiledRoute[]) => documentationOf(routes, SERVICE_VERSION),
    },
  ],
})
export class DocumentationModule {}
