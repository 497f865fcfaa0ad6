import { existsSync } from 'node:fs';
import {
  type BlockHeader,
  judgeTimestamp,
  type JudgedAttestation,
  parseBlockHeaders,
  timestampLines,
  type TimestampVerdict,
} from '../../core/chain/index.js';
import { formatInstant, ok, type Result, err } from '../../core/kernel/index.js';
import { CALENDAR_TIMEOUT_MS, isPublicCalendar, parseCalendar } from '../calendars.js';
import { readBounded } from '../bounded-file.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { jsonText, printableLines } from '../printable.js';
import type { Shelf } from '../shelf.js';
import {
  type CalendarReport,
  digestOfFile,
  hasBlock,
  readProofFile,
  stamped,
  upgraded,
  writeProofFile,
} from '../timestamps.js';
import { parseCount, reading } from '../values.js';

interface CalendarOptions {
  readonly calendar?: readonly string[];
  readonly atLeast?: number;
  readonly timeout?: number;
}

interface HeaderOptions {
  readonly bitcoinHeaders?: string;
}

const readCalendar = reading(parseCalendar);
const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  readCalendar(text),
];
const timeoutMsOf = ({ timeout }: CalendarOptions): number =>
  timeout === undefined ? CALENDAR_TIMEOUT_MS : timeout * 1_000;

export function addTimestamp(shelf: Shelf): void {
  const timestamp = shelf.program
    .command('timestamp')
    .description('proofs by OpenTimestamps that a file was there before a Bitcoin block');
  addStamp(shelf, timestamp);
  addUpgrade(shelf, timestamp);
  addVerify(shelf, timestamp);
  timestamp
    .command('info')
    .description('what a proof says, step by step; asks nobody')
    .argument('<proof>', 'a .ots file')
    .action(
      shelf.local(({ words: [path = ''], json }, { out, note }) => {
        const proof = readProofFile(path);
        if (!proof.ok) {
          note(`error: ${proof.error}`);
          return Promise.resolve(EXIT.usage);
        }
        const { timestamp: tree } = proof.value;
        const digest = Buffer.from(tree.message).toString('hex');
        const lines = timestampLines(tree);
        out(
          json
            ? jsonText({ file_sha256: digest, steps: lines }, 2)
            : [`File sha256 hash: ${digest}`, 'Timestamp:', ...lines].join('\n'),
        );
        return Promise.resolve(EXIT.done);
      }),
    );
}

type Group = ReturnType<Shelf['program']['command']>;

function addStamp({ local }: Shelf, group: Group): void {
  group
    .command('stamp')
    .description('show the digest of a file to calendars and write <file>.ots')
    .argument('<file>', 'of any size; only its SHA-256 behind a nonce leaves this machine')
    .requiredOption('--calendar <url>', 'a calendar to ask; may be given several times', collected)
    .option(
      '--at-least <count>',
      'so many calendars have to take it; 1 when left out',
      reading(parseCount(1, 100)),
    )
    .action(
      local<CalendarOptions>(async ({ words: [file = ''], options, json }, { out, note }) => {
        const digest = await digestOfFile(file);
        if (!digest.ok) {
          note(`error: ${digest.error}`);
          return EXIT.usage;
        }
        const path = `${file}.ots`;
        if (existsSync(path)) {
          note(`error: ${path} is there already: upgrade it, or move it away.`);
          return EXIT.usage;
        }
        const calendars = [...new Set(options.calendar ?? [])];
        const { proof, reports } = await stamped(digest.value, calendars, timeoutMsOf(options));
        const taken = reports.filter(({ outcome }) => outcome === 'added').length;
        const needed = options.atLeast ?? 1;
        if (proof === null || taken < needed) {
          for (const line of reportLines(reports)) note(line);
          note(`error: ${taken} calendars took it, ${needed} are needed: nothing was written.`);
          return EXIT.unreachable;
        }
        const written = writeProofFile(path, proof, { replaces: false });
        if (!written.ok) {
          note(`error: ${written.error}`);
          return EXIT.usage;
        }
        const sha256 = digest.value.toString('hex');
        out(
          json
            ? jsonText({ proof: path, file_sha256: sha256, calendars: reports }, 2)
            : [
                ...reportLines(reports),
                `${path} is written. It proves no time before it is upgraded: some hours from now.`,
              ].join('\n'),
        );
        return EXIT.done;
      }),
    );
}

function addUpgrade({ local }: Shelf, group: Group): void {
  group
    .command('upgrade')
    .description('ask the calendars of a proof for the Bitcoin block, and add it')
    .argument('<proof>', 'a .ots file; what it holds already stays in it')
    .option(
      '--calendar <url>',
      'a calendar that may be asked beside the public ones; may be given several times',
      collected,
    )
    .action(
      local<CalendarOptions>(async ({ words: [path = ''], options, json }, { out, note }) => {
        const before = readProofFile(path);
        if (!before.ok) {
          note(`error: ${before.error}`);
          return EXIT.usage;
        }
        const given = options.calendar ?? [];
        const isAsked = (calendar: string): boolean =>
          given.includes(calendar.replace(/\/+$/, '')) || isPublicCalendar(calendar);
        const { proof, reports } = await upgraded(before.value, isAsked, timeoutMsOf(options));
        if (reports.some(({ outcome }) => outcome === 'added')) {
          const written = writeProofFile(path, proof, { replaces: true });
          if (!written.ok) {
            note(`error: ${written.error}`);
            return EXIT.usage;
          }
        }
        const isComplete = hasBlock(proof.timestamp);
        const state = isComplete ? 'complete' : 'pending';
        out(
          json
            ? jsonText({ proof: path, state, calendars: reports }, 2)
            : [
                ...reportLines(reports),
                isComplete ? 'It names a Bitcoin block.' : 'It is still pending.',
              ].join('\n'),
        );
        return isComplete ? EXIT.done : endOf(reports);
      }),
    );
}

