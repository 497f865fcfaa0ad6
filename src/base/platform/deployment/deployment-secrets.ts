import { createHmac } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { StartRefused } from '../start-refused.js';
import { keepFingerprints, readFingerprints } from './deployment-secrets.store.js';

/** The secrets without which what stands in a database cannot be opened or verified, by their settings' names. */
export interface DeploymentSecrets {
  /** 32 bytes. */
  readonly KEY_ENCRYPTION_KEY: Uint8Array;
  /** 32 bytes. */
  readonly LEDGER_HMAC_MASTER: Uint8Array;
}

type SecretName = keyof DeploymentSecrets;

/** 64 hex digits that tell one secret from another. The name is in the text: one value in two places shows nothing. */
const fingerprintOf = (name: SecretName, secret: Uint8Array): string =>
  createHmac('sha256', secret).update(`arbiter-deployment-secret/1\n${name}\n`).digest('hex');

/**
 * Binds a migrated database to the secrets of the first process that starts on it. Throws StartRefused, one line for
 * each secret that is another than the first one's.
 */
export async function bindSecrets(database: Queryable, secrets: DeploymentSecrets): Promise<void> {
  const names = Object.keys(secrets) as SecretName[];
  await keepFingerprints(
    database,
    names.map((name) => ({ secretName: name, fingerprint: fingerprintOf(name, secrets[name]) })),
  );
  const others = await otherSecrets(database, secrets);
  if (others.length === 0) return;
  throw new StartRefused(
    others
      .map(
        (name) =>
          `${name} is not the one that this database was first started with: use the DATA_DIR of that start (or give its value of ${name}), or take another database.`,
      )
      .join('\n'),
  );
}

/** The names among `secrets` whose value is not the one this database is bound to; a database not yet bound has none. */
export async function otherSecrets<Name extends SecretName>(
  database: Queryable,
  secrets: Pick<DeploymentSecrets, Name>,
): Promise<readonly Name[]> {
  const stored = new Map(
    (await readFingerprints(database)).map((row) => [row.secretName, row.fingerprint]),
  );
  return (Object.keys(secrets) as Name[]).filter((name) => {
    const first = stored.get(name);
    return first !== undefined && first !== fingerprintOf(name, secrets[name]);
  });
}
