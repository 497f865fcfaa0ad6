import { Inject, Module } from '@nestjs/common';
import type { Registry } from 'prom-client';
import {
  type CompiledRoute,
  CONFIG,
  type Config,
  METRICS,
  ROUTES,
} from '../../base/platform/index.js';
import { TENANT_SITES, type TenantSites } from '../../base/tenants/index.js';
import { invariant } from '../../core/kernel/index.js';
import {
  KEY_DIRECTORIES,
  type KeyDirectories,
  PeersModule,
  SIGNATURE_NONCES,
  type SignatureNonces,
} from '../../trust/peers/index.js';
import { SignatureCheckController } from './check.controller.js';
import { RequestSignatures } from './request-signatures.js';
import { SignatureSettingsController } from './settings.controller.js';
import { SignatureGuard } from './signature-guard.js';
import { SignatureNotes } from './signature-notes.js';
import { surfaceOf } from './surfaces.js';
import { REQUEST_SIGNATURES, SIGNATURE_GUARD, SIGNATURE_NOTES } from './tokens.js';

/** Wiring of the guard that every request passes behind the caller's, and of its routes. */
@Module({
  imports: [PeersModule],
  controllers: [SignatureSettingsController, SignatureCheckController],
  providers: [
    {
      provide: REQUEST_SIGNATURES,
      inject: [KEY_DIRECTORIES, SIGNATURE_NONCES, CONFIG],
      useFactory: (directories: KeyDirectories, nonces: SignatureNonces, config: Config) =>
        new RequestSignatures({
          directories,
          nonces,
          allowLoopbackPeers: config.allowLoopbackPeers,
          nowMs: Date.now,
        }),
    },
    {
      provide: SIGNATURE_NOTES,
      inject: [METRICS, KEY_DIRECTORIES],
      useFactory: (metrics: Registry, directories: KeyDirectories) => {
        const notes = new SignatureNotes(metrics);
        directories.observe((fetch) => notes.countFetch(fetch));
        return notes;
      },
    },
    {
      provide: SIGNATURE_GUARD,
      inject: [REQUEST_SIGNATURES, TENANT_SITES, SIGNATURE_NOTES, CONFIG],
      useFactory: (
        signatures: RequestSignatures,
        sites: TenantSites,
        ...[notes, config]: [SignatureNotes, Config]
      ) =>
        new SignatureGuard({
          signatures,
          sites,
          notes,
          mode: config.agentSignatureMode,
          publicBaseUrl: config.publicBaseUrl,
        }),
    },
  ],
  exports: [SIGNATURE_GUARD],
})
export class SignaturesModule {
  /** INVARIANT: no route is served that nobody has classified. */
  constructor(@Inject(ROUTES) routes: readonly CompiledRoute[]) {
    for (const { contract, name } of routes)
      invariant(surfaceOf(contract.path) !== null, `${name} has a class for request signatures`);
  }
}
