import { Module } from '@nestjs/common';
import { SigningKeysController } from './signing-keys.controller.js';

@Module({ controllers: [SigningKeysController] })
export class KeysApiModule {}
