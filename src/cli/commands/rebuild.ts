import { err, ok, type TenantId } from '../../core/kernel/index.js';
import { EXIT } from '../exit-codes.js';
import { jsonText } from '../printable.js';
import type { Shelf } from '../shelf.js';
import { reading } from '../values.js';

interface RebuildOptions {
  readonly tenant?: string;
}

/** Wider than what the service makes: a check takes whatever may stand in a database. */
const parseTenantId = (text: string) =>
  /^tnt_[0-9A-Za-z_-]{1,64}$/.test(text) ? ok(text) : err('Give tnt_ and letters or digits.');

export function addRebuild({ program, local }: Shelf): void {
  program
    .command('rebuild')
    .description('fold every ledger again and compare; beside the database, on its settings')
    .requiredOption('--check', 'change nothing: exit code 0 the same, 1 different, 2 could not run')
    .option('--tenant <tenant>', 'only this one', reading(parseTenantId))
    .action(
      local<RebuildOptions>(async ({ options, json }, { out, note, progress }) => {
        // The database's side of the service: loaded by the one command that needs it.
        const { rebuildCheck, rebuildDocument, rebuildText } = await import('../rebuild.js');
        const scope = (options.tenant as TenantId | undefined) ?? 'all';
        const report = await rebuildCheck({ scope, note, progress });
        if (!report.ok) {
          note(report.error);
          return EXIT.usage;
        }
        out(json ? jsonText(rebuildDocument(report.value), 2) : rebuildText(report.value));
        return report.value.differenceCount === 0 ? EXIT.done : EXIT.no;
      }),
    );
}
