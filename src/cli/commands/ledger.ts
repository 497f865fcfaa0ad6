import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import type { ValueOf } from '../../client/index.js';
import { err, isPrefixedId, ok, type TenantId } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { jsonText, printableLines } from '../printable.js';
import type { Session } from '../session.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseCount, parseDecisionId, parseTime, parseWord, reading } from '../values.js';
import { addLedgerExport } from './ledger-export.js';
import {
  given,
  type KeyedOptions,
  type ListOptions,
  pageQueryOf,
  withIdempotencyKey,
  withListOptions,
} from './pieces.js';

type Head = ValueOf<'get', '/v1/ledger/head'>;
type Entry = ValueOf<'get', '/v1/ledger/entries'>['items'][number];
type Inclusion = ValueOf<'get', '/v1/ledger/inclusion'>;
type Witnessing = ValueOf<'get', '/v1/ledger/witnessing'>;

export function addLedger(shelf: Shelf): void {
  const ledger = shelf.program.command('ledger').description('the chained ledger of the tenant');
  addHead(ledger, shelf);
  addLedgerExport(ledger, shelf);
  addEntries(ledger, shelf);
  addInclusion(ledger, shelf);
  addSealing(ledger, shelf);
  addWitnessing(ledger, shelf);
  addAuditorKey(ledger, shelf);
}

interface HeadOptions {
  readonly out?: string;
}

function addHead(ledger: Command, { online }: Shelf): void {
  ledger
    .command('head')
    .description('its end: keep the head elsewhere, and nothing up to it can be changed unseen')
    .option('--out <path>', 'write it to this new file too')
    .action(
      online<HeadOptions>(async (session, { options }) => {
        const head = await session.client.get('/v1/ledger/head');
        if (!head.ok) return session.finish(head, { text: headText });
        const isKept = options.out === undefined || keepHead(session, options.out, head.value);
        return isKept ? session.finish(head, { text: headText }) : EXIT.usage;
      }),
    );
}

