import { err, ok, type Result } from '../../../core/kernel/index.js';
import { SECRET_SETTINGS, SETTING_NAMES, settingsSchema, type Settings } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SHOWN_CHARACTERS = 80;

/**
 * Reads every setting from the environment, or answers one line for each that is wrong: name, value (never of a
 * secret) and fix. An empty value is wrong, because it is half a setting; other variables are not looked at.
 */
export function parseSettings(environment: Environment): Result<Settings, readonly string[]> {
  const given = SETTING_NAMES.filter((name) => environment[name] !== undefined);
  const empty = given.filter((name) => environment[name]?.trim() === '');
  const parsed = settingsSchema.safeParse(
    Object.fromEntries(
      given.filter((name) => !empty.includes(name)).map((name) => [name, environment[name]]),
    ),
  );
  const problems = empty.map((name) => `${name} is empty: give it a value or leave it out.`);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const name = String(path[0]);
      problems.push(`${name} is ${shown(name, environment[name] ?? '')}: ${message}.`);
    }
    return err(problems);
  }
  problems.push(...contradictions(parsed.data));
  return problems.length > 0 ? err(problems) : ok(parsed.data);
}

/** Settings that are right alone and wrong together. */
function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.ALLOW_LOOPBACK_PEERS && settings.PUBLIC_BASE_URL !== undefined) {
    problems.push(
      'ALLOW_LOOPBACK_PEERS is "true" beside PUBLIC_BASE_URL: a public service must not fetch from its own machine; set it to false.',
    );
  }
  return problems;
}

function shown(name: string, value: string): string {
  if (SECRET_SETTINGS.some((secret) => secret === name))
    return `not usable (${value.length} characters, not shown)`;
  if (name === 'DATABASE_URL')
    return 'not a PostgreSQL address (not shown, it may hold a password)';
  if (name === 'REDIS_URL') return 'not a Redis address (not shown, it may hold a password)';
  const cut = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value;
  return JSON.stringify(cut);
}
