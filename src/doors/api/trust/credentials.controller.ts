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
  AP2_OBJECTS,
  type Ap2Objects,
  CREDENTIALS,
  type Credentials,
  type TokenKind,
} from '../../../trust/buyer-authority/index.js';
import { commandContext } from '../command-context.js';
import {
  printConsent,
  printForeignMandate,
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
    @Inject(AP2_OBJECTS) private readonly ap2Objects: Ap2Objects,
    @Inject(OUTSIDE_LOCK) private readonly outsideLock: OutsideLock,
  ) {}

  @Handles(registerMandate)
  async registerMandate(
    @Input() { body }: InputOf<typeof registerMandate>,
    @Caller() caller: CallerContext,
  ) {
    if ('token' in body)
      return mapOk(await this.#register('mandate', body.token, caller), printMandate);
    const held = await this.ap2Objects.register(commandContext(caller), {
      ...body,
      registrar: caller.principal,
    });
    return held.ok ? this.#foreign(held.value, caller) : held;
  }

  @Handles(readMandate)
  async readMandate(
    @Input() { params }: InputOf<typeof readMandate>,
    @Caller() caller: CallerContext,
  ) {
    const native = await this.#read('mandate', params.id, caller);
    if (native.ok || native.error.code !== 'not_found') return mapOk(native, printMandate);
    return this.#foreign(params.id, caller);
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

  async #foreign(id: string, { principal }: CallerContext) {
    const atMs = await commerceNow(this.outsideLock, principal.tenantId);
    const found = await this.ap2Objects.get(principal.tenantId, { id, viewer: principal, atMs });
    return mapOk(found, printForeignMandate);
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