function keepHead(session: Session, out: string, head: Head): boolean {
  try {
    writeFileSync(out, `${jsonText(head, 2)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    session.note(`error: --out ${out} cannot be made (${code}): name a file that is not there.`);
    return false;
  }
}

interface EntriesOptions extends ListOptions {
  readonly type?: string;
  readonly decision?: string;
  readonly from?: string;
  readonly to?: string;
  readonly order?: 'asc' | 'desc';
  readonly after?: number;
}

const SEQ_MAX = 999_999_999;

const parseType = (text: string) =>
  /^[a-z][a-z_]{0,49}\.(?:\*|[a-z][a-z_]{0,49})$/.test(text)
    ? ok(text)
    : err('Give a type as decision.recorded, or all of a room as decision.*');

function addEntries(ledger: Command, { online }: Shelf): void {
  withListOptions(
    ledger
      .command('entries')
      .description('entries as they are stored')
      .option('--type <type>', 'one type, or all of a room as decision.*', reading(parseType))
      .option('--decision <decision>', 'a decision and what came of it', reading(parseDecisionId))
      .option('--from <time>', 'not before', reading(parseTime))
      .option('--to <time>', 'before', reading(parseTime))
      .option('--order <order>', 'asc or desc', reading(parseWord(['asc', 'desc'])))
      .option('--after <seq>', 'begin behind this entry', reading(parseCount(0, SEQ_MAX))),
  ).action(
    online<EntriesOptions>((session, { options }) => {
      const { type, decision: decision_id, from, to, order, after, all = false } = options;
      return session.list<Entry>(
        (cursor) => {
          const page = pageQueryOf(options, cursor);
          const after_seq = page.cursor === undefined ? after?.toString() : undefined;
          const query = { type, decision_id, from, to, order, after_seq, ...page };
          return session.client.get('/v1/ledger/entries', { query: given(query) });
        },
        {
          columns: [
            { title: 'seq', align: 'right' },
            { title: 'at' },
            { title: 'type' },
            { title: 'by' },
            { title: 'link' },
          ],
          row: ({ seq, at, type: name, actor, link }) => [
            seq.toString(),
            at,
            name,
            actor === null ? '-' : `${actor.role} ${actor.id}`,
            link ?? 'unsealed',
          ],
          all,
        },
      );
    }),
  );
}

interface InclusionOptions {
  readonly decision?: string;
  readonly seq?: number;
}

function addInclusion(ledger: Command, { online }: Shelf): void {
  ledger
    .command('inclusion')
    .description('prove that one entry is in the ledger: exit code 1 when nothing proves it yet')
    .option('--decision <decision>', 'the entry of this decision', reading(parseDecisionId))
    .option('--seq <seq>', 'the entry of this number', reading(parseCount(0, SEQ_MAX)))
    .action(
      online<InclusionOptions>(async (session, { options: { decision, seq } }) => {
        const query = { decision_id: decision, seq: seq?.toString() };
        return session.finish(
          await session.client.get('/v1/ledger/inclusion', { query: given(query) }),
          {
            text: inclusionText,
            exit: ({ state }): ExitCode => (state === 'included' ? EXIT.done : EXIT.no),
          },
        );
      }),
    );
}

const STATES: Readonly<Record<Inclusion['state'], string>> = {
  included: 'included',
  uncovered: 'sealed, and newer than every checkpoint: ask again later',
  unsealed: 'unsealed: nothing chains it',
};

function inclusionText({ entry, state, inclusion }: Inclusion): string {
  const fields = printFields([
    ['seq', entry.seq.toString()],
    ['type', entry.type],
    ['link', entry.link],
    ['state', STATES[state]],
    ...(inclusion === null
      ? []
      : ([
          ['leaf', `${inclusion.leaf_index} of ${inclusion.tree_size}`],
          ['root', inclusion.root],
          ['witnesses', inclusion.witnesses.join(', ') || 'none'],
        ] as const)),
  ]);
  if (inclusion === null) return fields;
  const { proof, checkpoint } = inclusion;
  return [fields, proof.join('\n'), printableLines(checkpoint).trimEnd()]
    .filter((part) => part !== '')
    .join('\n\n');
}

function addSealing(ledger: Command, { online }: Shelf): void {
  withIdempotencyKey(
    ledger
      .command('sealing')
      .description('seal every entry from now on, no longer, or with the next key')
      .argument(
        '<on|off|rotate>',
        'nothing is sealed backwards',
        reading(parseWord(['on', 'off', 'rotate'])),
      ),
  ).action(
    online<KeyedOptions>(async (session, { words: [word], options }) => {
      const key = given({ idempotencyKey: options.idempotencyKey });
      if (word === 'rotate')
        return session.finish(await session.client.post('/v1/ledger/sealing/rotations', key), {
          text: ({ kid, since_seq: since }) =>
            printFields([
              ['kid', kid],
              ['since', `entry ${since}`],
            ]),
        });
      const on = word === 'on';
      return session.finish(
        await session.client.put('/v1/ledger/sealing', { body: { on }, ...key }),
        { text: headText },
      );
    }),
  );
}

function addWitnessing(ledger: Command, { online }: Shelf): void {
  withIdempotencyKey(
    ledger
      .command('witnessing')
      .description('have checkpoints cosigned from now on, or no longer; or how it stands')
      .argument(
        '<on|off|show>',
        'witnesses see sizes and hashes, never entries',
        reading(parseWord(['on', 'off', 'show'])),
      ),
  ).action(
    online<KeyedOptions>(async (session, { words: [word], options }) =>
      session.finish(
        word === 'show'
          ? await session.client.get('/v1/ledger/witnessing')
          : await session.client.put('/v1/ledger/witnessing', {
              body: { on: word === 'on' },
              ...given({ idempotencyKey: options.idempotencyKey }),
            }),
        { text: witnessingText },
      ),
    ),
  );
}

function witnessingText(witnessing: Witnessing): string {
  const { on, origin, newest_checkpoint: newest, broken_invariant: broken } = witnessing;
  const { witnesses, alarms } = witnessing;
  return printFields([
    ['witnessing', on ? 'on' : 'off'],
    ['log', origin],
    ['checkpoint', newest === null ? null : `of ${newest.size} sealed entries, to ${newest.seq}`],
    ['cosigned by', newest === null ? null : newest.cosigners.join(', ') || 'nobody yet'],
    ...witnesses.map(({ name, disagreement, failing }): readonly [string, string] => [
      'witness',
      `${name}: ${disagreement ?? failing?.reason ?? 'well'}`,
    ]),
    ...(broken === null ? [] : [['broken', broken] as const]),
    ...alarms.map(({ invariant, detail }): readonly [string, string] => [
      'alarm',
      `${invariant}: ${detail}`,
    ]),
  ]);
}

interface AuditorKeyOptions {
  readonly tenant: string;
  readonly kid: string;
}

const parseTenantId = (text: string) =>
  isPrefixedId('tnt', text) ? ok(text) : err('Give tnt_ and letters or digits.');

const parseKid = (text: string) =>
  /^[A-Za-z0-9._-]{1,64}$/.test(text) ? ok(text) : err('Give the id of a key, as k1.');

function addAuditorKey(ledger: Command, { local }: Shelf): void {
  ledger
    .command('auditor-key')
    .description('the secret of one sealing key, for an auditor; on the settings of the service')
    .requiredOption('--tenant <tenant>', 'whose ledger', reading(parseTenantId))
    .requiredOption('--kid <kid>', 'which of its keys', reading(parseKid))
    .action(
      local<AuditorKeyOptions>(async ({ options, json }, { out, note }) => {
        // The database's side of the service: loaded by the one command that needs it.
        const { auditorKey } = await import('../auditor-key.js');
        const { tenant, kid } = options;
        const secret = await auditorKey({ tenantId: tenant as TenantId, kid, note });
        if (!secret.ok) {
          note(secret.error);
          return EXIT.usage;
        }
        out(json ? jsonText({ kid, secret: secret.value }, 2) : `${kid} ${secret.value}`);
        return EXIT.done;
      }),
    );
}

const headText = ({ seq, at, sealed_head: sealed, sealing }: Head): string =>
  printFields([
    ['seq', seq.toString()],
    ['at', at],
    // One word, as the verifiers take it: the number of the last entry beside the link of another is no head.
    ['head', sealed === null ? 'none: nothing was ever sealed' : `${sealed.seq}:${sealed.link}`],
    ['sealing', sealing.on ? `on since entry ${sealing.since_seq ?? '-'}` : 'off'],
    ['kid', sealing.kid],
  ]);
