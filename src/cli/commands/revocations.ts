import type { InputOf, ValueOf } from '../../client/index.js';
import { err, isChosenId, ok, type Result } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseChosenId, parseWord, reading } from '../values.js';
import type { FactType } from './facts.js';
import { merchantOf } from './one-merchant.js';
import { given, type KeyedOptions, withIdempotencyKey } from './pieces.js';

type Body = InputOf<'post', '/v1/revocations'>['body'];
type Revocation = ValueOf<'post', '/v1/revocations'>;
type SubjectKind = NonNullable<Body['subject_kind']>;

/** What people call the facts of a catalogue. */
const FACT_WORDS: Readonly<Record<string, FactType>> = {
  product: 'catalog_snapshot',
  price: 'price',
  stock: 'inventory',
  policy: 'policy',
  protocol: 'protocol_adapter',
};
const KIND_WORDS = ['artifact', 'mandate', 'consent', 'passport', 'registration'] as const;
const WORDS = [...Object.keys(FACT_WORDS), ...KIND_WORDS];

const REASONS: Readonly<Record<Body['reason_code'], true>> = {
  price_error: true,
  recall: true,
  consent_withdrawn: true,
  merchant_request: true,
  key_compromise: true,
  other: true,
};
const REASON_NAMES = Object.keys(REASONS) as Body['reason_code'][];
const STATUS_NAMES = ['revoked', 'suspended', 'valid'] as const;

/** `price:tea-100g`, `mandate:mnd_1`. */
function parseTarget(text: string): Result<string, string> {
  const [word = '', ...rest] = text.split(':');
  return WORDS.includes(word) && isChosenId(rest.join(':'))
    ? ok(text)
    : err(`Give what and its id, as price:tea-100g; what is ${WORDS.join(', ')}.`);
}

interface RevokeOptions extends KeyedOptions {
  readonly reason: Body['reason_code'];
  readonly status: (typeof STATUS_NAMES)[number];
  readonly merchant?: string;
}

export function addRevocations({ program, online }: Shelf): void {
  withIdempotencyKey(
    program
      .command('revoke')
      .description('withdraw a fact or a right, everywhere at once')
      .argument(
        '<target>',
        'what and its id: price:<variant>, mandate:<mandate>, product:<product> (all its variants)',
        reading(parseTarget),
      )
      .requiredOption(
        '--reason <reason>',
        REASON_NAMES.join(', '),
        reading(parseWord(REASON_NAMES)),
      )
      .option(
        '--merchant <merchant>',
        'whose fact; the only one of this key when left out',
        reading(parseChosenId),
      )
      .option(
        '--status <status>',
        STATUS_NAMES.join(', '),
        reading(parseWord(STATUS_NAMES)),
        'revoked',
      ),
  ).action(
    online<RevokeOptions>(async (session, { words: [what = ''], options }) => {
      const [word = '', ...rest] = what.split(':');
      const id = rest.join(':');
      const type = FACT_WORDS[word];
      const common = { reason_code: options.reason, status: options.status };
      const keyed = given({ idempotencyKey: options.idempotencyKey });
      if (type === undefined) {
        const body: Body = { ...common, subject_id: id, subject_kind: word as SubjectKind };
        const answer = await session.client.post('/v1/revocations', { body, ...keyed });
        return session.finish(answer, { text: revocationText });
      }
      const merchant = await merchantOf(session, options.merchant);
      if (!merchant.ok) return merchant.error;
      const target = factTarget(session, { type, subject: id, merchant: merchant.value });
      if (!target.ok) return target.error;
      const body: Body = { ...common, ...target.value };
      const answer = await session.client.post('/v1/revocations', { body, ...keyed });
      return session.finish(answer, { text: revocationText });
    }),
  );
}

type FactTarget = Pick<Body, 'artifact_type' | 'merchant_id' | 'variant_id'>;

/** How the fact is named. What nobody read yet the service publishes first, so that it is not sold tomorrow. */
function factTarget(
  session: Session,
  { type, subject, merchant }: { type: FactType; subject: string; merchant: string },
): Result<FactTarget, ExitCode> {
  const isOfMerchant = type === 'policy' || type === 'protocol_adapter';
  if (isOfMerchant && subject !== merchant) {
    session.note(`error: this fact is of the merchant as a whole: give its id, ${merchant}.`);
    return err(EXIT.usage);
  }
  const named = { merchant_id: merchant, artifact_type: type };
  return ok(isOfMerchant ? named : { ...named, variant_id: subject });
}

const revocationText = (revocation: Revocation): string =>
  printFields([
    ['revocation', revocation.revocation_id],
    ['status', revocation.status],
    ['reason', revocation.reason_code],
    ['effective at', revocation.effective_at],
    ['subject', revocation.subject_id],
    ['list', revocation.uri],
    ['place', String(revocation.idx)],
    ['fell with it', revocation.cascaded_subject_ids.join(' ') || null],
  ]);
