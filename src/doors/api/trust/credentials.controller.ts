import { Controller, Inject } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock } from '../../../base/ledger/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import {
  CREDENTIALS,
  type Credentials,
  type TokenKind,
} from '../../../trust/buyer-authority/index.js';
import { commandContext } from '../command-context.js';
import {
  printConsent,
  printMandate,
  printPassport,
  readConsent,
  readMandate,
  readPassport,
  registerConsent,
  registerMandate,
  registerPassport,
} from './credentials.contract.js';
import { commerceNow } from './pieces.js';

@Controller()
export class CredentialsController {
  constructor(
    @Inject(CREDENTIALS) private readonly credentials: Credentials,
    @Inject(OUTSIDE_LOCK) private readonly outsideLock: OutsideLock,
  ) {}

  @Handles(registerMandate)
  async registerMandate(
    @Input() { body }: InputOf<typeof registerMandate>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('mandate', body.token, caller), printMandate);
  }

  @Handles(readMandate)
  async readMandate(
    @Input() { params }: InputOf<typeof readMandate>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#read('mandate', params.id, caller), printMandate);
  }

  @Handles(registerConsent)
  async registerConsent(
    @Input() { body }: InputOf<typeof registerConsent>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('consent', body.token, caller), printConsent);
  }

  @Handles(readConsent)
  async readConsent(
    @Input() { params }: InputOf<typeof readConsent>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#read('consent', params.id, caller), printConsent);
  }

  @Handles(registerPassport)
  async registerPassport(
    @Input() { body }: InputOf<typeof registerPassport>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('passport', body.token, caller), printPassport);
  }

  @Handles(readPassport)
  async readPassport(
    @Input() { params }: InputOf<typeof readPassport>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#read('passport', params.id, caller), printPassport);
  }

  async #register<Kind extends TokenKind>(kind: Kind, token: string, caller: CallerContext) {
    const registered = await this.credentials.register(commandContext(caller), {
      kind,
      token,
      registrar: caller.principal,
    });
    return registered.ok ? this.#read(kind, registered.value, caller) : registered;
  }

  async #read<Kind extends TokenKind>(kind: Kind, id: string, { principal }: CallerContext) {
    const atMs = await commerceNow(this.outsideLock, principal.tenantId);
    return this.credentials.get(principal.tenantId, { kind, id, viewer: principal, atMs });
  }
}
