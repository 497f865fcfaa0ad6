import { Controller, Inject } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock } from '../../../base/ledger/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { ok } from '../../../core/kernel/index.js';
import { PASSPORT_VERIFIER, type PassportVerifier } from '../../../trust/buyer-authority/index.js';
import { printVerification, verifyPassport } from './credentials.contract.js';
import { commerceNow } from './pieces.js';

@Controller()
export class PassportsController {
  constructor(
    @Inject(PASSPORT_VERIFIER) private readonly passports: PassportVerifier,
    @Inject(OUTSIDE_LOCK) private readonly outsideLock: OutsideLock,
  ) {}

  @Handles(verifyPassport)
  async verifyPassport(
    @Input() { body }: InputOf<typeof verifyPassport>,
    @Caller() { principal }: CallerContext,
  ) {
    const atMs = await commerceNow(this.outsideLock, principal.tenantId);
    const question = { ...body, atMs, asker: principal };
    return ok(printVerification(await this.passports.verify(principal.tenantId, question)));
  }
}
