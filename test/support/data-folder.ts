import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that the database's user may enter (mkdtemp makes 0700, and as root PostgreSQL runs as somebody else). */
export function temporaryDataFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}
