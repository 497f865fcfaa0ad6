import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { InputOf, ValueOf } from '../../client/index.js';
import { err, isCurrencyCode, ok, type Result } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { inWholeTable, type TablePart, tableParts } from '../table-parts.js';
import { parseChosenId, parseWord, reading } from '../values.js';
import { readJsonFile } from './json-file.js';
import { given } from './pieces.js';

type TableKind = InputOf<'post', '/v1/catalog/imports/{kind}'>['path']['kind'];
type JsonImport = InputOf<'post', '/v1/catalog/imports'>['body'];
type Imported = ValueOf<'post', '/v1/catalog/imports'>;

/** Largest table that is read from a file, in bytes. */
const TABLE_BYTES_MAX = 64 * 1_048_576;
const KINDS = ['products', 'variants', 'prices', 'inventory', 'json'] as const;

interface ImportOptions {
  readonly merchant: string;
  readonly kind: (typeof KINDS)[number];
  readonly currency?: string;
}

const parseCurrency = (text: string): Result<string, string> =>
  isCurrencyCode(text) ? ok(text) : err('Give an ISO 4217 code, as INR.');

export function addCatalog({ program, online }: Shelf): void {
  const catalog = program.command('catalog').description('what a merchant sells');
  importCommand(catalog).action(
    online<ImportOptions>((session, { words: [path = ''], options }) =>
      options.kind === 'json'
        ? importJson(session, path, options)
        : importTable(session, path, { ...options, kind: options.kind }),
    ),
  );
}

const importCommand = (catalog: Command): Command =>
  catalog
    .command('import')
    .description('set products, variants, prices or stock from a file')
    .argument('<file>', 'CSV with a header line, or JSON; - for standard input')
    .requiredOption('--merchant <merchant>', 'whose catalogue', reading(parseChosenId))
    .requiredOption('--kind <kind>', KINDS.join(', '), reading(parseWord(KINDS)))
    .option(
      '--currency <currency>',
      'of the prices, which are minor units',
      reading(parseCurrency),
    );

async function importJson(
  session: Session,
  path: string,
  { merchant }: ImportOptions,
): Promise<ExitCode> {
  const file = readJsonFile(path);
  if (!file.ok) {
    session.note(`error: ${file.error}`);
    return EXIT.usage;
  }
  const body = { ...file.value, merchant_id: merchant } as unknown as JsonImport;
  const answer = await session.client.post('/v1/catalog/imports', { body });
  return session.finish(answer, { text: importedText });
}

/**
 * Sends a long table in pieces, each all or nothing. What was imported before a piece failed stays, and sending the whole
 * table again is harmless: rows that are so already write nothing.
 */
async function importTable(
  session: Session,
  path: string,
  { merchant, kind, currency }: ImportOptions & { readonly kind: TableKind },
): Promise<ExitCode> {
  const text = readTableFile(path);
  const parts = text.ok ? tableParts(text.value) : text;
  if (!parts.ok) {
    session.note(`error: ${parts.error}`);
    return EXIT.usage;
  }
  const total = parts.value.reduce((sum, { rows }) => sum + rows, 0);
  let imported = nothingOf(merchant);
  let done = 0;
  for (const part of parts.value) {
    if (parts.value.length > 1) session.progress.show({ done, total, unit: 'rows' });
    const answer = await session.client.post('/v1/catalog/imports/{kind}', {
      path: { kind },
      query: { merchant_id: merchant, ...given({ currency }) },
      body: part.text,
    });
    if (!answer.ok) {
      if (done > 0) session.note(`${done} of ${total} rows were imported before this.`);
      return session.fail(placed(answer.failure, part));
    }
    done += part.rows;
    imported = sumOf(imported, answer.value);
  }
  session.show(imported, importedText(imported));
  return EXIT.done;
}

function readTableFile(path: string): Result<string, string> {
  try {
    if (path !== '-' && statSync(path).size > TABLE_BYTES_MAX)
      return err(`${path} is larger than ${TABLE_BYTES_MAX} bytes.`);
    return ok(readFileSync(path === '-' ? 0 : path, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err(`${path} cannot be read (${code}).`);
  }
}

type Failure = Parameters<Session['fail']>[0];

/** The problem with its place in the whole file. */
function placed(failure: Failure, part: TablePart): Failure {
  if (failure.kind !== 'problem') return failure;
  const { problem } = failure;
  const field =
    typeof problem.field === 'string' ? inWholeTable(problem.field, part) : problem.field;
  return {
    ...failure,
    problem: { ...problem, field, detail: inWholeTable(problem.detail, part) },
  };
}

const nothingOf = (merchant: string): Imported => ({
  merchant_id: merchant,
  products: 0,
  variants: 0,
  prices: 0,
  counts: 0,
  policies: false,
});

const sumOf = (left: Imported, right: Imported): Imported => ({
  merchant_id: left.merchant_id,
  products: left.products + right.products,
  variants: left.variants + right.variants,
  prices: left.prices + right.prices,
  counts: left.counts + right.counts,
  policies: left.policies || right.policies,
});

const importedText = (imported: Imported): string =>
  printFields([
    ['merchant', imported.merchant_id],
    ['products', String(imported.products)],
    ['variants', String(imported.variants)],
    ['prices', String(imported.prices)],
    ['stock', String(imported.counts)],
    ['policies', imported.policies ? 'set' : '-'],
  ]);
