import type { InputOf, ValueOf } from '../../client/index.js';
import type { Shelf } from '../shelf.js';
import { printFields, printTable, type Column } from '../table.js';
import {
  parseChosenId,
  parseCount,
  parseId,
  parseLabel,
  parseTime,
  parseWord,
  reading,
  readingEach,
} from '../values.js';
import {
  given,
  type KeyedOptions,
  type ListOptions,
  pageQueryOf,
  withIdempotencyKey,
  withListOptions,
} from './pieces.js';
import { secretPlace, type SecretPlace, withKeyOut } from './secret-file.js';

type KeyBody = InputOf<'post', '/v1/api-keys'>['body'];
type ApiKey = ValueOf<'get', '/v1/api-keys'>['items'][number];
type SigningKey = ValueOf<'get', '/v1/signing-keys'>['keys'][number];
type Purpose = SigningKey['purpose'];

const ROLES: Readonly<Record<KeyBody['role'], true>> = {
  tenant_admin: true,
  operator: true,
  auditor: true,
  merchant_system: true,
  agent: true,
  psp: true,
};

const PURPOSES: Readonly<Record<Purpose, true>> = {
  ucp: true,
  fact: true,
  card: true,
  webhook: true,
  receipt: true,
  checkpoint: true,
};

const wordsOf = <Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] =>
  Object.keys(words) as Word[];

const OVERLAP_SECONDS_MAX = 31_536_000;

export function addKeys(shelf: Shelf): void {
  const keys = shelf.program
    .command('keys')
    .description('API keys, and the keys that the tenant signs with');
  addCreate(shelf, keys);
  addListAndRevoke(shelf, keys);
  addSigning(shelf, keys);
}

interface CreateOptions extends SecretPlace, KeyedOptions {
  readonly name: string;
  readonly role: KeyBody['role'];
  readonly scope?: readonly string[];
  readonly merchant?: readonly string[];
  readonly agent?: string;
  readonly expires?: string;
}

function addCreate({ online }: Shelf, keys: Shelf['program']): void {
  const create = keys
    .command('create')
    .description('make an API key')
    .requiredOption('--name <name>', 'for people', reading(parseLabel))
    .requiredOption('--role <role>', wordsOf(ROLES).join(', '), reading(parseWord(wordsOf(ROLES))))
    .option('--scope <scope>', 'only routes with this tag; repeatable', readingEach(parseChosenId))
    .option('--merchant <merchant>', 'only this merchant; repeatable', readingEach(parseChosenId))
    .option(
      '--agent <agent>',
      'the agent that a key of the role agent speaks for',
      reading(parseId('agt')),
    )
    .option('--expires <time>', 'when it ends', reading(parseTime));
  withIdempotencyKey(withKeyOut(create)).action(
    online<CreateOptions>(async (session, { options }) => {
      const place = secretPlace(session, options);
      if (!place.ok) return place.error;
      const answer = await session.client.post('/v1/api-keys', {
        body: {
          name: options.name,
          role: options.role,
          scopes: (options.scope as KeyBody['scopes']) ?? null,
          merchant_ids: options.merchant === undefined ? null : [...options.merchant],
          agent_id: options.agent ?? null,
          expires_at: options.expires ?? null,
        },
        ...given({ idempotencyKey: options.idempotencyKey }),
      });
      if (!answer.ok) return session.fail(answer.failure);
      const shown = place.value.keep(answer.value);
      session.show(
        shown,
        printFields([
          ['key', shown.api_key_id],
          ['secret', shown.api_key],
        ]),
      );
      return place.value.exit();
    }),
  );
}

const API_KEY_COLUMNS: readonly Column[] = [
  { title: 'KEY' },
  { title: 'ROLE' },
  { title: 'NAME' },
  { title: 'STATE' },
  { title: 'ONLY FOR' },
];

const apiKeyRow = (key: ApiKey): readonly string[] => [
  key.api_key_id,
  key.role,
  key.name,
  stateOf(key),
  [
    ...(key.merchant_ids ?? []),
    ...(key.scopes ?? []),
    ...(key.agent_id === null ? [] : [key.agent_id]),
  ].join(' ') || '-',
];

function stateOf({
  revoked_at: revokedAt,
  expires_at: expiresAt,
  replaced_by: by,
}: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  const end = expiresAt === null ? 'works' : `until ${expiresAt}`;
  return by === null ? end : `${end}, replaced by ${by}`;
}

function addListAndRevoke({ online }: Shelf, keys: Shelf['program']): void {
  withListOptions(
    keys.command('list').description('API keys, without what could prove them'),
  ).action(
    online<ListOptions>((session, { options }) =>
      session.list<ApiKey>(
        (cursor) =>
          session.client.get('/v1/api-keys', { query: given(pageQueryOf(options, cursor)) }),
        { columns: API_KEY_COLUMNS, row: apiKeyRow, all: options.all ?? false },
      ),
    ),
  );
  withIdempotencyKey(
    keys
      .command('revoke')
      .description('end an API key at once')
      .argument('<key>', 'its id, key_...', reading(parseId('key'))),
  ).action(
    online<KeyedOptions>(async (session, { words: [id = ''], options }) => {
      const answer = await session.client.delete('/v1/api-keys/{api_key_id}', {
        path: { api_key_id: id },
        ...given({ idempotencyKey: options.idempotencyKey }),
      });
      if (!answer.ok) return session.fail(answer.failure);
      session.show({ api_key_id: id, revoked: true }, `${id} is revoked.`);
      return 0;
    }),
  );
}

const SIGNING_COLUMNS: readonly Column[] = [
  { title: 'PURPOSE' },
  { title: 'STATE' },
  { title: 'ALG' },
  { title: 'KID' },
  { title: 'CREATED' },
  { title: 'ENDS' },
];

const signingRow = (key: SigningKey): readonly string[] => [
  key.purpose,
  key.state,
  key.jwk.alg,
  key.jwk.kid,
  key.created_at,
  key.ends_at ?? '-',
];

function addSigning({ online }: Shelf, keys: Shelf['program']): void {
  const signing = keys.command('signing').description('the keys that the tenant signs with');
  signing
    .command('list')
    .description('signing keys, ended ones included')
    .action(
      online(async (session) =>
        session.finish(await session.client.get('/v1/signing-keys'), {
          text: (found) => printTable(SIGNING_COLUMNS, found.keys.map(signingRow)),
        }),
      ),
    );
  withIdempotencyKey(
    signing
      .command('rotate')
      .description('sign with a new key for this purpose')
      .argument('<purpose>', wordsOf(PURPOSES).join(', '), reading(parseWord(wordsOf(PURPOSES))))
      .option(
        '--overlap-seconds <seconds>',
        'how long the old key still verifies; 7 days when left out',
        reading(parseCount(0, OVERLAP_SECONDS_MAX)),
      ),
  ).action(
    online<KeyedOptions & { readonly overlapSeconds?: number }>(
      async (session, { words: [purpose], options }) =>
        session.finish(
          await session.client.post('/v1/signing-keys/{purpose}/rotate', {
            path: { purpose: purpose as Purpose },
            body: given({ overlap_seconds: options.overlapSeconds }),
            ...given({ idempotencyKey: options.idempotencyKey }),
          }),
          { text: ({ kid }) => printFields([['kid', kid]]) },
        ),
    ),
  );
}
