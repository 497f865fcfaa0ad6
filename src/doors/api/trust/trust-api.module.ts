import { Module } from '@nestjs/common';
import { AuthorityModule } from '../../../trust/authority/index.js';
import { BuyerAuthorityModule } from '../../../trust/buyer-authority/index.js';
import { FactsModule } from '../../../trust/facts/index.js';
import { PeersModule } from '../../../trust/peers/index.js';
import { RailEvidenceModule } from '../../../trust/rail-evidence/index.js';
import { RevocationModule } from '../../../trust/revocation/index.js';
import { StatusModule } from '../../../trust/status/index.js';
import { ArtifactsController } from './artifacts.controller.js';
import { AuthorityController } from './authority.controller.js';
import { CredentialsController } from './credentials.controller.js';
import { IssuerKeysController } from './issuer-keys.controller.js';
import { PassportsController } from './passports.controller.js';
import { RailEvidenceController } from './rail-evidence.controller.js';
import { StatusController } from './status.controller.js';
import { StatusListsController } from './status-lists.controller.js';

@Module({
  imports: [
    PeersModule,
    AuthorityModule,
    StatusModule,
    FactsModule,
    BuyerAuthorityModule,
    RailEvidenceModule,
    RevocationModule,
  ],
  controllers: [
    IssuerKeysController,
    StatusController,
    StatusListsController,
    ArtifactsController,
    CredentialsController,
    PassportsController,
    RailEvidenceController,
    AuthorityController,
  ],
})
export class TrustApiModule {}
