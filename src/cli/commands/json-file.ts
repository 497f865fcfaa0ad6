import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../../core/kernel/index.js';

/** Largest document that is read from a file, in bytes: that of the service's bodies is smaller. */
const DOCUMENT_BYTES_MAX = 1_048_576;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object in a file, or from standard input for `-`. Failures: unreadable, too large, no JSON, no object. */
export function readJsonFile(path: string): Result<JsonObject, string> {
  let text: string;
  try {
    if (path !== '-' && statSync(path).size > DOCUMENT_BYTES_MAX)
      return err(`${path} is larger than ${DOCUMENT_BYTES_MAX} bytes.`);
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err(`${path} cannot be read (${code}).`);
  }
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? ok(value as JsonObject) : err(`${path} holds no JSON object.`);
  } catch {
    return err(`${path} holds no JSON.`);
  }
}
