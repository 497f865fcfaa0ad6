import type { z } from 'zod';
import { err, ok, type Result } from '../../../core/kernel/index.js';
import { isLoopbackHost, SECRET_SETTINGS, settingsSchema, type Settings } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SHOWN_CHARACTERS = 80;

/**
 * Reads every setting from the environment, or answers one line for each that is wrong: name, value (never of a
 * secret) and fix. An empty value is wrong, because it is half a setting; other variables are not looked at.
 */
export function parseSettings(environment: Environment): Result<Settings, readonly string[]> {
  const parsed = parseWith(settingsSchema, { environment, secrets: SECRET_SETTINGS });
  if (!parsed.ok) return parsed;
  const problems = contradictions(parsed.value);
  return problems.length > 0 ? err(problems) : parsed;
}

/** As {@link parseSettings}, for the settings of one schema; the values of `secrets` are never shown. */
export function parseWith<Schema extends z.ZodObject>(
  schema: Schema,
  { environment, secrets }: { environment: Environment; secrets: readonly string[] },
): Result<z.output<Schema>, readonly string[]> {
  const names = Object.keys(schema.shape);
  const given = names.filter((name) => environment[name] !== undefined);
  const empty = given.filter((name) => environment[name]?.trim() === '');
  const parsed = schema.safeParse(
    Object.fromEntries(
      given.filter((name) => !empty.includes(name)).map((name) => [name, environment[name]]),
    ),
  );
  const problems = empty.map((name) => `${name} is empty: give it a value or leave it out.`);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (empty.includes(name)) continue;
    const value = shown(name, { value: environment[name] ?? '', isSecret: secrets.includes(name) });
    problems.push(`${name} is ${value}: ${message}.`);
  }
  return parsed.success && problems.length === 0 ? ok(parsed.data) : err(problems);
}

const AUTHORITY_PARTS = [
  'AUTHORITY_URL',
  'AUTHORITY_ORIGIN',
  'AUTHORITY_SERVICE_TOKEN',
] as const satisfies readonly (keyof Settings)[];

/** Settings that are right alone and wrong together. */
function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.ALLOW_LOOPBACK_PEERS && settings.PUBLIC_BASE_URL !== undefined) {
    problems.push(
      'ALLOW_LOOPBACK_PEERS is "true" beside PUBLIC_BASE_URL: a public service must not fetch from its own machine; set it to false.',
    );
  }
  const openSetting =
    settings.PUBLIC_BASE_URL === undefined ? 'a HOST that is not loopback' : 'PUBLIC_BASE_URL';
  const isOpen = settings.PUBLIC_BASE_URL !== undefined || !isLoopbackHost(settings.HOST);
  if (settings.SIGNATURE_ALLOW_TEST_KEYS && isOpen) {
    problems.push(
      `SIGNATURE_ALLOW_TEST_KEYS is "true" beside ${openSetting}: anybody can sign with keys whose private halves are published; set it to false.`,
    );
  }
  const missing = AUTHORITY_PARTS.filter((name) => settings[name] === undefined);
  if (missing.length > 0 && missing.length < AUTHORITY_PARTS.length) {
    problems.push(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing: an authority of its own is named by AUTHORITY_URL, AUTHORITY_ORIGIN and AUTHORITY_SERVICE_TOKEN together; give all three, or none for the embedded one.`,
    );
  }
  return problems;
}

function shown(name: string, { value, isSecret }: { value: string; isSecret: boolean }): string {
  if (isSecret) return `not usable (${value.length} characters, not shown)`;
  if (name === 'DATABASE_URL')
    return 'not a PostgreSQL address (not shown, it may hold a password)';
  if (name === 'REDIS_URL') return 'not a Redis address (not shown, it may hold a password)';
  const cut = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value;
  return JSON.stringify(cut);
}