/** Pending is an answer as long as a calendar gave one. */
const endOf = (reports: readonly CalendarReport[]): ExitCode =>
  reports.length > 0 && reports.every(({ outcome }) => outcome === 'away')
    ? EXIT.unreachable
    : EXIT.no;

const reportLines = (reports: readonly CalendarReport[]): readonly string[] =>
  reports.map(({ calendar, outcome, detail }) =>
    printableLines(
      `${calendar}: ${outcome.replace('_', ' ')}${detail === null ? '' : `, ${detail}`}`,
    ),
  );

function addVerify({ local }: Shelf, group: Group): void {
  group
    .command('verify')
    .description('whether a proof is of this file, and what it proves; asks nobody')
    .argument('<file>', 'the file')
    .argument('[proof]', '<file>.ots when left out')
    .option(
      '--bitcoin-headers <path>',
      'a line "<height> <header of 80 bytes in hexadecimal>" for each block, from a node you trust',
    )
    .action(
      local<HeaderOptions>(async ({ words: [file = '', path], options, json }, { out, note }) => {
        const digest = await digestOfFile(file);
        const proof = readProofFile(path ?? `${file}.ots`);
        const headers = readHeaders(options.bitcoinHeaders);
        for (const part of [digest, proof, headers]) {
          if (part.ok) continue;
          note(`error: ${part.error}`);
          return EXIT.usage;
        }
        if (!digest.ok || !proof.ok || !headers.ok) return EXIT.usage;
        const verdict = judgeTimestamp(proof.value, digest.value, headers.value);
        out(json ? jsonText(verdictDocument(verdict, digest.value), 2) : verdictText(verdict));
        return verdict.result === 'file_mismatch' || verdict.result === 'block_mismatch'
          ? EXIT.no
          : EXIT.done;
      }),
    );
}

/** Of a file of headers: some hundred bytes a block. */
const HEADERS_BYTES_MAX = 16 * 1024 * 1024;

function readHeaders(path: string | undefined): Result<ReadonlyMap<number, BlockHeader>, string> {
  if (path === undefined) return ok(new Map());
  try {
    const bytes = readBounded(path, HEADERS_BYTES_MAX);
    if (bytes === null)
      return err(`--bitcoin-headers ${path} is larger than ${HEADERS_BYTES_MAX} bytes.`);
    const headers = parseBlockHeaders(bytes.toString('utf8'));
    return headers.ok ? headers : err(`--bitcoin-headers ${path}: ${headers.error}`);
  } catch {
    return err(`--bitcoin-headers ${path} cannot be read.`);
  }
}

const instant = (seconds: number | null): string | null =>
  seconds === null ? null : formatInstant(seconds * 1_000);

const verdictDocument = (verdict: TimestampVerdict, digest: Buffer) => ({
  result: verdict.result,
  file_sha256: digest.toString('hex'),
  height: verdict.height,
  block_time: instant(verdict.timeSeconds),
  attestations: verdict.attestations.map(attestationDocument),
});

const attestationDocument = (attestation: JudgedAttestation) =>
  attestation.kind === 'bitcoin'
    ? {
        kind: attestation.kind,
        height: attestation.height,
        state: attestation.state,
        block_time: instant(attestation.timeSeconds),
      }
    : attestation.kind === 'pending'
      ? attestation
      : { kind: attestation.kind, tag: attestation.tagHex };

function verdictText(verdict: TimestampVerdict): string {
  const { result, height, timeSeconds, attestations } = verdict;
  const sentences: Readonly<Record<TimestampVerdict['result'], string>> = {
    confirmed: `confirmed: the file was there before block ${height} of ${instant(timeSeconds)} (miners' clocks may be two hours off). The headers are taken on the word of who gave them.`,
    attested: `attested: block height ${height}, not compared with the chain: give --bitcoin-headers. The proof is of this file.`,
    pending:
      'pending: the proof is of this file and calendars promised a block; it proves no time yet. Upgrade it.',
    unknown:
      'unknown: the proof is of this file and says nothing that this program understands; it proves no time here.',
    file_mismatch:
      'file_mismatch: the proof is of another file. Look for the very bytes that were stamped.',
    block_mismatch: `block_mismatch: the proof is of this file, but does not lead to the header given for block ${height}: the header or the proof is wrong.`,
  };
  return printableLines([sentences[result], ...attestations.map(attestationLine)].join('\n'));
}

function attestationLine(attestation: JudgedAttestation): string {
  switch (attestation.kind) {
    case 'pending':
      return `  pending at ${attestation.calendar}`;
    case 'unknown':
      return `  of the unknown kind ${attestation.tagHex}`;
    case 'bitcoin':
      return `  block height ${attestation.height}: ${attestation.state}`;
  }
}
