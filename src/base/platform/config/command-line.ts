import type { Environment } from './parse-settings.js';

/** What the command line was told by its environment; its options come before. */
export interface CommandLineSettings {
  readonly url: string | null;
  readonly apiKey: string | null;
  readonly keyFile: string | null;
}

/** Reads only; what is wrong with a value is said where it is used. Secrets stay what they are: the caller prints none. */
export function commandLineSettings(environment: Environment = process.env): CommandLineSettings {
  return {
    url: environment['ARBITER_URL'] ?? null,
    apiKey: environment['ARBITER_API_KEY'] ?? null,
    keyFile: environment['ARBITER_KEY_FILE'] ?? null,
  };
}
