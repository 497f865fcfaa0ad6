import { createHash, randomBytes } from 'node:crypto';
import { type ApiKeyId, type World, WORLDS } from '../../core/kernel/index.js';

/** Random part of a key, in bytes: 256 bits, so that a fast hash is enough and guessing is not a threat. */
export const API_KEY_SECRET_BYTES = 32;

const FORM = /^ak_(test|live)_([0-9a-f]{32})_([0-9a-f]{64})$/;

/** What a key says about itself; nothing of it is believed before the hash of the whole key was compared. */
export interface ParsedApiKey {
  readonly world: World;
  readonly apiKeyId: ApiKeyId;
}

/**
 * `ak_test_<id>_<secret>`: the prefix names the world (a live key in a test setting is seen with the naked eye and by
 * secret scanners), the id finds the row, the secret proves it.
 */
export const printApiKey = (world: World, apiKeyId: ApiKeyId, secret: string): string =>
  `ak_${world}_${apiKeyId.slice('key_'.length)}_${secret}`;

export function parseApiKey(apiKey: string): ParsedApiKey | null {
  const match = FORM.exec(apiKey);
  const world = WORLDS.find((known) => known === match?.[1]);
  return match === null || world === undefined ? null : { world, apiKeyId: `key_${match[2]}` };
}

export const drawApiKeySecret = (): string => randomBytes(API_KEY_SECRET_BYTES).toString('hex');

/**
 * SHA-256 of the whole key. No salt and no slow hash: the secret has 256 random bits, so that nobody can list
 * candidates; the hash may stand in an entry.
 */
export const apiKeyDigest = (apiKey: string): Buffer =>
  createHash('sha256').update(apiKey).digest();
