import { authoritySettings } from './authority-config.js';
import type { Environment } from './parse-settings.js';
import { SETTING_NAMES } from './settings.js';

/**
 * The environment of the authority as a child: what the machine says (paths, certificates, libpq's variables) without any
 * setting of the service, whose secrets are none of the authority's business, and with `settings`.
 */
export function authorityEnvironment(
  settings: Environment,
  environment: Environment = process.env,
): Environment {
  const ours = new Set<string>([...SETTING_NAMES, ...Object.keys(authoritySettings.shape)]);
  const rest = Object.entries(environment).filter(([name]) => !ours.has(name));
  return { ...Object.fromEntries(rest), ...settings };
}
